/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/*
 * Property: whatever the bytes, checking a page and running a plan over it reads nothing outside
 * them, and a page that passes gives a COUNT, a DOCS and a TOP_K answer or a clear refusal.
 *
 * Input: a page, cut or padded with zeros to its size. The checksum is set right first, or no
 * altered page would get past it.
 */
#include <stdlib.h>
#include <string.h>

#include "core/kernels/crc32c.h"
#include "core/lists/page_check.h"
#include "core/program/program.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { GRANT_BYTES = 1 << 20, RESULT_BYTES = 1 << 16, MAX_DOC = 1 << 20 };

static int pin(void *context, uint64_t lba, uint64_t stamp, uint32_t file_page,
               const uint8_t **page) {
  (void)lba, (void)stamp, (void)file_page;
  *page = context;
  return 0;
}

static void unpin(void *context, const uint8_t *page) { (void)context, (void)page; }

static bool peek(void *context, uint64_t lba, uint64_t stamp, uint32_t file_page,
                 struct csd_page_range *range) {
  (void)context, (void)lba, (void)stamp, (void)file_page, (void)range;
  return false;
}

/* A plan over the list that starts at a slot of the page, as long as the directory says it is. */
static size_t make_plan(const uint8_t *page, uint32_t slot, uint8_t mode, uint8_t *plan) {
  const struct csd_page_header page_header = csd_page_header_of(page);
  uint32_t postings = 0;
  for (uint32_t b = slot; b < page_header.block_count; b++) {
    struct csd_block_entry entry;
    memcpy(&entry, page + sizeof page_header + page_header.block_count * 4u + b * sizeof entry,
           sizeof entry);
    postings += entry.count;
    if (entry.flags & CSD_BLOCK_FLAG_LAST_OF_LIST) {
      break;
    }
  }
  const struct csd_plan_node node = {.op = CSD_OP_TERM, .weight = 1.5f};
  const struct csd_list_ref list = {.kind = CSD_LIST_KIND_PAGED,
                                    .slot = (uint16_t)slot,
                                    .first_page = page_header.file_page,
                                    .page_count = 1,
                                    .posting_count = postings,
                                    .stamp = page_header.stamp,
                                    .extent_count = 1};
  const struct csd_extent extent = {.file_page = page_header.file_page, .page_count = 1};
  float table[CSD_NORM_TABLE_ENTRIES];
  for (int i = 0; i < (int)CSD_NORM_TABLE_ENTRIES; i++) {
    table[i] = 1.0f / (float)(i + 1);
  }
  const size_t bytes =
      sizeof(struct csd_plan_header) + sizeof node + sizeof list + sizeof extent + sizeof table;
  const struct csd_plan_header header = {.magic = CSD_PLAN_MAGIC,
                                         .version = CSD_WIRE_VERSION,
                                         .mode = mode,
                                         .total_bytes = (uint32_t)bytes,
                                         .node_count = 1,
                                         .list_count = 1,
                                         .extent_count = 1,
                                         .table_count = 1,
                                         .max_doc = MAX_DOC,
                                         .limit_doc = MAX_DOC,
                                         .k = mode == CSD_MODE_TOP_K ? 10 : 0,
                                         .count_threshold = CSD_EXACT_COUNT,
                                         .max_result_bytes = RESULT_BYTES};
  memcpy(plan, &header, sizeof header), plan += sizeof header;
  memcpy(plan, &node, sizeof node), plan += sizeof node;
  memcpy(plan, &list, sizeof list), plan += sizeof list;
  memcpy(plan, &extent, sizeof extent), plan += sizeof extent;
  memcpy(plan, table, sizeof table);
  return bytes;
}

static void run(uint8_t *page, uint32_t slot, uint8_t mode) {
  static _Alignas(64) uint8_t grant[GRANT_BYTES], result[RESULT_BYTES];
  uint8_t plan[2048];
  const struct csd_page_source source = {.context = page, .pin = pin, .unpin = unpin, .peek = peek};
  const size_t bytes = make_plan(page, slot, mode, plan);
  struct csd_program *program;
  if (csd_program_begin(grant, sizeof grant, plan, bytes, result, sizeof result, &source,
                        &program) != 0) {
    return;
  }
  int status;
  do {
    status = csd_program_step(program, 1000);
  } while (status > 0);
  csd_program_end(program);
  struct csd_result_header header;
  memcpy(&header, result, sizeof header);
  if (status == 0 && header.total_bytes > RESULT_BYTES) {
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
  memcpy(page + offsetof(struct csd_page_header, crc32c), &crc, sizeof crc);
  if (csd_page_check(page) == 0) {
    const uint16_t blocks = csd_page_header_of(page).block_count;
    for (uint32_t slot = 0; slot < blocks; slot += slot < 4 ? 1 : 17) {
      run(page, slot, CSD_MODE_COUNT);
      run(page, slot, CSD_MODE_DOCS);
      run(page, slot, CSD_MODE_TOP_K);
    }
  }
  free(page);
  return 0;
}
