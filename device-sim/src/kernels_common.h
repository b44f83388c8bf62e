/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/** Kernels that are best in plain C everywhere; each version compiles them for its machine. */
#ifndef CSD_KERNELS_COMMON_H
#define CSD_KERNELS_COMMON_H

#include <stdint.h>

/** A run of words under way: the latest word's number and what is in it. */
struct csd_bit_writer {
  uint32_t at;
  uint64_t word;
};

/*
 * No branch depends on the docs, and the chain from doc to doc goes through registers: what memory
 * holds is only looked at when the word changes, and then nothing has been stored there before.
 */
static inline __attribute__((always_inline)) void csd_write_bit(struct csd_bit_writer *writer,
                                                                uint64_t *bits, uint32_t offset) {
  const uint32_t at = offset >> 6;
  const uint64_t there = bits[at];
  writer->word = at != writer->at ? there : writer->word;
  writer->word |= UINT64_C(1) << (offset & 63u);
  writer->at = at;
  bits[at] = writer->word;
}

/** set_bits as two independent chains, over the first and the second half of the docs. */
static void csd_set_bits_in_two(uint64_t *bits, uint32_t base, const uint32_t *docs, unsigned n) {
  struct csd_bit_writer low = {UINT32_MAX, 0};
  struct csd_bit_writer high = {UINT32_MAX, 0};
  /* The halves must not share a word. */
  unsigned half = (n + 1u) / 2u;
  while (half > 0 && half < n && (docs[half] - base) >> 6 == (docs[half - 1] - base) >> 6) {
    half++;
  }
  unsigned i = 0;
  for (; i + half < n; i++) {
    csd_write_bit(&low, bits, docs[i] - base);
    csd_write_bit(&high, bits, docs[i + half] - base);
  }
  for (; i < half; i++) {
    csd_write_bit(&low, bits, docs[i] - base);
  }
}

#endif
