/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/** Loads from byte buffers of any alignment, and counting of bits. Little-endian machines only. */
#ifndef CSD_BITS_H
#define CSD_BITS_H

#include <stdint.h>
#include <string.h>

#if __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "the wire is little-endian; this build would need byte swaps"
#endif

static inline uint16_t csd_load_u16(const uint8_t *at) {
  uint16_t value;
  memcpy(&value, at, sizeof value);
  return value;
}

static inline uint32_t csd_load_u32(const uint8_t *at) {
  uint32_t value;
  memcpy(&value, at, sizeof value);
  return value;
}

static inline uint64_t csd_load_u64(const uint8_t *at) {
  uint64_t value;
  memcpy(&value, at, sizeof value);
  return value;
}

/** Value `i` of a column of values of `bits` (0..31) bits. */
static inline uint32_t csd_load_packed(const uint8_t *column, unsigned bits, unsigned i) {
  const unsigned at = bits * i;
  return (uint32_t)(csd_load_u64(column + (at >> 3)) >> (at & 7u)) & ((1u << bits) - 1u);
}

/** Value `i` of a column of values of `bits` (0..64) bits. */
static inline uint64_t csd_load_packed_u64(const uint8_t *column, unsigned bits, uint32_t i) {
  const uint64_t at = (uint64_t)bits * i;
  const unsigned shift = (unsigned)(at & 7u);
  const uint8_t *from = column + (at >> 3);
  uint64_t value = csd_load_u64(from) >> shift;
  if (bits + shift > 64) {
    value |= (uint64_t)from[8] << (64u - shift);
  }
  return bits == 64 ? value : value & ((UINT64_C(1) << bits) - 1u);
}

/** Bits that are set; where the machine has no instruction for it, without a call of a library. */
static inline unsigned csd_popcount(uint64_t v) {
#if defined(__POPCNT__) || defined(__aarch64__)
  return (unsigned)__builtin_popcountll(v);
#else
  v -= (v >> 1) & UINT64_C(0x5555555555555555);
  v = (v & UINT64_C(0x3333333333333333)) + ((v >> 2) & UINT64_C(0x3333333333333333));
  v = (v + (v >> 4)) & UINT64_C(0x0F0F0F0F0F0F0F0F);
  return (unsigned)((v * UINT64_C(0x0101010101010101)) >> 56);
#endif
}

#endif
