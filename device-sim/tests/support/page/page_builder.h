/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/**
 * Encodes posting lists into posting pages, as wire/WIRE.md says: the test side's own writer.
 *
 *   struct page_builder b;
 *   page_builder_init(&b, stamp, 1);
 *   page_builder_add(&b, docs, freqs, norms, count, &ref);    // any number of lists
 *   page_builder_finish(&b);                                  // now b.pages, b.page_count
 *   page_builder_free(&b);
 */
#ifndef CSD_PAGE_BUILDER_H
#define CSD_PAGE_BUILDER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "csd/csd_wire.h"

struct page_builder_block {
  uint32_t base_doc;
  uint32_t count;
  uint8_t flags;
  uint32_t doc[CSD_BLOCK_POSTINGS];
  uint32_t freq[CSD_BLOCK_POSTINGS];
  uint8_t norm[CSD_BLOCK_POSTINGS];
};

struct page_builder {
  uint64_t stamp;
  uint32_t first_file_page; /**< file page number of pages[0] */
  uint8_t *pages;           /**< page_count * CSD_PAGE_BYTES bytes */
  uint32_t page_count;      /**< finished pages */
  uint32_t page_limit;      /**< pages that `pages` has room for */
  uint32_t block_count;     /**< blocks of the page at work */
  uint32_t used_bytes;      /**< bytes of the page at work */
  struct page_builder_block blocks[CSD_MAX_BLOCKS_PER_PAGE];
};

/** @param first_file_page  file page number of the first page built; 1 in a file of our own */
void page_builder_init(struct page_builder *builder, uint64_t stamp, uint32_t first_file_page);

/**
 * Adds a posting list behind the earlier ones and fills its reference: extents 0 to 0, to be
 * adjusted if the plan has others. Its pages are there after page_builder_finish().
 *
 * @param docs   ascending, below CSD_MAX_DOC
 * @param freqs  at least 1; NULL: all 1
 * @param norms  NULL: all 1
 * @param count  at least 1; a list of one posting becomes an INLINE reference and takes no space
 */
void page_builder_add(struct page_builder *builder, const uint32_t *docs, const uint32_t *freqs,
                      const uint8_t *norms, uint32_t count, struct csd_list_ref *ref);

/** As page_builder_add, but in pages even if it has one posting only. */
void page_builder_add_paged(struct page_builder *builder, const uint32_t *docs,
                            const uint32_t *freqs, const uint8_t *norms, uint32_t count,
                            struct csd_list_ref *ref);

/** Ends the page at work; the next list starts a new page. */
void page_builder_finish(struct page_builder *builder);

void page_builder_free(struct page_builder *builder);

/** The impacts word of postings. freqs and norms as in page_builder_add. */
uint64_t page_builder_impacts(const uint32_t *freqs, const uint8_t *norms, uint32_t count);

/** Writes the checksum into a page that a test has altered. */
void page_builder_seal(uint8_t *page);

#endif
