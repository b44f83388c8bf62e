/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/**
 * Kernels over posting blocks that are bitmaps, in plain C; each version compiles them for its
 * machine.
 */
#ifndef CSD_KERNELS_BITMAP_H
#define CSD_KERNELS_BITMAP_H

#include <stddef.h>
#include <stdint.h>

#include "core/kernels/bits.h"
#include "csd/csd_wire.h"

static inline unsigned csd_has_bit(const uint8_t *bitmap, uint32_t bit) {
  return (unsigned)(bitmap[bit >> 3] >> (bit & 7u)) & 1u;
}

/* intersect_bitmap when only the indices are wanted. */
static inline unsigned csd_find_in_bitmap(const uint32_t *docs, unsigned n, const uint8_t *bitmap,
                                          uint32_t span, uint32_t first, uint16_t *index) {
  unsigned hits = 0;
  for (unsigned i = 0; i < n; i++) {
    const uint32_t bit = docs[i] - first;
    index[hits] = (uint16_t)i;
    hits += csd_has_bit(bitmap, bit < span ? bit : 0) & (bit < span);
  }
  return hits;
}

/** intersect_bitmap: a test of a bit for each doc, then a sum of bits for each hit. */
static inline unsigned csd_intersect_bitmap(const uint32_t *docs, unsigned n, const uint8_t *bitmap,
                                            unsigned words, uint32_t first, uint16_t *index,
                                            uint8_t *position) {
  const unsigned hits = csd_find_in_bitmap(docs, n, bitmap, 64u * words, first, index);
  if (position == NULL || hits == 0) {
    return hits;
  }
  uint8_t before[CSD_MAX_BITMAP_BYTES / 8]; /* bits set in earlier words */
  unsigned sum = 0;
  for (unsigned w = 0; w < words; w++) {
    before[w] = (uint8_t)sum;
    sum += csd_popcount(csd_load_u64(bitmap + 8u * w));
  }
  for (unsigned i = 0; i < hits; i++) {
    const uint32_t bit = docs[index[i]] - first;
    const uint64_t below =
        csd_load_u64(bitmap + (bit >> 6) * 8u) & ((UINT64_C(1) << (bit & 63u)) - 1u);
    const unsigned rank = before[bit >> 6] + csd_popcount(below);
    position[i] = (uint8_t)(rank & (CSD_BLOCK_POSTINGS - 1u));
  }
  return hits;
}

/** or_bitmap. */
static inline void csd_or_bitmap(uint64_t *bits, unsigned at, const uint8_t *bitmap,
                                 unsigned words) {
  bits += at / 64u;
  const unsigned up = at & 63u;
  if (up == 0 || words == 0) {
    for (unsigned w = 0; w < words; w++) {
      bits[w] |= csd_load_u64(bitmap + 8u * w);
    }
    return;
  }
  const unsigned down = 64u - up;
  bits[0] |= csd_load_u64(bitmap) << up;
  for (unsigned w = 1; w < words; w++) {
    bits[w] |= csd_load_u64(bitmap + 8u * w) << up | csd_load_u64(bitmap + 8u * w - 8u) >> down;
  }
  bits[words] |= csd_load_u64(bitmap + 8u * words - 8u) >> down;
}

#endif
