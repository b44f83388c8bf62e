/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/* Tests: tests/core/eval/test_eval_phrase.c. */
#include "core/eval/eval_phrase.h"

#include <string.h>

#include "core/eval/eval_term.h"
#include "core/phrase/phrase_match.h"

/* Candidates that are looked at together: a posting block of the shortest list. */
#define CANDIDATES CSD_BLOCK_POSTINGS

/* Matches from which on a batch is complete: the next block of candidates might not fit. */
#define ENOUGH 128u
#define ROOM (ENOUGH + CANDIDATES)

/* Limit of the candidates' posting blocks in one batch, so that a step of a program stays short. */
#define BLOCKS_AT_ONCE 64u

/* Docs that may match, and what the lists say of them. */
struct candidates {
  uint32_t docs[CANDIDATES];
  uint16_t origin[CANDIDATES]; /* index in the docs that were asked for, or in a posting block */
  uint8_t norms[CANDIDATES];
  uint32_t *freqs; /* [term][CANDIDATES] */
  uint32_t *ranks;
};

/* Docs that match. */
struct matches {
  uint32_t docs[ROOM];
  uint16_t origin[ROOM];
  uint32_t freqs[ROOM];
  uint8_t norms[ROOM];
  float scores[ROOM];
};

struct csd_phrase_scratch {
  struct candidates candidates;
  struct matches matches;
  uint16_t index[CANDIDATES + CSD_INTERSECT_ROOM];
  uint8_t places[CANDIDATES]; /* of candidates in their posting block */
  float bounds[CANDIDATES];
  uint32_t least_freqs[CANDIDATES];
  uint32_t counts[CANDIDATES]; /* of occurrences */
  struct csd_phrase_positions positions;
};

struct csd_phrase_scratch *csd_phrase_scratch_make(struct csd_arena *arena, uint32_t terms) {
  const size_t numbers = (size_t)terms * CANDIDATES * sizeof(uint32_t);
  struct csd_phrase_scratch *scratch = csd_arena_take(arena, sizeof *scratch);
  if (scratch == NULL) {
    return NULL;
  }
  scratch->candidates.freqs = csd_arena_take(arena, numbers);
  scratch->candidates.ranks = csd_arena_take(arena, numbers);
  scratch->positions.streams = csd_arena_take(arena, terms * sizeof *scratch->positions.streams);
  return scratch->candidates.freqs != NULL && scratch->candidates.ranks != NULL &&
                 scratch->positions.streams != NULL
             ? scratch
             : NULL;
}

/* Whether the frequencies of term `t` bound the number of occurrences. */
static inline bool bounds_count(const struct csd_phrase *phrase, uint32_t t) {
  return phrase->unequal || t == phrase->first;
}

double csd_phrase_bound(const struct csd_node *node) {
  float bound = node->weight;
  for (uint32_t t = 0; t < node->phrase->count; t++) {
    const float one = csd_term_bound(node, node->phrase->terms[t].list->list_impacts);
    bound = bounds_count(node->phrase, t) && one < bound ? one : bound;
  }
  return (double)bound;
}

/* ---- docs that all lists have ---- */

/* Notes what the current block of term `t` says of `n` candidates from `at` on, by their places. */
static int take_postings(struct csd_phrase_scratch *scratch, struct csd_list_cursor *list,
                         uint32_t t, const uint8_t *places, uint32_t n, uint32_t at, bool norms) {
  struct candidates *c = &scratch->candidates;
  int status = csd_list_cursor_ranks(list, places, n, c->freqs + t * CANDIDATES + at,
                                     c->ranks + t * CANDIDATES + at);
  if (status == 0 && norms) {
    status = csd_list_cursor_load_norms(list);
    for (uint32_t i = 0; i < n && status == 0; i++) {
      c->norms[at + i] = list->norms[places[i]];
    }
  }
  return status;
}

/*
 * Finds which of the `n` candidates term `t` has. Writes their indices to scratch->index. Returns
 * how many, or a negated status.
 */
static int find(struct csd_eval *eval, const struct csd_phrase *phrase, uint32_t t, uint32_t n,
                bool norms) {
  struct csd_phrase_scratch *scratch = eval->phrases;
  const uint32_t *docs = scratch->candidates.docs;
  struct csd_list_cursor *list = phrase->terms[t].list;
  uint32_t found = 0;
  for (uint32_t i = 0; i < n;) {
    int status = csd_list_cursor_seek(list, docs[i]);
    if (status < 0) {
      return status;
    }
    if (list->block_end == CSD_CURSOR_END) {
      break;
    }
    uint32_t part;
    const int hits =
        csd_term_intersect(eval, list, docs + i, n - i, true, scratch->index + found, &part);
    if (hits < 0) {
      return hits;
    }
    csd_add_to_index(scratch->index + found, (uint32_t)hits, i);
    if (hits > 0) {
      status = take_postings(scratch, list, t, eval->term_positions, (uint32_t)hits, found, norms);
      if (status < 0) {
        return status;
      }
    }
    found += (uint32_t)hits;
    i += part;
  }
  return (int)found;
}

/* Keeps the candidates that scratch->index names, and what terms [from, to) say of them. */
static void keep(struct csd_phrase_scratch *scratch, uint32_t from, uint32_t to, uint32_t n) {
  struct candidates *c = &scratch->candidates;
  const uint16_t *index = scratch->index;
  for (uint32_t j = 0; j < n; j++) {
    c->docs[j] = c->docs[index[j]];
    c->origin[j] = c->origin[index[j]];
  }
  for (uint32_t j = 0; from == 0 && to > 0 && j < n; j++) {
    c->norms[j] = c->norms[index[j]]; /* the first term has told them */
  }
  for (uint32_t u = from; u < to; u++) {
    uint32_t *freqs = c->freqs + u * CANDIDATES;
    uint32_t *ranks = c->ranks + u * CANDIDATES;
    for (uint32_t j = 0; j < n; j++) {
      freqs[j] = freqs[index[j]];
      ranks[j] = ranks[index[j]];
    }
  }
}

/* Keeps those of `n` candidates that the terms from `from_term` on have. Returns how many. */
static int conjoin(struct csd_eval *eval, const struct csd_phrase *phrase, uint32_t from_term,
                   uint32_t n, bool scored) {
  int left = (int)n;
  for (uint32_t t = from_term; t < phrase->count && left > 0; t++) {
    const uint32_t before = (uint32_t)left;
    left = find(eval, phrase, t, before, scored && t == 0);
    if (left > 0 && (uint32_t)left < before) {
      keep(eval->phrases, from_term, t, (uint32_t)left);
    }
    eval->work.units += before;
  }
  return left;
}

/* ---- positions ---- */

/* Appends those of `n` candidates that have the phrase to the first `at` matches. */
static int compare_positions(struct csd_eval *eval, const struct csd_phrase *phrase, uint32_t n,
                             uint32_t at, bool scored) {
  struct csd_phrase_scratch *scratch = eval->phrases;
  const struct candidates *c = &scratch->candidates;
  struct matches *to = &scratch->matches;
  const struct csd_phrase_docs docs = {
      .docs = c->docs, .freqs = c->freqs, .ranks = c->ranks, .stride = CANDIDATES};
  const int status =
      csd_phrase_count(phrase, &docs, n, scored, &scratch->positions, scratch->counts);
  if (status < 0) {
    return status;
  }
  for (uint32_t i = 0; i < n; i++) {
    to->docs[at] = c->docs[i];
    to->origin[at] = c->origin[i];
    to->norms[at] = c->norms[i];
    to->freqs[at] = scratch->counts[i];
    at += scratch->counts[i] > 0;
  }
  return (int)at;
}

/* Scores the first `n` matches. */
static void score(struct csd_eval *eval, const struct csd_node *node, uint32_t n) {
  struct matches *matches = &eval->phrases->matches;
  eval->kernels->score(node->weight, node->table, matches->freqs, matches->norms, n,
                       matches->scores);
  eval->work.docs_scored += n;
}

/* ---- bounds ---- */

/* Whether matches of the node may be left out as non-competitive. */
static bool may_skip(const struct csd_eval *eval, const struct csd_node *node, bool scored) {
  return scored && node == eval->root && eval->ranking.active && eval->ranking.may_skip;
}

/* Sets *excluded to whether no match in the lead's current block is competitive. */
static int judge_block(struct csd_eval *eval, struct csd_node *node, bool *excluded) {
  const struct csd_phrase *phrase = node->phrase;
  const struct csd_list_cursor *lead = phrase->terms[0].list;
  const uint32_t start = csd_list_cursor_block_start(lead);
  *excluded =
      bounds_count(phrase, 0) &&
      csd_non_competitive(&eval->ranking, (double)csd_term_bound(node, lead->block_impacts));
  for (uint32_t t = 1; t < phrase->count && !*excluded; t++) {
    struct csd_list_cursor *list = phrase->terms[t].list;
    if (!bounds_count(phrase, t)) {
      continue;
    }
    const int status = csd_list_cursor_seek(list, start);
    if (status < 0) {
      return status;
    }
    uint64_t words[CSD_RANGE_IMPACTS];
    const unsigned n = csd_list_cursor_range_impacts(list, lead->block_end, words);
    float bound = 0.0f;
    for (unsigned i = 0; i < n; i++) {
      const float one = csd_term_bound(node, words[i]);
      bound = one > bound ? one : bound;
    }
    *excluded = csd_non_competitive(&eval->ranking, (double)bound);
  }
  return 0;
}

/* Drops those of `n` candidates whose frequencies show that they are non-competitive. */
static uint32_t drop_non_competitive(struct csd_eval *eval, const struct csd_node *node,
                                     uint32_t n) {
  struct csd_phrase_scratch *scratch = eval->phrases;
  const struct candidates *c = &scratch->candidates;
  const uint32_t terms = node->phrase->count;
  memcpy(scratch->least_freqs, c->freqs + node->phrase->first * CANDIDATES, n * sizeof c->freqs[0]);
  for (uint32_t t = 0; t < terms; t++) {
    for (uint32_t i = 0; i < n && bounds_count(node->phrase, t); i++) {
      const uint32_t freq = c->freqs[t * CANDIDATES + i];
      scratch->least_freqs[i] = freq < scratch->least_freqs[i] ? freq : scratch->least_freqs[i];
    }
  }
  eval->kernels->score(node->weight, node->table, scratch->least_freqs, c->norms, n,
                       scratch->bounds);
  uint32_t kept = 0;
  for (uint32_t i = 0; i < n; i++) {
    scratch->index[kept] = (uint16_t)i;
    kept += !csd_non_competitive(&eval->ranking, (double)scratch->bounds[i]);
  }
  if (kept < n) {
    eval->ranking.has_skipped = true;
    keep(scratch, 0, terms, kept);
  }
  return kept;
}

/* ---- batches ---- */

/* Appends the matches among docs [first, end) of the lead's current block to the first `at`. */
static int add_block(struct csd_eval *eval, const struct csd_node *node, uint32_t first,
                     uint32_t end, uint32_t at, bool scored) {
  struct csd_phrase_scratch *scratch = eval->phrases;
  struct candidates *c = &scratch->candidates;
  const struct csd_phrase *phrase = node->phrase;
  struct csd_list_cursor *lead = phrase->terms[0].list;
  uint32_t n = end - first;
  memcpy(c->docs, lead->docs + first, n * sizeof c->docs[0]);
  for (uint32_t i = 0; i < n; i++) {
    c->origin[i] = (uint16_t)(first + i);
  }
  int left = conjoin(eval, phrase, 1, n, scored);
  if (left <= 0) {
    return left < 0 ? left : (int)at;
  }
  for (int i = 0; i < left; i++) {
    scratch->places[i] = (uint8_t)c->origin[i];
  }
  const int status = take_postings(scratch, lead, 0, scratch->places, (uint32_t)left, 0, scored);
  if (status < 0) {
    return status;
  }
  if (may_skip(eval, node, scored)) {
    left = (int)drop_non_competitive(eval, node, (uint32_t)left);
  }
  return compare_positions(eval, phrase, (uint32_t)left, at, scored);
}

int csd_phrase_produce(struct csd_eval *eval, struct csd_node *node, uint32_t from, uint32_t limit,
                       bool scored, struct csd_batch *batch) {
  struct csd_list_cursor *lead = node->phrase->terms[0].list;
  struct matches *matches = &eval->phrases->matches;
  int n = 0;
  for (uint32_t blocks = 0; blocks < BLOCKS_AT_ONCE && n < (int)ENOUGH && from < limit; blocks++) {
    int status = csd_list_cursor_seek(lead, from);
    if (status < 0) {
      return status;
    }
    if (csd_list_cursor_block_start(lead) >= limit) {
      from = limit; /* at the end, too */
      break;
    }
    bool excluded = false;
    if (may_skip(eval, node, scored)) {
      status = judge_block(eval, node, &excluded);
      eval->ranking.has_skipped |= excluded;
    }
    if (status == 0 && !excluded) {
      status = csd_list_cursor_load_docs(lead);
    }
    if (status < 0) {
      return status;
    }
    if (!excluded) {
      n = add_block(eval, node, csd_term_position(lead, from), csd_term_position(lead, limit),
                    (uint32_t)n, scored);
      if (n < 0) {
        return n;
      }
    }
    from = lead->block_end < limit ? lead->block_end : limit;
  }
  batch->upto = from;
  batch->n = (uint32_t)n;
  batch->docs = matches->docs;
  batch->scoring = CSD_SCORING_NONE;
  if (scored) {
    score(eval, node, batch->n);
    batch->scores = matches->scores;
    batch->scoring = CSD_SCORING_ARRAY;
  }
  return 0;
}

int csd_phrase_probe(struct csd_eval *eval, struct csd_node *node, const uint32_t *docs, uint32_t n,
                     bool scored, struct csd_hits *hits) {
  struct candidates *c = &eval->phrases->candidates;
  const struct matches *matches = &eval->phrases->matches;
  hits->n = 0;
  for (uint32_t at = 0; at < n; at += CANDIDATES) {
    const uint32_t part = n - at < CANDIDATES ? n - at : CANDIDATES;
    memcpy(c->docs, docs + at, part * sizeof docs[0]);
    for (uint32_t i = 0; i < part; i++) {
      c->origin[i] = (uint16_t)(at + i);
    }
    int found = conjoin(eval, node->phrase, 0, part, scored);
    if (found > 0) {
      found = compare_positions(eval, node->phrase, (uint32_t)found, 0, scored);
    }
    if (found < 0) {
      return found;
    }
    memcpy(hits->index + hits->n, matches->origin, (uint32_t)found * sizeof hits->index[0]);
    if (scored) {
      score(eval, node, (uint32_t)found);
      memcpy(hits->scores + hits->n, matches->scores, (uint32_t)found * sizeof hits->scores[0]);
    }
    hits->n += (uint32_t)found;
  }
  return 0;
}
