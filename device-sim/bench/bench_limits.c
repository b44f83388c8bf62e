/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
#include "bench_limits.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#define RUN_NS 1e6

static volatile uint64_t sink;

double bench_now_ns(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec * 1e9 + (double)time.tv_nsec;
}

double bench_best_ns(unsigned rounds, void (*run)(const void *argument), const void *argument) {
  double best = 1e18;
  for (unsigned i = 0; i < rounds; i++) {
    const double start = bench_now_ns();
    double spent;
    unsigned repeats = 0;
    do {
      run(argument);
      repeats++;
      spent = bench_now_ns() - start;
    } while (spent < RUN_NS);
    best = spent / repeats < best ? spent / repeats : best;
  }
  return best;
}

struct arrays {
  uint8_t *from;
  uint8_t *to;
};

/* The C library's search for a byte that is not there reads everything with the widest loads. */
static void read_all(const void *argument) {
  const struct arrays *arrays = argument;
  sink += memchr(arrays->from, 2, BENCH_MEMORY_BYTES) != NULL;
}

static void copy_all(const void *argument) {
  const struct arrays *arrays = argument;
  memcpy(arrays->to, arrays->from, BENCH_MEMORY_BYTES);
  sink += arrays->to[sink % BENCH_MEMORY_BYTES];
}

int bench_memory(unsigned rounds, struct bench_memory *memory) {
  struct arrays arrays = {malloc(BENCH_MEMORY_BYTES), malloc(BENCH_MEMORY_BYTES)};
  const int status = arrays.from == NULL || arrays.to == NULL ? -1 : 0;
  if (status == 0) {
    memset(arrays.from, 1, BENCH_MEMORY_BYTES);
    memset(arrays.to, 3, BENCH_MEMORY_BYTES);
    memory->read = (double)BENCH_MEMORY_BYTES / bench_best_ns(rounds, read_all, &arrays);
    memory->copy = (double)BENCH_MEMORY_BYTES / bench_best_ns(rounds, copy_all, &arrays);
  }
  free(arrays.from);
  free(arrays.to);
  return status;
}

struct floor_job {
  const uint8_t *in;
  uint8_t *read;
  uint8_t *written;
  size_t in_part;
  size_t out_part;
  unsigned blocks;
};

static void run_floor(const void *argument) {
  const struct floor_job *job = argument;
  for (unsigned i = 0; i < job->blocks; i++) {
    memcpy(job->read, job->in + i * job->in_part, job->in_part);
    memset(job->written, (int)(i & 255u), job->out_part);
    /* The compiler may think that this reads them, and leaves them be. */
    __asm__ volatile("" : : "r"(job->read), "r"(job->written) : "memory");
  }
}

double bench_floor_ns(unsigned rounds, const uint8_t *in, size_t in_bytes, size_t out_bytes,
                      unsigned blocks) {
  struct floor_job job = {
      .in = in, .in_part = in_bytes / blocks, .out_part = out_bytes / blocks, .blocks = blocks};
  job.read = malloc(job.in_part + 1);
  job.written = malloc(job.out_part + 1);
  double best = 0;
  if (job.read != NULL && job.written != NULL) {
    best = bench_best_ns(rounds, run_floor, &job);
  }
  free(job.read);
  free(job.written);
  return best;
}
