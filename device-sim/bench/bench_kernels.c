/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/*
 * Nanoseconds per posting of every kernel in every version that this machine can run, next to the
 * limit: what it takes to read and write the same bytes from and to memory.
 *
 *   bench_kernels [rounds]        default 7; the best round counts
 *
 * Columns are of BLOCKS full posting blocks, which the first-level cache does not hold; outputs are
 * one block's, which it does, as in a query.
 */
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "check.h"
#include "kernels.h"

#define BLOCK CSD_BLOCK_POSTINGS
#define BLOCKS 512u
#define POSTINGS (BLOCK * BLOCKS)
#define COPY_BYTES (256u << 20)

static const struct csd_kernels *kernels;
static unsigned rounds = 7;
static uint64_t seed = 11;
static uint8_t columns[POSTINGS * 4 + 64];
static uint32_t docs[POSTINGS + 64], wanted[POSTINGS + 64];
static uint32_t freqs[POSTINGS + 64];
static uint8_t norms[POSTINGS + 64];
static uint32_t block_out[64 * 64 + CSD_LIST_BITS_SLACK];
static uint8_t norms_out[BLOCK];
static float scores_out[BLOCK], table[256];
static uint64_t words[64];
static uint16_t index_out[POSTINGS + CSD_INTERSECT_ROOM];
static uint8_t position_out[POSTINGS + CSD_INTERSECT_ROOM];
static uint8_t map[CSD_INTERSECT_MAP_BYTES];
static volatile uint64_t sink;

static double now_ns(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec * 1e9 + (double)time.tv_nsec;
}

/* What a run works through, and how. */
struct job {
  void (*run)(const struct job *job);
  unsigned bits; /* or the average gap of the docs */
  unsigned gap;  /* of the docs that are looked for */
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
  for (unsigned i = 0; i < 64 * 64; i++) {
    const uint64_t bit = check_random_below(&seed, gap) == 0;
    words[i / 64] = (words[i / 64] & ~(UINT64_C(1) << (i % 64))) | bit << (i % 64);
  }
}

static void run_list_bits(const struct job *job) {
  (void)job;
  sink += kernels->list_bits(words, 64, 0, block_out);
}

static void run_count_bits(const struct job *job) {
  (void)job;
  sink += kernels->count_bits(words, 64);
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

static void run_intersect(const struct job *job) {
  (void)job;
  unsigned at = 0;
  for (unsigned i = 0; i < BLOCKS; i++) {
    const uint32_t *block = docs + BLOCK * i;
    unsigned end = at;
    while (end < wanted_count && wanted[end] <= block[BLOCK - 1]) {
      end++;
    }
    if (end > at) {
      sink += kernels->intersect(wanted + at, end - at, block, BLOCK, map, index_out,
                                 position_out);
    }
    at = end;
  }
}

static double best_ns(const struct job *job) {
  double best = 1e18;
  for (unsigned i = 0; i < rounds; i++) {
    const double start = now_ns();
    double spent;
    unsigned repeats = 0;
    do {
      job->run(job);
      repeats++;
      spent = now_ns() - start;
    } while (spent < 1e6);
    best = spent / repeats < best ? spent / repeats : best;
  }
  return best;
}

static void report(const char *what, const struct job *job, double postings) {
  printf("%-10s %-30s %8.3f ns a posting\n", kernels->name, what, best_ns(job) / postings);
}

static void bench(void) {
  char what[64];
  static const unsigned widths[] = {1, 4, 8, 13, 24};
  for (unsigned i = 0; i < 5; i++) {
    snprintf(what, sizeof what, "unpack_docs, %u bits", widths[i]);
    report(what, &(struct job){run_docs, widths[i], 0}, POSTINGS);
  }
  for (unsigned i = 0; i < 3; i++) {
    snprintf(what, sizeof what, "unpack_freqs, %u bits", widths[i]);
    report(what, &(struct job){run_freqs, widths[i], 0}, POSTINGS);
  }
  report("unpack_norms, 5 bits", &(struct job){run_norms, 5, 0}, POSTINGS);
  report("score", &(struct job){run_score, 0, 0}, POSTINGS);
  static const unsigned gaps[] = {3, 20, 200};
  for (unsigned i = 0; i < 3; i++) {
    make_docs(docs, gaps[i], UINT32_MAX);
    if (gaps[i] <= 20) {
      snprintf(what, sizeof what, "set_bits, 1 doc in %u", gaps[i]);
      report(what, &(struct job){run_set_bits, gaps[i], 0}, POSTINGS);
    }
    make_words(gaps[i]);
    const double listed = (double)kernels->list_bits(words, 64, 0, block_out);
    snprintf(what, sizeof what, "list_bits, 1 doc in %u", gaps[i]);
    report(what, &(struct job){run_list_bits, gaps[i], 0}, listed);
  }
  report("count_bits, by word", &(struct job){run_count_bits, 0, 0}, 64);
  static const unsigned wanted_gaps[] = {3, 20, 200, 2000};
  for (unsigned i = 0; i < 3; i++) {
    make_docs(docs, gaps[i], UINT32_MAX);
    for (unsigned j = 0; j < 4; j++) {
      wanted_count = make_docs(wanted, wanted_gaps[j], docs[POSTINGS - 1]);
      snprintf(what, sizeof what, "intersect, 1 in %u by 1 in %u", gaps[i], wanted_gaps[j]);
      report(what, &(struct job){run_intersect, gaps[i], wanted_gaps[j]}, wanted_count);
    }
  }
}

/* The limit: copying memory that no cache holds. */
static void bench_memory(void) {
  uint8_t *from = malloc(COPY_BYTES);
  uint8_t *to = malloc(COPY_BYTES);
  if (from == NULL || to == NULL) {
    printf("memory: not measured, no room\n");
  } else {
    memset(from, 1, COPY_BYTES);
    memset(to, 2, COPY_BYTES);
    double best = 1e18;
    for (unsigned i = 0; i < rounds; i++) {
      const double start = now_ns();
      memcpy(to, from, COPY_BYTES);
      sink += to[i];
      const double spent = now_ns() - start;
      best = spent < best ? spent : best;
    }
    printf("%-10s %-30s %8.3f ns a posting of 2 bytes (copied at %.1f GB/s)\n", "memory", "limit",
           2.0 * best / COPY_BYTES, COPY_BYTES / best);
  }
  free(from);
  free(to);
}

int main(int argc, char **argv) {
  rounds = argc > 1 ? (unsigned)strtoul(argv[1], NULL, 10) : rounds;
  for (size_t i = 0; i < sizeof columns; i++) {
    columns[i] = (uint8_t)check_random(&seed);
  }
  for (unsigned i = 0; i < POSTINGS; i++) {
    freqs[i] = 1 + check_random_below(&seed, 4);
    norms[i] = (uint8_t)(50 + check_random_below(&seed, 24));
  }
  for (unsigned i = 0; i < 256; i++) {
    table[i] = 1.0f / (0.3f + (float)i);
  }
  bench_memory();
  const struct csd_kernels *list[CSD_MAX_KERNELS];
  const unsigned n = csd_kernels_list(list);
  for (unsigned i = 0; i < n; i++) {
    kernels = list[i];
    bench();
  }
  return 0;
}
