/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/* Tests: tests/core/phrase/test_phrase_match.c. */
/*
 * Positions are taken less the term's place in the phrase, so that those of an occurrence are equal
 * in all terms: where the phrase begins, which may be before the doc. They are compared as signed
 * numbers.
 */
#include "core/phrase/phrase_match.h"

/* The term that is looked at after number `i` of the others than the first. */
static inline uint32_t other_of(const struct csd_phrase *phrase, uint32_t i) {
  return i < phrase->first ? i : i + 1u;
}

/* ---- docs of few positions ---- */

/* How many docs from `i` on have positions that fit beside each other, of any term. */
static uint32_t group_from(const struct csd_phrase *phrase, const struct csd_phrase_docs *docs,
                           uint32_t i, uint32_t n) {
  uint32_t positions = 0;
  uint32_t end = i;
  for (; end < n; end++) {
    uint32_t most = 0;
    for (uint32_t t = 0; t < phrase->count; t++) {
      const uint32_t freq = docs->freqs[t * docs->stride + end];
      most = freq > most ? freq : most;
    }
    if (most > CSD_MAX_POSITION_VALUES || positions + most > CSD_PHRASE_GROUP_POSITIONS) {
      break;
    }
    positions += most;
  }
  return end - i;
}

/*
 * Reads the positions that term `t` has in `n` docs of a group, one doc after the other. All are
 * read before any is looked at, so that the processor waits for many of them at once.
 */
static int read_term(const struct csd_phrase *phrase, const struct csd_phrase_docs *docs,
                     uint32_t t, const uint16_t *some, uint32_t n, uint32_t *positions) {
  const struct csd_phrase_term *term = &phrase->terms[t];
  for (uint32_t k = 0; k < n; k++) {
    const struct csd_position_posting posting = csd_phrase_posting(docs, t, some[k]);
    const int status = csd_position_cursor_read(term->positions, &posting, 0, 0u - term->place,
                                                positions, CSD_MAX_POSITION_VALUES);
    if (status < 0) {
      return status;
    }
    positions += posting.freq;
  }
  return 0;
}

/* Keeps the starts that term `t` allows, and the docs that have some; returns how many. */
static uint32_t keep_starts(const struct csd_phrase *phrase, const struct csd_phrase_docs *docs,
                            uint32_t t, uint32_t n, struct csd_phrase_group *group) {
  const struct csd_kernels *kernels = phrase->terms[t].positions->kernels;
  const uint32_t *others = group->others;
  uint32_t kept = 0;
  for (uint32_t k = 0; k < n; k++) {
    const uint32_t doc = group->docs[k];
    const uint32_t freq = docs->freqs[t * docs->stride + doc];
    const uint32_t count =
        kernels->keep_common(group->starts + group->at[k], group->count[k], others, freq);
    others += freq;
    group->docs[kept] = (uint16_t)doc;
    group->at[kept] = group->at[k];
    group->count[kept] = (uint16_t)count;
    kept += count > 0;
  }
  return kept;
}

/* Counts the occurrences in docs [from, from + n), a group. Returns 0, or a negated status. */
static int match_group(const struct csd_phrase *phrase, const struct csd_phrase_docs *docs,
                       uint32_t from, uint32_t n, struct csd_phrase_group *group,
                       uint32_t *counts) {
  uint32_t at = 0;
  for (uint32_t k = 0; k < n; k++) {
    const uint32_t freq = docs->freqs[phrase->first * docs->stride + from + k];
    group->docs[k] = (uint16_t)(from + k);
    group->at[k] = (uint16_t)at;
    group->count[k] = (uint16_t)freq;
    at += freq;
    counts[from + k] = 0;
  }
  int status = read_term(phrase, docs, phrase->first, group->docs, n, group->starts);
  for (uint32_t i = 0; i + 1u < phrase->count && n > 0 && status == 0; i++) {
    const uint32_t t = other_of(phrase, i);
    status = read_term(phrase, docs, t, group->docs, n, group->others);
    n = status < 0 ? 0 : keep_starts(phrase, docs, t, n, group);
  }
  for (uint32_t k = 0; k < n; k++) {
    counts[group->docs[k]] = group->count[k];
  }
  return status;
}

/* ---- docs of many positions ---- */

/*
 * Moves the first term's stream on to the next position that all others have, too. The others only
 * move forward. Returns as csd_position_stream_advance.
 */
static int next_match(const struct csd_phrase *phrase, struct csd_position_stream *streams) {
  const uint32_t first = phrase->first;
  int status = csd_position_stream_advance(&streams[first], &phrase->terms[first]);
  for (uint32_t i = 0; i + 1u < phrase->count && status > 0;) {
    const uint32_t t = other_of(phrase, i);
    const int32_t start = csd_position_stream_current(&streams[first]);
    status = csd_position_stream_advance_to(&streams[t], &phrase->terms[t], start);
    if (status <= 0 || csd_position_stream_current(&streams[t]) == start) {
      i++;
      continue;
    }
    status = csd_position_stream_advance_to(&streams[first], &phrase->terms[first],
                                            csd_position_stream_current(&streams[t]));
    i = 0;
  }
  return status;
}

/* Counts the occurrences in doc `i` into *count. Returns 0, or a negated status. */
static int match_many(const struct csd_phrase *phrase, const struct csd_phrase_docs *docs,
                      uint32_t i, bool all, struct csd_position_stream *streams, uint32_t *count) {
  for (uint32_t t = 0; t < phrase->count; t++) {
    const struct csd_position_posting posting = csd_phrase_posting(docs, t, i);
    csd_position_stream_open(&streams[t], &posting);
  }
  *count = 0;
  int status;
  do {
    status = next_match(phrase, streams);
    *count += status > 0 && *count < CSD_PHRASE_MAX_COUNT;
  } while (status > 0 && all);
  return status < 0 ? status : 0;
}

int csd_phrase_count(const struct csd_phrase *phrase, const struct csd_phrase_docs *docs,
                     uint32_t n, bool all, struct csd_phrase_positions *memory, uint32_t *counts) {
  int status = 0;
  for (uint32_t i = 0; i < n && status == 0;) {
    const uint32_t few = group_from(phrase, docs, i, n);
    if (few > 0) {
      status = match_group(phrase, docs, i, few, &memory->group, counts);
    } else {
      status = match_many(phrase, docs, i, all, memory->streams, &counts[i]);
    }
    i += few > 0 ? few : 1u;
  }
  return status;
}
