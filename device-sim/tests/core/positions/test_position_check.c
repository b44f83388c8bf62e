/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/* What csd_position_check refuses, by its message, and that the page index keeps the lead's docs.
 */
#include <stdlib.h>
#include <string.h>

#include "core/columns/page/stored_page.h"
#include "core/kernels/crc32c.h"
#include "core/positions/position_check.h"
#include "core/positions/position_page.h"
#include "csd/csd.h"
#include "tests/support/check.h"

enum { ENTRIES = 48 + 3 * 4, DATA = ENTRIES + 3 * 8 };

/* Three blocks, the first two of one list: 2 values of 7 bits; 1 of 3 bits, inside; 1 of 0 bits. */
struct page {
  uint8_t bytes[CSD_PAGE_BYTES + 64];
};

static struct csd_position_page_header *header_of(struct page *page) {
  return (struct csd_position_page_header *)(void *)page->bytes;
}

static struct csd_position_entry *entry_of(struct page *page, int b) {
  return (struct csd_position_entry *)(void *)(page->bytes + ENTRIES + 8 * b);
}

static void seal(struct page *page) {
  header_of(page)->crc32c = csd_crc32c(0, page->bytes + 12, CSD_PAGE_BYTES - 12);
}

static struct page make(void) {
  static const uint8_t data[] = {0x85, 0x01, 2, 0, 0, 0, 5};
  static const uint32_t last_docs[] = {9, 30, 4};
  struct page page = {{0}};
  *header_of(&page) = (struct csd_position_page_header){.magic = CSD_POSITION_MAGIC,
                                                        .version = CSD_WIRE_VERSION,
                                                        .file_page = 3,
                                                        .stamp = 77,
                                                        .block_count = 3,
                                                        .lead_blocks = 2,
                                                        .used_bytes = DATA + sizeof data,
                                                        .lead_first_doc = 8,
                                                        .lead_last_doc = 30};
  memcpy(page.bytes + 48, last_docs, sizeof last_docs);
  *entry_of(&page, 0) = (struct csd_position_entry){
      .offset = DATA, .value_count = 2, .value_bits = 7, .flags = CSD_POSITION_FLAG_FIRST_OF_LIST};
  *entry_of(&page, 1) = (struct csd_position_entry){
      .offset = DATA + 2,
      .value_count = 1,
      .value_bits = 3,
      .flags = CSD_POSITION_FLAG_INSIDE | CSD_POSITION_FLAG_LAST_OF_LIST};
  *entry_of(&page, 2) = (struct csd_position_entry){
      .offset = DATA + 7,
      .value_count = 1,
      .flags = CSD_POSITION_FLAG_FIRST_OF_LIST | CSD_POSITION_FLAG_LAST_OF_LIST};
  memcpy(page.bytes + DATA, data, sizeof data);
  seal(&page);
  return page;
}

static void refuses(struct page page, const char *what) {
  seal(&page);
  CHECK_EQ(-CSD_STATUS_PAGE_CORRUPT, csd_position_check(page.bytes));
  CHECK_MSG(strstr(csd_last_error(), what) != NULL, "%s: %s", what, csd_last_error());
}

static void a_page_and_its_index_entry(void) {
  struct page page = make();
  CHECK(csd_stored_page_has_magic(page.bytes));
  CHECK_EQ(0, csd_stored_page_check(page.bytes));
  const struct csd_stored_page stored = csd_stored_page_of(page.bytes);
  CHECK_EQ(77, stored.stamp);
  CHECK_EQ(3, stored.file_page);
  CHECK_EQ(8, stored.range.lead_first_doc);
  CHECK_EQ(30, stored.range.lead_last_doc);
  CHECK_EQ(0, stored.range.lead_impacts);
  struct csd_position_block block;
  CHECK(csd_position_block_at(page.bytes, 3, 1, &block));
  CHECK_EQ(2, block.rank);
  CHECK_EQ(5, csd_load_packed(page.bytes + block.values, block.value_bits, 0));
}

static void every_rule(void) {
  struct page page = make();
  header_of(&page)->flags = 1;
  refuses(page, "reserved");
  page = make();
  header_of(&page)->block_count = CSD_MAX_POSITION_BLOCKS + 1;
  refuses(page, "block_count is 257");
  page = make();
  header_of(&page)->used_bytes = DATA - 1;
  refuses(page, "used_bytes is 83");
  page = make();
  entry_of(&page, 0)->flags |= 8;
  refuses(page, "flags are 9");
  page = make();
  entry_of(&page, 2)->value_count = CSD_MAX_POSITION_VALUES + 1;
  refuses(page, "1025 values");
  page = make();
  entry_of(&page, 0)->flags |= CSD_POSITION_FLAG_INSIDE;
  refuses(page, "begins inside");
  page = make();
  entry_of(&page, 2)->flags = 0;
  refuses(page, "overlap or leave a gap");
  page = make();
  page.bytes[52] = 8;
  refuses(page, "last_doc descends to 8");
  page = make();
  page.bytes[56 + 3] = 0x80;
  refuses(page, "is too high");
  page = make();
  header_of(&page)->lead_first_doc = 10;
  refuses(page, "lead_first_doc is 10");
  page = make();
  entry_of(&page, 1)->offset++;
  refuses(page, "expected at");
  page = make();
  entry_of(&page, 2)->value_bits = 8;
  refuses(page, "runs beyond");
  page = make();
  page.bytes[DATA + 2] = 0;
  refuses(page, "INSIDE with rank 0");
  page = make();
  page.bytes[DATA + 1] |= 0x40;
  refuses(page, "bits behind");
  page = make();
  entry_of(&page, 1)->value_bits = 0;
  refuses(page, "expected at");
  page = make();
  header_of(&page)->used_bytes++;
  refuses(page, "the blocks end at");
  page = make();
  page.bytes[4000] = 1;
  refuses(page, "behind the blocks");
  page = make();
  header_of(&page)->lead_blocks = 3;
  refuses(page, "lead_blocks is 3");
  page = make();
  header_of(&page)->version = 1;
  seal(&page);
  CHECK_EQ(-CSD_STATUS_UNSUPPORTED_VERSION, csd_position_check(page.bytes));
  page = make();
  page.bytes[20] ^= 1;
  CHECK_EQ(-CSD_STATUS_PAGE_CORRUPT, csd_position_check(page.bytes));
  CHECK(strstr(csd_last_error(), "checksum") != NULL);
}

static void random_bytes_do_no_harm(void) {
  uint64_t random = 5;
  for (int round = 0; round < 20000; round++) {
    struct page page = make();
    for (int i = 0; i < 1 + round % 4; i++) {
      page.bytes[12 + check_random_below(&random, DATA)] = (uint8_t)check_random(&random);
    }
    seal(&page);
    csd_position_check(page.bytes);
  }
}

int main(void) {
  RUN(a_page_and_its_index_entry);
  RUN(every_rule);
  RUN(random_bytes_do_no_harm);
  return check_result();
}
