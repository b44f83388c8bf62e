/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
#include "core/positions/position_check.h"

#include <inttypes.h>
#include <string.h>

#include "base/status.h"
#include "core/kernels/crc32c.h"
#include "core/positions/position_page.h"

enum { CRC_START = 12, MAX_VALUE_BITS = 31 };

static const unsigned FLAGS =
    CSD_POSITION_FLAG_FIRST_OF_LIST | CSD_POSITION_FLAG_LAST_OF_LIST | CSD_POSITION_FLAG_INSIDE;

#define CORRUPT(...) csd_fail(CSD_STATUS_PAGE_CORRUPT, "position page: " __VA_ARGS__)
#define BLOCK_TEXT "block %" PRIu32 ": "

bool csd_position_has_magic(const uint8_t *page) {
  return csd_load_u32(page) == CSD_POSITION_MAGIC;
}

static struct csd_position_entry entry_of(const uint8_t *page, uint32_t blocks, uint32_t slot) {
  struct csd_position_entry entry;
  memcpy(&entry, csd_position_entry_at(page, blocks, slot), sizeof entry);
  return entry;
}

static int check_header(const uint8_t *page, const struct csd_position_page_header *h) {
  const uint32_t crc = csd_crc32c(0, page + CRC_START, CSD_PAGE_BYTES - CRC_START);
  if (crc != h->crc32c) {
    return CORRUPT("checksum is 0x%08" PRIX32 ", the bytes give 0x%08" PRIX32, h->crc32c, crc);
  }
  if (h->flags != 0 || h->reserved0 != 0 || h->reserved1 != 0) {
    return CORRUPT("flags or reserved bytes are not zero");
  }
  if (h->block_count == 0 || h->block_count > CSD_MAX_POSITION_BLOCKS) {
    return CORRUPT("block_count is %u", h->block_count);
  }
  const uint32_t directory_end =
      CSD_POSITION_LAST_DOCS_AT +
      h->block_count * (4u + (uint32_t)sizeof(struct csd_position_entry));
  if (h->used_bytes > CSD_PAGE_BYTES || h->used_bytes < directory_end) {
    return CORRUPT("used_bytes is %u, the directory ends at %" PRIu32, h->used_bytes,
                   directory_end);
  }
  return 0;
}

/* Rules about one directory entry and its neighbour before it. */
static int check_entry(const uint8_t *page, const struct csd_position_page_header *h, uint32_t b,
                       const struct csd_position_entry *e,
                       const struct csd_position_entry *before) {
  const bool first = (e->flags & CSD_POSITION_FLAG_FIRST_OF_LIST) != 0;
  const uint32_t last_doc = csd_position_last_doc(page, b);
  if ((e->flags & ~FLAGS) != 0 || e->reserved0 != 0) {
    return CORRUPT(BLOCK_TEXT "flags are %u, reserved0 is %u", b, e->flags, e->reserved0);
  }
  if (e->value_count == 0 || e->value_count > CSD_MAX_POSITION_VALUES ||
      e->value_bits > MAX_VALUE_BITS || e->exceptions > CSD_MAX_POSITION_EXCEPTIONS) {
    return CORRUPT(BLOCK_TEXT "%u values of %u bits, %u exceptions", b, e->value_count,
                   e->value_bits, e->exceptions);
  }
  if (first && (e->flags & CSD_POSITION_FLAG_INSIDE) != 0) {
    return CORRUPT(BLOCK_TEXT "a list begins inside a posting block", b);
  }
  if (last_doc >= CSD_MAX_DOC) {
    return CORRUPT(BLOCK_TEXT "last_doc %" PRIu32 " is too high", b, last_doc);
  }
  if (before == NULL) {
    return h->lead_first_doc <= last_doc
               ? 0
               : CORRUPT("lead_first_doc is %" PRIu32 ", last_doc of block 0 %" PRIu32,
                         h->lead_first_doc, last_doc);
  }
  if (first != ((before->flags & CSD_POSITION_FLAG_LAST_OF_LIST) != 0)) {
    return CORRUPT(BLOCK_TEXT "lists overlap or leave a gap", b);
  }
  if (!first && last_doc < csd_position_last_doc(page, b - 1)) {
    return CORRUPT(BLOCK_TEXT "last_doc descends to %" PRIu32, b, last_doc);
  }
  return 0;
}

static int check_exceptions(const uint8_t *page, uint32_t b, const struct csd_position_entry *e,
                            const struct csd_position_block *block) {
  int before = -1;
  for (uint32_t i = 0; i < block->exception_count; i++) {
    const uint8_t *exception = page + block->exceptions + i * CSD_POSITION_EXCEPTION_BYTES;
    const int value = csd_load_u16(exception);
    const uint64_t high = exception[2];
    if (value <= before || value >= e->value_count || high == 0 ||
        high << e->value_bits > INT32_MAX) {
      return CORRUPT(BLOCK_TEXT "exception %" PRIu32 " is %u for value %d", b, i, exception[2],
                     value);
    }
    before = value;
  }
  return 0;
}

/* What a block has begins at *end, where the one before it ended; moves *end on. */
static int check_block(const uint8_t *page, const struct csd_position_page_header *h, uint32_t b,
                       const struct csd_position_entry *e, uint32_t *end) {
  if (e->offset != *end) {
    return CORRUPT(BLOCK_TEXT "at byte %u, expected at %" PRIu32, b, e->offset, *end);
  }
  *end += csd_position_bytes(e);
  if (*end > h->used_bytes) {
    return CORRUPT(BLOCK_TEXT "runs beyond used_bytes", b);
  }
  struct csd_position_block block;
  if (!csd_position_block_at(page, h->block_count, b, &block)) {
    return CORRUPT(BLOCK_TEXT "is not inside the page", b);
  }
  if ((e->flags & CSD_POSITION_FLAG_INSIDE) != 0 && block.rank == 0) {
    return CORRUPT(BLOCK_TEXT "INSIDE with rank 0", b);
  }
  const uint32_t bits = block.value_count * block.value_bits;
  if ((bits & 7u) != 0 && page[block.values + bits / 8u] >> (bits & 7u) != 0) {
    return CORRUPT(BLOCK_TEXT "bits behind the values are not zero", b);
  }
  return check_exceptions(page, b, e, &block);
}

static int check_blocks(const uint8_t *page, const struct csd_position_page_header *h) {
  const uint32_t blocks = h->block_count;
  uint32_t end =
      CSD_POSITION_LAST_DOCS_AT + blocks * (4u + (uint32_t)sizeof(struct csd_position_entry));
  uint32_t lead = blocks;
  struct csd_position_entry before = {0};
  for (uint32_t b = 0; b < blocks; b++) {
    const struct csd_position_entry e = entry_of(page, blocks, b);
    int status = check_entry(page, h, b, &e, b == 0 ? NULL : &before);
    if (status == 0) {
      status = check_block(page, h, b, &e, &end);
    }
    if (status < 0) {
      return status;
    }
    if (lead == blocks && (e.flags & CSD_POSITION_FLAG_LAST_OF_LIST) != 0) {
      lead = b + 1u;
    }
    before = e;
  }
  if (end != h->used_bytes) {
    return CORRUPT("used_bytes is %u, the blocks end at %" PRIu32, h->used_bytes, end);
  }
  for (uint32_t i = end; i < CSD_PAGE_BYTES; i++) {
    if (page[i] != 0) {
      return CORRUPT("byte %" PRIu32 " behind the blocks is not zero", i);
    }
  }
  if (h->lead_blocks != lead || h->lead_last_doc != csd_position_last_doc(page, lead - 1u)) {
    return CORRUPT("lead_blocks is %u, not %" PRIu32 ", or lead_last_doc %" PRIu32 " is wrong",
                   h->lead_blocks, lead, h->lead_last_doc);
  }
  return 0;
}

int csd_position_check(const uint8_t *page) {
  struct csd_position_page_header header;
  memcpy(&header, page, sizeof header);
  if (header.magic != CSD_POSITION_MAGIC) {
    return CORRUPT("magic is 0x%08" PRIX32, header.magic);
  }
  if (header.version != CSD_WIRE_VERSION) {
    return csd_fail(CSD_STATUS_UNSUPPORTED_VERSION, "position page: wire version %u, not %u",
                    header.version, CSD_WIRE_VERSION);
  }
  const int status = check_header(page, &header);
  return status < 0 ? status : check_blocks(page, &header);
}

struct csd_page_range csd_position_range_of(const uint8_t *page) {
  struct csd_position_page_header header;
  memcpy(&header, page, sizeof header);
  return (struct csd_page_range){.lead_first_doc = header.lead_first_doc,
                                 .lead_last_doc = header.lead_last_doc};
}
