/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/** A fuzz target's input, taken apart from the front; at its end everything reads as zero. */
#ifndef CSD_FUZZ_INPUT_H
#define CSD_FUZZ_INPUT_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct fuzz_input {
  const uint8_t *at;
  size_t left;
};

/** Copies up to `count` bytes, the rest zeros; returns how many there were. */
static inline size_t fuzz_take(struct fuzz_input *input, void *bytes, size_t count) {
  const size_t taken = count < input->left ? count : input->left;
  memset(bytes, 0, count);
  if (taken > 0) {
    memcpy(bytes, input->at, taken);
  }
  input->at += taken;
  input->left -= taken;
  return taken;
}

static inline uint8_t fuzz_u8(struct fuzz_input *input) {
  uint8_t value;
  fuzz_take(input, &value, sizeof value);
  return value;
}

static inline uint16_t fuzz_u16(struct fuzz_input *input) {
  uint16_t value;
  fuzz_take(input, &value, sizeof value);
  return value;
}

static inline uint32_t fuzz_u32(struct fuzz_input *input) {
  uint32_t value;
  fuzz_take(input, &value, sizeof value);
  return value;
}

/** Changes some of the bytes as the input says: pairs of place and value. */
static inline void fuzz_alter(struct fuzz_input *input, uint8_t *bytes, size_t count) {
  for (uint32_t changes = fuzz_u8(input) % 8u; changes > 0 && count > 0; changes--) {
    const size_t place = fuzz_u16(input) % count;
    bytes[place] = fuzz_u8(input);
  }
}

#endif
