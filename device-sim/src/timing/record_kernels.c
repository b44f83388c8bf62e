/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/* Each wrapper counts what its kernel was asked to do, not how it does it: the processor of the
   modelled device has other instructions than the machine that runs the model. */
#include "timing/record_kernels.h"

#include <stddef.h>

enum {
  WORD_BYTES = 8,
  SEARCH_STEPS = 8 /* looks at a block of 128 docs that find a doc, or show that it is missing */
};

static _Thread_local struct csd_tally *tally;

struct csd_tally *csd_tally_set(struct csd_tally *next) {
  struct csd_tally *const before = tally;
  tally = next;
  return before;
}

static void count_column(unsigned bits, unsigned count) {
  tally->values_decoded += count;
  tally->bytes_streamed += ((uint64_t)bits * count + 7u) / 8u;
}

static void unpack_docs(const uint8_t *column, unsigned bits, unsigned count, uint32_t base,
                        uint32_t *docs) {
  count_column(bits, count);
  tally->kernels->unpack_docs(column, bits, count, base, docs);
}

static void unpack_freqs(const uint8_t *column, unsigned bits, unsigned count, uint32_t *freqs) {
  count_column(bits, count);
  tally->kernels->unpack_freqs(column, bits, count, freqs);
}

static void unpack_norms(const uint8_t *column, unsigned bits, unsigned count, uint8_t base,
                         uint8_t *norms) {
  count_column(bits, count);
  tally->kernels->unpack_norms(column, bits, count, base, norms);
}

/* csd_work counts gathered postings. */
static void gather_freqs(const uint8_t *column, unsigned bits, unsigned count,
                         const uint8_t *exceptions, unsigned exception_count,
                         const uint8_t *position, unsigned n, uint32_t *freqs) {
  tally->kernels->gather_freqs(column, bits, count, exceptions, exception_count, position, n,
                               freqs);
}

static void gather_norms(const uint8_t *column, unsigned bits, unsigned count, uint8_t base,
                         const uint8_t *position, unsigned n, uint8_t *norms) {
  tally->kernels->gather_norms(column, bits, count, base, position, n, norms);
}

static void rank_freqs(const uint8_t *column, unsigned bits, const uint8_t *position, unsigned n,
                       uint32_t *freqs, uint32_t *ranks) {
  count_column(bits, position[n - 1u] + 1u);
  tally->kernels->rank_freqs(column, bits, position, n, freqs, ranks);
}

/* csd_work counts positions, which are compared as they come. */
static void unpack_positions(const uint8_t *column, unsigned bits, uint32_t first, uint32_t n,
                             uint32_t base, uint32_t *positions) {
  tally->kernels->unpack_positions(column, bits, first, n, base, positions);
}

static uint32_t keep_common(uint32_t *positions, uint32_t n, const uint32_t *others, uint32_t m) {
  return tally->kernels->keep_common(positions, n, others, m);
}

static void unpack_few(const struct csd_few_values *postings, uint32_t n, uint32_t base,
                       uint32_t *positions) {
  tally->kernels->unpack_few(postings, n, base, positions);
}

static void match_few(const uint32_t *positions, const uint32_t *others, uint32_t n,
                      uint8_t *left) {
  tally->kernels->match_few(positions, others, n, left);
}

/* A device searches for few docs one by one, and merges many with the block. */
static unsigned intersect(const uint32_t *docs, unsigned n, const uint32_t *block, unsigned count,
                          uint8_t *map, uint16_t *index, uint8_t *position) {
  const uint64_t one_by_one = (uint64_t)n * SEARCH_STEPS;
  const uint64_t merged = (uint64_t)n + count;
  tally->docs_searched += one_by_one < merged ? one_by_one : merged;
  return tally->kernels->intersect(docs, n, block, count, map, index, position);
}

/* Each doc takes a look at one word. Positions take all words, whose bits are counted. */
static unsigned intersect_bitmap(const uint32_t *docs, unsigned n, const uint8_t *bitmap,
                                 unsigned words, uint32_t first, uint16_t *index,
                                 uint8_t *position) {
  const unsigned touched = position != NULL || n > words ? words : n;
  tally->docs_searched += n;
  tally->bitmap_words += touched;
  tally->bytes_streamed += (uint64_t)touched * WORD_BYTES;
  return tally->kernels->intersect_bitmap(docs, n, bitmap, words, first, index, position);
}

static void or_bitmap(uint64_t *bits, unsigned at, const uint8_t *bitmap, unsigned words) {
  tally->bitmap_words += words;
  tally->bytes_streamed += (uint64_t)words * WORD_BYTES;
  tally->kernels->or_bitmap(bits, at, bitmap, words);
}

static void set_bits(uint64_t *bits, uint32_t base, const uint32_t *docs, unsigned n) {
  tally->bitmap_words += n;
  tally->kernels->set_bits(bits, base, docs, n);
}

static uint64_t count_bits(const uint64_t *bits, unsigned words) {
  tally->bitmap_words += words;
  return tally->kernels->count_bits(bits, words);
}

static unsigned list_bits(const uint64_t *bits, unsigned words, uint32_t base, uint32_t *docs) {
  const unsigned listed = tally->kernels->list_bits(bits, words, base, docs);
  tally->bitmap_words += words;
  tally->values_decoded += listed;
  return listed;
}

static void score(float weight, const float *table, const uint32_t *freqs, const uint8_t *norms,
                  unsigned n, float *scores) {
  tally->postings_scored += n;
  tally->kernels->score(weight, table, freqs, norms, n, scores);
}

static bool any_needed(const uint8_t *needed, const uint32_t *freqs, const uint8_t *norms,
                       unsigned n) {
  tally->docs_searched += n;
  return tally->kernels->any_needed(needed, freqs, norms, n);
}

static unsigned keep_above(uint32_t *docs, double *sums, unsigned n, double rest, double slack,
                           double min_score) {
  tally->docs_searched += n;
  return tally->kernels->keep_above(docs, sums, n, rest, slack, min_score);
}

static unsigned copy_above(const uint32_t *docs, const float *scores, unsigned n, float min_score,
                           uint32_t *kept_docs, float *kept_scores) {
  tally->docs_searched += n;
  return tally->kernels->copy_above(docs, scores, n, min_score, kept_docs, kept_scores);
}

static unsigned merge_docs(const uint32_t *a, unsigned a_count, const uint32_t *b, unsigned b_count,
                           uint32_t *out) {
  tally->docs_searched += (uint64_t)a_count + b_count;
  return tally->kernels->merge_docs(a, a_count, b, b_count, out);
}

static unsigned merge_scores(const uint32_t *a_docs, const float *a_scores, unsigned a_count,
                             const uint32_t *b_docs, const float *b_scores, unsigned b_count,
                             uint32_t *docs, double *sums) {
  tally->docs_searched += (uint64_t)a_count + b_count;
  return tally->kernels->merge_scores(a_docs, a_scores, a_count, b_docs, b_scores, b_count, docs,
                                      sums);
}

static void match_range(const uint8_t *column, unsigned bits, uint32_t first, uint32_t n,
                        uint64_t lo, uint64_t hi, uint64_t *words) {
  tally->docs_searched += n;
  tally->kernels->match_range(column, bits, first, n, lo, hi, words);
}

static void match_map(const uint8_t *column, unsigned bits, uint32_t first, uint32_t n,
                      const struct csd_value_map *map, uint64_t *words) {
  tally->docs_searched += n;
  tally->kernels->match_map(column, bits, first, n, map, words);
}

struct csd_kernels csd_counting_kernels(const struct csd_kernels *kernels) {
  return (struct csd_kernels){
      .name = kernels->name,
      .unpack_docs = unpack_docs,
      .unpack_freqs = unpack_freqs,
      .unpack_norms = unpack_norms,
      .unpack_positions = unpack_positions,
      .keep_common = keep_common,
      .unpack_few = unpack_few,
      .match_few = match_few,
      .gather_freqs = gather_freqs,
      .rank_freqs = rank_freqs,
      .gather_norms = gather_norms,
      .intersect = intersect,
      .intersect_bitmap = intersect_bitmap,
      .or_bitmap = or_bitmap,
      .set_bits = set_bits,
      .count_bits = count_bits,
      .list_bits = list_bits,
      .score = score,
      .any_needed = any_needed,
      .keep_above = keep_above,
      .copy_above = copy_above,
      .merge_docs = merge_docs,
      .merge_scores = merge_scores,
      .match_range = match_range,
      .match_map = match_map,
      .values = kernels->values, /* csd_work counts values */
      .merge_pays_to = csd_kernels_scalar.merge_pays_to,
      .ranges_pay_to = csd_kernels_scalar.ranges_pay_to,
  };
}
