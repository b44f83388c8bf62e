/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/* Every rule about a page is broken once, in a page that is right otherwise and sealed again. */
#include <stdlib.h>

#include "core/lists/page_check.h"
#include "csd/csd.h"
#include "tests/support/check.h"
#include "tests/support/page/lists.h"
#include "tests/support/page/page_builder.h"

static const uint64_t STAMP = 0x1122334455667788u;

/* A copy with slack behind it, as a frame has. */
static uint8_t page[CSD_PAGE_BYTES + CSD_PAGE_SLACK_BYTES];

static void load_page(const uint8_t *from) {
  memset(page, 0xA5, sizeof page);
  memcpy(page, from, CSD_PAGE_BYTES);
}

/* One page: the tail of nothing, a list of 300 (3 blocks), one of 5, one of 130. */
static void build(struct page_builder *b) {
  uint64_t seed = 7;
  struct csd_list_ref ref;
  page_builder_init(b, STAMP, 1);
  const uint32_t counts[] = {300, 5, 130};
  for (int i = 0; i < 3; i++) {
    struct test_list list = test_list_random(&seed, counts[i], 50);
    page_builder_add(b, list.docs, list.freqs, list.norms, list.count, &ref);
    test_list_free(&list);
  }
  page_builder_finish(b);
}

static void built_pages_pass(void) {
  for (uint64_t run = 1; run <= 12; run++) {
    uint64_t seed = run;
    struct page_builder b;
    page_builder_init(&b, STAMP, 1);
    for (int i = 0; i < 40; i++) {
      const uint32_t count = 1 + check_random_below(&seed, 1u << check_random_below(&seed, 12));
      struct test_list list = test_list_random(&seed, count, 1u << check_random_below(&seed, 17));
      struct csd_list_ref ref;
      page_builder_add_paged(&b, list.docs, list.freqs, list.norms, count, &ref);
      CHECK_EQ(count, ref.posting_count);
      test_list_free(&list);
    }
    page_builder_finish(&b);
    CHECK(b.page_count > 1);
    for (uint32_t p = 0; p < b.page_count; p++) {
      load_page(b.pages + (size_t)p * CSD_PAGE_BYTES);
      if (!CHECK_OK(csd_page_check(page))) {
        fprintf(stderr, "seed %d page %u\n", (int)run, p);
      }
      CHECK_EQ(p + 1, csd_page_header_of(page).file_page);
    }
    page_builder_free(&b);
  }
}

static void extreme_postings_pass(void) {
  const uint32_t docs[] = {0, CSD_MAX_DOC - 1};
  const uint32_t freqs[] = {INT32_MAX, 1};
  const uint8_t norms[] = {255, 0};
  struct page_builder b;
  struct csd_list_ref ref;
  page_builder_init(&b, 0, 0);
  page_builder_add(&b, docs, freqs, norms, 2, &ref);
  page_builder_finish(&b);
  load_page(b.pages);
  CHECK_OK(csd_page_check(page));
  page_builder_free(&b);
}

/* A change of a page: value at a byte, with its size. */
struct change {
  const char *what;
  uint32_t at;
  uint32_t bytes;
  uint64_t value;
  enum csd_status status;
};

#define HEADER(field) \
  (uint32_t)offsetof(struct csd_page_header, field), sizeof(((struct csd_page_header *)0)->field)
/* The built page has 6 blocks. */
#define ENTRIES (64u + 6u * 4u)
#define ENTRY(block, field)                                                     \
  (uint32_t)(ENTRIES + (block) * 8u + offsetof(struct csd_block_entry, field)), \
      sizeof(((struct csd_block_entry *)0)->field)

/* Blocks 0, 1, 2, 4 and 5 have impacts; block 3 is its whole list. */
#define IMPACTS(n) (ENTRIES + 6u * 8u + (n) * 8u), 8u

static void every_rule_is_checked(void) {
  const struct change changes[] = {
      {"magic", HEADER(magic), 0, CSD_STATUS_PAGE_CORRUPT},
      {"version 0", HEADER(version), 0, CSD_STATUS_UNSUPPORTED_VERSION},
      {"version 1", HEADER(version), 1, CSD_STATUS_UNSUPPORTED_VERSION},
      {"flags", HEADER(flags), 1, CSD_STATUS_PAGE_CORRUPT},
      {"reserved0", HEADER(reserved0), 1, CSD_STATUS_PAGE_CORRUPT},
      {"reserved1", HEADER(reserved1), 1, CSD_STATUS_PAGE_CORRUPT},
      {"reserved2", HEADER(reserved2), UINT64_MAX, CSD_STATUS_PAGE_CORRUPT},
      {"no blocks", HEADER(block_count), 0, CSD_STATUS_PAGE_CORRUPT},
      {"201 blocks", HEADER(block_count), 201, CSD_STATUS_PAGE_CORRUPT},
      {"65535 blocks", HEADER(block_count), 65535, CSD_STATUS_PAGE_CORRUPT},
      {"7 blocks", HEADER(block_count), 7, CSD_STATUS_PAGE_CORRUPT},
      {"5 blocks", HEADER(block_count), 5, CSD_STATUS_PAGE_CORRUPT},
      {"used_bytes 0", HEADER(used_bytes), 0, CSD_STATUS_PAGE_CORRUPT},
      {"used_bytes 4097", HEADER(used_bytes), 4097, CSD_STATUS_PAGE_CORRUPT},
      {"used_bytes 4096", HEADER(used_bytes), 4096, CSD_STATUS_PAGE_CORRUPT},
      {"lead_blocks 0", HEADER(lead_blocks), 0, CSD_STATUS_PAGE_CORRUPT},
      {"lead_blocks 2", HEADER(lead_blocks), 2, CSD_STATUS_PAGE_CORRUPT},
      {"lead_blocks 4", HEADER(lead_blocks), 4, CSD_STATUS_PAGE_CORRUPT},
      {"lead_first_doc", HEADER(lead_first_doc), 1000000, CSD_STATUS_PAGE_CORRUPT},
      {"lead_last_doc", HEADER(lead_last_doc), 3, CSD_STATUS_PAGE_CORRUPT},
      {"lead_impacts too low", HEADER(lead_impacts), 0x0101, CSD_STATUS_PAGE_CORRUPT},
      {"lead_impacts malformed", HEADER(lead_impacts), 0x0100, CSD_STATUS_PAGE_CORRUPT},
      {"count 0", ENTRY(3, count), 0, CSD_STATUS_PAGE_CORRUPT},
      {"count 129", ENTRY(0, count), 129, CSD_STATUS_PAGE_CORRUPT},
      {"short block that is not its list's last", ENTRY(0, count), 127, CSD_STATUS_PAGE_CORRUPT},
      {"count 4 of 5", ENTRY(3, count), 4, CSD_STATUS_PAGE_CORRUPT},
      {"doc_bits 32", ENTRY(1, doc_bits), 32, CSD_STATUS_PAGE_CORRUPT},
      {"doc_bits 255", ENTRY(1, doc_bits), 255, CSD_STATUS_PAGE_CORRUPT},
      {"freq_bits 32", ENTRY(1, freq_bits), 32, CSD_STATUS_PAGE_CORRUPT},
      {"norm_bits 9", ENTRY(1, norm_bits), 9, CSD_STATUS_PAGE_CORRUPT},
      {"norm_base too high", ENTRY(1, norm_base), 250, CSD_STATUS_PAGE_CORRUPT},
      {"8 exceptions", ENTRY(0, flags), 1 | 8 << 3, CSD_STATUS_PAGE_CORRUPT},
      {"exceptions of a whole list", ENTRY(3, flags), 3 | 1 << 3, CSD_STATUS_PAGE_CORRUPT},
      {"not first, but NO_DOC", ENTRY(0, flags), 0, CSD_STATUS_PAGE_CORRUPT},
      {"first in mid-list", ENTRY(1, flags), 1, CSD_STATUS_PAGE_CORRUPT},
      {"last too early", ENTRY(1, flags), 2, CSD_STATUS_PAGE_CORRUPT},
      {"last is missing", ENTRY(2, flags), 0, CSD_STATUS_PAGE_CORRUPT},
      {"lead_base_doc of a first block", HEADER(lead_base_doc), 1, CSD_STATUS_PAGE_CORRUPT},
      {"offset in the directory", ENTRY(0, offset), 64, CSD_STATUS_PAGE_CORRUPT},
      {"offset at the end", ENTRY(0, offset), 65535, CSD_STATUS_PAGE_CORRUPT},
      {"offset of a later block", ENTRY(5, offset), 0, CSD_STATUS_PAGE_CORRUPT},
      {"impacts too low", IMPACTS(2), 0x0101, CSD_STATUS_PAGE_CORRUPT},
      {"impacts of the block behind a whole list too low", IMPACTS(3), 0x0101,
       CSD_STATUS_PAGE_CORRUPT},
      {"impacts malformed", IMPACTS(2), 0x010000FFu, CSD_STATUS_PAGE_CORRUPT},
      {"impacts unknown", IMPACTS(2), 0, CSD_STATUS_OK},
      {"lead_impacts unknown", HEADER(lead_impacts), 0, CSD_STATUS_OK},
      {"impacts above everything", IMPACTS(2), 0x00FF, CSD_STATUS_OK},
      {"file_page", HEADER(file_page), 77, CSD_STATUS_OK},
      {"stamp", HEADER(stamp), 77, CSD_STATUS_OK},
      {"last_doc", 64, 4, 5, CSD_STATUS_PAGE_CORRUPT},
      {"last_doc at MAX_DOC", 64 + 5 * 4, 4, CSD_MAX_DOC, CSD_STATUS_PAGE_CORRUPT},
      {"last_doc NO_DOC", 64 + 5 * 4, 4, CSD_NO_DOC, CSD_STATUS_PAGE_CORRUPT},
      {"byte behind the columns", 4095, 1, 1, CSD_STATUS_PAGE_CORRUPT}};
  struct page_builder b;
  build(&b);
  CHECK_EQ(1, b.page_count);
  CHECK_EQ(6, csd_page_header_of(b.pages).block_count);
  CHECK_EQ(3, csd_page_header_of(b.pages).lead_blocks);
  for (size_t i = 0; i < sizeof changes / sizeof changes[0]; i++) {
    load_page(b.pages);
    memcpy(page + changes[i].at, &changes[i].value, changes[i].bytes);
    page_builder_seal(page);
    if (!CHECK_STATUS(changes[i].status, csd_page_check(page))) {
      fprintf(stderr, "case: %s\n", changes[i].what);
    }
  }
  page_builder_free(&b);
}

/* One list of 200 postings, every fifth doc from 2 on: two bitmaps, of 638 and of 360 docs. */
static void every_rule_about_bitmaps_is_checked(void) {
  enum { COLUMN = 64 + 2 * 20, LAST = 2 + 5 * 127 };
#define AT(block, field) \
  (uint32_t)(64 + 2 * 4 + (block) * 8u + offsetof(struct csd_block_entry, field))
  const struct change changes[] = {
      {"nothing", 64, 4, LAST, CSD_STATUS_OK},
      {"doc_bits", AT(0, doc_bits), 1, 1, CSD_STATUS_PAGE_CORRUPT},
      {"not flagged", AT(0, flags), 1, 1, CSD_STATUS_PAGE_CORRUPT},
      {"an exception", AT(0, flags), 1, 13, CSD_STATUS_PAGE_CORRUPT},
      {"offset", AT(1, offset), 2, COLUMN, CSD_STATUS_PAGE_CORRUPT},
      {"the last doc before it", 64, 4, LAST + 64, CSD_STATUS_PAGE_CORRUPT},
      {"count", AT(1, count), 1, 71, CSD_STATUS_PAGE_CORRUPT},
      {"last_doc in the next word", 68, 4, 2 + 5 * 199 + 64, CSD_STATUS_PAGE_CORRUPT},
      {"last_doc one lower", 68, 4, 2 + 5 * 199 - 1, CSD_STATUS_PAGE_CORRUPT},
      {"last_doc one higher", 68, 4, 2 + 5 * 199 + 1, CSD_STATUS_PAGE_CORRUPT},
      {"last_doc too far", 68, 4, LAST + 2049, CSD_STATUS_PAGE_CORRUPT},
      {"a bit more", COLUMN, 1, 0x85, CSD_STATUS_PAGE_CORRUPT},
      {"a bit less", COLUMN, 1, 0x80, CSD_STATUS_PAGE_CORRUPT},
      {"a bit elsewhere", COLUMN + 1, 1, 0x08, CSD_STATUS_OK},
      {"the first doc elsewhere", COLUMN, 1, 0x82, CSD_STATUS_PAGE_CORRUPT},
      {"a bit behind", COLUMN + LAST / 8, 1, 0xA0, CSD_STATUS_PAGE_CORRUPT}};
  uint32_t docs[200], freqs[200];
  uint8_t norms[200];
  for (uint32_t i = 0; i < 200; i++) {
    docs[i] = 2 + 5 * i, freqs[i] = 1, norms[i] = 9;
  }
  struct page_builder b;
  struct csd_list_ref ref;
  page_builder_init(&b, STAMP, 1);
  page_builder_add(&b, docs, freqs, norms, 128 + 72, &ref);
  page_builder_finish(&b);
  for (size_t i = 0; i < sizeof changes / sizeof changes[0]; i++) {
    load_page(b.pages);
    CHECK_EQ(CSD_BLOCK_FLAG_FIRST_OF_LIST | CSD_BLOCK_FLAG_DOC_BITMAP, page[AT(0, flags)]);
    CHECK_EQ(CSD_BLOCK_FLAG_LAST_OF_LIST | CSD_BLOCK_FLAG_DOC_BITMAP, page[AT(1, flags)]);
    CHECK_EQ(0x84, page[COLUMN]); /* docs 2 and 7 */
    CHECK_EQ(0x10, page[COLUMN + 1]);
    memcpy(page + changes[i].at, &changes[i].value, changes[i].bytes);
    page_builder_seal(page);
    if (!CHECK_STATUS(changes[i].status, csd_page_check(page))) {
      fprintf(stderr, "case: %s\n", changes[i].what);
    }
  }
#undef AT
  page_builder_free(&b);
}

/* A list of 140 postings, every tenth doc: freqs are 1 but for three, exceptions at width 0. */
static void every_rule_about_freq_exceptions_is_checked(void) {
  enum { FLAGS = 64 + 2 * 4 + 7, FREQ_BITS = FLAGS - 3, EXCEPTIONS = 64 + 2 * 20 + 96 };
  const struct change changes[] = {
      {"nothing", EXCEPTIONS, 1, 3, CSD_STATUS_OK},
      {"another posting", EXCEPTIONS, 1, 4, CSD_STATUS_OK},
      {"the posting of the next one", EXCEPTIONS, 1, 50, CSD_STATUS_PAGE_CORRUPT},
      {"a posting behind the next one", EXCEPTIONS, 1, 51, CSD_STATUS_PAGE_CORRUPT},
      {"no posting of the block", EXCEPTIONS + 4, 1, 128, CSD_STATUS_PAGE_CORRUPT},
      {"nothing added", EXCEPTIONS + 1, 1, 0, CSD_STATUS_PAGE_CORRUPT},
      {"more than the impacts say", EXCEPTIONS + 5, 1, 101, CSD_STATUS_PAGE_CORRUPT},
      {"one less", FLAGS, 1, 1 | 2 << 3, CSD_STATUS_PAGE_CORRUPT},
      {"one more", FLAGS, 1, 1 | 4 << 3, CSD_STATUS_PAGE_CORRUPT},
      {"freq_bits 9", FREQ_BITS, 1, 9, CSD_STATUS_PAGE_CORRUPT}};
  uint32_t docs[140], freqs[140];
  uint8_t norms[140];
  for (uint32_t i = 0; i < 140; i++) {
    docs[i] = 40 * i, freqs[i] = 1, norms[i] = 9;
  }
  freqs[3] = 2, freqs[50] = 9, freqs[127] = 101;
  struct page_builder b;
  struct csd_list_ref ref;
  page_builder_init(&b, STAMP, 1);
  page_builder_add(&b, docs, freqs, norms, 140, &ref);
  page_builder_finish(&b);
  for (size_t i = 0; i < sizeof changes / sizeof changes[0]; i++) {
    load_page(b.pages);
    const uint8_t head[] = {128, 6, 0, 0, 9, 1 | 3 << 3}, tail[] = {3, 1, 50, 8, 127, 100};
    uint16_t offset;
    memcpy(&offset, page + FLAGS - 7, sizeof offset);
    CHECK_EQ(64 + 2 * 20, offset);
    CHECK(memcmp(page + FLAGS - 5, head, sizeof head) == 0);
    CHECK(memcmp(page + offset + 96, tail, sizeof tail) == 0);
    memcpy(page + changes[i].at, &changes[i].value, changes[i].bytes);
    page_builder_seal(page);
    if (!CHECK_STATUS(changes[i].status, csd_page_check(page))) {
      fprintf(stderr, "case: %s\n", changes[i].what);
    }
  }
  page_builder_free(&b);
}

static void every_bit_is_under_the_checksum(void) {
  struct page_builder b;
  build(&b);
  for (uint32_t bit = 6 * 8; bit < CSD_PAGE_BYTES * 8; bit += bit < 512 ? 1 : 37) {
    load_page(b.pages);
    page[bit / 8] ^= (uint8_t)(1u << (bit % 8));
    CHECK_MSG(csd_page_check(page) == -CSD_STATUS_PAGE_CORRUPT, "bit %u", bit);
  }
  page_builder_free(&b);
}

/* Nonsense that carries a right checksum must neither crash nor pass a rule unnoticed; what passes
   must be a page whose docs can be decoded, which the sanitizers watch. */
static void resealed_noise_is_harmless(void) {
  struct page_builder b;
  build(&b);
  int refused = 0;
  for (uint64_t run = 1; run <= 4000; run++) {
    uint64_t seed = run;
    load_page(b.pages);
    const uint32_t changes = 1 + check_random_below(&seed, 4);
    for (uint32_t i = 0; i < changes; i++) {
      const uint32_t at = 12 + check_random_below(&seed, run % 2 ? 240 : CSD_PAGE_BYTES - 12);
      page[at] = (uint8_t)check_random(&seed);
    }
    page_builder_seal(page);
    const int status = csd_page_check(page);
    CHECK(status == 0 || status == -CSD_STATUS_PAGE_CORRUPT);
    refused += status != 0;
  }
  CHECK(refused > 3000);
  page_builder_free(&b);
}

int main(void) {
  RUN(built_pages_pass);
  RUN(extreme_postings_pass);
  RUN(every_rule_is_checked);
  RUN(every_rule_about_bitmaps_is_checked);
  RUN(every_rule_about_freq_exceptions_is_checked);
  RUN(every_bit_is_under_the_checksum);
  RUN(resealed_noise_is_harmless);
  return check_result();
}
