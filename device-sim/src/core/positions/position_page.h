/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/** Where the parts of a position page are; see wire/WIRE.md, section 2c. */
#ifndef CSD_POSITION_PAGE_H
#define CSD_POSITION_PAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/kernels/bits.h"
#include "csd/csd_wire.h"

enum { CSD_POSITION_LAST_DOCS_AT = sizeof(struct csd_position_page_header) };

/* Room for the directory of every page: no look at it can leave the page. */
_Static_assert(sizeof(struct csd_position_page_header) +
                       CSD_MAX_POSITION_BLOCKS * (4u + sizeof(struct csd_position_entry)) <=
                   CSD_PAGE_BYTES,
               "a full directory fits a page");

/** What a position block has; its offsets are bytes of the page. */
struct csd_position_block {
  uint32_t rank; /* of its first value */
  uint32_t value_count;
  uint32_t value_bits;
  uint32_t values;
  uint32_t exceptions;
  uint32_t exception_count;
};

/** Bytes of packed values. */
static inline uint32_t csd_position_value_bytes(uint32_t count, uint32_t bits) {
  return (count * bits + 7u) / 8u;
}

/** Last doc of block `slot` of a page. */
static inline uint32_t csd_position_last_doc(const uint8_t *page, uint32_t slot) {
  return csd_load_u32(page + CSD_POSITION_LAST_DOCS_AT + 4u * slot);
}

/** Directory entry of block `slot` of a page of `block_count`, on any byte. */
static inline const uint8_t *csd_position_entry_at(const uint8_t *page, uint32_t block_count,
                                                   uint32_t slot) {
  return page + CSD_POSITION_LAST_DOCS_AT + 4u * block_count +
         sizeof(struct csd_position_entry) * slot;
}

/** Flags of a directory entry. */
static inline unsigned csd_position_flags(const uint8_t *entry) {
  return entry[offsetof(struct csd_position_entry, flags)];
}

/** Bytes before the values of a block with those flags. */
static inline uint32_t csd_position_base_bytes(unsigned flags) {
  return (flags & CSD_POSITION_FLAG_INSIDE) != 0 ? CSD_POSITION_BASE_BYTES : 0u;
}

/** Bytes of all that a block has. */
static inline uint32_t csd_position_bytes(const struct csd_position_entry *entry) {
  return csd_position_base_bytes(entry->flags) +
         csd_position_value_bytes(entry->value_count, entry->value_bits) +
         entry->exceptions * CSD_POSITION_EXCEPTION_BYTES;
}

/**
 * Lays block `slot` of a page of `block_count` blocks out.
 *
 * @return false if it is not inside the page: then the page has not been checked, or has changed
 */
static inline bool csd_position_block_at(const uint8_t *page, uint32_t block_count, uint32_t slot,
                                         struct csd_position_block *block) {
  struct csd_position_entry entry;
  __builtin_memcpy(&entry, csd_position_entry_at(page, block_count, slot), sizeof entry);
  const uint32_t base = csd_position_base_bytes(entry.flags);
  block->value_count = entry.value_count;
  block->value_bits = entry.value_bits;
  block->values = entry.offset + base;
  block->exceptions = block->values + csd_position_value_bytes(entry.value_count, entry.value_bits);
  block->exception_count = entry.exceptions;
  if (entry.value_count > CSD_MAX_POSITION_VALUES || entry.value_bits > 31u ||
      entry.offset + csd_position_bytes(&entry) > CSD_PAGE_BYTES) {
    return false;
  }
  block->rank = base == 0 ? 0 : csd_load_u32(page + entry.offset);
  return true;
}

#endif
