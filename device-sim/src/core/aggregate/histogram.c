/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/* Tests: tests/core/program/test_program_aggregate.c. */
#include "core/aggregate/histogram.h"

int64_t csd_bucket_of(int64_t value, int64_t width) {
  const int64_t quotient = value / width;
  return quotient - (quotient * width > value);
}

/* Below this doubles hold every integer, and so do those twice as high. */
#define EXACT (UINT64_C(1) << 52)
#define EXACT_32 (UINT64_C(1) << 30) /* likewise 32-bit integers */

/* Divides by multiplication, and puts right what is one too low or too high. */
static void divide(uint64_t start, int64_t first, int64_t width, const int64_t *values, uint32_t n,
                   int64_t *buckets) {
  const double inverse = 1.0 / (double)width;
  for (uint32_t i = 0; i < n; i++) {
    const int64_t at = (int64_t)((uint64_t)values[i] - start);
    const int64_t bucket = (int64_t)((double)at * inverse);
    const int64_t rest = at - bucket * width;
    buckets[i] = first + bucket + (rest >= width) - (rest < 0);
  }
}

/* Likewise in 32 bits, of which vectors hold twice as many. */
static void divide_32(uint64_t start, int64_t first, int32_t width, const int64_t *values,
                      uint32_t n, int64_t *buckets) {
  const double inverse = 1.0 / (double)width;
  for (uint32_t i = 0; i < n; i++) {
    const int32_t at = (int32_t)(uint32_t)((uint64_t)values[i] - start);
    const int32_t bucket = (int32_t)((double)at * inverse);
    const int32_t rest = at - bucket * width;
    buckets[i] = first + (bucket + (rest >= width) - (rest < 0));
  }
}

/* Buckets of some values of the block. */
static void find_buckets(const struct csd_value_block *block, int64_t width, const int64_t *values,
                         uint32_t n, int64_t *buckets) {
  const uint64_t range = (uint64_t)block->max - (uint64_t)block->min;
  const int64_t first = csd_bucket_of(block->min, width);
  const uint64_t start = (uint64_t)first * (uint64_t)width; /* of the first bucket, modulo 2^64 */
  if (range < EXACT_32 && (uint64_t)width < EXACT_32) {
    divide_32(start, first, (int32_t)width, values, n, buckets);
  } else if (range < EXACT && (uint64_t)width < EXACT) {
    divide(start, first, width, values, n, buckets);
  } else {
    for (uint32_t i = 0; i < n; i++) {
      buckets[i] = csd_bucket_of(values[i], width);
    }
  }
}

static void add_all(struct csd_key_counter *counter, const int64_t *keys, uint32_t n) {
  for (uint32_t i = 0; i < n; i++) {
    csd_key_counter_add(counter, keys[i], 1);
  }
}

/* Where a walk over the keys of docs with several is. */
struct walk {
  uint32_t at;    /* keys done */
  uint32_t doc;   /* of the next key */
  uint32_t begin; /* its first key */
  int64_t before; /* the key before */
};

/* A walk over a block, whose first doc may have had a key before. */
static struct walk begin(const struct csd_value_block *block, int64_t before) {
  return (struct walk){.begin = block->continued ? UINT32_MAX : 0, .before = before};
}

/* Adds the next keys, those of a doc ascending; equal ones of a doc once. */
static void add_distinct(struct csd_key_counter *counter, const uint32_t *ends, const int64_t *keys,
                         uint32_t n, struct walk *walk) {
  for (uint32_t i = 0; i < n; i++) {
    if (walk->at == walk->begin || keys[i] != walk->before) {
      csd_key_counter_add(counter, keys[i], 1);
    }
    walk->before = keys[i];
    walk->at++;
    if (walk->at == ends[walk->doc]) {
      walk->begin = walk->at;
      walk->doc++;
    }
  }
}

void csd_histogram_add(struct csd_key_counter *counter, int64_t width,
                       const struct csd_value_block *block) {
  int64_t buckets[CSD_VALUE_BLOCK_DOCS];
  struct walk walk = begin(block, block->ends == NULL ? 0 : csd_bucket_of(block->before, width));
  for (uint32_t from = 0; from < block->value_count; from += CSD_VALUE_BLOCK_DOCS) {
    const uint32_t left = block->value_count - from;
    const uint32_t n = left < CSD_VALUE_BLOCK_DOCS ? left : CSD_VALUE_BLOCK_DOCS;
    find_buckets(block, width, block->values + from, n, buckets);
    if (block->ends == NULL) {
      add_all(counter, buckets, n);
    } else {
      add_distinct(counter, block->ends, buckets, n, &walk);
    }
  }
}

void csd_values_add(struct csd_key_counter *counter, const struct csd_value_block *block) {
  if (block->ends == NULL) {
    add_all(counter, block->values, block->value_count);
  } else {
    struct walk walk = begin(block, block->before);
    add_distinct(counter, block->ends, block->values, block->value_count, &walk);
  }
}

void csd_terms_add(struct csd_key_counter *counter, const struct csd_value_block *block) {
  add_all(counter, block->values, block->value_count);
}
