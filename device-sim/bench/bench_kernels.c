/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/*
 * Every kernel in every version that this machine can run, beside the limit, in one table:
 *
 *   bench_kernels [rounds [version]]       defaults 7, all; the best round counts
 *
 * ns/posting  nanoseconds a posting (a word for count_bits and or_bitmap; for intersect a doc that
 *             is looked for, with the loop that finds each block's share of them; for list_bits a
 *             doc that is listed)
 * KiB in      bytes of input that a run goes through; they stay in the cache that holds so many
 * GB/s        of input
 * % of read   GB/s in % of what the thread reads from memory: above 100 memory is the limit
 * x floor     time over that of memcpy of the same input and memset of the same output, block by
 *             block: how far the kernel is from moving bytes alone. 0.0: too small to be measured
 *
 * Inputs come from a seed. Columns are of BLOCKS full posting blocks, which the first-level cache
 * does not hold; outputs are one block's, which it does, as in a query.
 */
#include <stdlib.h>
#include <string.h>

#include "bench_limits.h"
#include "core/kernels/kernels.h"
#include "tests/support/check.h"

#define BLOCK CSD_BLOCK_POSTINGS
#define BLOCKS 512u
#define POSTINGS (BLOCK * BLOCKS)
#define WORDS 64u /* of the bitmap that docs are set in and listed from */
#define BITMAP_WORDS (CSD_MAX_BITMAP_BYTES / 8u)

static const struct csd_kernels *kernels;
static unsigned rounds = 7;
static uint64_t seed = 11;
static uint8_t columns[POSTINGS * 12 + 64];
static uint32_t docs[POSTINGS + 64], wanted[POSTINGS + 64];
static uint32_t freqs[POSTINGS + 64];
static uint8_t norms[POSTINGS + 64];
static uint32_t block_out[64 * WORDS + CSD_LIST_BITS_SLACK];
static uint8_t norms_out[BLOCK];
static float scores_out[BLOCK], table[256];
static uint64_t words[WORDS];
static uint16_t index_out[POSTINGS + CSD_INTERSECT_ROOM];
static uint8_t position_out[POSTINGS + CSD_INTERSECT_ROOM];
static uint8_t map[CSD_INTERSECT_MAP_BYTES];
static double sums[POSTINGS + 64];
static uint32_t merged_out[2 * BLOCK + CSD_MERGE_DOCS_SLACK];
static struct bench_memory memory;
static volatile uint64_t sink;

/* What a run works through, and how. */
struct job {
  void (*run)(const struct job *job);
  unsigned bits;
  double units; /* postings or words of a run */
  size_t in_bytes;
  size_t out_bytes;
  unsigned blocks; /* calls of the kernel in a run, about */
};

static void run_docs(const struct job *job) {
  const uint8_t *at = columns;
  for (unsigned i = 0; i < BLOCKS; i++, at += job->bits * BLOCK / 8) {
    kernels->unpack_docs(at, job->bits, BLOCK, 0, block_out);
  }
}

static void run_freqs(const struct job *job) {
  const uint8_t *at = columns;
  for (unsigned i = 0; i < BLOCKS; i++, at += job->bits * BLOCK / 8) {
    kernels->unpack_freqs(at, job->bits, BLOCK, block_out);
  }
}

static void run_norms(const struct job *job) {
  const uint8_t *at = columns;
  for (unsigned i = 0; i < BLOCKS; i++, at += job->bits * BLOCK / 8) {
    kernels->unpack_norms(at, job->bits, BLOCK, 3, norms_out);
  }
}

static void run_score(const struct job *job) {
  (void)job;
  for (unsigned i = 0; i < BLOCKS; i++) {
    kernels->score(3.7f, table, freqs + BLOCK * i, norms + BLOCK * i, BLOCK, scores_out);
  }
}

static void run_set_bits(const struct job *job) {
  (void)job;
  for (unsigned i = 0; i < BLOCKS; i++) {
    const uint32_t *block = docs + BLOCK * i;
    const uint32_t base = block[0] & ~63u;
    unsigned n = BLOCK;
    while (block[n - 1] - base >= 4096u) {
      n /= 2;
    }
    kernels->set_bits(words, base, block, n);
  }
}

static void make_words(unsigned gap) {
  for (unsigned i = 0; i < 64 * WORDS; i++) {
    const uint64_t bit = check_random_below(&seed, gap) == 0;
    words[i / 64] = (words[i / 64] & ~(UINT64_C(1) << (i % 64))) | bit << (i % 64);
  }
}

static void run_list_bits(const struct job *job) {
  (void)job;
  sink += kernels->list_bits(words, WORDS, 0, block_out);
}

static void run_count_bits(const struct job *job) {
  (void)job;
  sink += kernels->count_bits(words, WORDS);
}

static unsigned make_docs(uint32_t *out, uint32_t gap, uint32_t end) {
  uint64_t doc = 0;
  for (unsigned i = 0; i < POSTINGS; i++) {
    doc += 1 + (gap > 1 ? check_random_below(&seed, 2 * gap - 1) : 0);
    if (doc >= end) {
      return i;
    }
    out[i] = (uint32_t)doc;
  }
  return POSTINGS;
}

static unsigned wanted_count;
static unsigned touched; /* blocks or bitmaps that the last run_intersect* looked into */

static void run_intersect(const struct job *job) {
  (void)job;
  unsigned at = 0;
  touched = 0;
  for (unsigned i = 0; i < BLOCKS; i++) {
    const uint32_t *block = docs + BLOCK * i;
    unsigned end = at;
    while (end < wanted_count && wanted[end] <= block[BLOCK - 1]) {
      end++;
    }
    if (end > at) {
      touched++;
      sink += kernels->intersect(wanted + at, end - at, block, BLOCK, map, index_out, position_out);
    }
    at = end;
  }
}

static void run_intersect_bitmap(const struct job *job) {
  (void)job;
  unsigned at = 0;
  touched = 0;
  for (unsigned i = 0; at < wanted_count; i++) {
    const uint32_t first = wanted[at];
    unsigned end = at;
    while (end < wanted_count && wanted[end] - first < 64 * BITMAP_WORDS) {
      end++;
    }
    const uint8_t *bitmap = columns + (i % BLOCKS) * CSD_MAX_BITMAP_BYTES;
    sink += kernels->intersect_bitmap(wanted + at, end - at, bitmap, BITMAP_WORDS, first, index_out,
                                      position_out);
    touched++;
    at = end;
  }
}

static void run_or_bitmap(const struct job *job) {
  (void)job;
  for (unsigned i = 0; i < BLOCKS; i++) {
    kernels->or_bitmap(words, 13, columns + i * CSD_MAX_BITMAP_BYTES, BITMAP_WORDS);
  }
}

/* The floor is below all sums, so that nothing is lost from round to round. */
static void run_keep_above(const struct job *job) {
  (void)job;
  for (unsigned i = 0; i < BLOCKS; i++) {
    sink += kernels->keep_above(docs + BLOCK * i, sums + BLOCK * i, BLOCK, 1.0, 1.0001, 0.5);
  }
}

static void run_merge_docs(const struct job *job) {
  (void)job;
  for (unsigned i = 0; i < BLOCKS; i++) {
    sink += kernels->merge_docs(docs + BLOCK * i, BLOCK, wanted + BLOCK * i, BLOCK, merged_out);
  }
}

static void run_job(const void *argument) {
  const struct job *job = argument;
  job->run(job);
}

static void report(const char *what, const struct job *job) {
  const double ns = bench_best_ns(rounds, run_job, job);
  const double floor_ns =
      bench_floor_ns(rounds, columns, job->in_bytes, job->out_bytes, job->blocks);
  const double rate = (double)job->in_bytes / ns;
  printf("%-10s %-31s %10.3f %8.1f %7.1f %9.0f %8.1f\n", kernels->name, what, ns / job->units,
         (double)job->in_bytes / 1024, rate, memory.read > 0 ? 100 * rate / memory.read : 0,
         floor_ns > 0 ? ns / floor_ns : 0);
}

static void bench_columns(void) {
  char what[64];
  static const unsigned widths[] = {1, 4, 8, 13, 24};
  for (unsigned i = 0; i < 5; i++) {
    const unsigned bits = widths[i];
    snprintf(what, sizeof what, "unpack_docs, %u bits", bits);
    report(what,
           &(struct job){run_docs, bits, POSTINGS, bits * POSTINGS / 8, POSTINGS * 4, BLOCKS});
  }
  for (unsigned i = 0; i < 3; i++) {
    const unsigned bits = widths[i];
    snprintf(what, sizeof what, "unpack_freqs, %u bits", bits);
    report(what,
           &(struct job){run_freqs, bits, POSTINGS, bits * POSTINGS / 8, POSTINGS * 4, BLOCKS});
  }
  report("unpack_norms, 5 bits",
         &(struct job){run_norms, 5, POSTINGS, 5 * POSTINGS / 8, POSTINGS, BLOCKS});
  report("score", &(struct job){run_score, 0, POSTINGS, POSTINGS * 5, POSTINGS * 4, BLOCKS});
}

static void bench_bitmaps(void) {
  char what[64];
  static const unsigned gaps[] = {3, 20, 200};
  for (unsigned i = 0; i < 3; i++) {
    make_docs(docs, gaps[i], UINT32_MAX);
    if (gaps[i] <= 20) {
      snprintf(what, sizeof what, "set_bits, 1 doc in %u", gaps[i]);
      const size_t out = (size_t)gaps[i] * POSTINGS / 8;
      report(what, &(struct job){run_set_bits, 0, POSTINGS, POSTINGS * 4, out, BLOCKS});
    }
    make_words(gaps[i]);
    const unsigned listed = kernels->list_bits(words, WORDS, 0, block_out);
    snprintf(what, sizeof what, "list_bits, 1 doc in %u", gaps[i]);
    report(what, &(struct job){run_list_bits, 0, listed, WORDS * 8, listed * 4, 1});
  }
  report("count_bits, a word", &(struct job){run_count_bits, 0, WORDS, WORDS * 8, 0, 1});
  const size_t bitmaps = BLOCKS * CSD_MAX_BITMAP_BYTES;
  report("or_bitmap, a word",
         &(struct job){run_or_bitmap, 0, BLOCKS * BITMAP_WORDS, bitmaps, bitmaps, BLOCKS});
  static const unsigned wanted_gaps[] = {3, 20, 200};
  for (unsigned i = 0; i < 3; i++) {
    wanted_count = make_docs(wanted, wanted_gaps[i], 64 * BITMAP_WORDS * BLOCKS);
    snprintf(what, sizeof what, "intersect_bitmap, by 1 in %u", wanted_gaps[i]);
    run_intersect_bitmap(NULL);
    const size_t in = touched * CSD_MAX_BITMAP_BYTES + wanted_count * 4;
    const size_t out = wanted_count * 3 / 2;
    report(what, &(struct job){run_intersect_bitmap, 0, wanted_count, in, out, touched});
  }
}

static void bench_docs(void) {
  char what[64];
  static const unsigned gaps[] = {3, 20, 200};
  static const unsigned wanted_gaps[] = {3, 20, 200, 2000};
  for (unsigned i = 0; i < 3; i++) {
    make_docs(docs, gaps[i], UINT32_MAX);
    for (unsigned j = 0; j < 4; j++) {
      wanted_count = make_docs(wanted, wanted_gaps[j], docs[POSTINGS - 1]);
      snprintf(what, sizeof what, "intersect, 1 in %u by 1 in %u", gaps[i], wanted_gaps[j]);
      run_intersect(NULL);
      const size_t in = (touched * BLOCK + wanted_count) * 4;
      const size_t out = wanted_count * 3u / gaps[i];
      report(what, &(struct job){run_intersect, 0, wanted_count, in, out, touched});
    }
  }
  make_docs(docs, 20, UINT32_MAX);
  make_docs(wanted, 20, UINT32_MAX);
  report("merge_docs, 1 in 20 with the like",
         &(struct job){run_merge_docs, 0, 2 * POSTINGS, POSTINGS * 8, POSTINGS * 8, BLOCKS});
  report("keep_above, all kept",
         &(struct job){run_keep_above, 0, POSTINGS, POSTINGS * 12, POSTINGS * 12, BLOCKS});
}

static unsigned positive(const char *text) {
  char *end;
  const unsigned long number = strtoul(text, &end, 10);
  if (*end != 0 || end == text || number == 0 || number > 1000000) {
    fprintf(stderr, "bench_kernels: rounds must be a number from 1 to 1000000, not %s\n", text);
    exit(2);
  }
  return (unsigned)number;
}

static void make_input(void) {
  for (size_t i = 0; i < sizeof columns; i++) {
    columns[i] = (uint8_t)check_random(&seed);
  }
  for (unsigned i = 0; i < POSTINGS; i++) {
    freqs[i] = 1 + check_random_below(&seed, 4);
    norms[i] = (uint8_t)(50 + check_random_below(&seed, 24));
    sums[i] = 1.0 + check_random_below(&seed, 1000) * 0.01;
  }
  for (unsigned i = 0; i < 256; i++) {
    table[i] = 1.0f / (0.3f + (float)i);
  }
}

int main(int argc, char **argv) {
  rounds = argc > 1 ? positive(argv[1]) : rounds;
  const char *only = argc > 2 ? argv[2] : NULL;
  const struct csd_kernels *list[CSD_MAX_KERNELS];
  const unsigned n = csd_kernels_list(list);
  if (only != NULL && csd_kernels_find(only) == NULL) {
    fprintf(stderr, "bench_kernels: this machine has no kernels %s, only", only);
    for (unsigned i = 0; i < n; i++) {
      fprintf(stderr, " %s", list[i]->name);
    }
    fputc('\n', stderr);
    return 2;
  }
  make_input();
  if (bench_memory(rounds, &memory) == 0) {
    printf("memory: %zu MiB read at %.1f GB/s, copied at %.1f GB/s; one thread, best of %u\n\n",
           BENCH_MEMORY_BYTES >> 20, memory.read, memory.copy, rounds);
  } else {
    printf("memory: not measured, no room\n\n");
  }
  printf("%-10s %-31s %10s %8s %7s %9s %8s\n", "version", "kernel", "ns/posting", "KiB in", "GB/s",
         "% of read", "x floor");
  for (unsigned i = 0; i < n; i++) {
    kernels = list[i];
    if (only == NULL || strcmp(only, kernels->name) == 0) {
      const uint64_t start = seed; /* the same input for each version */
      bench_columns();
      bench_bitmaps();
      bench_docs();
      seed = start;
    }
  }
  return 0;
}
