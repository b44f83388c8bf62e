/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/*
 * Property: whatever the bytes, checking a position page reads nothing outside them, and every
 * block of a page that passes lies inside it.
 *
 * Input: a page, cut or padded with zeros to its size. The checksum is set right first, or no
 * altered page would get past it.
 */
#include <stdlib.h>
#include <string.h>

#include "core/kernels/crc32c.h"
#include "core/lists/page_check.h"
#include "core/positions/position_check.h"
#include "core/positions/position_page.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  uint8_t *page = calloc(1, CSD_PAGE_BYTES + CSD_PAGE_SLACK_BYTES);
  if (page == NULL) {
    return 0;
  }
  memcpy(page, data, size < CSD_PAGE_BYTES ? size : CSD_PAGE_BYTES);
  const uint32_t crc = csd_crc32c(0, page + 12, CSD_PAGE_BYTES - 12);
  memcpy(page + offsetof(struct csd_position_page_header, crc32c), &crc, sizeof crc);
  if (csd_position_check(page) == 0) {
    struct csd_position_page_header header;
    memcpy(&header, page, sizeof header);
    const struct csd_page_range range = csd_position_range_of(page);
    if (range.lead_first_doc > range.lead_last_doc) {
      abort();
    }
    for (uint32_t b = 0; b < header.block_count; b++) {
      struct csd_position_block block;
      if (!csd_position_block_at(page, header.block_count, b, &block) ||
          block.exceptions + 3u * block.exception_count > header.used_bytes) {
        abort();
      }
    }
  }
  free(page);
  return 0;
}
