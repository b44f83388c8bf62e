/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "csd/csd_table.h"

enum {
  PAGE_LBAS = CSD_TABLE_PAGE_BYTES / CSD_LBA_BYTES,
  BATCH_PAGES = CSD_TABLE_HOST_READ_PAGES, /* that one command of the lab moves */
  RESULT_BYTES = 4,
  SUM_BYTES = 8,
};

static int check(const struct csd_table *table) {
  if (table->columns < CSD_TABLE_MIN_COLUMNS || table->columns > CSD_TABLE_MAX_COLUMNS) {
    return csd_fail(CSD_STATUS_INVALID_ARGUMENT, "table: columns is %u, not 2 to 64",
                    table->columns);
  }
  if ((unsigned)table->layout > CSD_TABLE_PAX) {
    return csd_fail(CSD_STATUS_INVALID_ARGUMENT, "table: no layout %u", (unsigned)table->layout);
  }
  if (table->rows == 0 || csd_table_pages(table) > UINT32_MAX / PAGE_LBAS) {
    return csd_fail(CSD_STATUS_INVALID_ARGUMENT, "table: rows is %llu",
                    (unsigned long long)table->rows);
  }
  return 0;
}

/* Moves pages from page `first` on. */
static int move(struct csd_queue *queue, uint8_t opcode, uint64_t first, uint32_t pages,
                uint8_t *bytes) {
  const struct csd_submission command = {
      .opcode = opcode,
      .nsid = 1,
      .data = (uint64_t)(uintptr_t)bytes,
      .data_bytes = (uint64_t)pages * CSD_TABLE_PAGE_BYTES,
      .cdw10 = (uint32_t)(first * PAGE_LBAS),
      .cdw11 = (uint32_t)(first * PAGE_LBAS >> 32),
      .cdw12 = pages * PAGE_LBAS - 1,
  };
  struct csd_completion completion;
  int status = csd_queue_submit(queue, &command, 1);
  if (status == 0) {
    status = csd_queue_poll(queue, &completion, 1, CSD_BUDGET_UNLIMITED);
  }
  return status < 0 ? status : -csd_completion_status(&completion);
}

static uint32_t batch_of(uint64_t first, uint64_t pages) {
  const uint64_t left = pages - first;
  return left < BATCH_PAGES ? (uint32_t)left : BATCH_PAGES;
}

int csd_table_write(struct csd_queue *queue, const struct csd_table *table) {
  int status = check(table);
  uint8_t *bytes = malloc((size_t)BATCH_PAGES * CSD_TABLE_PAGE_BYTES);
  if (bytes == NULL) {
    return csd_fail(CSD_STATUS_NO_MEMORY, "table: no memory for %u pages", (unsigned)BATCH_PAGES);
  }
  const uint64_t pages = status == 0 ? csd_table_pages(table) : 0;
  for (uint64_t first = 0; first < pages && status == 0; first += BATCH_PAGES) {
    const uint32_t count = batch_of(first, pages);
    for (uint32_t i = 0; i < count; i++) {
      csd_table_make_page(table, first + i, bytes + (size_t)i * CSD_TABLE_PAGE_BYTES);
    }
    status = move(queue, CSD_OPCODE_WRITE, first, count, bytes);
  }
  free(bytes);
  return status;
}

/* ---- scans ---- */

/* A query under way. */
struct running {
  struct csd_table_run *run;
  uint64_t work[CSD_MODEL_WORK_SLOTS]; /* since the last event */
  uint64_t unsent;                     /* bytes of results */
};

/* Where a scan is. */
struct scan {
  const struct csd_table *table;
  bool on_device;
  uint32_t read_pages; /* that one load brings */
  uint64_t pages, reads;
  struct running *running;
  uint32_t count;
};

static int add(struct running *r, enum csd_model_event_kind kind, uint64_t page, uint64_t bytes) {
  const int status =
      csd_model_log_add(r->run->log, kind, (uint32_t)(page * PAGE_LBAS), bytes, r->work);
  memset(r->work, 0, sizeof r->work);
  return status;
}

/* Loads or announces a read, for every query. */
static int add_read(const struct scan *scan, enum csd_model_event_kind kind, uint64_t read) {
  const uint64_t first = read * scan->read_pages;
  const uint64_t left = scan->pages - first;
  const uint64_t pages = left < scan->read_pages ? left : scan->read_pages;
  int status = 0;
  for (uint32_t i = 0; i < scan->count && status == 0; i++) {
    status = add(&scan->running[i], kind, first, pages * CSD_TABLE_PAGE_BYTES);
  }
  return status;
}

static int begin_read(const struct scan *scan, uint64_t read) {
  const uint32_t announced = scan->on_device ? CSD_TABLE_ANNOUNCED : CSD_TABLE_HOST_ANNOUNCED;
  int status = 0;
  for (uint64_t next = read == 0 ? 0 : read + announced - 1;
       next < scan->reads && next < read + announced && status == 0; next++) {
    status = add_read(scan, CSD_MODEL_READ_AHEAD, next);
  }
  return status == 0 ? add_read(scan, CSD_MODEL_LOAD, read) : status;
}

/* Looks at every row of a page. */
static struct csd_table_found look(const struct csd_table *table, const uint8_t *page,
                                   const struct csd_table_query *query) {
  struct csd_table_found found = {0};
  const uint32_t rows = csd_table_page_rows(table->columns);
  for (uint32_t row = 0; row < rows; row++) {
    if (csd_table_page_value(table, page, row, 0) < query->bound) {
      found.matches++;
      found.sum += csd_table_page_value(table, page, row, 1);
    }
  }
  return found;
}

static int take_page(const struct scan *scan, struct running *r, const uint8_t *page) {
  const struct csd_table_query *query = &r->run->query;
  const struct csd_table_found found = look(scan->table, page, query);
  r->run->found.matches += found.matches;
  r->run->found.sum += found.sum;
  r->work[CSD_MODEL_WORK_PAGE_OPEN]++;
  r->work[scan->table->layout == CSD_TABLE_NSM ? CSD_MODEL_WORK_TUPLE_READ
                                               : CSD_MODEL_WORK_COLUMN_READ] +=
      csd_table_page_rows(scan->table->columns);
  r->work[CSD_MODEL_WORK_COLUMN_READ] += found.matches;
  if (query->sums) {
    return 0;
  }
  r->work[CSD_MODEL_WORK_RESULT_WRITE] += found.matches;
  r->unsent += found.matches * RESULT_BYTES;
  if (!scan->on_device || r->unsent < CSD_TABLE_RESULT_BUFFER) {
    return 0;
  }
  const uint64_t bytes = r->unsent;
  r->unsent = 0;
  return add(r, CSD_MODEL_SEND, 0, bytes);
}

static int end(const struct scan *scan, struct running *r) {
  const uint64_t left = r->run->query.sums ? SUM_BYTES : r->unsent;
  int status = 0;
  if (scan->on_device && left > 0) {
    status = add(r, CSD_MODEL_SEND, 0, left);
  }
  return status == 0 ? add(r, CSD_MODEL_END, 0, 0) : status;
}

static int scan_pages(struct csd_queue *queue, const struct scan *scan, uint8_t *bytes) {
  int status = 0;
  for (uint64_t page = 0; page < scan->pages && status == 0; page++) {
    const uint32_t in_batch = (uint32_t)(page % BATCH_PAGES);
    if (in_batch == 0) {
      status = move(queue, CSD_OPCODE_READ, page, batch_of(page, scan->pages), bytes);
    }
    if (page % scan->read_pages == 0 && status == 0) {
      status = begin_read(scan, page / scan->read_pages);
    }
    for (uint32_t i = 0; i < scan->count && status == 0; i++) {
      status = take_page(scan, &scan->running[i], bytes + (size_t)in_batch * CSD_TABLE_PAGE_BYTES);
    }
  }
  for (uint32_t i = 0; i < scan->count && status == 0; i++) {
    status = end(scan, &scan->running[i]);
  }
  return status;
}

int csd_table_scan(struct csd_queue *queue, const struct csd_table *table, enum csd_model_side side,
                   struct csd_table_run *runs, uint32_t count) {
  int status = check(table);
  if (status < 0) {
    return status;
  }
  struct scan scan = {.table = table,
                      .on_device = side == CSD_MODEL_SIDE_DEVICE,
                      .pages = csd_table_pages(table),
                      .running = calloc(count + (size_t)1, sizeof(struct running)),
                      .count = count};
  scan.read_pages = scan.on_device ? 1 : CSD_TABLE_HOST_READ_PAGES;
  scan.reads = (scan.pages + scan.read_pages - 1) / scan.read_pages;
  uint8_t *bytes = malloc((size_t)BATCH_PAGES * CSD_TABLE_PAGE_BYTES);
  if (scan.running == NULL || bytes == NULL) {
    status = csd_fail(CSD_STATUS_NO_MEMORY, "table: no memory for %u queries", count);
  }
  for (uint32_t i = 0; i < count && status == 0; i++) {
    runs[i].found = (struct csd_table_found){0};
    runs[i].log->opened_bytes = CSD_TABLE_OPEN_BYTES;
    scan.running[i].run = &runs[i];
  }
  if (status == 0) {
    status = scan_pages(queue, &scan, bytes);
  }
  free(scan.running);
  free(bytes);
  return status;
}
