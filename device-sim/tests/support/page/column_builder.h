/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/**
 * Encodes columns into column pages, as wire/WIRE.md says: the test side's own writer. It takes the
 * forms that a page may have by chance, so that all of them are seen.
 */
#ifndef CSD_COLUMN_BUILDER_H
#define CSD_COLUMN_BUILDER_H

#include <stdint.h>

#include "csd/csd_wire.h"

/** The values of a field: those of a doc ascend and stand together. */
struct test_column {
  uint32_t doc_count; /* docs with a value */
  uint32_t value_count;
  const uint32_t *docs;  /* ascending */
  const uint32_t *first; /* of each doc: index of its first value; one more entry: value_count */
  const int64_t *values;
};

struct column_builder {
  uint64_t random;
  uint64_t stamp;
  uint32_t first_file_page; /* of pages[0] */
  uint32_t page_count;
  uint32_t page_limit;
  uint8_t *pages;
};

void column_builder_init(struct column_builder *builder, uint64_t seed, uint64_t stamp,
                         uint32_t first_file_page);

/** Adds the pages of a column of one doc at least, and fills its reference, but for the extents. */
void column_builder_add(struct column_builder *builder, const struct test_column *column,
                        struct csd_column_ref *ref);

void column_builder_free(struct column_builder *builder);

/** Writes the checksum into a page that a test has altered. */
void column_builder_seal(uint8_t *page);

#endif
