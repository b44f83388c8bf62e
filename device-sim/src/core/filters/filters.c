/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/* Tests: tests/core/program: programs with and without filters give the same answers. */
#include "core/filters/filters.h"

#include <string.h>

#include "core/kernels/bits.h"
#include "core/root/root.h"

/* A filter is taken out if the rest of the root has at most so many times as many docs: far fewer
   docs are better listed, and looked up in the rest. A disjunction is a slow look-up, and may be
   ranked without a look at most of its docs. Docs that match by their values are all over the
   segment, so that many more of its blocks are met; to count them alone it is made of bits. */
#define UNION_PAYS_TO 16u
#define UNION_PAYS_TO_VALUES 4u
#define COUNTED_UNION_PAYS_TO_VALUES 512u

/* Values of a column that are compared with a range in the time in which one doc of a batch is
   looked up. */
#define VALUES_PER_LOOK 128u
#define OTHERS_PAY_TO 2u

/* Docs of the rest from which on a look at some pages of a column pays, to tell how many match. */
#define SAMPLE_PAYS_FROM 4096u

/* ---- splitting ---- */

/* Whether what adds to a root's scores are several terms, all of them required. */
static bool is_conjunction(const struct csd_node *root) {
  uint32_t terms = 0;
  for (uint32_t i = 0; i < root->required_count; i++) {
    if (root->required[i]->scored && !root->required[i]->op->is_term) {
      return false;
    }
    terms += root->required[i]->scored;
  }
  return terms > 1 && root->optional_count == 0;
}

/* Whether a required child adds nothing to the score of a root, and is to be applied to what is
   left. A term is better one more of a conjunction of terms: it is looked up in the order of costs,
   before the frequencies of the more frequent ones are. */
static bool is_filter(const struct csd_node *root, const struct csd_node *child) {
  return root->scored ? !child->scored && !(child->op->is_term && is_conjunction(root))
                      : child->op->is_leaf;
}

/* Whether something is left without the filters that is worth to be produced on its own. */
static bool has_rest(const struct csd_node *root, uint32_t filters) {
  return root->required_count > filters || (root->optional_count > 0 && root->min_should > 0);
}

/*
 * Whether a filter's docs are few beside those of the rest of the root. Only docs between the first
 * and the last one that the filter lets pass are ever produced of either.
 *
 * @param search  docs of the rest that are produced in the time that finding the filter's takes
 * @param span    set to the share of the segment's docs that these are, about
 */
static bool is_selective(const struct csd_node *filter, uint64_t rest, uint64_t search,
                         uint32_t pays_to, double *span) {
  const uint64_t docs = csd_column_cursor_sample(filter->column, filter->cost, span);
  const uint64_t in_span = (uint64_t)((double)rest * *span);
  return in_span > search && (in_span - search) / pays_to > docs;
}

/* Whether it is better to look docs of a disjunction up in a filter than the other way. */
static bool pays_with_union(const struct csd_node *filter, uint64_t rest, bool scored,
                            double *span) {
  const uint32_t pays_to = scored ? UNION_PAYS_TO_VALUES : COUNTED_UNION_PAYS_TO_VALUES;
  if (filter->column == NULL) {
    return rest / UNION_PAYS_TO <= filter->cost;
  }
  /* Its cost is mostly what it takes to find the docs, however few they are. */
  const uint64_t search = csd_column_search_cost(filter->column);
  return rest <= search || !is_selective(filter, rest, search, pays_to, span);
}

/* Likewise of docs that are found one by one. What a column costs is a guess from its bounds; where
   that matters, its pages are asked. */
static bool pays_with_lead(const struct csd_node *filter, uint64_t lead, double *span) {
  return lead / OTHERS_PAY_TO <= filter->cost ||
         (filter->column != NULL && lead >= SAMPLE_PAYS_FROM &&
          !is_selective(filter, lead, 0, OTHERS_PAY_TO, span));
}

/* Whether it is better to look docs of the rest up in the filters, of which `least` has the least
   cost, than the other way. *span is left, or set to about what share of the segment's docs lies
   between that one's first doc and its last. */
static bool pays(const struct csd_node *root, const struct csd_node *least, double *span) {
  const struct csd_node *lead = NULL;
  for (uint32_t i = 0; i < root->required_count; i++) {
    struct csd_node *child = root->required[i];
    if (!is_filter(root, child) && (lead == NULL || child->cost < lead->cost)) {
      lead = child;
    }
  }
  if (lead == NULL) {
    return pays_with_union(least, csd_sum_of_costs(root->optional, root->optional_count),
                           root->scored, span);
  }
  const bool is_union = lead->op->is_bool && lead->required_count == 0;
  return is_union ? pays_with_union(least, lead->cost, root->scored, span)
                  : pays_with_lead(least, lead->cost, span);
}

struct csd_filters *csd_filters_split(struct csd_arena *arena, struct csd_node *root) {
  uint32_t count = 0;
  const struct csd_node *least = NULL;
  for (uint32_t i = 0; i < root->required_count; i++) {
    const struct csd_node *child = root->required[i];
    if (is_filter(root, child)) {
      count++;
      least = least == NULL || child->cost < least->cost ? child : least;
    }
  }
  double span = 1.0;
  if (count == 0 || count > CSD_MAX_FILTERS || !has_rest(root, count) ||
      !pays(root, least, &span)) {
    return NULL;
  }
  struct csd_filters *filters = csd_arena_take(arena, sizeof *filters);
  if (filters == NULL) {
    return NULL;
  }
  filters->count = 0;
  /* Where pages pass in any order, to look ahead for the end of a run gains nothing. */
  filters->run = span < 1.0 && least->column->wants == NULL ? least->column : NULL;
  filters->run_from = filters->run_end = 0;
  uint32_t left = 0;
  for (uint32_t i = 0; i < root->required_count; i++) {
    struct csd_node *child = root->required[i];
    if (!is_filter(root, child)) {
      root->required[left++] = child;
      continue;
    }
    uint32_t at = filters->count++;
    for (; at > 0 && filters->nodes[at - 1u]->cost > child->cost; at--) {
      filters->nodes[at] = filters->nodes[at - 1u];
    }
    filters->nodes[at] = child;
  }
  root->required_count = left;
  return filters;
}

struct csd_column_cursor *csd_filters_column(const struct csd_filters *filters) {
  for (uint32_t i = 0; filters != NULL && i < filters->count; i++) {
    if (filters->nodes[i]->column != NULL) {
      return filters->nodes[i]->column;
    }
  }
  return NULL;
}

/* ---- applying ---- */

/* Raises *from to the first doc that all filters may match; `limit` if there is none. */
static int skip(const struct csd_filters *filters, uint32_t *from, uint32_t limit) {
  for (uint32_t i = 0; i < filters->count && *from < limit; i++) {
    const struct csd_node *node = filters->nodes[i];
    if (!node->op->is_leaf) {
      continue;
    }
    uint32_t next;
    const int status = csd_eval_next(node, *from, limit, &next);
    if (status < 0) {
      return status;
    }
    *from = next < limit ? next : limit;
  }
  return 0;
}

/* Where what is produced from `from` on had better end. Whole windows of docs behind those that
   pass are looked at otherwise. */
static uint32_t run_end(struct csd_filters *filters, uint32_t from, uint32_t limit) {
  struct csd_column_cursor *column = filters->run;
  if (column == NULL || from < column->start || from >= column->end) {
    return limit; /* the page before has no match: it was too far to the next one that may have */
  }
  if (from >= filters->run_end || from < filters->run_from) {
    filters->run_from = from;
    filters->run_end = csd_column_cursor_run_end(column, limit);
  }
  return filters->run_end < limit ? filters->run_end : limit;
}

static int keep_docs(struct csd_filters *filters, struct csd_eval *eval, struct csd_batch *batch) {
  const bool array = batch->scoring == CSD_SCORING_ARRAY;
  memcpy(filters->docs, batch->docs, batch->n * sizeof filters->docs[0]);
  if (array) {
    memcpy(filters->scores, batch->scores, batch->n * sizeof filters->scores[0]);
  }
  uint32_t n = batch->n;
  for (uint32_t i = 0; i < filters->count && n > 0; i++) {
    struct csd_hits hits = {.n = 0, .index = filters->index, .scores = filters->no_scores};
    const int status = csd_eval_probe(eval, filters->nodes[i], filters->docs, n, false, &hits);
    if (status < 0) {
      return status;
    }
    for (uint32_t j = 0; j < hits.n; j++) {
      filters->docs[j] = filters->docs[hits.index[j]];
    }
    for (uint32_t j = 0; array && j < hits.n; j++) {
      filters->scores[j] = filters->scores[hits.index[j]];
    }
    n = hits.n;
  }
  batch->n = n;
  batch->docs = filters->docs;
  batch->scores = filters->scores;
  return 0;
}

/* Whether a filter better looks `n` docs of a window up than finds all that match there. */
static bool looks_up(const struct csd_node *filter, uint32_t n, uint32_t docs) {
  return filter->column != NULL &&
         n < docs / (filter->column->wants != NULL ? filter->column->wants->values_per_look
                                                   : VALUES_PER_LOOK);
}

/* Drops the bits of docs that a filter does not match, of which there are few. */
static int probe_bits(struct csd_filters *filters, struct csd_eval *eval, struct csd_node *filter,
                      uint32_t base, uint32_t words) {
  for (uint32_t w = 0; w < words; w += CSD_WINDOW_WORDS) {
    const uint32_t some = words - w < CSD_WINDOW_WORDS ? words - w : CSD_WINDOW_WORDS;
    uint64_t *bits = filters->bits + w;
    const uint32_t first = base + 64u * w;
    const uint32_t n = eval->kernels->list_bits(bits, some, first, filters->docs);
    struct csd_hits hits = {.n = 0, .index = filters->index, .scores = filters->no_scores};
    const int status = n > 0 ? csd_eval_probe(eval, filter, filters->docs, n, false, &hits) : 0;
    if (status < 0) {
      return status;
    }
    memset(bits, 0, some * sizeof bits[0]);
    for (uint32_t j = 0; j < hits.n; j++) {
      const uint32_t bit = filters->docs[hits.index[j]] - first;
      bits[bit / 64u] |= UINT64_C(1) << (bit & 63u);
    }
  }
  return 0;
}

static uint32_t count_bits(const uint64_t *bits, uint32_t words) {
  uint32_t count = 0;
  for (uint32_t w = 0; w < words; w++) {
    count += csd_popcount(bits[w]);
  }
  return count;
}

static int keep_bits(struct csd_filters *filters, struct csd_eval *eval, uint32_t from,
                     struct csd_batch *batch) {
  const uint32_t words = (batch->upto - batch->bits_base + 63u) / 64u;
  const uint32_t start = from > batch->bits_base ? from : batch->bits_base;
  memcpy(filters->bits, batch->bits, words * sizeof filters->bits[0]);
  for (uint32_t i = 0; i < filters->count; i++) {
    struct csd_node *filter = filters->nodes[i];
    int status;
    if (looks_up(filter, count_bits(filters->bits, words), batch->upto - start)) {
      status = probe_bits(filters, eval, filter, batch->bits_base, words);
    } else {
      memset(filters->other, 0, (words + 2u) * sizeof filters->other[0]);
      status = csd_bits_add(eval, filter, start, batch->upto, batch->bits_base, filters->other);
      for (uint32_t w = 0; w < words; w++) {
        filters->bits[w] &= filters->other[w];
      }
    }
    if (status < 0) {
      return status;
    }
    eval->work.units += words;
  }
  batch->bits = filters->bits;
  return 0;
}

int csd_filters_produce(struct csd_filters *filters, struct csd_eval *eval, uint32_t from,
                        uint32_t limit, bool scored, struct csd_batch *batch) {
  if (filters == NULL) {
    return csd_root_produce(eval, from, limit, scored, batch);
  }
  /* What comes in an order of its own knows where it is. */
  const bool in_order = !(csd_root_uses_way(eval, scored) && eval->way->any_order);
  uint32_t start = from;
  int status = in_order ? skip(filters, &start, limit) : 0;
  if (status < 0 || start >= limit) {
    *batch = (struct csd_batch){.upto = limit, .scoring = CSD_SCORING_NONE};
    return status;
  }
  if (in_order) {
    limit = run_end(filters, start, limit);
  }
  status = csd_root_produce(eval, start, limit, scored, batch);
  if (status < 0) {
    return status;
  }
  if (batch->bits != NULL) {
    return keep_bits(filters, eval, start, batch);
  }
  return batch->n > 0 ? keep_docs(filters, eval, batch) : 0;
}
