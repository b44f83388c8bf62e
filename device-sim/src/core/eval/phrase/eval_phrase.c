/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/* Tests: tests/core/eval/phrase/test_eval_phrase.c. */
#include "core/eval/phrase/eval_phrase.h"

#include <string.h>

#include "core/eval/eval_term.h"
#include "core/eval/phrase/eval_phrase_docs.h"
#include "core/eval/phrase/eval_phrase_lead.h"
#include "core/phrase/phrase_near.h"

#define CANDIDATES CSD_PHRASE_CANDIDATES

/* For what the bound of an interval's score may be rounded down, and the score up. */
#define INTERVAL_SLACK 1.00001f

/* Limit of the candidates' posting blocks in one batch, so that a step of a program stays short. */
#define BLOCKS_AT_ONCE 64u

struct csd_phrase_scratch *csd_phrase_scratch_make(struct csd_arena *arena, uint32_t terms,
                                                   uint32_t multi_terms) {
  const size_t entries = (size_t)terms * CANDIDATES;
  struct csd_phrase_scratch *scratch = csd_arena_take(arena, sizeof *scratch);
  if (scratch == NULL) {
    return NULL;
  }
  struct csd_phrase_candidates *c = &scratch->candidates;
  c->freqs = csd_arena_take(arena, entries * sizeof *c->freqs);
  c->ranks = csd_arena_take(arena, entries * sizeof *c->ranks);
  c->index = csd_arena_take(arena, entries * sizeof *c->index);
  c->counts = csd_arena_take(arena, terms * sizeof *c->counts);
  scratch->positions.streams = csd_arena_take(arena, terms * sizeof *scratch->positions.streams);
  if (c->freqs == NULL || c->ranks == NULL || c->index == NULL || c->counts == NULL ||
      scratch->positions.streams == NULL) {
    return NULL;
  }
  if (multi_terms == 0) {
    return scratch;
  }
  scratch->lead = csd_phrase_lead_make(arena, multi_terms);
  return scratch->lead != NULL && csd_multi_phrase_take(&scratch->multi, arena, multi_terms)
             ? scratch
             : NULL;
}

/*
 * No doc's frequency is above that of place `p` times this: of an exact phrase no place has fewer
 * positions than are counted; of two terms that may move, each match passes on from one to the
 * other; of terms near each other, no weight is above 1, ordered spans have one start each, and
 * ordered intervals share no position of any term. 0: nothing is known.
 */
static inline float count_factor(const struct csd_phrase *phrase, uint32_t p) {
  if (phrase->near != NULL) {
    return phrase->near->ordered && (phrase->near->is_interval || p == phrase->first) ? 1.0f : 0.0f;
  }
  if (phrase->slop > 0) {
    return phrase->place_count == 2 ? 2.0f : 0.0f;
  }
  return phrase->unequal || p == phrase->first ? 1.0f : 0.0f;
}

/* As count_factor, of a place with impacts: one term's. */
static inline float impact_factor(const struct csd_phrase *phrase, uint32_t p) {
  return phrase->places[p].count == 1 ? count_factor(phrase, p) : 0.0f;
}

/* Whether scores depend on nothing but the frequency. */
static inline bool is_interval(const struct csd_phrase *phrase) {
  return phrase->near != NULL && phrase->near->is_interval;
}

/* Factor of a bound: intervals are scored by another formula, whose roundings differ. */
static inline float slack_of(const struct csd_node *node) {
  return is_interval(node->phrase) ? INTERVAL_SLACK : 1.0f;
}

/* Bound of the scores if the frequency is at most that of a term, under some impacts, times so
 * much.
 */
static float bound_of(const struct csd_node *node, uint64_t impacts, float factor) {
  const float bound = node->has_impacts && node->scored
                          ? csd_term_impact_score(node, factor * csd_term_impact(node, impacts))
                          : csd_term_bound(node, impacts);
  return bound * slack_of(node);
}

/* The list of a place of one term. */
static inline struct csd_list_cursor *list_of(const struct csd_phrase *phrase, uint32_t p) {
  return phrase->terms[phrase->places[p].from].list;
}

double csd_phrase_bound(const struct csd_node *node) {
  const struct csd_phrase *phrase = node->phrase;
  float bound = node->weight;
  for (uint32_t p = 0; p < phrase->place_count; p++) {
    const float factor = impact_factor(phrase, p);
    if (factor > 0.0f) {
      const float one = bound_of(node, list_of(phrase, p)->list_impacts, factor);
      bound = one < bound ? one : bound;
    }
  }
  return (double)bound;
}

int csd_phrase_approach(struct csd_node *node, uint32_t from, uint32_t *start) {
  const struct csd_phrase *phrase = node->phrase;
  for (uint32_t p = 0; p < phrase->place_count; p++) {
    if (phrase->places[p].count == 1) {
      struct csd_list_cursor *list = list_of(phrase, p);
      const int status = csd_list_cursor_seek(list, from);
      if (status < 0) {
        return status;
      }
      const uint32_t first = csd_list_cursor_block_start(list);
      *start = first > *start ? first : *start;
    }
  }
  return 0;
}

/* Bound of the scores up to `end` by one place with impacts. */
static float place_bound(const struct csd_node *node, uint32_t p, uint32_t end) {
  uint64_t words[CSD_RANGE_IMPACTS];
  const unsigned n = csd_list_cursor_range_impacts(list_of(node->phrase, p), end, words);
  float bound = 0.0f;
  for (unsigned i = 0; i < n; i++) {
    const float of_word = bound_of(node, words[i], impact_factor(node->phrase, p));
    bound = of_word > bound ? of_word : bound;
  }
  return bound;
}

bool csd_phrase_range_bound(const struct csd_node *node, uint32_t end, double *bound) {
  const struct csd_phrase *phrase = node->phrase;
  *bound = node->bound;
  for (uint32_t p = 0; p < phrase->place_count; p++) {
    if (phrase->places[p].count > 1) {
      continue;
    }
    if (csd_list_cursor_block_start(list_of(phrase, p)) >= end) {
      return false;
    }
    if (impact_factor(phrase, p) > 0.0f) {
      const double one = (double)place_bound(node, p, end);
      *bound = one < *bound ? one : *bound;
    }
  }
  return true;
}

/* ---- positions ---- */

/* Appends those of `n` candidates that have the phrase to the first `at` matches. */
static int compare_positions(struct csd_eval *eval, const struct csd_phrase *phrase, uint32_t n,
                             uint32_t at, bool scored) {
  struct csd_phrase_scratch *scratch = eval->phrases;
  const struct csd_phrase_candidates *c = &scratch->candidates;
  struct csd_phrase_matches *to = &scratch->matches;
  const struct csd_phrase_docs docs = {.docs = c->docs,
                                       .freqs = c->freqs,
                                       .ranks = c->ranks,
                                       .index = c->index,
                                       .counts = c->counts,
                                       .stride = CANDIDATES};
  int status;
  if (phrase->multi) {
    status = csd_multi_phrase_match(phrase, &docs, n, scored, &scratch->multi, scratch->sums);
    for (uint32_t i = 0, to_at = at; i < n && status == 0; i++) {
      scratch->counts[i] = scratch->sums[i] > 0.0f;
      to->sums[to_at] = scratch->sums[i];
      to_at += scratch->counts[i];
    }
  } else {
    status = csd_phrase_count(phrase, &docs, n, scored, &scratch->positions, scratch->counts);
  }
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
  struct csd_phrase_matches *matches = &eval->phrases->matches;
  eval->work.docs_scored += n;
  if (!node->phrase->multi) {
    eval->kernels->score(node->weight, node->table, matches->freqs, matches->norms, n,
                         matches->scores);
    return;
  }
  if (is_interval(node->phrase)) {
    for (uint32_t i = 0; i < n; i++) {
      matches->scores[i] = node->weight * (1.0f - 1.0f / (1.0f + matches->sums[i]));
    }
    return;
  }
  for (uint32_t i = 0; i < n; i++) {
    matches->scores[i] = csd_term_freq_score(node, matches->sums[i], matches->norms[i]);
  }
}

/* ---- bounds ---- */

/* Whether matches of the node may be left out as non-competitive. */
static bool may_skip(const struct csd_eval *eval, const struct csd_node *node, bool scored) {
  return scored && (node == eval->root || node->phrase->is_part) && eval->ranking.active &&
         eval->ranking.may_skip;
}

bool csd_phrase_is_exact(const struct csd_phrase *phrase) {
  return !phrase->multi && phrase->slop == 0 && phrase->near == NULL;
}

/* Whether no match of the node is competitive whose score is at most `bound`. */
static bool is_excluded(const struct csd_eval *eval, const struct csd_node *node, float bound) {
  if (node->exact_bound && !node->phrase->is_part) {
    return csd_exactly_non_competitive(&eval->ranking, (double)bound);
  }
  return csd_non_competitive(&eval->ranking, (double)bound + node->phrase->rest);
}

/* Sets *excluded to whether no match in the lead's current block is competitive. */
static int judge_block(struct csd_eval *eval, struct csd_node *node, bool *excluded) {
  const struct csd_phrase *phrase = node->phrase;
  const struct csd_list_cursor *lead = list_of(phrase, 0);
  const uint32_t start = csd_list_cursor_block_start(lead);
  const float factor = impact_factor(phrase, 0);
  *excluded = factor > 0.0f && is_excluded(eval, node, bound_of(node, lead->block_impacts, factor));
  for (uint32_t p = 1; p < phrase->place_count && !*excluded; p++) {
    if (impact_factor(phrase, p) == 0.0f) {
      continue;
    }
    struct csd_list_cursor *list = list_of(phrase, p);
    const int status = csd_list_cursor_seek(list, start);
    if (status < 0) {
      return status;
    }
    *excluded = is_excluded(eval, node, place_bound(node, p, lead->block_end));
  }
  return 0;
}

/* Frequencies beyond it are as good as endless; it may be doubled. */
#define MAX_FREQ (INT32_MAX / 2)

/* Adds a frequency to a sum. */
static inline uint32_t sum_of(uint32_t sum, uint32_t freq) {
  const uint32_t both = sum + (freq < MAX_FREQ ? freq : MAX_FREQ);
  return both < MAX_FREQ ? both : MAX_FREQ;
}

/* Sets `sums` of `n` candidates to the positions that they have at a place. */
static void sum_freqs(const struct csd_phrase_scratch *scratch,
                      const struct csd_phrase_place *place, uint32_t n, uint32_t *sums) {
  const struct csd_phrase_candidates *c = &scratch->candidates;
  memset(sums, 0, n * sizeof sums[0]);
  if (!csd_phrase_has_alternatives(place)) {
    for (uint32_t i = 0; i < n; i++) {
      sums[i] = sum_of(0, c->freqs[place->from * CANDIDATES + i]);
    }
    return;
  }
  for (uint32_t t = place->from; t < place->from + place->count; t++) {
    for (uint32_t j = 0; j < c->counts[t]; j++) {
      const uint32_t at = t * CANDIDATES + j;
      sums[c->index[at]] = sum_of(sums[c->index[at]], c->freqs[at]);
    }
  }
}

/* Sets scratch->most_freqs of `n` candidates to what no frequency of theirs is above, as far as the
   first `places` tell: of terms that may move, or are near each other in any order, one of the
   positions leads each match, and no other. Returns false if these places do not tell. */
static bool bound_freqs(struct csd_phrase_scratch *scratch, const struct csd_phrase *phrase,
                        uint32_t places, uint32_t n) {
  uint32_t *most = scratch->most_freqs;
  uint32_t *sums = scratch->counts;
  const bool unordered = phrase->near != NULL && !phrase->near->ordered;
  const bool any =
      unordered || (phrase->near == NULL && phrase->slop > 0 && phrase->place_count > 2);
  if (any && places < phrase->place_count) {
    return false;
  }
  bool told = any;
  for (uint32_t i = 0; i < n; i++) {
    most[i] = any ? 0 : INT32_MAX;
  }
  for (uint32_t p = 0; p < places; p++) {
    const uint32_t factor = (uint32_t)count_factor(phrase, p);
    if (!any && factor == 0) {
      continue;
    }
    told = true;
    if (factor == 1 && phrase->places[p].count == 1) {
      const uint32_t *freqs = scratch->candidates.freqs + phrase->places[p].from * CANDIDATES;
      for (uint32_t i = 0; i < n; i++) {
        most[i] = freqs[i] < most[i] ? freqs[i] : most[i];
      }
      continue;
    }
    sum_freqs(scratch, &phrase->places[p], n, sums);
    for (uint32_t i = 0; i < n && any; i++) {
      most[i] = most[i] + sums[i] < INT32_MAX ? most[i] + sums[i] : INT32_MAX;
    }
    for (uint32_t i = 0; i < n && !any; i++) {
      most[i] = sums[i] * factor < most[i] ? sums[i] * factor : most[i];
    }
  }
  return told;
}

/* Drops those of `n` candidates whose frequencies at the first `places`, which are known, show that
   they are non-competitive. */
static uint32_t drop_non_competitive(struct csd_eval *eval, const struct csd_node *node,
                                     uint32_t places, uint32_t n) {
  struct csd_phrase_scratch *scratch = eval->phrases;
  if (!bound_freqs(scratch, node->phrase, places, n)) {
    return n;
  }
  eval->kernels->score(node->weight, node->table, scratch->most_freqs, scratch->candidates.norms, n,
                       scratch->bounds);
  uint32_t kept = 0;
  for (uint32_t i = 0; i < n; i++) {
    scratch->index[kept] = (uint16_t)i;
    const float bound = scratch->bounds[i] * slack_of(node);
    kept += !is_excluded(eval, node, bound);
  }
  if (kept < n) {
    eval->ranking.has_skipped = true;
    csd_phrase_keep(scratch, node->phrase, 0, places, kept);
  }
  return kept;
}

/* ---- batches ---- */

/* Appends those of `n` candidates that match, and may be competitive, to the first `at` matches. */
static int add_matches(struct csd_eval *eval, const struct csd_node *node, uint32_t n, uint32_t at,
                       bool scored) {
  if (may_skip(eval, node, scored)) {
    n = drop_non_competitive(eval, node, node->phrase->place_count, n);
  }
  return compare_positions(eval, node->phrase, n, at, scored);
}

/* Appends the matches among docs [first, end) of the lead's current block to the first `at`. */
static int add_block(struct csd_eval *eval, const struct csd_node *node, uint32_t first,
                     uint32_t end, uint32_t at, bool scored) {
  struct csd_phrase_scratch *scratch = eval->phrases;
  struct csd_phrase_candidates *c = &scratch->candidates;
  const struct csd_phrase *phrase = node->phrase;
  struct csd_list_cursor *lead = list_of(phrase, 0);
  uint32_t n = end - first;
  memcpy(c->docs, lead->docs + first, n * sizeof c->docs[0]);
  for (uint32_t i = 0; i < n; i++) {
    c->origin[i] = (uint16_t)(first + i);
  }
  int left = csd_phrase_conjoin(eval, phrase, 1, 1, n, scored);
  if (left <= 0) {
    return left < 0 ? left : (int)at;
  }
  for (int i = 0; i < left; i++) {
    scratch->places[i] = (uint8_t)c->origin[i];
  }
  const int status = csd_phrase_take_postings(scratch, phrase, 0, scratch->places, (uint32_t)left,
                                              scored ? c->norms : NULL);
  return status < 0 ? status : add_matches(eval, node, (uint32_t)left, at, scored);
}

/* Appends the matches among the next docs of the lead to the first `at`. */
static int add_lead(struct csd_eval *eval, const struct csd_node *node, uint32_t at, bool scored) {
  uint32_t places; /* that tell of the candidates */
  int left = csd_phrase_lead_take(eval, node->phrase, &places);
  if (left > 0 && places < node->phrase->place_count) {
    if (may_skip(eval, node, scored)) {
      left = (int)drop_non_competitive(eval, node, places, (uint32_t)left);
    }
    left =
        left == 0 ? 0 : csd_phrase_conjoin(eval, node->phrase, 0, places, (uint32_t)left, scored);
  }
  return left <= 0 ? (left < 0 ? left : (int)at)
                   : add_matches(eval, node, (uint32_t)left, at, scored);
}

/* Passes blocks from *from on that cannot have a competitive match, by the places with impacts. */
static int pass_blocks(struct csd_eval *eval, struct csd_node *node, uint32_t *from,
                       uint32_t limit) {
  const struct csd_phrase *phrase = node->phrase;
  for (uint32_t p = 1; p < phrase->place_count && *from < limit;) {
    if (phrase->places[p].count > 1 || impact_factor(phrase, p) == 0.0f) {
      p++;
      continue;
    }
    struct csd_list_cursor *list = list_of(phrase, p);
    const int status = csd_list_cursor_seek(list, *from);
    if (status < 0) {
      return status;
    }
    if (csd_list_cursor_block_start(list) >= limit) {
      *from = limit; /* at the end, too */
      break;
    }
    if (!is_excluded(eval, node, bound_of(node, list->block_impacts, impact_factor(phrase, p)))) {
      p++;
      continue;
    }
    eval->ranking.has_skipped = true;
    *from = list->block_end < limit ? list->block_end : limit;
    p = 1;
  }
  return 0;
}

/* Finds matches in [*from, limit), the first place having several terms, and sets *from to where
   they end. Returns how many, or a negated status. */
static int produce_from_many(struct csd_eval *eval, struct csd_node *node, uint32_t *from,
                             uint32_t limit, bool scored) {
  int n = 0;
  for (uint32_t rounds = 0; rounds < BLOCKS_AT_ONCE && n < (int)CSD_PHRASE_ENOUGH && *from < limit;
       rounds++) {
    const int status = may_skip(eval, node, scored) ? pass_blocks(eval, node, from, limit) : 0;
    if (status < 0 || *from >= limit) {
      return status < 0 ? status : n;
    }
    struct csd_phrase_lead *lead = eval->phrases->lead;
    const int found = csd_phrase_lead_find(eval, node->phrase, *from, limit, scored);
    if (found < 0) {
      return found;
    }
    while (n >= 0 && n < (int)CSD_PHRASE_ENOUGH && !csd_phrase_lead_is_done(lead)) {
      n = add_lead(eval, node, (uint32_t)n, scored);
    }
    if (n < 0) {
      return n;
    }
    *from = csd_phrase_lead_upto(lead);
  }
  return n;
}

/* As produce_from_many, the first place having one term. */
static int produce_from_one(struct csd_eval *eval, struct csd_node *node, uint32_t *from,
                            uint32_t limit, bool scored) {
  struct csd_list_cursor *lead = list_of(node->phrase, 0);
  int n = 0;
  for (uint32_t blocks = 0; blocks < BLOCKS_AT_ONCE && n < (int)CSD_PHRASE_ENOUGH && *from < limit;
       blocks++) {
    int status = csd_list_cursor_seek(lead, *from);
    if (status < 0) {
      return status;
    }
    if (csd_list_cursor_block_start(lead) >= limit) {
      *from = limit; /* at the end, too */
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
      n = add_block(eval, node, csd_term_position(lead, *from), csd_term_position(lead, limit),
                    (uint32_t)n, scored);
      if (n < 0) {
        return n;
      }
    }
    *from = lead->block_end < limit ? lead->block_end : limit;
  }
  return n;
}

int csd_phrase_produce(struct csd_eval *eval, struct csd_node *node, uint32_t from, uint32_t limit,
                       bool scored, struct csd_batch *batch) {
  struct csd_phrase_matches *matches = &eval->phrases->matches;
  const int n = node->phrase->places[0].count == 1
                    ? produce_from_one(eval, node, &from, limit, scored)
                    : produce_from_many(eval, node, &from, limit, scored);
  if (n < 0) {
    return n;
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
  struct csd_phrase_candidates *c = &eval->phrases->candidates;
  const struct csd_phrase_matches *matches = &eval->phrases->matches;
  hits->n = 0;
  for (uint32_t at = 0; at < n; at += CANDIDATES) {
    const uint32_t part = n - at < CANDIDATES ? n - at : CANDIDATES;
    memcpy(c->docs, docs + at, part * sizeof docs[0]);
    for (uint32_t i = 0; i < part; i++) {
      c->origin[i] = (uint16_t)(at + i);
    }
    int found = csd_phrase_conjoin(eval, node->phrase, 0, 0, part, scored);
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

static void rewind_lists(struct csd_node *node) {
  for (uint32_t t = 0; t < node->phrase->count; t++) {
    csd_list_cursor_rewind(node->phrase->terms[t].list);
    csd_position_cursor_rewind(node->phrase->terms[t].positions);
  }
}

static void close_lists(struct csd_node *node) {
  for (uint32_t t = 0; t < node->phrase->count; t++) {
    csd_list_cursor_close(node->phrase->terms[t].list);
    csd_position_cursor_close(node->phrase->terms[t].positions);
  }
}

static void add_reads(const struct csd_node *node, struct csd_reads *reads) {
  for (uint32_t t = 0; t < node->phrase->count; t++) {
    csd_list_add_reads(node->phrase->terms[t].list, reads);
  }
}

const struct csd_operator csd_op_phrase = {.name = "PHRASE",
                                           .produce = csd_phrase_produce,
                                           .probe = csd_phrase_probe,
                                           .rewind = rewind_lists,
                                           .close = close_lists,
                                           .add_reads = add_reads};
