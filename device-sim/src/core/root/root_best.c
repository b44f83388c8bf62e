/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/*
 * Reads the directories of the list stretch by stretch, and visits the posting blocks of a stretch
 * in two rounds. Each round goes in the order of docs, because cursors only move forward. The first
 * round visits the blocks with the greatest bounds, about as many as it takes to find k hits. The
 * second one visits the others that are still competitive. Blocks without a doc of a page that a
 * filter's column lets pass, as far as the page index shows that, are in neither.
 */
#include "core/eval/bool/eval_single.h"
#include "core/eval/eval_term.h"
#include "core/kernels/bits.h"
#include "core/plan/arena.h"
#include "core/plan/topk.h"
#include "core/root/root_ways.h"

/* Posting blocks of a stretch. */
#define STRETCH 2048u

/* Parts into which the blocks are dealt: the k-th best of the parts' best bounds is the limit of
   the first round. Of more hits, that of the blocks' own bounds is. */
#define PARTS 32u

/* Hits up to which this pays; it keeps as many bounds. */
#define MAX_HITS 512u

/* Blocks without a hit that one call visits. */
#define BLOCKS_AT_ONCE 64u

/* What the next call continues with. */
enum round {
  ROUND_LIST,  /* reading the directory of the next stretch */
  ROUND_FIRST, /* the blocks with great bounds */
  ROUND_REST,  /* the others */
};

struct csd_best {
  enum round round;
  uint32_t k;
  uint64_t *bounds;  /* room for the k best, if k is above PARTS */
  uint32_t next_doc; /* where the next stretch begins; void unless `listed` */
  bool listed;
  uint32_t count; /* blocks of the stretch */
  uint32_t at;    /* the next block of this round */
  struct csd_sieve sieve;
  float min_impact;      /* impact that a block needs in this round; see impact */
  float impact[STRETCH]; /* DONE: the block has been visited */
  uint32_t last_doc[STRETCH];
};

static const float DONE = -1.0f;

/* Number of blocks from which on this pays. */
static uint32_t pays_from(uint32_t k) { return 2u * (k > PARTS ? k : PARTS); }

static bool applies(const struct csd_node *root, const struct csd_wanted *wanted) {
  return wanted->k > 0 && csd_is_single_term(root) && wanted->k <= MAX_HITS &&
         root->required[0]->has_impacts &&
         root->cost > (uint64_t)pays_from(wanted->k) * CSD_BLOCK_POSTINGS;
}

static void *make(struct csd_arena *arena, struct csd_node *root, const struct csd_wanted *wanted) {
  (void)root;
  struct csd_best *best = csd_arena_take(arena, sizeof *best);
  const uint32_t room = wanted->k > PARTS ? csd_topk_room(wanted->k) : 0;
  uint64_t *bounds = csd_arena_take(arena, room * sizeof *bounds);
  if (best == NULL || bounds == NULL) {
    return NULL;
  }
  best->bounds = bounds;
  best->round = ROUND_LIST;
  best->listed = false;
  best->k = wanted->k;
  best->sieve.made = false;
  return best;
}

static struct csd_best *best_of(const struct csd_eval *eval) { return eval->way_state; }

/* ---- reading the directory ---- */

/* The filter's column, if it is no more work to go through its pages than through the blocks. */
static struct csd_column_cursor *passing_column(const struct csd_eval *eval) {
  struct csd_column_cursor *column = eval->gate;
  const uint64_t blocks = eval->root->required[0]->cost / CSD_BLOCK_POSTINGS;
  return column != NULL && column->ref.page_count <= blocks ? column : NULL;
}

/* Marks the blocks from number `first` on in which the column lets no doc pass. */
static int mark_passed_over(struct csd_best *best, struct csd_column_cursor *column, uint32_t doc,
                            uint32_t first) {
  for (uint32_t i = first; i < best->count; i++) {
    const uint32_t end = best->last_doc[i] + 1u;
    uint32_t next;
    const int status = csd_column_cursor_next(column, doc, end, &next);
    if (status < 0) {
      return status;
    }
    if (next >= end) {
      best->impact[i] = DONE;
    }
    doc = end;
  }
  return 0;
}

/* Lists the blocks of the stretch that begins at best->next_doc, as far as they begin before
 * `limit`.
 *
 * @param column  of a filter, which reads no page that the index knows; or NULL
 */
static int list_blocks(struct csd_eval *eval, uint32_t limit, struct csd_column_cursor *column) {
  struct csd_best *best = best_of(eval);
  const struct csd_node *term = eval->root->required[0];
  struct csd_list_cursor *cursor = term->cursor;
  best->count = 0;
  while (best->count < STRETCH && best->next_doc < limit) {
    int status =
        column == NULL ? 0 : csd_column_cursor_next(column, best->next_doc, limit, &best->next_doc);
    if (status < 0 || best->next_doc >= limit) {
      return status;
    }
    status = csd_list_cursor_seek(cursor, best->next_doc);
    if (status < 0) {
      return status;
    }
    if (csd_list_cursor_block_start(cursor) >= limit) {
      best->next_doc = limit; /* at the end, too */
      break;
    }
    struct csd_block_heads heads;
    if (!csd_list_cursor_heads(cursor, &heads)) {
      return -CSD_STATUS_LIST_CORRUPT; /* a long list has them */
    }
    const uint32_t room = STRETCH - best->count;
    const uint32_t n = heads.count < room ? heads.count : room;
    for (uint32_t i = 0; i < n; i++) {
      best->last_doc[best->count + i] = csd_load_u32(heads.last_docs + 4u * i);
      best->impact[best->count + i] = csd_term_impact(term, csd_load_u64(heads.impacts + 8u * i));
    }
    best->count += n;
    eval->work.units += n / 4u;
    status = column == NULL ? 0 : mark_passed_over(best, column, best->next_doc, best->count - n);
    if (status < 0) {
      return status;
    }
    best->next_doc = best->last_doc[best->count - 1u] + 1u;
  }
  return 0;
}

/* The same with the column that eval names; it is before its first page afterwards. */
static int list_stretch(struct csd_eval *eval, uint32_t limit) {
  struct csd_column_cursor *column = passing_column(eval);
  if (column == NULL) {
    return list_blocks(eval, limit, NULL);
  }
  csd_column_cursor_rewind(column);
  column->lazy = true;
  const int status = list_blocks(eval, limit, column);
  column->lazy = false;
  csd_column_cursor_rewind(column);
  return status;
}

/* Returns an impact that about as many blocks reach as are needed for k hits. */
static float first_min_impact(const struct csd_best *best) {
  if (best->k > PARTS) {
    struct csd_topk topk;
    csd_topk_open(&topk, best->bounds, csd_topk_room(best->k), best->k, DONE);
    for (uint32_t i = 0; i < best->count; i++) {
      const uint64_t key = csd_hit_key(i, best->impact[i]);
      if (best->impact[i] != DONE && key > topk.bound) {
        csd_topk_offer(&topk, key);
      }
    }
    return csd_key_score(topk.bound);
  }
  float part[PARTS] = {0};
  for (uint32_t i = 0; i + PARTS <= best->count; i += PARTS) {
    for (uint32_t j = 0; j < PARTS; j++) {
      part[j] = best->impact[i + j] > part[j] ? best->impact[i + j] : part[j];
    }
  }
  return csd_topk_of_few(part, PARTS, best->k);
}

/* ---- visiting ---- */

/* Produces the competitive docs of block `i` of the stretch, if there may be any. */
static int visit(struct csd_eval *eval, uint32_t i, uint32_t from, uint32_t limit,
                 struct csd_batch *batch) {
  struct csd_best *best = best_of(eval);
  const struct csd_ranking *ranking = &eval->ranking;
  struct csd_node *term = eval->root->required[0];
  const uint32_t first_doc = i > 0 ? best->last_doc[i - 1u] + 1u : 0;
  const bool ties = first_doc < ranking->ties_below;
  const float bound = csd_term_impact_score(term, best->impact[i]);
  best->impact[i] = DONE;
  if (ties ? bound < ranking->min_score : bound <= ranking->min_score) {
    return 0;
  }
  const int status = csd_list_cursor_seek(term->cursor, best->last_doc[i]);
  if (status < 0) {
    return status;
  }
  if (term->cursor->block_end != best->last_doc[i] + 1u) {
    return -CSD_STATUS_LIST_CORRUPT; /* the directory said otherwise */
  }
  return csd_single_produce_above(eval, eval->root, from, limit,
                                  ties ? csd_just_below(ranking->min_score) : ranking->min_score,
                                  &best->sieve, batch);
}

/* Returns the first block from `at` on that has the impact; best->count if there is none. */
static uint32_t find_competitive(const struct csd_best *best, uint32_t at, float min_impact) {
  while (at < best->count && !(best->impact[at] >= min_impact)) {
    at++;
  }
  return at;
}

/* Begins a round: every cursor starts again. */
static void start_round(struct csd_eval *eval, enum round round, float min_impact) {
  struct csd_best *best = best_of(eval);
  best->round = round;
  best->min_impact = min_impact;
  best->at = 0;
  csd_eval_rewind(eval);
}

/* Begins the next round. Returns 1 if there is none, 0, or a negated status. */
static int next_round(struct csd_eval *eval, uint32_t from, uint32_t limit) {
  struct csd_best *best = best_of(eval);
  const struct csd_node *term = eval->root->required[0];
  if (!best->listed) {
    best->next_doc = from;
    best->listed = true;
  }
  if (best->round == ROUND_FIRST) {
    start_round(eval, ROUND_REST, csd_term_min_impact(term, eval->ranking.min_score));
    return 0;
  }
  if (best->next_doc >= limit) {
    return 1;
  }
  const int status = list_stretch(eval, limit);
  if (status < 0) {
    return status;
  }
  if (best->count == 0) {
    return 1;
  }
  if (eval->ranking.full || best->count < pays_from(best->k)) {
    start_round(eval, ROUND_REST, csd_term_min_impact(term, eval->ranking.min_score));
  } else {
    start_round(eval, ROUND_FIRST, first_min_impact(best));
  }
  return 0;
}

static int produce(struct csd_eval *eval, uint32_t from, uint32_t limit, struct csd_batch *batch) {
  struct csd_best *best = best_of(eval);
  eval->ranking.has_skipped = true;
  for (uint32_t blocks = 0; blocks < BLOCKS_AT_ONCE && batch->n == 0; blocks++) {
    const bool at_work = best->round != ROUND_LIST;
    best->at = at_work ? find_competitive(best, best->at, best->min_impact) : 0;
    if (!at_work || best->at == best->count) {
      const int done = next_round(eval, from, limit);
      if (done != 0) {
        batch->upto = limit;
        return done < 0 ? done : 0;
      }
      continue;
    }
    const int status = visit(eval, best->at, from, limit, batch);
    if (status < 0) {
      return status;
    }
  }
  batch->upto = from;
  return 0;
}

const struct csd_root_way csd_way_best = {.number = CSD_WAY_BEST,
                                          .needs_skip = true,
                                          .ranks_alone = true,
                                          .any_order = true,
                                          .applies = applies,
                                          .make = make,
                                          .produce = produce};
