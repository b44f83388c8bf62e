/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/**
 * Arithmetic of simulated time, in picoseconds. Nothing overflows: times saturate at MODEL_NEVER,
 * and the player fails when one exceeds CSD_MODEL_MAX_PS.
 */
#ifndef CSD_MODEL_TIME_H
#define CSD_MODEL_TIME_H

#include "csd/csd_model.h"

/** Later than every time. The sum of two does not overflow. */
#define MODEL_NEVER (UINT64_C(1) << 56)

__extension__ typedef unsigned __int128 model_wide;

static inline uint64_t model_saturate(model_wide time) {
  return time < MODEL_NEVER ? (uint64_t)time : MODEL_NEVER;
}

/** The later of two times. */
static inline uint64_t model_later(uint64_t a, uint64_t b) { return a > b ? a : b; }

static inline uint64_t model_add(uint64_t time, uint64_t duration) {
  return model_saturate((model_wide)time + duration);
}

static inline uint64_t model_ns(uint64_t ns) { return model_saturate((model_wide)ns * 1000u); }

/** Time to move `bytes` at a bandwidth, rounded up. */
static inline uint64_t model_transfer(uint64_t bytes, uint64_t bytes_per_s) {
  const model_wide ps = (model_wide)bytes * UINT64_C(1000000000000) + bytes_per_s - 1;
  return model_saturate(ps / bytes_per_s);
}

/** A sum of uses or energies, which saturates. */
static inline uint64_t model_sum(uint64_t a, uint64_t b) {
  return a > UINT64_MAX - b ? UINT64_MAX : a + b;
}

/** Energy of a power over a time: mW x ps / 1000 = pJ, rounded down. */
static inline uint64_t model_energy(uint64_t milliwatts, uint64_t ps) {
  const model_wide pj = (model_wide)milliwatts * ps / 1000u;
  return pj > UINT64_MAX ? UINT64_MAX : (uint64_t)pj;
}

static inline uint64_t model_product(uint64_t a, uint64_t b) {
  const model_wide product = (model_wide)a * b;
  return product > UINT64_MAX ? UINT64_MAX : (uint64_t)product;
}

#endif
