/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/*
 * Property: whatever the plan, checking and running it reads nothing outside it, ends, and leaves
 * every pin undone. Pages come from a fixed small file, whichever LBA is asked for: one of
 * postings, one of a column.
 */
#include <stdlib.h>
#include <string.h>

#include "core/lists/page_check.h"
#include "core/program/program.h"
#include "tests/support/page/column_builder.h"
#include "tests/support/page/page_builder.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { GRANT_BYTES = 4 << 20, RESULT_BYTES = 1 << 16, MAX_STEPS = 2000, STEP = 20000 };

/* Two lists of 400 and 150 docs in one page of the stamp that the vectors use. */
static const uint8_t *the_page(void) {
  static uint8_t page[CSD_PAGE_BYTES + CSD_PAGE_SLACK_BYTES];
  if (page[0] == 0) {
    static struct page_builder builder;
    struct csd_list_ref ref;
    uint32_t docs[400];
    page_builder_init(&builder, 0x1122334455667788u, 1);
    for (uint32_t gap = 2; gap <= 5; gap += 3) {
      const uint32_t count = gap == 2 ? 400 : 150;
      for (uint32_t i = 0; i < count; i++) {
        docs[i] = i * gap;
      }
      page_builder_add(&builder, docs, NULL, NULL, count, &ref);
    }
    page_builder_finish(&builder);
    memcpy(page, builder.pages, CSD_PAGE_BYTES);
    page_builder_free(&builder);
  }
  return page;
}

/* A page of a column of 900 docs and up to 3 values a doc, as page 100 of the same file. */
static const uint8_t *the_column(void) {
  static uint8_t page[CSD_PAGE_BYTES + CSD_PAGE_SLACK_BYTES];
  if (page[0] == 0) {
    enum { DOCS = 900 };
    static uint32_t docs[DOCS], first[DOCS + 1];
    static int64_t values[3 * DOCS];
    struct column_builder builder;
    struct csd_column_ref ref;
    for (uint32_t i = 0, v = 0; i < DOCS; i++) {
      docs[i] = i + i / 9;
      for (uint32_t n = 0; n < 1 + i % 3; n++) {
        values[v++] = (int64_t)(i % 40 + 3 * n);
      }
      first[i + 1] = v;
    }
    const struct test_column column = {.doc_count = DOCS,
                                       .value_count = first[DOCS],
                                       .docs = docs,
                                       .first = first,
                                       .values = values};
    column_builder_init(&builder, 1, 0x1122334455667788u, 100);
    column_builder_add(&builder, &column, &ref);
    memcpy(page, builder.pages, CSD_PAGE_BYTES);
    column_builder_free(&builder);
  }
  return page;
}

static int pin(void *context, uint64_t lba, uint64_t stamp, uint32_t file_page,
               const uint8_t **page) {
  const uint8_t *pinned = file_page < 100 ? the_page() : the_column();
  const struct csd_page_header header = csd_page_header_of(pinned);
  (void)lba;
  if (stamp != header.stamp || file_page != header.file_page) {
    return -CSD_STATUS_PAGE_STALE;
  }
  ++*(int *)context;
  *page = pinned;
  return 0;
}

static void unpin(void *context, const uint8_t *page) {
  if (page != the_page() && page != the_column()) {
    abort();
  }
  --*(int *)context;
}

static bool peek(void *context, uint64_t lba, uint64_t stamp, uint32_t file_page,
                 struct csd_page_range *range) {
  const struct csd_page_header header = csd_page_header_of(the_page());
  (void)context, (void)lba;
  *range = csd_page_range_of(&header);
  return stamp == header.stamp && file_page == header.file_page;
}

static const uint64_t *doc_bits(void *context, uint32_t resource, uint32_t doc_count) {
  static const uint64_t words[64] = {0x123456789ABCDEF0u, UINT64_MAX, 0, 0x5555555555555555u};
  (void)context;
  return resource == 1 && doc_count <= 64 * 64 ? words : NULL;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static _Alignas(64) uint8_t grant[GRANT_BYTES], result[RESULT_BYTES];
  int pins = 0;
  const struct csd_page_source source = {
      .context = &pins, .pin = pin, .unpin = unpin, .peek = peek, .doc_bits = doc_bits};
  struct csd_program *program;
  uint8_t *plan = malloc(size + 1); /* its very size, so that a read beyond it shows */
  if (plan == NULL) {
    return 0;
  }
  if (size > 0) {
    memcpy(plan, data, size);
  }
  if (csd_program_begin(grant, sizeof grant, plan, size, result, sizeof result, &source,
                        &program) == 0) {
    for (int i = 0; i < MAX_STEPS && csd_program_step(program, STEP) > 0; i++) {
      continue;
    }
    csd_program_end(program);
  }
  free(plan);
  if (pins != 0) {
    abort();
  }
  return 0;
}
