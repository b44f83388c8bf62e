/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/**
 * The inner loops over posting blocks, behind one table of functions, so that a build can carry
 * several versions (scalar, SIMD) and choose one when it starts. Every version gives the same bits.
 */
#ifndef CSD_KERNELS_H
#define CSD_KERNELS_H

#include <stdbool.h>
#include <stdint.h>

#include "csd/csd_wire.h"

/** Bytes of the scratch area that `intersect` works in. */
#define CSD_INTERSECT_MAP_BYTES 4096u
/** Entries that `intersect` needs behind the last hit in its outputs; they become void. */
#define CSD_INTERSECT_ROOM 64u

/** Entries that list_bits may write beyond the last number. */
#define CSD_LIST_BITS_SLACK 64u

/** Entries that merge_scores may write beyond the last doc; they become void. */
#define CSD_MERGE_SUMS_SLACK 8u

/** Entries that copy_above may write beyond the last one kept; they become void. */
#define CSD_ABOVE_SLACK 16u

/** Entries that unpack_positions may write beyond the last position; they become void. */
#define CSD_POSITIONS_SLACK 16u

/** Positions of a posting up to which it has few: those of several such are unpacked together. */
#define CSD_FEW_POSITIONS 4u
/** Bits of their values, at most. */
#define CSD_FEW_WIDTH 25u

/** Entries that merge_docs may write beyond the last doc; they become void. */
#define CSD_MERGE_DOCS_SLACK 16u

/** Values of a column page, bit-packed: value i is base + unit * the packed number i, modulo 2^64.
 */
struct csd_packed_values {
  const uint8_t *column;
  unsigned bits; /* 0..64 */
  uint64_t unit;
  uint64_t base;
};

/** Where a posting has few values, bit-packed. */
struct csd_few_values {
  const uint8_t *at; /* byte of the first one */
  uint8_t bits;      /* of each, at most CSD_FEW_WIDTH */
  uint8_t odd;       /* bits of that byte before them, 0..7 */
  uint8_t count;     /* 1 to CSD_FEW_POSITIONS */
};

/** What some values come to. */
struct csd_value_sums {
  uint64_t sum; /* modulo 2^64 */
  int64_t min, max;
};

/** The loops over values of column pages; as for the other kernels, all versions give the same. */
struct csd_value_kernels {
  /** Unpacks `n` values from number `first` on. */
  void (*unpack)(const struct csd_packed_values *packed, uint32_t first, uint32_t n,
                 int64_t *values);

  /** Unpacks the values of the numbers at[i] - offset. */
  void (*gather)(const struct csd_packed_values *packed, const uint32_t *at, uint32_t offset,
                 uint32_t n, int64_t *values);

  /** Adds `n` values to sums that have begun. */
  void (*sum)(const int64_t *values, uint32_t n, struct csd_value_sums *sums);

  /**
   * Divides values by a width, and rounds down.
   *
   * @param first    a quotient; no value is less than first * width,
   * @param span     and none is more than so much above, which is less than 2^53
   * @param width    from 1 to below 2^52
   * @param buckets  receives the quotients
   */
  void (*divide)(const int64_t *values, uint32_t n, int64_t first, uint64_t span, int64_t width,
                 int64_t *buckets);
};

/** Tells which values are wanted: a bit for every 2^shift numbers from 0 to `span`. */
struct csd_value_map {
  const uint64_t *words;
  uint64_t unit; /* packed value p has the number p * unit + offset, modulo 2^64 */
  uint64_t offset;
  uint64_t span; /* greater numbers have no bit */
  unsigned shift;
};

/** Whether a packed value has its bit set. */
static inline bool csd_value_map_has(const struct csd_value_map *map, uint64_t packed) {
  const uint64_t number = packed * map->unit + map->offset;
  const bool within = number <= map->span;
  const uint64_t bit = (within ? number : 0) >> map->shift; /* no branch: it would be a guess */
  return within & (map->words[bit / 64u] >> (bit & 63u) & 1u);
}

/**
 * Kernels may read up to 64 bytes beyond a column; they write whole groups of up to 64 values, so
 * that every output array of `unpack_*` has room for CSD_BLOCK_POSTINGS values.
 */
struct csd_kernels {
  /** Name, at most 15 ASCII characters; shown in device_info. */
  const char *name;

  /** Unpacks `count` doc deltas of `bits` (0..31) bits and sums them up from `base`. */
  void (*unpack_docs)(const uint8_t *column, unsigned bits, unsigned count, uint32_t base,
                      uint32_t *docs);

  /** Unpacks `count` frequencies of `bits` (0..31) bits; a stored 0 is the frequency 1. */
  void (*unpack_freqs)(const uint8_t *column, unsigned bits, unsigned count, uint32_t *freqs);

  /** Unpacks `count` norm bytes of `bits` (0..8) bits and adds `base`, modulo 256. */
  void (*unpack_norms)(const uint8_t *column, unsigned bits, unsigned count, uint8_t base,
                       uint8_t *norms);

  /**
   * Unpacks the frequencies of some postings of a block.
   *
   * @param bits        0..31; as for unpack_freqs, a stored 0 is the frequency 1
   * @param count       values of the column
   * @param exceptions  `exception_count` of CSD_EXCEPTION_BYTES: a position, what is added << bits
   * @param position    `n` positions, each below count, at most CSD_BLOCK_POSTINGS of them
   * @param freqs       room for n
   */
  void (*gather_freqs)(const uint8_t *column, unsigned bits, unsigned count,
                       const uint8_t *exceptions, unsigned exception_count, const uint8_t *position,
                       unsigned n, uint32_t *freqs);

  /** Likewise the norm bytes, of `bits` (0..8) bits, to which it adds `base`, modulo 256. */
  void (*gather_norms)(const uint8_t *column, unsigned bits, unsigned count, uint8_t base,
                       const uint8_t *position, unsigned n, uint8_t *norms);

  /**
   * Unpacks the frequencies of some postings of a block, without exceptions, and sums up those
   * before each.
   *
   * @param bits      0..31; as for unpack_freqs, a stored 0 is the frequency 1
   * @param position  `n` ascending positions in the column; at least 1 of them
   * @param ranks     receives the sums, modulo 2^32
   */
  void (*rank_freqs)(const uint8_t *column, unsigned bits, const uint8_t *position, unsigned n,
                     uint32_t *freqs, uint32_t *ranks);

  /**
   * Unpacks values of a position block, and sums them up from `base`, modulo 2^32.
   *
   * @param bits       0..31
   * @param first      the first value
   * @param n          how many; a handful, mostly
   * @param positions  room for n + CSD_POSITIONS_SLACK
   */
  void (*unpack_positions)(const uint8_t *column, unsigned bits, uint32_t first, uint32_t n,
                           uint32_t base, uint32_t *positions);

  /**
   * Keeps those of `n` positions that are among `m` others, and moves them together. Both ascend,
   * as signed numbers; an equal one may follow.
   *
   * @param positions  may be read up to CSD_POSITIONS_SLACK beyond the last one
   * @param others     likewise
   * @return how many are left
   */
  uint32_t (*keep_common)(uint32_t *positions, uint32_t n, const uint32_t *others, uint32_t m);

  /**
   * Unpacks the values of `n` postings of few positions, and sums those of each up from `base`,
   * modulo 2^32.
   *
   * @param positions  receives CSD_FEW_POSITIONS for each posting, of which the last one is
   *                   repeated; room for n * CSD_FEW_POSITIONS + CSD_POSITIONS_SLACK
   */
  void (*unpack_few)(const struct csd_few_values *postings, uint32_t n, uint32_t base,
                     uint32_t *positions);

  /**
   * Compares the positions of `n` docs as unpack_few gives them: clears bit j of left[i] if
   * position j of doc i is none of its others.
   *
   * @param positions  may be read up to CSD_POSITIONS_SLACK beyond the last one
   * @param others     likewise
   */
  void (*match_few)(const uint32_t *positions, const uint32_t *others, uint32_t n, uint8_t *left);

  /**
   * Finds the docs that are in a posting block. Both inputs ascend strictly.
   *
   * @param docs      `n` docs to look for, n at most 65535
   * @param block     CSD_BLOCK_POSTINGS entries: `count` docs, then 0xFFFFFFFF
   * @param map       CSD_INTERSECT_MAP_BYTES of scratch; contents do not matter
   * @param index     receives the hits' indices in `docs`; room for hits + CSD_INTERSECT_ROOM
   * @param position  receives the hits' indices in `block`; room for hits + CSD_INTERSECT_ROOM
   * @return the number of hits
   */
  unsigned (*intersect)(const uint32_t *docs, unsigned n, const uint32_t *block, unsigned count,
                        uint8_t *map, uint16_t *index, uint8_t *position);

  /**
   * As `intersect`, with a block that is a bitmap of at most CSD_BLOCK_POSTINGS bits set: bit j,
   * from bit 0 of the first byte on, is doc first + j.
   *
   * @param docs      `n` docs to look for, n at most 65535; some may be out of the bitmap's range
   * @param words     64-bit words of the bitmap, at most CSD_MAX_BITMAP_BYTES / 8; it need not be
   *                  aligned
   * @param position  receives how many bits are set before each hit's; NULL: not wanted
   */
  unsigned (*intersect_bitmap)(const uint32_t *docs, unsigned n, const uint8_t *bitmap,
                               unsigned words, uint32_t first, uint16_t *index, uint8_t *position);

  /**
   * ORs a bitmap of `words` words, which need not be aligned, into `bits` from bit `at` on; bits
   * has room for at / 64 + words + 1 words.
   */
  void (*or_bitmap)(uint64_t *bits, unsigned at, const uint8_t *bitmap, unsigned words);

  /** Sets bit docs[i] - base for all i; the docs ascend strictly. */
  void (*set_bits)(uint64_t *bits, uint32_t base, const uint32_t *docs, unsigned n);

  /** Counts the bits that are set in `words` words. */
  uint64_t (*count_bits)(const uint64_t *bits, unsigned words);

  /**
   * Writes the numbers base + i of the bits i that are set, ascending; returns how many. What lies
   * behind them in `docs` becomes void, up to CSD_LIST_BITS_SLACK entries.
   */
  unsigned (*list_bits)(const uint64_t *bits, unsigned words, uint32_t base, uint32_t *docs);

  /** scores[i] = weight - weight / (1 + freqs[i] * table[norms[i]]), each step in float. */
  void (*score)(float weight, const float *table, const uint32_t *freqs, const uint8_t *norms,
                unsigned n, float *scores);

  /**
   * Whether any of `n` postings has a frequency that its norm needs: freqs[i], or 255 if it is
   * more, is not below needed[norms[i]].
   */
  bool (*any_needed)(const uint8_t *needed, const uint32_t *freqs, const uint8_t *norms,
                     unsigned n);

  /**
   * Keeps the docs whose sums may still get above a minimum score: drops those with
   * (sums[i] + rest) * slack <= min_score, each step in double, and moves the others together.
   *
   * @param docs  `n` docs; their order stays
   * @param sums  their sums, moved in the same way
   * @return how many are left
   */
  unsigned (*keep_above)(uint32_t *docs, double *sums, unsigned n, double rest, double slack,
                         double min_score);

  /**
   * Copies the docs with scores above a minimum, and the scores: all but those with
   * scores[i] <= min_score.
   *
   * @param kept_docs    room for n + CSD_ABOVE_SLACK; overlaps no input
   * @param kept_scores  likewise
   * @return how many they are
   */
  unsigned (*copy_above)(const uint32_t *docs, const float *scores, unsigned n, float min_score,
                         uint32_t *kept_docs, float *kept_scores);

  /**
   * Merges two ascending lists of docs into one; a doc of both comes once.
   *
   * @param out  room for a_count + b_count docs and CSD_MERGE_DOCS_SLACK; overlaps neither list
   * @return how many docs they are
   */
  unsigned (*merge_docs)(const uint32_t *a, unsigned a_count, const uint32_t *b, unsigned b_count,
                         uint32_t *out);

  /**
   * Merges two ascending lists of docs, with scores, into docs and sums: a doc of both gets the
   * sum of its two scores, in double.
   *
   * @param docs  room for a_count + b_count and CSD_MERGE_SUMS_SLACK; overlaps no input
   * @param sums  likewise
   * @return how many docs they are
   */
  unsigned (*merge_scores)(const uint32_t *a_docs, const float *a_scores, unsigned a_count,
                           const uint32_t *b_docs, const float *b_scores, unsigned b_count,
                           uint32_t *docs, double *sums);

  /**
   * Finds which values of a packed column lie in a range.
   *
   * @param bits   0..64
   * @param first  the first value that is looked at; a multiple of 64
   * @param n      how many are
   * @param words  receives a word for every 64 values, bit i for value first + i; bits behind the
   *               last value are void
   */
  void (*match_range)(const uint8_t *column, unsigned bits, uint32_t first, uint32_t n, uint64_t lo,
                      uint64_t hi, uint64_t *words);

  /**
   * Finds which values of a packed column have their bit set in a map.
   *
   * @param words  as for match_range
   */
  void (*match_map)(const uint8_t *column, unsigned bits, uint32_t first, uint32_t n,
                    const struct csd_value_map *map, uint64_t *words);

  const struct csd_value_kernels *values;

  /** Docs per 4096 of two lists up to which merge_docs costs less than setting and listing bits. */
  uint32_t merge_pays_to;

  /** Ranges up to which match_range for each of them costs less than match_map for all. */
  uint32_t ranges_pay_to;
};

/** Plain C, for every machine. */
extern const struct csd_kernels csd_kernels_scalar;
/** x86-64 with AVX2, BMI1, BMI2, LZCNT and POPCNT. */
extern const struct csd_kernels csd_kernels_avx2;
/** x86-64 with AVX-512 F, BW, VL, DQ, VBMI, VBMI2 and VPOPCNTDQ besides. */
extern const struct csd_kernels csd_kernels_avx512;
/** The same with VP2INTERSECT, for AMD's Zen 5 on; elsewhere it is slow, where it is there. */
extern const struct csd_kernels csd_kernels_avx512_vp2;
/** AArch64. */
extern const struct csd_kernels csd_kernels_neon;

/** Most kernels that csd_kernels_list can give. */
#define CSD_MAX_KERNELS 5u

/** Fills `list` with the kernels that this machine can run, the best first; returns how many. */
unsigned csd_kernels_list(const struct csd_kernels **list);

/** The best kernels for this machine. Asks the processor once in the life of the process. */
const struct csd_kernels *csd_kernels_choose(void);

/** The kernels of that name; NULL if there are none or this machine cannot run them. */
const struct csd_kernels *csd_kernels_find(const char *name);

#endif
