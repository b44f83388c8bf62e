/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/* Programs over rows as tasks of a device: whatever its queue takes, sums are those of one side. */
#include <string.h>

#include "csd/csd_model.h"
#include "tests/model/model_world.h"
#include "tests/rows/rows_world.h"
#include "tests/support/check.h"
#include "tests/support/client.h"
#include "tests/support/scratch.h"

enum {
  PAGES = 60,
  PARTS = 50,
  PAGE_LBAS = CSD_ROWS_PAGE_BYTES / CSD_LBA_BYTES,
  FIRST = 64, /* LBA of the first page of LINEITEM; PART is at 0 */
  LBAS = FIRST + PAGES * PAGE_LBAS,
  GRANT = 1 << 20
};

static struct csd_device *device;
static struct csd_queue *queue;
static struct rows_sheet part, items[PAGES];
static uint8_t page[CSD_MAX_RESULT_BYTES];

static void open_device(void) {
  static const struct csd_task_program *const programs[] = {&csd_rows_tasks};
  const struct csd_device_options options = {.path = scratch_path("rows"),
                                             .capacity_bytes = (uint64_t)LBAS * CSD_LBA_BYTES,
                                             .raw_percent = 20,
                                             .task_programs = programs,
                                             .task_program_count = 1};
  REQUIRE_OK(csd_device_open(&options, &device));
  queue = client_queue(device);
  uint64_t seed = 11;
  rows_begin(&part);
  for (uint32_t key = 1; key <= PARTS; key++) {
    rows_add_part(&part, key, key % 6 == 0 ? "PROMO " : "SMALL ");
  }
  REQUIRE(client_write(queue, 0, part.bytes, PAGE_LBAS) == 0);
  for (uint32_t i = 0; i < PAGES; i++) {
    rows_random_page(&items[i], &seed);
    REQUIRE(client_write(queue, FIRST + i * PAGE_LBAS, items[i].bytes, PAGE_LBAS) == 0);
  }
}

static int64_t command(uint8_t opcode, int64_t session, uint32_t cdw11, uint32_t cdw12) {
  const struct csd_submission c = {
      .opcode = opcode, .nsid = 1, .cdw10 = (uint32_t)session, .cdw11 = cdw11, .cdw12 = cdw12};
  return client_run(queue, &c);
}

static int64_t begin(int64_t session, const struct csd_rows_init *init, uint32_t mode,
                     uint32_t program) {
  const struct csd_submission c = {.opcode = CSD_OPCODE_INIT_TSK,
                                   .nsid = 1,
                                   .data = (uintptr_t)init,
                                   .data_bytes = sizeof *init,
                                   .cdw10 = (uint32_t)session,
                                   .cdw11 = sizeof *init,
                                   .cdw12 = mode,
                                   .cdw13 = 4,
                                   .cdw14 = program};
  return client_run(queue, &c);
}

static struct csd_rows_init init_of(enum csd_rows_program program, bool builds) {
  return (struct csd_rows_init){.program = program,
                                .parts = builds ? PARTS : 0,
                                .first_lba = FIRST,
                                .part_pages = builds ? 1 : 0,
                                .pages = PAGES};
}

static int64_t fetch(int64_t session) {
  const struct csd_submission c = {.opcode = CSD_OPCODE_FETCH,
                                   .nsid = 1,
                                   .data = (uintptr_t)page,
                                   .data_bytes = sizeof page,
                                   .cdw10 = (uint32_t)session,
                                   .cdw12 = sizeof page};
  return client_run(queue, &c);
}

/* The host's half, with the hash table built. */
static struct csd_rows_task *host_of(void) {
  struct csd_rows_task *task = NULL;
  struct csd_rows_counts counts = {0};
  CHECK_OK(csd_rows_create(PARTS, NULL, 0, &task));
  CHECK_OK(csd_rows_process(task, CSD_ROWS_BUILD, part.bytes, &counts));
  return task;
}

/* Sums of all groups, whose order is that of what was seen first. */
static void add(const struct csd_rows_group *groups, uint32_t count, int64_t *sums) {
  for (uint32_t i = 0; i < count; i++) {
    for (uint32_t k = 0; k < CSD_ROWS_SUMS; k++) {
      sums[k] += groups[i].sums[k] * (int64_t)(groups[i].key + 1);
    }
  }
}

static void add_host(const struct csd_rows_task *host, int64_t *sums) {
  struct csd_rows_group groups[CSD_ROWS_MAX_GROUPS];
  add(groups, csd_rows_result(host, groups), sums);
}

/* FINAL and FETCH. */
static void add_device(int64_t session, int64_t *sums) {
  const int64_t bytes = command(CSD_OPCODE_FINAL, session, 0, 0);
  CHECK(bytes >= 0);
  CHECK_EQ(bytes, fetch(session));
  add((const void *)page, (uint32_t)((uint64_t)bytes / sizeof(struct csd_rows_group)), sums);
}

static void expect(enum csd_rows_program program, int64_t *sums, struct csd_rows_counts *counts) {
  struct csd_rows_task *const host = host_of();
  *counts = (struct csd_rows_counts){0};
  for (uint32_t i = 0; i < PAGES; i++) {
    CHECK_OK(csd_rows_process(host, program, items[i].bytes, counts));
  }
  memset(sums, 0, CSD_ROWS_SUMS * sizeof *sums);
  add_host(host, sums);
  csd_rows_destroy(host);
}

/* Page by page; what the device refuses is the host's. Returns how many pages these are. */
static uint32_t run_pages(int64_t session, enum csd_rows_program program, uint32_t mode,
                          int64_t *sums) {
  struct csd_rows_task *const host = host_of();
  struct csd_rows_counts counts = {0};
  const struct csd_rows_init init = init_of(program, true);
  uint32_t raw = 0;
  CHECK_EQ(0, begin(session, &init, mode, 1));
  while (command(CSD_OPCODE_READ_PROC, session, 0, 1) == CSD_TASK_ANSWER_RAW) {
    /* The hash table is the device's to build. */
  }
  for (uint32_t i = 0; i < PAGES; i++) {
    const int64_t answer = command(CSD_OPCODE_READ_PROC, session, 1 + i, 2 + i);
    CHECK(answer == CSD_TASK_ANSWER_TAKEN || answer == CSD_TASK_ANSWER_RAW);
    if (answer == CSD_TASK_ANSWER_RAW) {
      raw++;
      CHECK_EQ(0, client_read(queue, FIRST + i * PAGE_LBAS, page, PAGE_LBAS));
      CHECK_OK(csd_rows_process(host, program, page, &counts));
    }
  }
  memset(sums, 0, CSD_ROWS_SUMS * sizeof *sums);
  add_device(session, sums);
  add_host(host, sums);
  csd_rows_destroy(host);
  return raw;
}

static void run_filters(int64_t session, enum csd_rows_program program, int64_t *sums) {
  struct csd_rows_task *const host = host_of();
  struct csd_rows_counts counts = {0};
  const struct csd_rows_init init = init_of(program, false);
  CHECK_EQ(0, begin(session, &init, CSD_TASK_MODE_HAND, 1));
  for (uint32_t i = 0; i < PAGES; i++) {
    const int64_t bytes = command(CSD_OPCODE_READ_FILT, session, i, i + 1);
    CHECK(bytes >= 0);
    CHECK_EQ(bytes, fetch(session));
    CHECK_OK(csd_rows_rest(host, program, page, (uint32_t)bytes, &counts));
  }
  memset(sums, 0, CSD_ROWS_SUMS * sizeof *sums);
  add_device(session, sums);
  add_host(host, sums);
  csd_rows_destroy(host);
}

static void every_mode_has_the_sums_of_one_side(void) {
  const int64_t session = client_session(queue, GRANT);
  uint32_t raw = 0;
  for (int program = CSD_ROWS_QUERY_1; program <= CSD_ROWS_QUERY_14; program++) {
    int64_t expected[CSD_ROWS_SUMS], sums[CSD_ROWS_SUMS];
    struct csd_rows_counts counts;
    const enum csd_rows_program p = (enum csd_rows_program)program;
    expect(p, expected, &counts);
    CHECK(expected[0] != 0);
    CHECK_EQ(0, run_pages(session, p, CSD_TASK_MODE_STATIC, sums));
    CHECK_EQ(0, memcmp(expected, sums, sizeof sums));
    raw += run_pages(session, p, CSD_TASK_MODE_DYNAMIC, sums);
    CHECK_EQ(0, memcmp(expected, sums, sizeof sums));
    run_filters(session, p, sums);
    CHECK_EQ(0, memcmp(expected, sums, sizeof sums));
  }
  CHECK(raw > 0 && raw < 3 * PAGES);
  CHECK_EQ(0, client_close_session(queue, (uint32_t)session));
}

/* The work of all tasks of the session's record, and how many these are. */
static uint32_t recorded(int64_t session, uint64_t *work, uint64_t *rest_bytes) {
  const int64_t bytes =
      client_told(queue, (uint32_t)session, CSD_MODEL_DATA_EVENTS, 0, page, sizeof page);
  CHECK(bytes > 0);
  const struct csd_model_log log = {.words = (void *)page,
                                    .used = bytes > 0 ? (size_t)bytes / 8 : 0};
  struct csd_model_event event, last = {0};
  uint32_t tasks = 0;
  for (size_t at = 0; csd_model_log_next(&log, &at, &event); last = event) {
    if (event.kind == CSD_MODEL_TASK) {
      CHECK_EQ(CSD_ROWS_PAGE_BYTES, event.bytes);
      tasks++;
    }
    *rest_bytes += event.kind == CSD_MODEL_TASK_REST ? event.bytes : 0;
    for (uint32_t i = 0; i < event.work_count; i++) {
      work[csd_model_work_kind(event.work[i])] += csd_model_work_units(event.work[i]);
    }
  }
  CHECK_EQ(CSD_MODEL_END, last.kind);
  return tasks;
}

static void the_recorder_has_the_work_of_each_page(void) {
  const struct csd_model_profile profile = model_profile();
  CHECK_EQ(0, client_model(queue, &profile, sizeof profile, 0, 0));
  const int64_t session = client_session(queue, GRANT);
  int64_t expected[CSD_ROWS_SUMS], sums[CSD_ROWS_SUMS];
  struct csd_rows_counts counts;
  expect(CSD_ROWS_QUERY_6, expected, &counts);
  CHECK_EQ(0, run_pages(session, CSD_ROWS_QUERY_6, CSD_TASK_MODE_STATIC, sums));
  uint64_t work[CSD_MODEL_WORK_SLOTS] = {0}, bytes = 0;
  CHECK_EQ(1 + PAGES, recorded(session, work, &bytes));
  CHECK_EQ(0, bytes);
  CHECK_EQ(PARTS + counts.rows, work[CSD_MODEL_WORK_TUPLE_READ]);
  run_filters(session, CSD_ROWS_QUERY_6, sums);
  memset(work, 0, sizeof work);
  CHECK_EQ(PAGES, recorded(session, work, &bytes));
  CHECK(bytes > 0);
  CHECK_EQ(counts.rows, work[CSD_MODEL_WORK_TUPLE_READ]);
  CHECK(work[CSD_MODEL_WORK_COLUMN_READ] > 0 && work[CSD_MODEL_WORK_COLUMN_READ] < counts.values);
  CHECK_EQ(0, client_close_session(queue, (uint32_t)session));
  CHECK_EQ(0, client_model(queue, NULL, 0, 0, 0));
}

static void what_cannot_be_is_refused(void) {
  const int64_t session = client_session(queue, GRANT);
  struct csd_rows_init init = init_of(CSD_ROWS_QUERY_1, false);
  CHECK_EQ(-CSD_STATUS_INVALID_FIELD, begin(session, &init, CSD_TASK_MODE_STATIC, 2));
  init.parts = CSD_ROWS_MAX_PARTS;
  CHECK_EQ(-CSD_STATUS_INSUFFICIENT_GRANT, begin(session, &init, CSD_TASK_MODE_STATIC, 1));
  init.parts++;
  CHECK_EQ(-CSD_STATUS_INVALID_FIELD, begin(session, &init, CSD_TASK_MODE_STATIC, 1));
  init.parts = 0;
  CHECK_EQ(0, begin(session, &init, CSD_TASK_MODE_STATIC, 1));
  CHECK_EQ(-CSD_STATUS_INVALID_FIELD, command(CSD_OPCODE_READ_PROC, session, 0, PAGES + 1));
  CHECK_EQ(0, client_close_session(queue, (uint32_t)session)); /* ends the task */
}

static void a_damaged_page_ends_the_task(void) {
  const int64_t session = client_session(queue, GRANT);
  const struct csd_rows_init init = init_of(CSD_ROWS_QUERY_1, false);
  struct rows_sheet damaged = items[1];
  rows_put32(damaged.bytes, CSD_ROWS_PAGE_BYTES);
  REQUIRE(client_write(queue, FIRST + PAGE_LBAS, damaged.bytes, PAGE_LBAS) == 0);
  CHECK_EQ(0, begin(session, &init, CSD_TASK_MODE_STATIC, 1));
  CHECK_EQ(CSD_TASK_ANSWER_TAKEN, command(CSD_OPCODE_READ_PROC, session, 0, 3));
  CHECK_EQ(-CSD_STATUS_PAGE_CORRUPT, command(CSD_OPCODE_FINAL, session, 0, 0));
  CHECK_EQ(0, client_close_session(queue, (uint32_t)session));
}

int main(void) {
  open_device();
  RUN(every_mode_has_the_sums_of_one_side);
  RUN(the_recorder_has_the_work_of_each_page);
  RUN(what_cannot_be_is_refused);
  RUN(a_damaged_page_ends_the_task);
  csd_queue_destroy(queue);
  csd_device_close(device);
  return check_result();
}
