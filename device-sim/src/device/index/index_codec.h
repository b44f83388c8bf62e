/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/**
 * Index pages: what the page index keeps on the store. One page of 4 KiB describes the 512 LBAs of
 * its group, which is 0.195 % of their bytes. After FLIXR's separate index pages (Koo et al., IEEE
 * TC 2022, section 4.3) and its redo bits (4.6).
 *
 * Layout, little-endian:
 *
 *     0   u32      magic; 0: never written, no entries
 *     4   u32      CRC-32C of bytes 72 to 4095
 *     8   u64[8]   pending: a bit for each LBA whose entry is to be rebuilt (FLIXR's redo bit,
 *                  inverted, so that a page of zeros is one without entries)
 *     72  u64      number of the group: LBA / 512
 *     80  u16      runs
 *     82  u16      bytes of runs, from byte 84 on
 *
 * A run is a stretch of consecutive LBAs with consecutive pages of one file. A header of 30 or 32
 * bytes says which, and how many bits each field of an entry takes; the entries follow, packed.
 * What does not fit is rounded: of impacts a single pair stays, or none; parts of a range of values
 * are taken together, or left out, and then the range grows outwards. Runs that do not fit even so
 * are left out; their pages are then read to be known.
 */
#ifndef CSD_INDEX_CODEC_H
#define CSD_INDEX_CODEC_H

#include <stdbool.h>
#include <stdint.h>

#include "core/columns/page/stored_page.h"

enum {
  CSD_GROUP_LBAS = 512, /* LBAs that an index page describes */
  CSD_GROUP_WORDS = CSD_GROUP_LBAS / 64,
  CSD_INDEX_PAGE_BYTES = 4096,
  CSD_INDEX_PENDING_AT = 8, /* where the pending bits are in an index page */
};

/** The entries of a group. */
struct csd_index_group {
  uint64_t present[CSD_GROUP_WORDS]; /* bits: which of the pages are known */
  uint64_t pending[CSD_GROUP_WORDS]; /* bits: which entries are to be rebuilt */
  struct csd_stored_page pages[CSD_GROUP_LBAS];
};

static inline bool csd_bit(const uint64_t *words, uint32_t i) {
  return (words[i / 64] >> (i % 64) & 1u) != 0;
}

static inline void csd_set_bit(uint64_t *words, uint32_t i) {
  words[i / 64] |= UINT64_C(1) << (i % 64);
}

static inline void csd_clear_bit(uint64_t *words, uint32_t i) {
  words[i / 64] &= ~(UINT64_C(1) << (i % 64));
}

/**
 * Writes the entries of a group as an index page.
 *
 * @param page  set to CSD_INDEX_PAGE_BYTES bytes
 * @return number of entries that found no room
 */
uint32_t csd_index_encode(const struct csd_index_group *group, uint64_t number, uint8_t *page);

/**
 * Reads an index page; trusts none of its bytes.
 *
 * @param number  of the group that it must describe
 * @param group   set; on a failure it has no entries and all of them are pending
 * @return 0, or -PAGE_CORRUPT
 */
int csd_index_decode(const uint8_t *page, uint64_t number, struct csd_index_group *group);

#endif
