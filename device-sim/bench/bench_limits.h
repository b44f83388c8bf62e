/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/** What memory and caches allow, to be set beside what kernels reach. Times are wall-clock. */
#ifndef CSD_BENCH_LIMITS_H
#define CSD_BENCH_LIMITS_H

#include <stddef.h>
#include <stdint.h>

/** Bytes of the arrays that are read and copied; several times what the caches hold. */
#define BENCH_MEMORY_BYTES ((size_t)256 << 20)

/** Nanoseconds since some moment. */
double bench_now_ns(void);

/** Runs `run(argument)` for at least a millisecond in each round; nanoseconds of the best run. */
double bench_best_ns(unsigned rounds, void (*run)(const void *argument), const void *argument);

/** Gigabytes a second that this thread reads from memory and that it copies (each byte once). */
struct bench_memory {
  double read;
  double copy;
};

/** Measures memory; returns 0, or -1 if there is no room for the arrays. */
int bench_memory(unsigned rounds, struct bench_memory *memory);

/**
 * The limit of a kernel that reads `in_bytes` from `in`, which lies in the same cache as the
 * kernel's input, and writes `out_bytes`, in `blocks` equal parts, each over the last one's output:
 * the nanoseconds that the C library's memcpy and memset take for the same.
 */
double bench_floor_ns(unsigned rounds, const uint8_t *in, size_t in_bytes, size_t out_bytes,
                      unsigned blocks);

#endif
