/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/**
 * Encodes positions into position pages, as wire/WIRE.md says: the test side's own writer. It takes
 * the forms that a block may have by chance, so that all of them are seen.
 */
#ifndef CSD_POSITION_BUILDER_H
#define CSD_POSITION_BUILDER_H

#include <stdint.h>

#include "csd/csd_wire.h"

/** Tells the positions of a doc: `freq` of them, which do not descend. */
typedef void (*test_positions)(const void *context, uint32_t doc, uint32_t freq,
                               uint32_t *positions);

struct position_builder {
  uint64_t random;
  uint64_t stamp;
  uint32_t first_file_page; /* of pages[0] */
  uint32_t page_count;
  uint32_t page_limit;
  uint8_t *pages;

  /* The page at work. */
  uint32_t block_count;
  uint32_t data_bytes;
  uint32_t first_doc;
  uint32_t last_docs[CSD_MAX_POSITION_BLOCKS];
  struct csd_position_entry entries[CSD_MAX_POSITION_BLOCKS];
  uint8_t data[CSD_PAGE_BYTES + 64];
};

void position_builder_init(struct position_builder *builder, uint64_t seed, uint64_t stamp,
                           uint32_t first_file_page);

/**
 * Adds the positions of a list and fills its reference but for the extents and the place in a
 * phrase. Its pages are there after position_builder_finish().
 *
 * @param count  postings, at least 1
 */
void position_builder_add(struct position_builder *builder, const uint32_t *docs,
                          const uint32_t *freqs, uint32_t count, test_positions positions,
                          const void *context, struct csd_list_ref *ref);

/** Ends the page at work. */
void position_builder_finish(struct position_builder *builder);

void position_builder_free(struct position_builder *builder);

#endif
