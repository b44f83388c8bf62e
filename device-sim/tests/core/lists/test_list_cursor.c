/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
#include <stdlib.h>
#include <string.h>

#include "core/lists/list_cursor.h"
#include "tests/support/check.h"
#include "tests/support/page/lists.h"
#include "tests/support/plan/plan_support.h"

/* A list between two others, so that it starts and ends in the middle of pages. */
struct fixture {
  struct test_list list;
  struct csd_list_ref ref;
  struct page_builder builder;
  struct array_source source;
  struct csd_extent extents[64];
  struct csd_work work;
  struct csd_list_cursor cursor;
};

static uint32_t end_of(const struct fixture *fixture) {
  return fixture->list.docs[fixture->list.count - 1] + 1;
}

static void open_cursor(struct fixture *fixture) {
  struct csd_list_ref ref = fixture->ref;
  ref.extent_count = (uint16_t)array_source_extents(&fixture->source, fixture->extents, 64);
  memset(&fixture->work, 0, sizeof fixture->work);
  csd_list_cursor_open(&fixture->cursor, &ref, fixture->extents, CSD_MAX_DOC,
                       &fixture->source.source, csd_kernels_choose(), &fixture->work);
}

static void make_fixture(struct fixture *fixture, uint64_t seed, uint32_t count, uint32_t gap) {
  memset(fixture, 0, sizeof *fixture);
  struct csd_list_ref ignored;
  struct test_list other = test_list_random(&seed, 700, 5);
  fixture->list = test_list_random(&seed, count, gap);
  page_builder_init(&fixture->builder, 77, 1);
  page_builder_add(&fixture->builder, other.docs, other.freqs, other.norms, other.count, &ignored);
  page_builder_add(&fixture->builder, fixture->list.docs, fixture->list.freqs, fixture->list.norms,
                   count, &fixture->ref);
  page_builder_add(&fixture->builder, other.docs, other.freqs, other.norms, other.count, &ignored);
  page_builder_finish(&fixture->builder);
  array_source_init(&fixture->source, &fixture->builder, 3);
  test_list_free(&other);
  open_cursor(fixture);
}

static void free_fixture(struct fixture *fixture) {
  csd_list_cursor_close(&fixture->cursor);
  CHECK_EQ(0, fixture->source.pins_held);
  test_list_free(&fixture->list);
  array_source_free(&fixture->source);
  page_builder_free(&fixture->builder);
}

static void every_block(void) {
  for (uint32_t count = 1; count < 60000; count = count * 3 + 1) {
    struct fixture fixture;
    make_fixture(&fixture, count, count, 1 + count % 7);
    struct csd_list_cursor *cursor = &fixture.cursor;
    uint32_t seen = 0;
    for (uint32_t target = 0; seen < count; target = cursor->block_end) {
      REQUIRE_OK(csd_list_cursor_seek(cursor, target));
      REQUIRE(cursor->block_end != CSD_CURSOR_END);
      REQUIRE(seen + cursor->count <= count);
      REQUIRE_OK(csd_list_cursor_load_docs(cursor));
      REQUIRE_OK(csd_list_cursor_load_freqs(cursor));
      REQUIRE_OK(csd_list_cursor_load_norms(cursor));
      const size_t n = cursor->count;
      CHECK(memcmp(cursor->docs, fixture.list.docs + seen, n * 4) == 0);
      CHECK(memcmp(cursor->freqs, fixture.list.freqs + seen, n * 4) == 0);
      CHECK(memcmp(cursor->norms, fixture.list.norms + seen, n) == 0);
      seen += cursor->count;
    }
    CHECK_OK(csd_list_cursor_seek(cursor, end_of(&fixture)));
    CHECK_EQ(CSD_CURSOR_END, cursor->block_end);
    CHECK_EQ(count, fixture.work.postings_decoded + (fixture.ref.page_count == 0));
    free_fixture(&fixture);
  }
}

/* After each seek the block must be the one that holds the first posting at or after the target. */
static void random_seeks(void) {
  uint64_t random = 8;
  for (uint32_t round = 0; round < 200; round++) {
    struct fixture fixture;
    const uint32_t count = 1 + check_random_below(&random, 20000);
    make_fixture(&fixture, round, count, 1 + check_random_below(&random, 300));
    fixture.source.has_index = round % 4 != 0;
    struct csd_list_cursor *cursor = &fixture.cursor;
    const uint32_t stride = 1 + end_of(&fixture) / (1 + check_random_below(&random, 100));
    uint32_t at = 0; /* first posting at or after the target */
    for (uint32_t target = 0; target < end_of(&fixture);
         target += 1 + check_random_below(&random, stride)) {
      while (fixture.list.docs[at] < target) {
        at++;
      }
      REQUIRE_OK(csd_list_cursor_seek(cursor, target));
      REQUIRE(cursor->block_end != CSD_CURSOR_END);
      CHECK(cursor->block_end > fixture.list.docs[at]);
      CHECK(csd_list_cursor_block_start(cursor) <= fixture.list.docs[at]);
      REQUIRE_OK(csd_list_cursor_load_docs(cursor));
      CHECK_EQ(fixture.list.docs[at], cursor->docs[at % CSD_BLOCK_POSTINGS]);
      const uint8_t position = (uint8_t)(at % CSD_BLOCK_POSTINGS);
      uint32_t freq;
      uint8_t norm;
      REQUIRE_OK(csd_list_cursor_gather(cursor, &position, 1, &freq, &norm));
      CHECK_EQ(fixture.list.freqs[at], freq);
      CHECK_EQ(fixture.list.norms[at], norm);
      CHECK(fixture.source.pins_held <= 1);
    }
    csd_list_cursor_rewind(cursor);
    CHECK_EQ(0, fixture.source.pins_held);
    REQUIRE_OK(csd_list_cursor_seek(cursor, 0));
    REQUIRE_OK(csd_list_cursor_load_docs(cursor));
    CHECK_EQ(fixture.list.docs[0], cursor->docs[0]);
    free_fixture(&fixture);
  }
}

/* With the page index, a far seek reads the page that it ends in and no other. */
static void reads_only_the_page(void) {
  struct fixture fixture;
  make_fixture(&fixture, 3, 50000, 10);
  CHECK(fixture.ref.page_count > 8);
  REQUIRE_OK(csd_list_cursor_seek(&fixture.cursor, end_of(&fixture) / 2));
  CHECK_EQ(1, fixture.work.pages_read);
  REQUIRE_OK(csd_list_cursor_seek(&fixture.cursor, end_of(&fixture)));
  CHECK_EQ(CSD_CURSOR_END, fixture.cursor.block_end);
  CHECK_EQ(1, fixture.work.pages_read);
  free_fixture(&fixture);
}

/* Whether some pair of the words bounds a posting. */
static bool covers(const uint64_t *words, unsigned n, uint32_t freq, uint8_t norm) {
  bool covered = false;
  for (unsigned w = 0; w < 4 * n && !covered; w++) {
    const uint64_t pair = words[w / 4] >> (w % 4 * 16);
    const uint32_t most = pair & 0xFF;
    covered = words[w / 4] == 0 || ((most == CSD_IMPACT_FREQ_UNBOUNDED || most >= freq) &&
                                    (pair >> 8 & 0xFF) <= norm && most > 0);
  }
  return covered;
}

/* Whether the postings from `target` to the end of the block are where it says, and bounded. */
static void check_bounds(const struct fixture *fixture, uint32_t target) {
  const struct csd_list_cursor *cursor = &fixture->cursor;
  const uint32_t start = csd_list_cursor_block_start(cursor);
  for (uint32_t i = 0; i < fixture->list.count; i++) {
    const uint32_t doc = fixture->list.docs[i];
    if (doc >= target && doc < cursor->block_end) {
      CHECK_MSG(doc >= start && covers(&cursor->block_impacts, 1, fixture->list.freqs[i],
                                       fixture->list.norms[i]),
                "doc %u behind %u, block from %u to %u", doc, target, start, cursor->block_end);
    }
  }
}

/* What a cursor says of pages that it has not read holds, and a seek from there finds the docs. */
static void approaches(void) {
  uint64_t random = 13;
  uint32_t unread = 0;
  for (uint32_t round = 0; round < 150 && check_failures == 0; round++) {
    struct fixture fixture;
    const uint32_t count = 1 + check_random_below(&random, 20000);
    make_fixture(&fixture, round, count, 1 + check_random_below(&random, 100));
    fixture.source.has_index = round % 5 != 0;
    struct csd_list_cursor *cursor = &fixture.cursor;
    const uint32_t stride = 1 + end_of(&fixture) / (1 + check_random_below(&random, 60));
    uint32_t at = 0; /* first posting at or after the target */
    for (uint32_t target = 0; target < end_of(&fixture);
         target += 1 + check_random_below(&random, stride)) {
      while (fixture.list.docs[at] < target) {
        at++;
      }
      const uint32_t pages = fixture.work.pages_read;
      REQUIRE_OK(csd_list_cursor_approach(cursor, target));
      CHECK(cursor->block_end > target);
      CHECK(!cursor->unread || fixture.work.pages_read == pages);
      check_bounds(&fixture, target);
      unread += cursor->unread;
      if (check_random_below(&random, 3) == 0) {
        REQUIRE_OK(csd_list_cursor_seek(cursor, target));
        CHECK(!cursor->unread && cursor->block_end > fixture.list.docs[at]);
        REQUIRE_OK(csd_list_cursor_load_docs(cursor));
        CHECK_EQ(fixture.list.docs[at], cursor->docs[at % CSD_BLOCK_POSTINGS]);
      }
    }
    REQUIRE_OK(csd_list_cursor_approach(cursor, CSD_MAX_DOC - 1));
    REQUIRE_OK(csd_list_cursor_seek(cursor, CSD_MAX_DOC - 1));
    CHECK_EQ(CSD_CURSOR_END, cursor->block_end);
    free_fixture(&fixture);
  }
  CHECK(unread > 500);
}

/* The impacts of a range must cover the (freq, norm) of every posting in it. */
static void range_impacts(void) {
  uint64_t random = 5;
  for (uint32_t round = 0; round < 50; round++) {
    struct fixture fixture;
    make_fixture(&fixture, round, 3000 + round * 100, 7);
    for (uint32_t target = 0; target < end_of(&fixture);
         target += 1 + check_random_below(&random, 3000)) {
      REQUIRE_OK(target % 2 == 0 ? csd_list_cursor_seek(&fixture.cursor, target)
                                 : csd_list_cursor_approach(&fixture.cursor, target));
      const uint32_t to = target + 1 + check_random_below(&random, 20000);
      uint64_t words[CSD_RANGE_IMPACTS];
      const unsigned n = csd_list_cursor_range_impacts(&fixture.cursor, to, words);
      for (uint32_t i = 0; i < fixture.list.count; i++) {
        if (fixture.list.docs[i] < target || fixture.list.docs[i] >= to) {
          continue;
        }
        CHECK_MSG(covers(words, n, fixture.list.freqs[i], fixture.list.norms[i]),
                  "round %u, doc %u", round, fixture.list.docs[i]);
      }
    }
    free_fixture(&fixture);
  }
}

static int walk(struct fixture *fixture) {
  struct csd_list_cursor *cursor = &fixture->cursor;
  for (uint32_t target = 0;; target = cursor->block_end) {
    int status = csd_list_cursor_seek(cursor, target);
    if (status < 0 || cursor->block_end == CSD_CURSOR_END) {
      return status;
    }
    status = csd_list_cursor_load_docs(cursor);
    if (status < 0) {
      return status;
    }
  }
}

/* An entry need not be aligned. */
struct any_entry {
  struct csd_block_entry entry;
} __attribute__((packed));

static struct any_entry *entry_at(struct fixture *fixture, uint32_t page, uint32_t slot) {
  uint8_t *bytes = array_source_page(&fixture->source, fixture->ref.first_page + page);
  uint16_t blocks;
  memcpy(&blocks, bytes + offsetof(struct csd_page_header, block_count), 2);
  return (struct any_entry *)(void *)(bytes + sizeof(struct csd_page_header) + 4u * blocks +
                                      slot * sizeof(struct csd_block_entry));
}

static struct csd_page_header *header_at(struct fixture *fixture, uint32_t page) {
  return (void *)array_source_page(&fixture->source, fixture->ref.first_page + page);
}

#define CORRUPT(CHANGE)                                    \
  do {                                                     \
    struct fixture fixture;                                \
    make_fixture(&fixture, 12, 20000, 40);                 \
    CHECK_OK(walk(&fixture));                              \
    open_cursor(&fixture);                                 \
    CHANGE;                                                \
    open_cursor(&fixture);                                 \
    CHECK_STATUS(CSD_STATUS_LIST_CORRUPT, walk(&fixture)); \
    free_fixture(&fixture);                                \
  } while (0)

static void corrupt_lists(void) {
  CORRUPT(fixture.ref.posting_count--);
  CORRUPT(fixture.ref.posting_count += 128);
  CORRUPT(fixture.ref.slot++);
  CORRUPT(fixture.ref.slot--);
  CORRUPT(fixture.ref.page_count--);
  CORRUPT(header_at(&fixture, 1)->lead_base_doc++);
  CORRUPT(header_at(&fixture, 1)->lead_base_doc = CSD_NO_DOC);
  CORRUPT(entry_at(&fixture, 1, 1)->entry.count = 127);
  CORRUPT(entry_at(&fixture, 1, 1)->entry.flags = CSD_BLOCK_FLAG_LAST_OF_LIST);
  CORRUPT(entry_at(&fixture, 1, 1)->entry.flags = CSD_BLOCK_FLAG_FIRST_OF_LIST);
  CORRUPT(entry_at(&fixture, 0, fixture.ref.slot)->entry.flags = 0);
  CORRUPT(entry_at(&fixture, 1, 1)->entry.doc_bits = 32);
  CORRUPT(entry_at(&fixture, 1, 1)->entry.offset = 4095);
  CORRUPT(entry_at(&fixture, 1, 1)->entry.doc_bits ^= 1);
}

/* A page that nobody has checked must not lead the cursor out of it: moves and fills a bitmap. */
static void corrupt_bitmap(uint16_t move, int fill) {
  struct fixture fixture;
  make_fixture(&fixture, 12, 20000, 4);
  struct any_entry *any = entry_at(&fixture, 1, 1);
  CHECK(any->entry.flags & CSD_BLOCK_FLAG_DOC_BITMAP);
  uint8_t *page = array_source_page(&fixture.source, fixture.ref.first_page + 1);
  if (fill >= 0) {
    memset(page + any->entry.offset, fill, 64);
  }
  any->entry.offset = (uint16_t)(any->entry.offset + move);
  CHECK_STATUS(CSD_STATUS_LIST_CORRUPT, walk(&fixture));
  free_fixture(&fixture);
}

static void corrupt_bitmaps(void) {
  corrupt_bitmap(1, -1);
  corrupt_bitmap(4000, -1);
  corrupt_bitmap(60000, -1);
  corrupt_bitmap(0, 0);
  corrupt_bitmap(0, 0xFF);
  corrupt_bitmap(0, 1);
}

/* Blocks are bitmaps where docs are dense, and know where their bits are. */
static void bitmaps(void) {
  static const uint32_t gaps[] = {1, 2, 4, 40};
  for (uint32_t i = 0; i < 4; i++) {
    struct fixture fixture;
    make_fixture(&fixture, 3, 5000, gaps[i]);
    struct csd_list_cursor *cursor = &fixture.cursor;
    for (uint32_t at = 0; at < 5000; at += cursor->count) {
      REQUIRE_OK(csd_list_cursor_seek(cursor, fixture.list.docs[at]));
      const uint32_t words = (cursor->block_end - 1u - cursor->block_base + 63u) / 64u;
      CHECK_EQ(gaps[i] < 40, cursor->bitmap != NULL);
      if (cursor->bitmap == NULL) {
        continue;
      }
      CHECK_EQ(words, csd_list_cursor_bitmap_words(cursor));
      for (uint32_t p = 0; p < cursor->count; p++) {
        const uint32_t bit = fixture.list.docs[at + p] - cursor->block_base - 1u;
        CHECK(cursor->bitmap[bit / 8] >> (bit % 8) & 1);
      }
    }
    free_fixture(&fixture);
  }
}

static void max_doc_is_checked(void) {
  struct fixture fixture;
  make_fixture(&fixture, 2, 5000, 9);
  fixture.cursor.max_doc = end_of(&fixture);
  CHECK_OK(walk(&fixture));
  open_cursor(&fixture);
  fixture.cursor.max_doc = end_of(&fixture) - 1;
  CHECK_STATUS(CSD_STATUS_LIST_CORRUPT, walk(&fixture));
  free_fixture(&fixture);
}

static void failing_pin(void) {
  struct fixture fixture;
  make_fixture(&fixture, 2, 50000, 9);
  fixture.source.pins_to_failure = 3;
  CHECK_STATUS(CSD_STATUS_IO_ERROR, walk(&fixture));
  free_fixture(&fixture);
}

/* Widths up to 31 and sums that would wrap round. */
static void wide_deltas(void) {
  const uint32_t docs[] = {0x7FFFFF00u, 0x7FFFFF7Fu};
  const uint32_t freqs[] = {1, 0x7FFFFFFFu};
  const uint8_t norms[] = {0, 255};
  struct csd_list_ref ref;
  struct fixture fixture;
  memset(&fixture, 0, sizeof fixture);
  page_builder_init(&fixture.builder, 77, 1);
  page_builder_add(&fixture.builder, docs, freqs, norms, 2, &ref);
  page_builder_finish(&fixture.builder);
  array_source_init(&fixture.source, &fixture.builder, 3);
  fixture.ref = ref;
  open_cursor(&fixture);
  REQUIRE_OK(csd_list_cursor_seek(&fixture.cursor, 5));
  REQUIRE_OK(csd_list_cursor_load_docs(&fixture.cursor));
  REQUIRE_OK(csd_list_cursor_load_freqs(&fixture.cursor));
  REQUIRE_OK(csd_list_cursor_load_norms(&fixture.cursor));
  CHECK(memcmp(fixture.cursor.docs, docs, sizeof docs) == 0);
  CHECK(memcmp(fixture.cursor.freqs, freqs, sizeof freqs) == 0);
  CHECK(memcmp(fixture.cursor.norms, norms, sizeof norms) == 0);
  csd_list_cursor_close(&fixture.cursor);
  /* All ones in the doc column: the sum wraps round. */
  const struct any_entry *any = entry_at(&fixture, 0, 0);
  memset(array_source_page(&fixture.source, 1) + any->entry.offset, 0xFF, 8);
  open_cursor(&fixture);
  CHECK_STATUS(CSD_STATUS_LIST_CORRUPT, walk(&fixture));
  csd_list_cursor_close(&fixture.cursor);
  array_source_free(&fixture.source);
  page_builder_free(&fixture.builder);
}

int main(void) {
  RUN(every_block);
  RUN(random_seeks);
  RUN(reads_only_the_page);
  RUN(approaches);
  RUN(range_impacts);
  RUN(corrupt_lists);
  RUN(bitmaps);
  RUN(corrupt_bitmaps);
  RUN(max_doc_is_checked);
  RUN(failing_pin);
  RUN(wide_deltas);
  return check_result();
}
