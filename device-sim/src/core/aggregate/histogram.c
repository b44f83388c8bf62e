/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/* Tests: tests/core/program/test_program_aggregate.c. */
#include "core/aggregate/histogram.h"

int64_t csd_bucket_of(int64_t value, int64_t width) {
  const int64_t quotient = value / width;
  return quotient - (quotient * width > value);
}

/* Below this doubles hold every integer, and so do those twice as high. */
#define EXACT (UINT64_C(1) << 52)

/* Buckets of some values of the block. */
static void find_buckets(const struct csd_value_kernels *kernels,
                         const struct csd_value_block *block, int64_t width, const int64_t *values,
                         uint32_t n, int64_t *buckets) {
  const uint64_t range = (uint64_t)block->max - (uint64_t)block->min;
  if (range < EXACT && (uint64_t)width < EXACT) {
    const int64_t first = csd_bucket_of(block->min, width);
    const uint64_t start = (uint64_t)first * (uint64_t)width; /* modulo 2^64 */
    kernels->divide(values, n, first, (uint64_t)block->max - start, width, buckets);
    return;
  }
  for (uint32_t i = 0; i < n; i++) {
    buckets[i] = csd_bucket_of(values[i], width);
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

void csd_histogram_add(struct csd_key_counter *counter, const struct csd_value_kernels *kernels,
                       int64_t width, const struct csd_value_block *block) {
  int64_t buckets[CSD_VALUE_BLOCK_DOCS];
  struct walk walk = begin(block, block->ends == NULL ? 0 : csd_bucket_of(block->before, width));
  for (uint32_t from = 0; from < block->value_count; from += CSD_VALUE_BLOCK_DOCS) {
    const uint32_t left = block->value_count - from;
    const uint32_t n = left < CSD_VALUE_BLOCK_DOCS ? left : CSD_VALUE_BLOCK_DOCS;
    find_buckets(kernels, block, width, block->values + from, n, buckets);
    if (block->ends == NULL) {
      csd_key_counter_add_all(counter, buckets, n);
    } else {
      add_distinct(counter, block->ends, buckets, n, &walk);
    }
  }
}

void csd_values_add(struct csd_key_counter *counter, const struct csd_value_block *block) {
  if (block->ends == NULL) {
    csd_key_counter_add_all(counter, block->values, block->value_count);
  } else {
    struct walk walk = begin(block, block->before);
    add_distinct(counter, block->ends, block->values, block->value_count, &walk);
  }
}

void csd_terms_add(struct csd_key_counter *counter, const struct csd_value_block *block) {
  csd_key_counter_add_all(counter, block->values, block->value_count);
}
