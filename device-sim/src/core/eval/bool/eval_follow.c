/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/* Tests: tests/core/eval/bool/test_eval_follow.c. */
#include "core/eval/bool/eval_follow.h"

#include "core/eval/bool/eval_bool.h"

/* Work, in units of about half a nanosecond: of a doc that is listed, without and with a score; of
   one that is looked up; of a posting of a block in which one is. */
#define LIST_WORK 6.0
#define LIST_SCORED_WORK 12.0
#define LOOK_UP_WORK 5.0
#define DECODE_WORK 1.0

/* A list that has one in so many docs consists of bitmaps, which are not decoded. */
#define BITMAPS_FROM_ONE_IN 8u

/* Where more have to match, how many docs have so many is not worth estimating. */
#define MAX_TO_MATCH 64u

/* ---- choosing ---- */

/* How likely it is that of the children added so far so many match a doc, as if that had nothing
   to do with each other; the last entry is for all higher numbers. */
struct chances {
  double of[MAX_TO_MATCH + 1u];
  uint32_t last;
};

static void add_chance(struct chances *chances, double chance) {
  double *of = chances->of;
  of[chances->last] += of[chances->last - 1u] * chance;
  for (uint32_t i = chances->last - 1u; i > 0; i--) {
    of[i] = of[i] * (1.0 - chance) + of[i - 1u] * chance;
  }
  of[0] *= 1.0 - chance;
}

/* The share of docs that at least `least` children match. */
static double chance_of(const struct chances *chances, uint32_t least) {
  double sum = 0.0;
  for (uint32_t i = least; i <= chances->last; i++) {
    sum += chances->of[i];
  }
  return sum;
}

static double share_of(const struct csd_node *child, uint32_t max_doc) {
  return child->cost < max_doc ? (double)child->cost / (double)max_doc : 1.0;
}

/* Work to look docs up in `count` children, one after the other, of which the first ones are
   looked up in fewer docs with every child that has to match before. */
static double look_up_work(const struct chances *before, struct csd_node *const *children,
                           uint32_t count, uint32_t min_should, uint32_t max_doc) {
  struct chances chances = *before;
  double work = 0.0;
  for (uint32_t i = 0; i < count; i++) {
    const struct csd_node *child = children[i];
    const double docs = chance_of(&chances, min_should - (count - i)) * (double)max_doc;
    const double blocks = docs * CSD_BLOCK_POSTINGS;
    const double decoded = blocks < (double)child->cost ? blocks : (double)child->cost;
    const bool bitmaps = child->cost >= max_doc / BITMAPS_FROM_ONE_IN;
    work += LOOK_UP_WORK * docs + (bitmaps ? 0.0 : DECODE_WORK * decoded);
    add_chance(&chances, share_of(child, max_doc));
  }
  return work;
}

static bool costs_less(const struct csd_node *a, const struct csd_node *b) {
  return a->cost < b->cost;
}

/* Lets the costliest children follow, and lists them, the cheapest first. Returns how many. */
static uint32_t let_costliest_follow(const struct csd_node *node, uint32_t most,
                                     struct csd_node **followers) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < node->optional_count; i++) {
    struct csd_node *child = node->optional[i];
    if (count == most && child->cost <= followers[0]->cost) {
      continue;
    }
    if (count == most) {
      followers[0]->follows = false;
      followers[0] = child;
    } else {
      followers[count++] = child;
    }
    child->follows = true;
    csd_sort_nodes(followers, count, costs_less);
  }
  return count;
}

void csd_follow_choose(struct csd_node *node, uint32_t max_doc) {
  const uint32_t least = node->min_should;
  if (node->required_count > 0 || least < 2 || least > node->optional_count ||
      least > MAX_TO_MATCH || max_doc == 0) {
    return;
  }
  struct csd_node *followers[CSD_MAX_FOLLOWERS];
  const uint32_t most = least - 1u < CSD_MAX_FOLLOWERS ? least - 1u : CSD_MAX_FOLLOWERS;
  const uint32_t count = let_costliest_follow(node, most, followers);
  const double list_work = node->scored ? LIST_SCORED_WORK : LIST_WORK;
  struct chances chances = {.of = {1.0}, .last = least};
  double listed = 0.0;
  for (uint32_t i = 0; i < node->optional_count; i++) {
    if (!node->optional[i]->follows) {
      add_chance(&chances, share_of(node->optional[i], max_doc));
      listed += list_work * (double)node->optional[i]->cost;
    }
  }
  double least_work = 0.0;
  uint32_t first = 0; /* of those that had better follow */
  for (uint32_t i = 0; i <= count; i++) {
    const double work = listed + look_up_work(&chances, followers + i, count - i, least, max_doc);
    if (i == 0 || work < least_work) {
      least_work = work;
      first = i;
    }
    if (i < count) {
      add_chance(&chances, share_of(followers[i], max_doc));
      listed += list_work * (double)followers[i]->cost;
    }
  }
  for (uint32_t i = 0; i < count; i++) {
    followers[i]->follows = i >= first;
    followers[i]->may_follow = i >= first;
  }
}

/* Lets those follow that were chosen by the numbers of their docs. */
static void follow_by_count(struct csd_node *node) {
  for (uint32_t i = 0; i < node->optional_count; i++) {
    node->optional[i]->follows = node->optional[i]->may_follow;
  }
}

static uint64_t listed_docs(const struct csd_node *node) {
  uint64_t sum = 0;
  for (uint32_t i = 0; i < node->optional_count; i++) {
    sum += node->optional[i]->follows ? 0 : node->optional[i]->cost;
  }
  return sum;
}

bool csd_follow_may_drop(const struct csd_eval *eval, const struct csd_node *node, bool scored) {
  return scored && node == eval->root && node->min_should > 1 && csd_is_plain_bool(node) &&
         eval->ranking.active && eval->ranking.may_skip &&
         csd_all_terms(node->optional, node->optional_count);
}

void csd_follow_by_scores(struct csd_eval *eval, struct csd_node *node) {
  if (node->followed_at == eval->ranking.min_score) {
    return;
  }
  node->followed_at = eval->ranking.min_score;
  follow_by_count(node);
  const uint64_t by_count = listed_docs(node);
  for (uint32_t i = 0; i < node->optional_count; i++) {
    node->optional[i]->follows = false;
  }
  double sum = 0.0;
  uint32_t followers = 0;
  for (uint32_t i = node->optional_count; i-- > 0 && followers < CSD_MAX_FOLLOWERS; followers++) {
    struct csd_node *child = node->optional[i]; /* the one with the least bound that lists */
    sum += child->bound;
    if (!csd_non_competitive(&eval->ranking, sum)) {
      break;
    }
    child->follows = true;
  }
  if (listed_docs(node) >= by_count) {
    follow_by_count(node);
  } else {
    /* Followers alone may match a doc often enough: it is not listed, and so not counted. */
    eval->ranking.has_skipped |= followers >= node->min_should;
  }
}

/* ---- looking up ---- */

/* Keeps the first `n` docs of the frame that are competitive if they gain at most `rest` more. */
static uint32_t keep_competitive(struct csd_eval *eval, struct csd_frame *frame, uint32_t n,
                                 double rest) {
  const double slack = csd_bound_slack(&eval->ranking);
  const double most = csd_most_non_competitive(&eval->ranking);
  uint32_t kept = 0;
  for (uint32_t i = 0; i < n; i++) {
    const bool keeps = !((frame->must[i] + rest) * slack <= most);
    frame->docs[kept] = frame->docs[i];
    frame->must[kept] = frame->must[i];
    frame->should_count[kept] = frame->should_count[i];
    kept += keeps;
  }
  eval->ranking.has_skipped |= kept < n;
  return kept;
}

/* Keeps the first `n` docs of the frame that at least `least` children match. */
static uint32_t keep_counted(struct csd_frame *frame, uint32_t n, uint32_t least, bool scored) {
  uint32_t kept = 0;
  for (uint32_t i = 0; i < n; i++) {
    const bool keeps = frame->should_count[i] >= least;
    frame->docs[kept] = frame->docs[i];
    frame->should_count[kept] = frame->should_count[i];
    if (scored) {
      frame->must[kept] = frame->must[i];
    }
    kept += keeps;
  }
  return kept;
}

/* Lists the children that follow, the cheapest first: it drops most docs. Returns how many. */
static uint32_t list_followers(const struct csd_node *node, struct csd_node **followers) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < node->optional_count; i++) {
    if (node->optional[i]->follows) {
      followers[count++] = node->optional[i];
    }
  }
  csd_sort_nodes(followers, count, costs_less);
  return count;
}

int csd_follow_add(struct csd_eval *eval, struct csd_node *node, uint32_t n, bool scored,
                   bool drops) {
  struct csd_frame *frame = node->frame;
  struct csd_node *followers[CSD_MAX_FOLLOWERS];
  const uint32_t count = list_followers(node, followers);
  double rest = 0.0;
  for (uint32_t i = 0; i < count; i++) {
    rest += followers[i]->bound;
  }
  for (uint32_t i = 0;; i++) {
    const uint32_t others = count - i;
    const uint32_t least = node->min_should > others ? node->min_should - others : 0;
    n = keep_counted(frame, n, least, scored);
    n = drops ? keep_competitive(eval, frame, n, rest) : n;
    if (n == 0 || others == 0) {
      return (int)n;
    }
    struct csd_hits hits = csd_frame_hits(frame);
    const int status = csd_eval_probe(eval, followers[i], frame->docs, n, scored, &hits);
    if (status < 0) {
      return status;
    }
    for (uint32_t j = 0; j < hits.n; j++) {
      frame->should_count[hits.index[j]]++;
    }
    for (uint32_t j = 0; j < hits.n && scored; j++) {
      frame->must[hits.index[j]] += (double)hits.scores[j];
    }
    rest -= followers[i]->bound;
  }
}
