/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/* Tests: tests/core/phrase/test_phrase_match.c. */
/*
 * Positions are taken less the term's place in the phrase, so that those of an occurrence are equal
 * in all terms: where the phrase begins, which may be before the doc. They are compared as signed
 * numbers.
 */
#include "core/phrase/phrase_match.h"

#include <string.h>

/* How many bits are set of each number of four bits, four bits each. */
#define BITS_OF_FOUR UINT64_C(0x4332322132212110)

/* The term that is looked at after number `i` of the others than the first. */
static inline uint32_t other_of(const struct csd_phrase *phrase, uint32_t i) {
  return i < phrase->first ? i : i + 1u;
}

/* ---- docs whose positions are looked at together ---- */

/* Sets `most` of `n` docs to the most positions that each has of a term. */
static void find_most(const struct csd_phrase *phrase, const struct csd_phrase_docs *docs,
                      uint32_t n, uint32_t *most) {
  memcpy(most, docs->freqs, n * sizeof most[0]);
  for (uint32_t t = 1; t < phrase->count; t++) {
    const uint32_t *freqs = docs->freqs + t * docs->stride;
    for (uint32_t i = 0; i < n; i++) {
      most[i] = freqs[i] > most[i] ? freqs[i] : most[i];
    }
  }
}

/* How many docs from `i` on have positions that fit beside each other, of any term. */
static uint32_t group_from(const uint32_t *most, uint32_t i, uint32_t n) {
  uint32_t positions = 0;
  uint32_t end = i;
  while (end < n && most[end] <= CSD_MAX_POSITION_VALUES &&
         positions + most[end] <= CSD_PHRASE_GROUP_POSITIONS) {
    positions += most[end++];
  }
  return end - i;
}

/*
 * Reads the positions that term `t` has in `few_n` docs of few positions and in `more_n` others, in
 * the order of the docs. All are read before any is looked at, so that the processor waits for many
 * of them at once.
 */
static int read_term(const struct csd_phrase *phrase, const struct csd_phrase_docs *docs,
                     uint32_t t, const struct csd_phrase_group *group, uint32_t few_n,
                     uint32_t more_n, uint32_t *few_to, uint32_t *more_to) {
  const struct csd_phrase_term *term = &phrase->terms[t];
  const struct csd_position_columns columns = {.docs = docs->docs,
                                               .ranks = docs->ranks + t * docs->stride,
                                               .freqs = docs->freqs + t * docs->stride};
  const uint32_t base = 0u - term->place;
  const uint16_t *few = group->few.docs;
  uint32_t f = 0;
  for (uint32_t k = 0; k <= more_n; k++) {
    const uint32_t doc = k < more_n ? group->more.docs[k] : UINT32_MAX;
    uint32_t end = f;
    while (end < few_n && few[end] < doc) {
      end++;
    }
    int status = csd_position_cursor_read_few(term->positions, &columns, few + f, end - f, base,
                                              few_to + f * CSD_FEW_POSITIONS);
    f = end;
    if (status == 0 && k < more_n) {
      const struct csd_position_posting posting = csd_phrase_posting(docs, t, doc);
      status = csd_position_cursor_read(term->positions, &posting, 0, base, more_to,
                                        CSD_MAX_POSITION_VALUES);
      more_to += posting.freq;
    }
    if (status < 0) {
      return status;
    }
  }
  return 0;
}

/* Drops those of `n` docs of few positions that no start is left of; returns how many are left. */
static uint32_t keep_few(struct csd_phrase_few *few, uint32_t n) {
  uint32_t kept = 0;
  for (uint32_t k = 0; k < n; k++) {
    memmove(few->starts + kept * CSD_FEW_POSITIONS, few->starts + k * CSD_FEW_POSITIONS,
            CSD_FEW_POSITIONS * sizeof few->starts[0]);
    few->docs[kept] = few->docs[k];
    few->left[kept] = few->left[k];
    kept += few->left[k] != 0;
  }
  return kept;
}

/* Keeps the starts that a term allows of `n` docs of more positions, which have `freqs` of it, and
   the docs that have some; returns how many. */
static uint32_t keep_more(const struct csd_kernels *kernels, const uint32_t *freqs, uint32_t n,
                          struct csd_phrase_more *more) {
  const uint32_t *others = more->others;
  uint32_t kept = 0;
  for (uint32_t k = 0; k < n; k++) {
    const uint32_t doc = more->docs[k];
    const uint32_t count =
        kernels->keep_common(more->starts + more->at[k], more->count[k], others, freqs[doc]);
    others += freqs[doc];
    more->docs[kept] = (uint16_t)doc;
    more->at[kept] = more->at[k];
    more->count[kept] = (uint16_t)count;
    kept += count > 0;
  }
  return kept;
}

/* Divides docs [from, end) of a group by how many positions they have. Returns how many have few.
 */
static uint32_t divide(const uint32_t *freqs, uint32_t from, uint32_t end,
                       struct csd_phrase_group *group) {
  struct csd_phrase_few *few = &group->few;
  struct csd_phrase_more *more = &group->more;
  uint32_t few_n = 0;
  uint32_t more_n = 0;
  uint32_t at = 0;
  for (uint32_t i = from; i < end; i++) {
    const bool is_few = group->most[i] <= CSD_FEW_POSITIONS;
    few->docs[few_n] = (uint16_t)i;
    few->left[few_n] = (uint8_t)((1u << (freqs[i] & 7u)) - 1u);
    few_n += is_few;
    more->docs[more_n] = (uint16_t)i;
    more->at[more_n] = (uint16_t)at;
    more->count[more_n] = (uint16_t)freqs[i];
    more_n += !is_few;
    at += is_few ? 0 : freqs[i];
  }
  return few_n;
}

/* Counts the occurrences in docs [from, from + n), a group. Returns 0, or a negated status. */
static int match_group(const struct csd_phrase *phrase, const struct csd_phrase_docs *docs,
                       uint32_t from, uint32_t n, struct csd_phrase_group *group,
                       uint32_t *counts) {
  struct csd_phrase_few *few = &group->few;
  struct csd_phrase_more *more = &group->more;
  memset(counts + from, 0, n * sizeof counts[0]);
  uint32_t few_n = divide(docs->freqs + phrase->first * docs->stride, from, from + n, group);
  uint32_t more_n = n - few_n;
  int status =
      read_term(phrase, docs, phrase->first, group, few_n, more_n, few->starts, more->starts);
  for (uint32_t i = 0; i + 1u < phrase->count && few_n + more_n > 0 && status == 0; i++) {
    const uint32_t t = other_of(phrase, i);
    const struct csd_kernels *kernels = phrase->terms[t].positions->kernels;
    status = read_term(phrase, docs, t, group, few_n, more_n, few->others, more->others);
    if (status == 0) {
      kernels->match_few(few->starts, few->others, few_n, few->left);
      few_n = i + 2u < phrase->count ? keep_few(few, few_n) : few_n;
      more_n = keep_more(kernels, docs->freqs + t * docs->stride, more_n, more);
    }
  }
  for (uint32_t k = 0; k < few_n; k++) {
    counts[few->docs[k]] = BITS_OF_FOUR >> 4u * few->left[k] & 7u;
  }
  for (uint32_t k = 0; k < more_n; k++) {
    counts[more->docs[k]] = more->count[k];
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
  find_most(phrase, docs, n, memory->group.most);
  for (uint32_t i = 0; i < n && status == 0;) {
    const uint32_t together = group_from(memory->group.most, i, n);
    if (together > 0) {
      status = match_group(phrase, docs, i, together, &memory->group, counts);
    } else {
      status = match_many(phrase, docs, i, all, memory->streams, &counts[i]);
    }
    i += together > 0 ? together : 1u;
  }
  return status;
}
