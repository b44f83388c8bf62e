/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/*
 * Property: whatever the bytes, checking a column page and running plans over it reads nothing
 * outside them, and a page that passes gives a COUNT and a DOCS answer that agree, or a clear
 * refusal; its docs sort alike with and without a page index.
 *
 * Input: a page, cut or padded with zeros to its size. The checksum is set right first, or no
 * altered page would get past it.
 */
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "core/columns/page/column_check.h"
#include "core/columns/page/stored_page.h"
#include "core/kernels/crc32c.h"
#include "core/lists/page_check.h"
#include "core/program/program.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { GRANT_BYTES = 1 << 20, RESULT_BYTES = 1 << 16, MAX_DOC = 1 << 18, BEST = 20 };

/* Whether the page index answers; the page itself is what `context` names. */
static bool has_index;

static int pin(void *context, uint64_t lba, uint64_t stamp, uint32_t file_page,
               const uint8_t **page) {
  (void)lba, (void)stamp, (void)file_page;
  *page = context;
  return 0;
}

static void unpin(void *context, const uint8_t *page) { (void)context, (void)page; }

static bool peek(void *context, uint64_t lba, uint64_t stamp, uint32_t file_page,
                 struct csd_page_range *range) {
  (void)lba, (void)stamp, (void)file_page;
  if (has_index) {
    *range = csd_stored_page_of(context).range;
  }
  return has_index;
}

/* How the docs are sorted in mode TOP_K_BY_COLUMN. */
static struct csd_sort_key sort_key;

/* Ranges of a COLUMN_IN; none: the plan has a COLUMN_RANGE. */
static struct csd_value_range set[16];
static uint32_t set_size;

/* A plan for the docs with a value from `lo` to `hi`, or in the set. */
static size_t make_plan(const struct csd_column_page_header *page, uint8_t mode, int64_t lo,
                        int64_t hi, uint8_t *plan) {
  const bool sorts = mode == CSD_MODE_TOP_K_BY_COLUMN;
  const struct csd_sort_header sort = {.key_count = 1};
  const struct csd_plan_node node = {.op = set_size > 0 ? CSD_OP_COLUMN_IN : CSD_OP_COLUMN_RANGE,
                                     .range_count = set_size};
  const struct csd_column_ref column = {.first_page = page->file_page,
                                        .page_count = 1,
                                        .doc_count = 1,
                                        .stamp = page->stamp,
                                        .value_count = 1,
                                        .min = INT64_MIN,
                                        .max = INT64_MAX,
                                        .extent_count = 1};
  const struct csd_extent extent = {.file_page = page->file_page, .page_count = 1};
  const struct csd_value_range range = {.lo = lo, .hi = hi};
  const size_t range_bytes = set_size > 0 ? set_size * sizeof set[0] : sizeof range;
  const size_t bytes = sizeof(struct csd_plan_header) + sizeof node + sizeof extent +
                       sizeof column + range_bytes + (sorts ? sizeof sort + sizeof sort_key : 0);
  const struct csd_plan_header header = {.magic = CSD_PLAN_MAGIC,
                                         .version = CSD_WIRE_VERSION,
                                         .mode = mode,
                                         .total_bytes = (uint32_t)bytes,
                                         .node_count = 1,
                                         .extent_count = 1,
                                         .column_count = 1,
                                         .range_count = (uint16_t)(set_size > 0 ? set_size : 1),
                                         .max_doc = MAX_DOC,
                                         .limit_doc = MAX_DOC,
                                         .k = sorts ? BEST : 0,
                                         .count_threshold = CSD_EXACT_COUNT,
                                         .max_result_bytes = RESULT_BYTES};
  memcpy(plan, &header, sizeof header), plan += sizeof header;
  memcpy(plan, &node, sizeof node), plan += sizeof node;
  memcpy(plan, &extent, sizeof extent), plan += sizeof extent;
  memcpy(plan, &column, sizeof column), plan += sizeof column;
  memcpy(plan, set_size > 0 ? &set[0] : &range, range_bytes), plan += range_bytes;
  if (sorts) {
    memcpy(plan, &sort, sizeof sort), plan += sizeof sort;
    memcpy(plan, &sort_key, sizeof sort_key);
  }
  return bytes;
}

static _Alignas(64) uint8_t grant[GRANT_BYTES], result[RESULT_BYTES];

/* Runs a plan. Returns its matches, or -1 if it ended with a failure or at a full result page. */
static int64_t run(uint8_t *page, uint8_t mode, int64_t lo, int64_t hi) {
  struct csd_column_page_header header;
  memcpy(&header, page, sizeof header);
  uint8_t plan[1024];
  const struct csd_page_source source = {.context = page, .pin = pin, .unpin = unpin, .peek = peek};
  const size_t bytes = make_plan(&header, mode, lo, hi, plan);
  struct csd_program *program;
  if (csd_program_begin(grant, sizeof grant, plan, bytes, result, sizeof result, &source,
                        &program) != 0) {
    return -1;
  }
  int status;
  do {
    status = csd_program_step(program, 1000);
  } while (status > 0);
  csd_program_end(program);
  struct csd_result_header answer;
  memcpy(&answer, result, sizeof answer);
  return status == 0 && (answer.flags & CSD_RESULT_FLAG_MORE) == 0 ? (int64_t)answer.match_count
                                                                   : -1;
}

static void compare(uint8_t *page, int64_t lo, int64_t hi) {
  has_index = false;
  const int64_t count = run(page, CSD_MODE_COUNT, lo, hi);
  const int64_t docs = run(page, CSD_MODE_DOCS, lo, hi);
  has_index = true;
  const int64_t indexed = run(page, CSD_MODE_COUNT, lo, hi);
  if ((docs >= 0 && docs != count) || (count >= 0 && indexed >= 0 && indexed != count)) {
    abort();
  }
}

/* A set of every other one of some values that lie between the page's least and greatest. */
static void compare_set(uint8_t *page, const struct csd_column_page_header *header) {
  const uint32_t most = sizeof set / sizeof set[0];
  const uint64_t step = ((uint64_t)header->max - (uint64_t)header->min) / most;
  int64_t count = 0;
  for (uint32_t i = 0; i < most && (i == 0 || step > 1); i++) {
    const int64_t lo = (int64_t)((uint64_t)header->min + i * step);
    set[i] = (struct csd_value_range){.lo = lo, .hi = (int64_t)((uint64_t)lo + step / 2u)};
    const int64_t one = run(page, CSD_MODE_COUNT, set[i].lo, set[i].hi);
    count = one < 0 || count < 0 ? -1 : count + one;
    set_size = i + 1u;
    compare(page, 0, 0);
    const int64_t all = run(page, CSD_MODE_COUNT, 0, 0);
    set_size = 0;
    /* A doc of several values is in several ranges. */
    const bool single = (header->flags & CSD_COLUMN_FLAG_MULTI) == 0;
    if (all >= 0 && count >= 0 && (single ? all != count : all > count)) {
      abort();
    }
  }
}

/* Sorts the docs with a value from `lo` to `hi` by it, taken in a way that `taste` chooses. */
static void sort(uint8_t *page, int64_t lo, int64_t hi, uint32_t taste) {
  uint8_t entries[BEST * 16];
  sort_key = (struct csd_sort_key){.kind = CSD_SORT_KIND_COLUMN,
                                   .transform = (uint8_t)(1u + taste % 7u),
                                   .selector = (uint8_t)(1u + (taste >> 8) % 2u),
                                   .flags = (uint8_t)((taste >> 9) % 2u),
                                   .missing = taste};
  has_index = false;
  const int64_t count = run(page, CSD_MODE_TOP_K_BY_COLUMN, lo, hi);
  memcpy(entries, result + sizeof(struct csd_result_header), sizeof entries);
  has_index = true;
  const int64_t indexed = run(page, CSD_MODE_TOP_K_BY_COLUMN, lo, hi);
  const size_t bytes = 16u * (size_t)(count < 0 ? 0 : count < BEST ? count : BEST);
  if (count >= 0 && indexed >= 0 &&
      (indexed != count ||
       memcmp(entries, result + sizeof(struct csd_result_header), bytes) != 0)) {
    abort();
  }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  uint8_t *page = calloc(1, CSD_PAGE_BYTES + CSD_PAGE_SLACK_BYTES);
  if (page == NULL) {
    return 0;
  }
  memcpy(page, data, size < CSD_PAGE_BYTES ? size : CSD_PAGE_BYTES);
  const uint32_t crc = csd_crc32c(0, page + 12, CSD_PAGE_BYTES - 12);
  memcpy(page + offsetof(struct csd_column_page_header, crc32c), &crc, sizeof crc);
  if (csd_column_check(page) == 0) {
    struct csd_column_page_header header;
    memcpy(&header, page, sizeof header);
    const int64_t middle = header.min / 2 + header.max / 2;
    compare(page, INT64_MIN, INT64_MAX);
    compare(page, header.min, header.min);
    compare(page, middle, header.max);
    compare(page, INT64_MIN, middle);
    compare_set(page, &header);
    sort(page, middle, header.max, crc);
    sort(page, INT64_MIN, INT64_MAX, crc >> 16);
  }
  free(page);
  return 0;
}
