/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/* READ_IDX against the pages themselves: it hands out each page that matches, and few others. */
#include <stdlib.h>

#include "core/columns/page/column_page.h"
#include "core/columns/page/stored_page.h"
#include "csd/csd.h"
#include "tests/support/check.h"
#include "tests/support/client.h"
#include "tests/support/page/column_builder.h"
#include "tests/support/page/lists.h"
#include "tests/support/page/page_builder.h"

enum { LBAS = 2000, DOCS = 300000, POSTINGS = 60000, ROOM = 64 + 255 * 4096 };
enum { COLUMN_STAMP = 7, LIST_STAMP = 8, COLUMN_LBA = 100, LIST_LBA = 1000 };

static uint8_t data[ROOM];

static int64_t put_rule(struct csd_queue *queue, const struct csd_page_rule *rule) {
  return client_run(queue, &(struct csd_submission){.opcode = CSD_OPCODE_PUT,
                                                    .command_id = 0x4321,
                                                    .nsid = 1,
                                                    .cdw10 = CSD_RESOURCE_RULE,
                                                    .cdw11 = sizeof *rule,
                                                    .cdw14 = sizeof *rule,
                                                    .data = (uint64_t)(uintptr_t)rule,
                                                    .data_bytes = sizeof *rule});
}

static int64_t read_idx(struct csd_queue *queue, uint64_t lba, uint32_t count, uint32_t rule,
                        uint32_t file_page) {
  return client_run(queue, &(struct csd_submission){.opcode = CSD_OPCODE_READ_IDX,
                                                    .command_id = 0x4321,
                                                    .nsid = 1,
                                                    .cdw10 = (uint32_t)lba,
                                                    .cdw11 = (uint32_t)(lba >> 32),
                                                    .cdw12 = count - 1,
                                                    .cdw13 = rule,
                                                    .cdw14 = file_page,
                                                    .data = (uint64_t)(uintptr_t)data,
                                                    .data_bytes = 64 + count * 4096});
}

static struct csd_index_matches matches_of(void) {
  struct csd_index_matches matches;
  memcpy(&matches, data, sizeof matches);
  return matches;
}

static void build_column_of(struct column_builder *b, int64_t (*value_of)(uint32_t, uint64_t *)) {
  static uint32_t docs[DOCS], first[DOCS + 1];
  static int64_t values[DOCS];
  uint64_t seed = 3;
  for (uint32_t i = 0; i < DOCS; i++) {
    docs[i] = first[i] = i;
    values[i] = value_of(i, &seed);
  }
  first[DOCS] = DOCS;
  struct csd_column_ref ref;
  column_builder_init(b, 5, COLUMN_STAMP, 0);
  column_builder_add(b, &(struct test_column){DOCS, DOCS, docs, first, values}, &ref);
}

/* Values that rise slowly, with some noise: ranges of neighbours overlap a little. */
static int64_t rising(uint32_t doc, uint64_t *seed) {
  return (int64_t)doc * 10 + check_random_below(seed, 5000);
}

static void build_column(struct column_builder *b) { build_column_of(b, rising); }

/* Keywords: the first, the last, and one of those between. */
static int64_t keyword(uint32_t doc, uint64_t *seed) {
  const int64_t both = 49 * (int64_t)check_random_below(seed, 2);
  return check_random_below(seed, 3) == 0 ? 1 + doc / 5000 * 7 % 48 : both;
}

/* Whether some value of a column page is wanted. */
static bool has_wanted_value(const uint8_t *bytes, const struct csd_page_rule *rule) {
  struct csd_column_page page;
  bool wanted = false;
  CHECK(csd_column_lay_out(bytes, &page));
  for (uint32_t i = 0; i < page.header.value_count; i++) {
    const int64_t value = csd_column_value(&page, i);
    wanted |= value >= rule->lo && value <= rule->hi;
  }
  return wanted;
}

/* Whether some doc and value of a column page are wanted, by its header. */
static bool page_matches(const uint8_t *page, const struct csd_page_rule *rule) {
  struct csd_column_page_header h;
  memcpy(&h, page, sizeof h);
  return h.first_doc < rule->limit_doc && h.first_doc + h.doc_span > rule->min_doc &&
         h.min <= rule->hi && h.max >= rule->lo;
}

static void column_pages_that_cannot_match_are_not_read(void) {
  struct csd_device *device = client_open("columns", LBAS, 1 << 20);
  struct csd_queue *queue = client_queue(device);
  struct column_builder b;
  build_column(&b);
  REQUIRE(b.page_count > 30 && b.page_count < 255);
  CHECK_EQ(0, client_write(queue, COLUMN_LBA, b.pages, b.page_count));
  uint64_t seed = 9;
  uint32_t handed_out = 0, wanted = 0;
  for (int round = 0; round < 200; round++) {
    struct csd_page_rule rule = {.stamp = COLUMN_STAMP, .limit_doc = DOCS, .max_norm = 255};
    rule.lo = (int64_t)check_random_below(&seed, DOCS * 10) - 100000;
    rule.hi = rule.lo + check_random_below(&seed, 300000);
    rule.min_doc = round % 3 == 0 ? check_random_below(&seed, DOCS) : 0;
    const int64_t number = put_rule(queue, &rule);
    REQUIRE(number > 0);
    const int64_t bytes = read_idx(queue, COLUMN_LBA, b.page_count, (uint32_t)number, 0);
    const struct csd_index_matches matches = matches_of();
    REQUIRE(bytes == 64 + (int64_t)matches.page_count * 4096);
    CHECK_EQ(b.page_count, matches.known_count);
    const uint8_t *next = data + 64;
    for (uint32_t i = 0; i < b.page_count; i++) {
      const uint8_t *page = b.pages + (size_t)i * 4096;
      const bool given = (matches.bitmap[i / 64] >> (i % 64) & 1u) != 0;
      CHECK(given || !page_matches(page, &rule));
      CHECK(!given || memcmp(next, page, 4096) == 0);
      next += given ? 4096 : 0;
      wanted += page_matches(page, &rule);
    }
    handed_out += matches.page_count;
    client_drop(queue, (uint32_t)number);
  }
  CHECK_EQ(wanted, handed_out); /* of small values the entries are exact */
  column_builder_free(&b);
  csd_device_close(device);
  csd_queue_destroy(queue);
}

static void column_pages_without_a_wanted_keyword_are_not_read(void) {
  struct csd_device *device = client_open("keywords", LBAS, 1 << 20);
  struct csd_queue *queue = client_queue(device);
  struct column_builder b;
  build_column_of(&b, keyword);
  REQUIRE(b.page_count > 30);
  const uint32_t count = b.page_count < 255 ? b.page_count : 255;
  CHECK_EQ(0, client_write(queue, COLUMN_LBA, b.pages, count));
  uint32_t handed_out = 0, by_header = 0;
  for (int64_t lo = 0; lo < 49; lo++) {
    const struct csd_page_rule rule = {
        .stamp = COLUMN_STAMP, .lo = lo, .hi = lo + lo % 3, .limit_doc = DOCS, .max_norm = 255};
    const int64_t number = put_rule(queue, &rule);
    CHECK(read_idx(queue, COLUMN_LBA, count, (uint32_t)number, 0) >= 64);
    const struct csd_index_matches matches = matches_of();
    CHECK_EQ(count, matches.known_count);
    for (uint32_t i = 0; i < count; i++) {
      const uint8_t *page = b.pages + (size_t)i * 4096;
      CHECK_EQ(has_wanted_value(page, &rule), matches.bitmap[i / 64] >> (i % 64) & 1u);
      by_header += page_matches(page, &rule);
    }
    handed_out += matches.page_count;
    client_drop(queue, (uint32_t)number);
  }
  CHECK_MSG(handed_out < by_header / 4, "%u of %u pages", handed_out, by_header);
  column_builder_free(&b);
  csd_device_close(device);
  csd_queue_destroy(queue);
}

static void posting_pages_are_compared_by_docs_and_impacts(void) {
  struct csd_device *device = client_open("postings", LBAS, 1 << 20);
  struct csd_queue *queue = client_queue(device);
  uint64_t seed = 4;
  struct test_list list = test_list_random(&seed, POSTINGS, 9);
  struct page_builder b;
  struct csd_list_ref ref;
  page_builder_init(&b, LIST_STAMP, 0);
  page_builder_add(&b, list.docs, list.freqs, list.norms, list.count, &ref);
  page_builder_finish(&b);
  REQUIRE(b.page_count > 5);
  CHECK_EQ(0, client_write(queue, LIST_LBA, b.pages, b.page_count));
  struct csd_page_rule rule = {.stamp = LIST_STAMP, .max_norm = 255};
  rule.min_doc = list.docs[POSTINGS / 3], rule.limit_doc = list.docs[POSTINGS / 2];
  int64_t number = put_rule(queue, &rule);
  CHECK(read_idx(queue, LIST_LBA, b.page_count, (uint32_t)number, 0) > 64);
  struct csd_index_matches matches = matches_of();
  CHECK_EQ(b.page_count, matches.known_count);
  CHECK(matches.page_count > 0 && matches.page_count < b.page_count);
  for (uint32_t i = 0; i < b.page_count; i++) {
    const struct csd_stored_page page = csd_stored_page_of(b.pages + (size_t)i * 4096);
    const bool overlaps =
        page.range.lead_first_doc < rule.limit_doc && page.range.lead_last_doc >= rule.min_doc;
    CHECK_EQ(overlaps, matches.bitmap[i / 64] >> (i % 64) & 1u);
  }
  /* Of the highest freqs and the lowest norms: by the pairs of each page's impacts. */
  rule = (struct csd_page_rule){
      .stamp = LIST_STAMP, .limit_doc = CSD_MAX_DOC, .min_freq = 200, .max_norm = 2};
  number = put_rule(queue, &rule);
  CHECK(read_idx(queue, LIST_LBA, b.page_count, (uint32_t)number, 0) >= 64);
  matches = matches_of();
  for (uint32_t i = 0; i < b.page_count; i++) {
    uint64_t impacts = csd_stored_page_of(b.pages + (size_t)i * 4096).range.lead_impacts;
    bool wanted = impacts == 0;
    for (; impacts != 0; impacts >>= 16) {
      wanted |= (impacts & 0xFF) >= 200 && (impacts >> 8 & 0xFF) <= 2;
    }
    CHECK_EQ(wanted, matches.bitmap[i / 64] >> (i % 64) & 1u);
  }
  CHECK(matches.page_count < b.page_count);
  page_builder_free(&b);
  test_list_free(&list);
  csd_device_close(device);
  csd_queue_destroy(queue);
}

static void what_is_unknown_may_match(void) {
  struct csd_device *device = client_open("unknown", LBAS, 1 << 20);
  struct csd_queue *queue = client_queue(device);
  struct column_builder b;
  build_column(&b);
  CHECK_EQ(0, client_write(queue, COLUMN_LBA, b.pages, 20));
  const struct csd_page_rule rule = {
      .stamp = COLUMN_STAMP, .lo = -9, .hi = -1, .limit_doc = DOCS, .max_norm = 255};
  const uint32_t number = (uint32_t)put_rule(queue, &rule);
  CHECK_EQ(64, read_idx(queue, COLUMN_LBA, 20, number, 0));            /* nothing below 0 */
  CHECK_EQ(64 + 5 * 4096, read_idx(queue, COLUMN_LBA, 25, number, 0)); /* five are no pages */
  CHECK_EQ(20, matches_of().known_count);
  CHECK_EQ(64 + 20 * 4096, read_idx(queue, COLUMN_LBA, 20, number, 1)); /* other pages */
  CHECK_EQ(-CSD_STATUS_OUT_OF_RANGE, read_idx(queue, LBAS - 1, 2, number, 0));
  CHECK_EQ(-CSD_STATUS_OUT_OF_RANGE, read_idx(queue, UINT64_MAX, 2, number, 0));
  column_builder_free(&b);
  csd_device_close(device);
  csd_queue_destroy(queue);
}

static void bad_rules_are_refused(void) {
  struct csd_device *device = client_open("rules", LBAS, 1 << 20);
  struct csd_queue *queue = client_queue(device);
  const struct csd_page_rule bad[] = {
      {.lo = 1}, {.min_doc = 1}, {.limit_doc = CSD_MAX_DOC + 1u}, {.reserved = {0, 0, 0, 0, 0, 1}}};
  for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
    const int64_t number = put_rule(queue, &bad[i]);
    CHECK(number > 0);
    CHECK_EQ(-CSD_STATUS_INVALID_FIELD, read_idx(queue, 0, 1, (uint32_t)number, 0));
    CHECK(strstr(csd_last_error(), "rule: field") != NULL);
  }
  const int64_t live = client_live_docs(queue, data, 64);
  CHECK(live > 0);
  CHECK_EQ(-CSD_STATUS_NO_RESOURCE, read_idx(queue, 0, 1, (uint32_t)live, 0));
  CHECK_EQ(-CSD_STATUS_NO_RESOURCE, read_idx(queue, 0, 1, 0, 0));
  CHECK_EQ(-CSD_STATUS_INVALID_FIELD, read_idx(queue, 0, 256, 1, 0));
  csd_device_close(device);
  csd_queue_destroy(queue);
}

int main(void) {
  RUN(column_pages_that_cannot_match_are_not_read);
  RUN(column_pages_without_a_wanted_keyword_are_not_read);
  RUN(posting_pages_are_compared_by_docs_and_impacts);
  RUN(what_is_unknown_may_match);
  RUN(bad_rules_are_refused);
  return check_result();
}
