/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/* How often plans that read a column wait for a drive: some times, and not once a page. */
#include <stdlib.h>

#include "device/run/device_parts.h"
#include "tests/support/check.h"
#include "tests/support/client.h"
#include "tests/support/page/column_builder.h"
#include "tests/support/plan/plan_support.h"
#include "tests/support/slow_drive.h"

enum { LBAS = 1 << 14, FIRST_LBA = 600, FRAMES = 4000, DOCS = 120000, STAMP = 77 };
enum { MIDDLE = 1 << 19, END = 1 << 20 };
enum { WRITTEN_AT_ONCE = 16, MIN_PAGES = 60 };

static struct csd_device *device;
static struct csd_queue *queue;
static uint32_t session;
static uint32_t docs[DOCS], first[DOCS + 1];
static int64_t values[DOCS];
static struct csd_column_ref ref;
static struct test_plan plan;
static uint8_t bytes[1 << 16];
static uint64_t result[CSD_MAX_RESULT_BYTES / 8];

static void open_device(void) {
  device = client_open("columns_ahead", LBAS, (uint64_t)FRAMES * CSD_FRAME_BYTES);
  queue = client_queue(device);
  session = (uint32_t)client_session(queue, 4 << 20);
}

static void close_device(void) {
  csd_queue_destroy(queue);
  csd_device_close(device);
}

/* A device with a column of random values, which nothing of is in memory. */
static void start(void) {
  uint64_t random = 4;
  for (uint32_t i = 0; i < DOCS; i++) {
    docs[i] = i;
    first[i] = i;
    values[i] = (int64_t)(check_random(&random) % END);
  }
  first[DOCS] = DOCS;
  struct column_builder builder;
  column_builder_init(&builder, 5, STAMP, 0);
  column_builder_add(&builder, &(struct test_column){DOCS, DOCS, docs, first, values}, &ref);
  open_device();
  for (uint32_t page = 0; page < builder.page_count; page += WRITTEN_AT_ONCE) {
    const uint32_t left = builder.page_count - page;
    CHECK_EQ(0, client_write(queue, FIRST_LBA + page, builder.pages + (size_t)page * CSD_PAGE_BYTES,
                             left < WRITTEN_AT_ONCE ? left : WRITTEN_AT_ONCE));
  }
  column_builder_free(&builder);
  REQUIRE(ref.page_count >= MIN_PAGES);
  close_device();
  open_device();
  slow_drive_start();
}

static void stop(void) {
  slow_drive_stop();
  close_device();
}

static void begin_plan(void) {
  test_plan_init(&plan, DOCS);
  plan.header.node_count = plan.header.column_count = plan.header.range_count = 0;
  plan.extents[0] = (struct csd_extent){.page_count = ref.page_count, .lba = FIRST_LBA};
  plan.header.extent_count = 1;
  test_plan_column(&plan, &ref);
}

static const struct csd_result_header *run(void) {
  test_plan_write(&plan, bytes);
  const int64_t got = client_plan(queue, session, bytes, test_plan_bytes(&plan), result,
                                  sizeof result, CSD_BUDGET_UNLIMITED);
  CHECK(got > (int64_t)sizeof(struct csd_result_header) - 1);
  return (const struct csd_result_header *)(const void *)result;
}

/* Runs a plan cold and warm; it reads so many pages of the column at least. */
static void check_waits(uint32_t pages) {
  const uint64_t matches = run()->match_count;
  const struct slow_drive_seen cold = slow_drive_look();
  CHECK_MSG(4 * cold.delays <= pages, "%u waits, %u pages", cold.delays, pages);
  CHECK_MSG(cold.deepest >= 16, "%u pages at once", cold.deepest);
  CHECK(cold.reads >= pages);
  CHECK_EQ(matches, run()->match_count);
  const struct slow_drive_seen warm = slow_drive_look();
  CHECK_EQ(0, warm.reads + warm.asks + warm.delays);
}

static void an_aggregation_asks_ahead(void) {
  start();
  begin_plan();
  test_plan_node(&plan, CSD_OP_ALL, CSD_OCCUR_MUST, 0);
  test_plan_aggregates(&plan);
  test_plan_aggregate(&plan, CSD_AGGREGATE_KIND_STATS, 0)->stats_type = CSD_STATS_TYPE_I64;
  check_waits(ref.page_count);
  const struct csd_aggregate_result *stats =
      (const void *)((const uint8_t *)result + sizeof(struct csd_result_header));
  uint64_t sum = 0;
  for (uint32_t i = 0; i < DOCS; i++) {
    sum += (uint64_t)values[i];
  }
  CHECK_EQ(sum, stats->sum);
  CHECK_EQ(DOCS, stats->doc_count);
  stop();
}

static void a_filter_asks_ahead(void) {
  start();
  begin_plan();
  test_plan_range(&plan, CSD_OCCUR_MUST, 0, MIDDLE, END);
  check_waits(ref.page_count);
  uint64_t matches = 0;
  for (uint32_t i = 0; i < DOCS; i++) {
    matches += values[i] >= MIDDLE;
  }
  CHECK_EQ(matches, run()->match_count);
  stop();
}

static void a_sort_asks_ahead(void) {
  start();
  begin_plan();
  test_plan_node(&plan, CSD_OP_ALL, CSD_OCCUR_MUST, 0);
  test_plan_sort(&plan, 200, CSD_EXACT_COUNT);
  test_plan_sort_key(&plan, 0);
  check_waits(MIN_PAGES * 2 / 3); /* the bound rules others out */
  stop();
}

int main(void) {
  RUN(an_aggregation_asks_ahead);
  RUN(a_filter_asks_ahead);
  RUN(a_sort_asks_ahead);
  return check_result();
}
