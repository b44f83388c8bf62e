/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/* What csd_column_check refuses, by its message, and that it survives whatever bytes it gets. */
#include <stdlib.h>
#include <string.h>

#include "core/columns/page/column_check.h"
#include "core/columns/page/column_page.h"
#include "tests/support/check.h"
#include "tests/support/page/column_builder.h"

enum { DOCS = 600 };

/* A page with 64 bytes behind it that may be read. */
struct page {
  uint8_t bytes[CSD_PAGE_BYTES + 64];
};

static struct csd_column_page_header *header_of(struct page *page) {
  return (struct csd_column_page_header *)(void *)page->bytes;
}

/* A page of that presence and those flags; tries seeds until the builder makes one. */
static struct page make(unsigned presence, unsigned flags) {
  uint32_t docs[DOCS], first[2 * DOCS];
  int64_t values[2 * DOCS];
  for (uint64_t seed = 1; seed < 10000; seed++) {
    uint64_t random = seed;
    const bool dense = presence == CSD_COLUMN_PRESENCE_ALL;
    const bool multi = (flags & CSD_COLUMN_FLAG_MULTI) != 0;
    uint32_t v = 0;
    for (uint32_t i = 0; i < DOCS; i++) {
      docs[i] = dense ? i : 3 * i + 1;
      first[i] = v;
      values[v++] = 5 * (int64_t)check_random_below(&random, 12);
      if (multi && i % 3 == 0) {
        values[v] = values[v - 1] + 5;
        v++;
      }
    }
    first[DOCS] = v;
    const struct test_column column = {
        .doc_count = DOCS, .value_count = v, .docs = docs, .first = first, .values = values};
    struct column_builder builder;
    struct csd_column_ref ref;
    column_builder_init(&builder, seed, 77, 1);
    column_builder_add(&builder, &column, &ref);
    struct page page = {{0}};
    memcpy(page.bytes, builder.pages, CSD_PAGE_BYTES);
    column_builder_free(&builder);
    if (header_of(&page)->presence == presence && header_of(&page)->flags == flags &&
        header_of(&page)->doc_count > 200) {
      return page;
    }
  }
  abort();
}

static void refuses(struct page page, const char *what) {
  column_builder_seal(page.bytes);
  CHECK_MSG(csd_column_check(page.bytes) == -CSD_STATUS_PAGE_CORRUPT, "%s", what);
}

#define REFUSES(good, change)                           \
  do {                                                  \
    struct page bad = good;                             \
    struct csd_column_page_header *h = header_of(&bad); \
    (void)h;                                            \
    change;                                             \
    refuses(bad, #change);                              \
  } while (0)

/* The parts of a page that is good so far. */
static struct csd_column_page parts_of(const struct page *page) {
  struct csd_column_page parts;
  CHECK(csd_column_lay_out(page->bytes, &parts));
  return parts;
}

static void headers_are_checked(void) {
  const struct page page = make(CSD_COLUMN_PRESENCE_ALL, 0);
  CHECK_OK(csd_column_check(page.bytes));
  CHECK(csd_column_has_magic(page.bytes));
  REFUSES(page, h->magic = CSD_PAGE_MAGIC);
  REFUSES(page, h->presence = 0);
  REFUSES(page, h->presence = 4);
  REFUSES(page, h->flags = 4);
  REFUSES(page, h->first_doc = CSD_MAX_DOC);
  REFUSES(page, h->first_doc = CSD_MAX_DOC - 128);
  REFUSES(page, h->doc_span++);
  REFUSES(page, h->doc_count = 0);
  REFUSES(page, h->doc_count++);
  REFUSES(page, h->value_count++);
  REFUSES(page, h->min++);
  REFUSES(page, h->min = h->max + 1);
  REFUSES(page, h->max += (int64_t)h->unit);
  REFUSES(page, h->unit = 0);
  REFUSES(page, h->unit++);
  REFUSES(page, h->value_bits = 65);
  REFUSES(page, h->value_bits++);
  REFUSES(page, h->doc_bits = 1);
  REFUSES(page, h->count_bits = 1);
  REFUSES(page, h->reserved0 = 1);
  REFUSES(page, h->reserved1 = 1);
  REFUSES(page, h->used_bytes++);
  REFUSES(page, bad.bytes[CSD_PAGE_BYTES - 1] = 1);
  struct page bad = page;
  header_of(&bad)->version++;
  CHECK_STATUS(CSD_STATUS_UNSUPPORTED_VERSION, csd_column_check(bad.bytes));
  bad = page;
  bad.bytes[100] ^= 1;
  CHECK_STATUS(CSD_STATUS_PAGE_CORRUPT, csd_column_check(bad.bytes));
}

static void parts_are_checked(void) {
  const struct page bitmap = make(CSD_COLUMN_PRESENCE_BITMAP, CSD_COLUMN_FLAG_TABLE);
  struct csd_column_page at = parts_of(&bitmap);
  CHECK_OK(csd_column_check(bitmap.bytes));
  REFUSES(bitmap, bad.bytes[at.table_at] ^= 1);
  REFUSES(bitmap, bad.bytes[at.table_at + 8] = bad.bytes[at.table_at]);
  REFUSES(bitmap, bad.bytes[at.docs_at] ^= 1);
  REFUSES(bitmap, bad.bytes[at.docs_at + 1] ^= 1);
  REFUSES(bitmap, bad.bytes[at.ranks_at + 2] ^= 1);
  const struct page list = make(CSD_COLUMN_PRESENCE_LIST, CSD_COLUMN_FLAG_MULTI);
  at = parts_of(&list);
  CHECK_OK(csd_column_check(list.bytes));
  REFUSES(list, bad.bytes[at.docs_at + 10] = 0);
  REFUSES(list, h->doc_span++);
  REFUSES(list, bad.bytes[at.starts_at + 2] ^= 1);
  REFUSES(list, bad.bytes[at.counts_at] ^= 1);
  REFUSES(list, h->value_count = CSD_MAX_COLUMN_VALUES + 1);
}

/* Values of no bits are as many as the header says, without a byte for any. */
static void a_constant_takes_no_time(void) {
  struct page page = {{0}};
  struct csd_column_page_header *h = header_of(&page);
  *h = (struct csd_column_page_header){.magic = CSD_COLUMN_MAGIC,
                                       .version = CSD_WIRE_VERSION,
                                       .presence = CSD_COLUMN_PRESENCE_ALL,
                                       .doc_span = CSD_MAX_DOC,
                                       .doc_count = CSD_MAX_DOC,
                                       .value_count = CSD_MAX_DOC,
                                       .min = -9,
                                       .max = -9,
                                       .unit = 1,
                                       .used_bytes = sizeof *h};
  column_builder_seal(page.bytes);
  CHECK_OK(csd_column_check(page.bytes));
}

/* Any bytes behind a right checksum: refused or not, but never a crash. Whatever passes is read. */
static void survives_anything(void) {
  uint64_t random = 5;
  uint32_t passed = 0;
  for (uint32_t round = 0; round < 20000; round++) {
    static const unsigned flags[] = {0, 1, 2, 3};
    static struct page pages[3][4];
    static bool made;
    for (uint32_t i = 0; i < 12 && !made; i++) {
      pages[i / 4][i % 4] = make(1 + i / 4, flags[i % 4]);
    }
    made = true;
    struct page page = pages[check_random_below(&random, 3)][check_random_below(&random, 4)];
    const uint32_t changes = 1 + check_random_below(&random, 4);
    for (uint32_t i = 0; i < changes; i++) {
      const uint32_t within = check_random_below(&random, 2) == 0 ? 72 : 1200;
      page.bytes[check_random_below(&random, within)] = (uint8_t)check_random(&random);
    }
    column_builder_seal(page.bytes);
    if (csd_column_check(page.bytes) != 0) {
      continue;
    }
    passed++;
    const struct csd_column_page parts = parts_of(&page);
    const struct csd_column_page_header *h = &parts.header;
    for (uint32_t i = 0; i < h->doc_count && i < 2000; i++) {
      const uint32_t doc = csd_column_doc(&parts, i);
      uint32_t rank = 0;
      CHECK(csd_column_find(&parts, doc, &rank) && rank == i);
      const int64_t value = csd_column_value(&parts, csd_column_first_value(&parts, i));
      CHECK(value >= h->min && value <= h->max);
    }
  }
  CHECK_MSG(passed > 20, "%u pages passed", passed);
}

int main(void) {
  RUN(headers_are_checked);
  RUN(parts_are_checked);
  RUN(a_constant_takes_no_time);
  RUN(survives_anything);
  return check_result();
}
