/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/* Tests: tests/core/phrase/test_multi_phrase.c. */
#include "core/phrase/multi_phrase.h"

#include <string.h>

#include "core/phrase/phrase_near.h"

/* Positions of docs that are looked at together: all that they have of all terms. */
#define POSITIONS 4096u

bool csd_multi_phrase_take(struct csd_multi_phrase *memory, struct csd_arena *arena,
                           uint32_t terms) {
  memory->positions =
      csd_arena_take(arena, (POSITIONS + CSD_POSITIONS_SLACK) * sizeof *memory->positions);
  memory->merged =
      csd_arena_take(arena, (POSITIONS + CSD_POSITIONS_SLACK) * sizeof *memory->merged);
  memory->starts =
      csd_arena_take(arena, (POSITIONS + CSD_POSITIONS_SLACK) * sizeof *memory->starts);
  memory->postings = csd_arena_take(arena, POSITIONS * sizeof *memory->postings);
  memory->next = csd_arena_take(arena, terms * sizeof *memory->next);
  memory->streams = csd_arena_take(arena, terms * sizeof *memory->streams);
  return memory->positions != NULL && memory->merged != NULL && memory->starts != NULL &&
         memory->postings != NULL && memory->next != NULL && memory->streams != NULL &&
         csd_slop_take(&memory->slop, arena, terms);
}

/* ---- exact phrases ---- */

/*
 * Counts the positions of the first place that all others have, too. Returns 0, or a negated
 * status.
 */
static int match_exactly(const struct csd_phrase *phrase, struct csd_slop_place *places, bool all,
                         float *freq) {
  struct csd_slop_place *first = &places[0];
  int status = 1;
  *freq = 0.0f;
  for (uint32_t p = 1; p < phrase->place_count && status > 0; p++) {
    status = csd_place_reader_next(&places[p].reader, &places[p].position);
  }
  while (status > 0 && (all || *freq == 0.0f)) {
    status = csd_place_reader_next(&first->reader, &first->position);
    bool everywhere = status > 0;
    for (uint32_t p = 1; p < phrase->place_count && everywhere; p++) {
      struct csd_slop_place *place = &places[p];
      while (status > 0 && place->position < first->position) {
        status = csd_place_reader_next(&place->reader, &place->position);
      }
      everywhere = status > 0 && place->position == first->position;
    }
    *freq += everywhere ? 1.0f : 0.0f;
  }
  return status < 0 ? status : 0;
}

/* ---- docs of few positions ---- */

/* Whether each place has one term, so that all docs have all terms. */
static inline bool is_plain(const struct csd_phrase *phrase) {
  return phrase->count == phrase->place_count;
}

/* How many docs from `from` on have positions that fit beside each other, of all terms. */
static uint32_t plain_group_from(const struct csd_phrase *phrase,
                                 const struct csd_phrase_docs *docs, uint32_t from, uint32_t most,
                                 struct csd_multi_phrase *memory) {
  uint32_t positions = 0;
  uint32_t k = 0;
  for (; k < most; k++) {
    memory->first_posting[k] = phrase->count;
    for (uint32_t t = 0; t < phrase->count; t++) {
      const uint32_t freq = docs->freqs[t * docs->stride + from + k];
      if (freq > CSD_MAX_POSITION_VALUES || positions + freq > POSITIONS) {
        return k;
      }
      positions += freq;
    }
  }
  return k;
}

/* Notes that doc number `k` of those that are looked at together has so many positions of a term.
 */
static inline void note_freq(struct csd_multi_phrase *memory, uint32_t k, uint32_t freq) {
  memory->sums[k] += freq;
  memory->most[k] = freq > memory->most[k] ? freq : memory->most[k];
  memory->first_posting[k] += freq > 0;
}

/* Notes what `n` docs from `from` on have of the terms of a place. */
static void note_place(const struct csd_phrase_place *place, const struct csd_phrase_docs *docs,
                       uint32_t from, uint32_t n, struct csd_multi_phrase *memory) {
  if (!csd_phrase_has_alternatives(place)) {
    const uint32_t *freqs = docs->freqs + place->from * docs->stride + from;
    for (uint32_t k = 0; k < n; k++) {
      note_freq(memory, k, freqs[k]);
    }
    return;
  }
  for (uint32_t t = place->from; t < place->from + place->count; t++) {
    for (uint32_t j = memory->next[t]; csd_phrase_has_entry(docs, t, j, from + n - 1u); j++) {
      const uint32_t at = t * docs->stride + j;
      note_freq(memory, docs->index[at] - from, docs->freqs[at]);
    }
  }
}

/*
 * As plain_group_from, and counts in memory->first_posting the terms that each doc has. Most docs
 * have few of many terms: only these are looked at.
 */
static uint32_t group_from(const struct csd_phrase *phrase, const struct csd_phrase_docs *docs,
                           uint32_t from, uint32_t n, struct csd_multi_phrase *memory) {
  const uint32_t most = n - from < CSD_MULTI_PHRASE_DOCS ? n - from : CSD_MULTI_PHRASE_DOCS;
  if (is_plain(phrase)) {
    return plain_group_from(phrase, docs, from, most, memory);
  }
  memset(memory->sums, 0, most * sizeof memory->sums[0]);
  memset(memory->most, 0, most * sizeof memory->most[0]);
  memset(memory->first_posting, 0, (most + 1u) * sizeof memory->first_posting[0]);
  for (uint32_t p = 0; p < phrase->place_count; p++) {
    note_place(&phrase->places[p], docs, from, most, memory);
  }
  uint64_t positions = 0;
  uint32_t end = 0;
  while (end < most && memory->most[end] <= CSD_MAX_POSITION_VALUES &&
         positions + memory->sums[end] <= POSITIONS) {
    positions += memory->sums[end++];
  }
  return end;
}

/* Reads the positions of a posting, that of doc number `k` of a group. */
static inline int read_posting(const struct csd_phrase *phrase, uint32_t t, uint32_t k,
                               const struct csd_position_posting *posting, uint32_t *at,
                               struct csd_multi_phrase *memory) {
  const struct csd_phrase_term *term = &phrase->terms[t];
  if (posting->freq == 0) {
    return 0;
  }
  const int status = csd_position_cursor_read(term->positions, posting, 0, 0u - term->place,
                                              memory->positions + *at, posting->freq);
  memory->postings[memory->first_posting[k]++] = (struct csd_multi_phrase_posting){
      .term = t, .at = (uint16_t)*at, .freq = (uint16_t)posting->freq};
  *at += posting->freq;
  return status < 0 ? status : 0;
}

/* Reads all positions of docs [from, from + n) at a place, term by term. */
static int read_place(const struct csd_phrase *phrase, const struct csd_phrase_place *place,
                      const struct csd_phrase_docs *docs, uint32_t from, uint32_t n, uint32_t *at,
                      struct csd_multi_phrase *memory) {
  int status = 0;
  if (!csd_phrase_has_alternatives(place)) {
    for (uint32_t k = 0; k < n && status == 0; k++) {
      const struct csd_position_posting posting = csd_phrase_posting(docs, place->from, from + k);
      status = read_posting(phrase, place->from, k, &posting, at, memory);
    }
    return status;
  }
  for (uint32_t t = place->from; t < place->from + place->count; t++) {
    uint32_t j = memory->next[t];
    for (; status == 0 && csd_phrase_has_entry(docs, t, j, from + n - 1u); j++) {
      const struct csd_position_posting posting = csd_phrase_entry(docs, t, j);
      status =
          read_posting(phrase, t, docs->index[t * docs->stride + j] - from, &posting, at, memory);
    }
    memory->next[t] = j;
  }
  return status;
}

/* Reads all positions of docs [from, from + n), term by term. Returns 0, or a negated status. */
static int read_group(const struct csd_phrase *phrase, const struct csd_phrase_docs *docs,
                      uint32_t from, uint32_t n, struct csd_multi_phrase *memory) {
  uint32_t *next = memory->first_posting;
  uint32_t at = 0;
  uint32_t before = 0;
  for (uint32_t k = 0; k <= n; k++) {
    const uint32_t count = k < n ? next[k] : 0;
    next[k] = before;
    before += count;
  }
  for (uint32_t p = 0; p < phrase->place_count; p++) {
    const int status = read_place(phrase, &phrase->places[p], docs, from, n, &at, memory);
    if (status < 0) {
      return status;
    }
  }
  /* Each stands where the next doc's begin: that of the doc before it is its own. */
  memmove(next + 1, next, n * sizeof next[0]);
  next[0] = 0;
  return 0;
}

/* Merges `n` ascending positions into the first `count` of others, which have room for them. */
static void merge(uint32_t *merged, uint32_t count, const uint32_t *positions, uint32_t n) {
  for (uint32_t to = count + n; n > 0;) {
    to--;
    if (count > 0 && (int32_t)merged[count - 1u] > (int32_t)positions[n - 1u]) {
      merged[to] = merged[--count];
    } else {
      merged[to] = positions[--n];
    }
  }
}

/* Sets the readers of all places up for doc number `k` of a group. */
static void open_readers(const struct csd_phrase *phrase, uint32_t k,
                         struct csd_multi_phrase *memory) {
  const struct csd_multi_phrase_posting *posting = memory->postings + memory->first_posting[k];
  const struct csd_multi_phrase_posting *end = memory->postings + memory->first_posting[k + 1u];
  uint32_t *merged = memory->merged;
  for (uint32_t p = 0; p < phrase->place_count; p++) {
    const struct csd_phrase_place *place = &phrase->places[p];
    const uint32_t *only = memory->positions;
    uint32_t count = 0;
    for (; posting < end && posting->term < place->from + place->count; posting++) {
      const uint32_t *positions = memory->positions + posting->at;
      if (count == 0) {
        only = positions;
      } else if (only != merged) {
        memcpy(merged, only, count * sizeof *merged);
        only = merged;
      }
      if (only == merged) {
        merge(merged, count, positions, posting->freq);
      }
      count += posting->freq;
    }
    merged += only == merged ? count : 0;
    csd_place_reader_open(&memory->slop.places[place->number].reader, only, count);
  }
}

/* As match_exactly, of a doc whose positions are all in memory. */
static float count_exactly(const struct csd_phrase *phrase, bool all,
                           struct csd_multi_phrase *memory) {
  const struct csd_kernels *kernels = phrase->terms[0].positions->kernels;
  const struct csd_slop_place *places = memory->slop.places;
  uint32_t n = places[0].reader.count;
  memcpy(memory->starts, places[0].reader.positions, n * sizeof memory->starts[0]);
  for (uint32_t p = 1; p < phrase->place_count && n > 0; p++) {
    const struct csd_place_reader *other = &places[p].reader;
    n = kernels->keep_common(memory->starts, n, other->positions, other->count);
  }
  return all ? (float)n : (float)(n > 0);
}

/* ---- docs of many positions ---- */

static int open_streams(const struct csd_phrase *phrase, const struct csd_phrase_docs *docs,
                        uint32_t i, struct csd_multi_phrase *memory) {
  int status = 0;
  for (uint32_t p = 0; p < phrase->place_count && status == 0; p++) {
    const struct csd_phrase_place *place = &phrase->places[p];
    status = csd_place_reader_stream(&memory->slop.places[place->number].reader, phrase, place,
                                     docs, i, memory->next, memory->streams + place->from);
  }
  return status;
}

/* Takes the entries of doc `i` for done. */
static void pass(const struct csd_phrase *phrase, const struct csd_phrase_docs *docs, uint32_t i,
                 struct csd_multi_phrase *memory) {
  for (uint32_t p = 0; p < phrase->place_count; p++) {
    const struct csd_phrase_place *place = &phrase->places[p];
    for (uint32_t t = place->from;
         csd_phrase_has_alternatives(place) && t < place->from + place->count; t++) {
      memory->next[t] += csd_phrase_has_entry(docs, t, memory->next[t], i);
    }
  }
}

int csd_multi_phrase_match(const struct csd_phrase *phrase, const struct csd_phrase_docs *docs,
                           uint32_t n, bool all, struct csd_multi_phrase *memory, float *freqs) {
  int status = 0;
  csd_slop_begin(&memory->slop, phrase);
  memset(memory->next, 0, phrase->count * sizeof memory->next[0]);
  for (uint32_t i = 0; i < n && status == 0;) {
    const uint32_t from = i;
    const uint32_t few = group_from(phrase, docs, i, n, memory);
    status =
        few > 0 ? read_group(phrase, docs, i, few, memory) : open_streams(phrase, docs, i, memory);
    const uint32_t end = i + (few > 0 ? few : 1u);
    for (; i < end && status == 0; i++) {
      if (few > 0) {
        open_readers(phrase, i - from, memory);
      }
      if (phrase->near != NULL) {
        freqs[i] = 0.0f;
        status = phrase->near->match(&memory->slop, all, &freqs[i]);
      } else if (phrase->slop > 0) {
        status = csd_slop_match(&memory->slop, all, &freqs[i]);
      } else if (few > 0) {
        freqs[i] = count_exactly(phrase, all, memory);
      } else {
        status = match_exactly(phrase, memory->slop.places, all, &freqs[i]);
      }
    }
    if (few == 0) {
      pass(phrase, docs, from, memory);
    }
  }
  return status;
}
