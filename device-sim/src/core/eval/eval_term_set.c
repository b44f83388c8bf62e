/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/* Tests: tests/core/eval/test_eval_term_set.c. */
#include "core/eval/eval_term_set.h"

#include <stddef.h>
#include <string.h>

#include "core/eval/eval_bits.h"
#include "core/eval/eval_term.h"

/* Docs of the first window if few may do, the factor of each that follows, and the most. The bits
   of the largest take 512 KiB; it is smaller if these, with the scores that there may be, are more
   than a quarter of what is left. */
#define FIRST_DOCS (1u << 15)
#define GROWTH 16u
#define MAX_DOCS (1u << 22)
#define MIN_SHARE 4u

/* Work for a long list of a window, in units of about a posting. */
#define LIST_UNITS 8u

/* Docs of the largest window. */
static uint32_t most_docs(const struct csd_arena *arena, uint32_t max_doc, bool scored) {
  const size_t score_bytes = scored ? sizeof(float) : 0;
  uint32_t most = max_doc < MAX_DOCS ? (max_doc + 63u) & ~63u : MAX_DOCS;
  while (most > FIRST_DOCS && most / 8u + most * score_bytes > arena->left / MIN_SHARE) {
    most = most / 2u & ~63u;
  }
  return most;
}

/* Makes room for the scores of lists and of docs; false if the grant is used up. */
static bool take_scores(struct csd_arena *arena, struct csd_term_set *set, uint32_t lists) {
  set->list_scores = csd_arena_take(arena, lists * sizeof *set->list_scores);
  set->scores = csd_arena_take(arena, set->most * sizeof *set->scores);
  set->found_scores = csd_arena_take(arena, CSD_WINDOW_DOCS * sizeof *set->found_scores);
  return set->list_scores != NULL && set->scores != NULL && set->found_scores != NULL;
}

struct csd_term_set *csd_term_set_make(struct csd_arena *arena, struct csd_eval *eval,
                                       const struct csd_page_source *source,
                                       const struct csd_extent *extents,
                                       const struct csd_term_set_sizes *sizes, uint32_t max_doc,
                                       bool whole) {
  struct csd_term_set *set = csd_arena_take(arena, sizeof *set);
  struct csd_list_ref *refs = csd_arena_take(arena, sizes->long_lists * sizeof *refs);
  uint32_t *next = csd_arena_take(arena, sizes->long_lists * sizeof *next);
  struct csd_list_series *series = csd_arena_take(arena, sizes->series * sizeof *series);
  uint32_t *lone_docs = csd_arena_take(arena, sizes->lone_docs * sizeof *lone_docs);
  struct csd_node *term = csd_arena_take(arena, sizeof *term);
  struct csd_list_cursor *cursor = csd_arena_take(arena, sizeof *cursor);
  const uint32_t most = most_docs(arena, max_doc, sizes->scored);
  uint64_t *bits = csd_arena_take(arena, (most / 64u + 2u) * sizeof *bits);
  if (set == NULL || refs == NULL || next == NULL || series == NULL || lone_docs == NULL ||
      term == NULL || cursor == NULL || bits == NULL) {
    return NULL;
  }
  *term = (struct csd_node){.op = &csd_op_term, .cursor = cursor};
  memset(set, 0, offsetof(struct csd_term_set, reader));
  set->eval = eval;
  set->source = source;
  set->extents = extents;
  set->max_doc = max_doc;
  set->refs = refs;
  set->next = next;
  set->series = series;
  set->lone_docs = lone_docs;
  set->docs = whole || most < FIRST_DOCS ? most : FIRST_DOCS;
  set->most = most;
  set->own_bits = bits;
  set->bits = bits;
  set->term = term;
  csd_series_reader_open(&set->reader, extents, max_doc, source, eval->kernels, &eval->work);
  return sizes->scored && !take_scores(arena, set, sizes->long_lists) ? NULL : set;
}

struct csd_term_set *csd_term_set_of_bits(struct csd_arena *arena, struct csd_eval *eval,
                                          const uint64_t *bits, uint32_t max_doc) {
  struct csd_term_set *set = csd_arena_take(arena, sizeof *set);
  if (set == NULL) {
    return NULL;
  }
  memset(set, 0, offsetof(struct csd_term_set, reader));
  set->eval = eval;
  set->max_doc = max_doc;
  set->end = max_doc;
  set->bits = bits;
  return set;
}

/* Whether a list of one block is the next one behind a series, in the same page. */
static bool continues(const struct csd_list_series *series, const struct csd_list_ref *ref) {
  return series->page_count == 1 && series->stamp == ref->stamp &&
         series->first_page == ref->first_page && series->first_extent == ref->first_extent &&
         series->extent_count == ref->extent_count &&
         series->slot + series->block_count == ref->slot;
}

void csd_term_set_add(struct csd_term_set *set, const struct csd_list_ref *ref) {
  set->longest = ref->posting_count > set->longest ? ref->posting_count : set->longest;
  if (ref->kind == CSD_LIST_KIND_INLINE) {
    set->lone_docs[set->lone_count++] = ref->inline_doc;
    return;
  }
  if (!csd_is_short_list(ref)) {
    set->refs[set->count] = *ref;
    set->next[set->count++] = 0;
    return;
  }
  if (set->series_count > 0 && continues(&set->series[set->series_count - 1u], ref)) {
    set->series[set->series_count - 1u].block_count++;
    set->series[set->series_count - 1u].list_count++;
    return;
  }
  set->series[set->series_count++] = (struct csd_list_series){.stamp = ref->stamp,
                                                              .first_page = ref->first_page,
                                                              .page_count = 1,
                                                              .block_count = 1,
                                                              .list_count = 1,
                                                              .slot = ref->slot,
                                                              .first_extent = ref->first_extent,
                                                              .extent_count = ref->extent_count};
}

void csd_term_set_add_scored(struct csd_term_set *set, const struct csd_list_ref *ref,
                             float score) {
  set->longest = ref->posting_count > set->longest ? ref->posting_count : set->longest;
  set->refs[set->count] = *ref;
  set->list_scores[set->count] = score;
  set->next[set->count++] = 0;
}

void csd_term_set_rewind(struct csd_term_set *set) {
  if (set->base == 0 && set->end == set->max_doc) {
    return; /* the window has all docs */
  }
  set->base = 0;
  set->end = 0;
  memset(set->next, 0, set->count * sizeof set->next[0]);
  for (uint32_t i = 0; i < set->series_count; i++) {
    set->series[i].next = 0;
  }
}

/* Sets the bits of the docs of set->term in the window, and their score. */
static int add_scored_docs(struct csd_term_set *set, float score) {
  for (uint32_t at = set->base; at < set->end;) {
    struct csd_batch batch;
    const int status = csd_eval_produce(set->eval, set->term, at, set->end, false, &batch);
    if (status < 0) {
      return status;
    }
    set->eval->kernels->set_bits(set->own_bits, set->base, batch.docs, batch.n);
    for (uint32_t i = 0; i < batch.n; i++) {
      set->scores[batch.docs[i] - set->base] = score;
    }
    at = batch.upto;
  }
  return 0;
}

/* Sets the bits of a long list in the window. */
static int add_list(struct csd_term_set *set, uint32_t list) {
  const struct csd_list_ref *ref = &set->refs[list];
  struct csd_list_cursor *cursor = set->term->cursor;
  csd_list_cursor_open(cursor, ref, set->extents + ref->first_extent, set->max_doc, set->source,
                       set->eval->kernels, &set->eval->work);
  const int status =
      set->list_scores != NULL
          ? add_scored_docs(set, set->list_scores[list])
          : csd_term_set_bits(set->eval, set->term, set->base, set->end, set->base, set->own_bits);
  const uint32_t start = csd_list_cursor_block_start(cursor);
  const bool ended = cursor->block_end == CSD_CURSOR_END;
  set->next[list] = ended ? CSD_CURSOR_END : start > set->end ? start : set->end;
  csd_list_cursor_close(cursor);
  return status;
}

static void add_lone_docs(struct csd_term_set *set) {
  const uint32_t span = set->end - set->base;
  for (uint32_t i = 0; i < set->lone_count; i++) {
    const uint32_t at = set->lone_docs[i] - set->base;
    if (at < span) {
      set->own_bits[at / 64u] |= UINT64_C(1) << (at & 63u);
    }
  }
  set->eval->work.units += set->lone_count / 2u;
}

/* Sets the bits of all lists in the window. */
static int add_all(struct csd_term_set *set) {
  const struct csd_doc_window window = {.base = set->base, .end = set->end, .bits = set->own_bits};
  int status = 0;
  for (uint32_t i = 0; i < set->count && status == 0; i++) {
    if (set->next[i] < set->end) {
      status = add_list(set, i);
      set->eval->work.units += LIST_UNITS;
    }
  }
  for (uint32_t i = 0; i < set->series_count && status == 0; i++) {
    if (set->series[i].next < set->end) {
      status = csd_series_add_bits(&set->reader, &set->series[i], &window);
      set->eval->work.units += LIST_UNITS;
    }
  }
  csd_series_reader_close(&set->reader);
  add_lone_docs(set);
  return status;
}

/*
 * Makes the window that begins with `from`, if that is not in the one that is there. That one may
 * begin later, since csd_term_set_next looks ahead; then no doc before it matches.
 */
static int cover(struct csd_term_set *set, uint32_t from) {
  if (from < set->end) {
    return 0;
  }
  set->base = from & ~63u;
  set->end = set->max_doc - set->base <= set->docs ? set->max_doc : set->base + set->docs;
  set->docs = set->docs < set->most / GROWTH ? GROWTH * set->docs : set->most;
  const uint32_t words = (set->end - set->base + 63u) / 64u;
  memset(set->own_bits, 0, (words + 2u) * sizeof set->own_bits[0]);
  const int status = add_all(set);
  if (status < 0) {
    set->end = 0;
    return status;
  }
  /* Bits behind the window may be those of blocks that reach further. */
  if ((set->end & 63u) != 0) {
    set->own_bits[words - 1u] &= (UINT64_C(1) << (set->end & 63u)) - 1u;
  }
  set->eval->work.units += words;
  return 0;
}

int csd_term_set_next(struct csd_term_set *set, uint32_t from, uint32_t limit, uint32_t *next) {
  *next = limit;
  while (from < limit) {
    const int status = cover(set, from);
    if (status < 0) {
      return status;
    }
    from = from > set->base ? from : set->base;
    const uint32_t words = (set->end - set->base + 63u) / 64u;
    uint32_t at = (from - set->base) / 64u;
    uint64_t word = set->bits[at] & UINT64_MAX << (from & 63u);
    while (word == 0 && ++at < words) {
      word = set->bits[at];
    }
    if (word != 0) {
      const uint32_t doc = set->base + 64u * at + (uint32_t)__builtin_ctzll(word);
      *next = doc < limit ? doc : limit;
      return 0;
    }
    from = set->end;
  }
  return 0;
}

int csd_term_set_add_bits(struct csd_term_set *set, uint32_t from, uint32_t end, uint32_t base,
                          uint64_t *bits) {
  while (from < end) {
    const int status = cover(set, from);
    if (status < 0) {
      return status;
    }
    if (from < set->base) {
      from = set->base;
      continue;
    }
    const uint32_t upto = end < set->end ? end : set->end;
    const uint64_t *of_set = set->bits + (from - set->base) / 64u;
    uint64_t *to = bits + (from - base) / 64u;
    const uint32_t words = (upto - 1u) / 64u - from / 64u + 1u;
    const uint64_t last = UINT64_MAX >> (63u - ((upto - 1u) & 63u));
    uint64_t mask = UINT64_MAX << (from & 63u);
    for (uint32_t w = 0; w < words; w++) {
      to[w] |= of_set[w] & mask & (w + 1u < words ? UINT64_MAX : last);
      mask = UINT64_MAX;
    }
    set->eval->work.units += words / 8u;
    from = upto;
  }
  return 0;
}

int csd_term_set_probe(struct csd_term_set *set, const uint32_t *docs, uint32_t n, uint16_t *index,
                       float *scores, uint32_t *hits) {
  uint32_t found = 0;
  for (uint32_t i = 0; i < n;) {
    const int status = cover(set, docs[i]);
    if (status < 0) {
      return status;
    }
    while (i < n && docs[i] < set->base) {
      i++;
    }
    for (; i < n && docs[i] < set->end; i++) {
      const uint32_t at = docs[i] - set->base;
      index[found] = (uint16_t)i;
      if (scores != NULL) {
        scores[found] = set->scores[at];
      }
      found += (uint32_t)(set->bits[at / 64u] >> (at & 63u) & 1u);
    }
  }
  set->eval->work.units += n;
  *hits = found;
  return 0;
}

/* ---- the operator ---- */

static int probe(struct csd_eval *eval, struct csd_node *node, const uint32_t *docs, uint32_t n,
                 bool scored, struct csd_hits *hits) {
  (void)eval;
  float *scores = scored && node->terms->list_scores != NULL ? hits->scores : NULL;
  return csd_term_set_probe(node->terms, docs, n, hits->index, scores, &hits->n);
}

/* Keeps to the window that has the next match. */
static int produce_scored(struct csd_eval *eval, struct csd_node *node, uint32_t from,
                          uint32_t limit, bool scored, struct csd_batch *batch) {
  const struct csd_term_set *set = node->terms;
  uint32_t start;
  int status = csd_term_set_next(node->terms, from, limit, &start);
  batch->n = 0;
  batch->upto = limit;
  batch->scoring = CSD_SCORING_NONE;
  if (status < 0 || start >= limit) {
    return status;
  }
  const uint32_t end = limit < set->end ? limit : set->end;
  status = csd_bits_window_produce(eval, node, start, end, scored, batch);
  if (scored) {
    for (uint32_t i = 0; i < batch->n; i++) {
      set->found_scores[i] = set->scores[batch->docs[i] - set->base];
    }
    batch->scores = set->found_scores;
    batch->scoring = CSD_SCORING_ARRAY;
  }
  return status;
}

static int next(const struct csd_node *node, uint32_t from, uint32_t limit, uint32_t *first) {
  return csd_term_set_next(node->terms, from, limit, first);
}

static int add_bits(struct csd_eval *eval, struct csd_node *node, uint32_t from, uint32_t end,
                    uint32_t base, uint64_t *bits) {
  (void)eval;
  return csd_term_set_add_bits(node->terms, from, end, base, bits);
}

static uint64_t min_count(const struct csd_node *node, bool *exact) {
  (void)exact;
  return node->terms->longest;
}

static void rewind_set(struct csd_node *node) { csd_term_set_rewind(node->terms); }

const struct csd_operator csd_op_term_set = {.name = "TERM_SET",
                                             .is_leaf = true,
                                             .one_score = true,
                                             .produce = csd_bits_window_produce,
                                             .probe = probe,
                                             .next = next,
                                             .add_bits = add_bits,
                                             .min_count = min_count,
                                             .rewind = rewind_set};

const struct csd_operator csd_op_join = {.name = "JOIN",
                                         .produce = produce_scored,
                                         .probe = probe,
                                         .next = next,
                                         .add_bits = add_bits,
                                         .min_count = min_count,
                                         .rewind = rewind_set};
