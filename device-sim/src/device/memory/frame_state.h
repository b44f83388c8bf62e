/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/**
 * The state of a frame of device memory, one word: pins in bits 0 to 28; uses since it was loaded,
 * up to 3, in bits 29 and 30; bit 31: valid, so that the map may lead to it; generation in bits 32
 * to 63, which grows with each new owner. To pin is to compare and swap the whole word, which fails
 * if the owner has changed since the look at it. A frame that is not valid takes no new pins.
 * Without pins it is free.
 */
#ifndef CSD_FRAME_STATE_H
#define CSD_FRAME_STATE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#define CSD_FRAME_PINS UINT64_C(0x1FFFFFFF)
#define CSD_FRAME_USE (UINT64_C(1) << 29)
#define CSD_FRAME_USES (UINT64_C(3) << 29)
#define CSD_FRAME_VALID (UINT64_C(1) << 31)
#define CSD_FRAME_GENERATION (UINT64_C(1) << 32)

struct csd_frame {
  _Atomic uint64_t state;
  _Atomic uint64_t lba; /* meaningful while the state is valid */
};

/** The state with one more pin, which is a use. */
static inline uint64_t csd_frame_pinned(uint64_t state) {
  return state + 1 + ((state & CSD_FRAME_USES) != CSD_FRAME_USES ? CSD_FRAME_USE : 0);
}

/** Swaps a state, if it is *old; else sets *old to what it is. */
static inline bool csd_frame_swap(struct csd_frame *frame, uint64_t *old, uint64_t new) {
  return atomic_compare_exchange_strong_explicit(&frame->state, old, new, memory_order_acq_rel,
                                                 memory_order_acquire);
}

#endif
