/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/* Tables on a device: their pages, and scans against the values themselves. */
#include <string.h>

#include "csd/csd_table.h"
#include "tests/support/check.h"
#include "tests/support/client.h"

enum { ROWS = 5000 };

/* The figures of section 4.2.1 of the paper, and the one between. */
static void pages_hold_as_many_rows_as_the_paper_says(void) {
  CHECK_EQ(323, csd_table_page_rows(4));
  CHECK_EQ(109, csd_table_page_rows(16));
  CHECK_EQ(29, csd_table_page_rows(64));
}

static void both_layouts_hold_the_same_values(void) {
  static uint8_t page[CSD_TABLE_PAGE_BYTES];
  for (uint32_t columns = 2; columns <= 64; columns = columns * 3 - 2) {
    for (uint32_t layout = CSD_TABLE_NSM; layout <= CSD_TABLE_PAX; layout++) {
      const struct csd_table table = {columns, (enum csd_table_layout)layout, ROWS};
      const uint32_t rows = csd_table_page_rows(columns);
      csd_table_make_page(&table, 3, page);
      for (uint32_t row = 0; row < rows; row++) {
        for (uint32_t column = 0; column < columns; column++) {
          const uint32_t value = csd_table_value(3 * (uint64_t)rows + row, column);
          CHECK(value < CSD_TABLE_RANGE);
          CHECK_EQ(value, csd_table_page_value(&table, page, row, column));
        }
      }
    }
  }
}

static struct csd_table_found brute(const struct csd_table *table, uint32_t bound) {
  struct csd_table_found found = {0};
  const uint64_t rows = csd_table_pages(table) * csd_table_page_rows(table->columns);
  for (uint64_t row = 0; row < rows; row++) {
    if (csd_table_value(row, 0) < bound) {
      found.matches++;
      found.sum += csd_table_value(row, 1);
    }
  }
  return found;
}

/* Adds up a log: every page once, every row looked at once, results sent on the device alone. */
static void check_log(const struct csd_table *table, const struct csd_table_run *run,
                      bool on_device) {
  uint64_t loads = 0, loaded = 0, announced = 0, sent = 0;
  uint64_t work[CSD_MODEL_WORK_SLOTS] = {0};
  struct csd_model_event event;
  for (size_t at = 0; csd_model_log_next(run->log, &at, &event);) {
    loads += event.kind == CSD_MODEL_LOAD;
    loaded += event.kind == CSD_MODEL_LOAD ? event.bytes : 0;
    announced += event.kind == CSD_MODEL_READ_AHEAD ? event.bytes : 0;
    sent += event.kind == CSD_MODEL_SEND ? event.bytes : 0;
    for (uint32_t i = 0; i < event.work_count; i++) {
      work[csd_model_work_kind(event.work[i])] += csd_model_work_units(event.work[i]);
    }
  }
  const uint64_t pages = csd_table_pages(table);
  const uint64_t rows = pages * csd_table_page_rows(table->columns);
  CHECK_EQ(pages * CSD_TABLE_PAGE_BYTES, loaded);
  CHECK_EQ(loaded, announced);
  CHECK_EQ(on_device ? pages : (pages + 31) / 32, loads);
  CHECK_EQ(pages, work[CSD_MODEL_WORK_PAGE_OPEN]);
  CHECK_EQ(table->layout == CSD_TABLE_NSM ? rows : 0, work[CSD_MODEL_WORK_TUPLE_READ]);
  CHECK_EQ((table->layout == CSD_TABLE_NSM ? 0 : rows) + run->found.matches,
           work[CSD_MODEL_WORK_COLUMN_READ]);
  CHECK_EQ(run->query.sums ? 0 : run->found.matches, work[CSD_MODEL_WORK_RESULT_WRITE]);
  CHECK_EQ(!on_device ? 0 : run->query.sums ? 8 : 4 * run->found.matches, sent);
  CHECK_EQ(CSD_TABLE_OPEN_BYTES, run->log->opened_bytes);
}

static void check_scan(struct csd_queue *queue, const struct csd_table *table,
                       enum csd_model_side side) {
  struct csd_table_run runs[3] = {
      {.query = {1000, false}}, {.query = {100000, true}}, {.query = {CSD_TABLE_RANGE, false}}};
  struct csd_model_log logs[3];
  for (uint32_t i = 0; i < 3; i++) {
    csd_model_log_init(&logs[i], NULL, 0, csd_model_grow, NULL);
    runs[i].log = &logs[i];
  }
  REQUIRE_OK(csd_table_scan(queue, table, side, runs, 3));
  for (uint32_t i = 0; i < 3; i++) {
    const struct csd_table_found expected = brute(table, runs[i].query.bound);
    CHECK_EQ(expected.matches, runs[i].found.matches);
    CHECK_EQ(expected.sum, runs[i].found.sum);
    CHECK(expected.matches > 0);
    check_log(table, &runs[i], side == CSD_MODEL_SIDE_DEVICE);
    csd_model_log_free(&logs[i]);
  }
}

static void scans_answer_from_the_pages_on_the_device(void) {
  struct csd_device *device = client_open("table", 1 << 16, 1 << 22);
  struct csd_queue *queue = client_queue(device);
  for (uint32_t layout = CSD_TABLE_NSM; layout <= CSD_TABLE_PAX; layout++) {
    const struct csd_table table = {16, (enum csd_table_layout)layout, ROWS};
    REQUIRE_OK(csd_table_write(queue, &table));
    check_scan(queue, &table, CSD_MODEL_SIDE_DEVICE);
    check_scan(queue, &table, CSD_MODEL_SIDE_HOST);
  }
  /* The answer is that of the pages, not of the values they were made of. */
  const struct csd_table table = {16, CSD_TABLE_PAX, ROWS};
  static uint8_t page[CSD_TABLE_PAGE_BYTES];
  struct csd_model_log log;
  csd_model_log_init(&log, NULL, 0, csd_model_grow, NULL);
  struct csd_table_run run = {.query = {1, false}, .log = &log};
  const struct csd_table_found before = brute(&table, 1);
  CHECK_EQ(0, client_write(queue, 4, page, 2)); /* zeros */
  REQUIRE_OK(csd_table_scan(queue, &table, CSD_MODEL_SIDE_DEVICE, &run, 1));
  CHECK(run.found.matches >= before.matches + csd_table_page_rows(16) - 1);
  csd_model_log_free(&log);
  csd_queue_destroy(queue);
  csd_device_close(device);
}

static void what_is_wrong_is_named(void) {
  struct csd_device *device = client_open("wrong", 1 << 10, 1 << 22);
  struct csd_queue *queue = client_queue(device);
  const struct csd_table one = {1, CSD_TABLE_NSM, 10};
  CHECK_EQ(-CSD_STATUS_INVALID_ARGUMENT, csd_table_write(queue, &one));
  CHECK(strstr(csd_last_error(), "columns is 1") != NULL);
  const struct csd_table none = {4, CSD_TABLE_NSM, 0};
  CHECK_EQ(-CSD_STATUS_INVALID_ARGUMENT,
           csd_table_scan(queue, &none, CSD_MODEL_SIDE_HOST, NULL, 0));
  csd_queue_destroy(queue);
  csd_device_close(device);
}

int main(void) {
  RUN(pages_hold_as_many_rows_as_the_paper_says);
  RUN(both_layouts_hold_the_same_values);
  RUN(scans_answer_from_the_pages_on_the_device);
  RUN(what_is_wrong_is_named);
  return check_result();
}
