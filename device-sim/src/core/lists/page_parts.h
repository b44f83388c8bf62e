/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/** Where the parts of a posting page are, for its check: right as far as the check has come. */
#ifndef CSD_PAGE_PARTS_H
#define CSD_PAGE_PARTS_H

#include <inttypes.h>
#include <stdbool.h>
#include <string.h>

#include "base/status.h"
#include "csd/csd_wire.h"

enum {
  CSD_PAGE_HEADER_BYTES = sizeof(struct csd_page_header),
  CSD_BLOCK_ENTRY_BYTES = sizeof(struct csd_block_entry),
  CSD_LAST_DOC_BYTES = sizeof(uint32_t),
  CSD_IMPACTS_BYTES = sizeof(uint64_t),
  CSD_WHOLE_LIST_FLAGS = CSD_BLOCK_FLAG_FIRST_OF_LIST | CSD_BLOCK_FLAG_LAST_OF_LIST
};

#define CSD_CORRUPT(...) csd_fail(CSD_STATUS_PAGE_CORRUPT, __VA_ARGS__)

/** How a text about a block begins; its number is the first argument. */
#define CSD_BLOCK_TEXT "block %" PRIu32 ": "

/** A page under check. */
struct csd_checked_page {
  const uint8_t *page;
  struct csd_page_header header;
  uint32_t impacts_count; /* blocks with an impacts word */
  uint32_t column_end;    /* where the next column must start */
};

/** Bytes of header and directory, without the impacts words that follow them. */
static inline uint32_t csd_page_directory_end(const struct csd_page_header *header) {
  return (uint32_t)CSD_PAGE_HEADER_BYTES +
         header->block_count * (uint32_t)(CSD_LAST_DOC_BYTES + CSD_BLOCK_ENTRY_BYTES);
}

/** Directory entry of a block. */
static inline struct csd_block_entry csd_page_entry(const struct csd_checked_page *c,
                                                    uint32_t block) {
  struct csd_block_entry entry;
  memcpy(&entry,
         c->page + CSD_PAGE_HEADER_BYTES + (uint32_t)c->header.block_count * CSD_LAST_DOC_BYTES +
             block * CSD_BLOCK_ENTRY_BYTES,
         sizeof entry);
  return entry;
}

/** Last doc of a block. */
static inline uint32_t csd_page_last_doc(const struct csd_checked_page *c, uint32_t block) {
  uint32_t doc;
  memcpy(&doc, c->page + CSD_PAGE_HEADER_BYTES + block * CSD_LAST_DOC_BYTES, sizeof doc);
  return doc;
}

/** Bytes of a column of values of so many bits. */
static inline uint32_t csd_page_column_bytes(const struct csd_block_entry *entry, uint32_t bits) {
  return (entry->count * bits + 7u) / 8u;
}

/** A block that is its whole list has neither an impacts word nor freq exceptions. */
static inline bool csd_block_is_list(const struct csd_block_entry *entry) {
  return (entry->flags & CSD_WHOLE_LIST_FLAGS) == CSD_WHOLE_LIST_FLAGS;
}

/** How many freq exceptions a block has. */
static inline uint32_t csd_block_exceptions(const struct csd_block_entry *entry) {
  return entry->flags >> CSD_EXCEPTIONS_SHIFT;
}

/** Whether the docs of a block are a bitmap. */
static inline bool csd_block_is_bitmap(const struct csd_block_entry *entry) {
  return (entry->flags & CSD_BLOCK_FLAG_DOC_BITMAP) != 0;
}

/** Last doc of the list's block before block `b`, NO_DOC for the list's first. */
static inline uint32_t csd_page_base_doc(const struct csd_checked_page *c, uint32_t b,
                                         const struct csd_block_entry *entry) {
  if (entry->flags & CSD_BLOCK_FLAG_FIRST_OF_LIST) {
    return CSD_NO_DOC;
  }
  return b == 0 ? c->header.lead_base_doc : csd_page_last_doc(c, b - 1);
}

/** Docs that block `b` may have: those above its base doc up to its last one. */
static inline uint32_t csd_page_span(const struct csd_checked_page *c, uint32_t b,
                                     const struct csd_block_entry *entry) {
  return csd_page_last_doc(c, b) - csd_page_base_doc(c, b, entry); /* NO_DOC counts as -1 */
}

/** Bytes of a block's docs. The other columns follow them: freqs, exceptions, norms. */
static inline uint32_t csd_page_doc_bytes(const struct csd_checked_page *c, uint32_t b,
                                          const struct csd_block_entry *entry) {
  return csd_block_is_bitmap(entry) ? (csd_page_span(c, b, entry) + 63u) / 64u * 8u
                                    : csd_page_column_bytes(entry, entry->doc_bits);
}

static inline uint32_t csd_page_freq_offset(const struct csd_checked_page *c, uint32_t b,
                                            const struct csd_block_entry *entry) {
  return entry->offset + csd_page_doc_bytes(c, b, entry);
}

static inline uint32_t csd_page_exceptions_offset(const struct csd_checked_page *c, uint32_t b,
                                                  const struct csd_block_entry *entry) {
  return csd_page_freq_offset(c, b, entry) + csd_page_column_bytes(entry, entry->freq_bits);
}

static inline uint32_t csd_page_norm_offset(const struct csd_checked_page *c, uint32_t b,
                                            const struct csd_block_entry *entry) {
  return csd_page_exceptions_offset(c, b, entry) +
         csd_block_exceptions(entry) * CSD_EXCEPTION_BYTES;
}

#endif
