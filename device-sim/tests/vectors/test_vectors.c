/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/* Every golden vector does what it says. */
#include <stdlib.h>

#include "core/columns/page/column_check.h"
#include "core/columns/page/column_page.h"
#include "core/lists/page_check.h"
#include "core/positions/position_check.h"
#include "core/positions/position_page.h"
#include "core/program/program.h"
#include "csd/csd.h"
#include "tests/support/check.h"
#include "tests/support/client.h"
#include "tests/vectors/vector_fields.h"
#include "tests/vectors/vector_file.h"

enum { DEVICE_LBAS = 1000, RESULT_BYTES = 1 << 20, GRANT_BYTES = 16 << 20 };

enum { KINDS = 7 };
static int kinds_seen[KINDS + 1];

/* ---- pages ---- */

static uint32_t value_at(const uint8_t *column, uint32_t i, uint32_t bits) {
  uint32_t value = 0;
  for (uint32_t b = 0; b < bits; b++) {
    const uint32_t at = i * bits + b;
    value |= (uint32_t)(column[at / 8] >> (at % 8) & 1) << b;
  }
  return value;
}

/* The next doc after `doc`, posting i of a block behind doc `base`. */
static uint32_t next_doc(const uint8_t *page, const struct csd_block_entry *entry, uint32_t base,
                         uint32_t doc, uint32_t i) {
  const uint8_t *column = page + entry->offset;
  if ((entry->flags & CSD_BLOCK_FLAG_DOC_BITMAP) == 0) {
    return doc + value_at(column, i, entry->doc_bits) + 1;
  }
  do {
    doc++;
  } while (value_at(column, doc - base - 1, 1) == 0);
  return doc;
}

/* Where the column behind one that ends at `from` starts. */
static uint32_t behind(uint32_t from, uint32_t count, uint32_t bits) {
  return from + (count * bits + 7) / 8;
}

/* Value i of the freq column at `from`, with what its exception, if it is one, adds. */
static uint32_t freq_value(const uint8_t *page, const struct csd_block_entry *entry, uint32_t from,
                           uint32_t i) {
  const uint8_t *exception = page + behind(from, entry->count, entry->freq_bits);
  uint32_t value = value_at(page + from, i, entry->freq_bits);
  for (int left = entry->flags >> CSD_EXCEPTIONS_SHIFT; left > 0; left--, exception += 2) {
    if (exception[0] == i) {
      value += (uint32_t)exception[1] << entry->freq_bits;
    }
  }
  return value;
}

static void check_postings(const struct vector_file *vector, const uint8_t *page) {
  const struct vector_section *rows = vector_section_of(vector, "postings", 0);
  const struct csd_page_header header = csd_page_header_of(page);
  CHECK_MSG(rows != NULL, "%s: no postings", vector->name);
  if (rows == NULL) {
    return;
  }
  const char *text = rows->text;
  char name[16];
  static char value[1 << 14];
  uint32_t block = 0;
  for (; vector_next_row(&text, name, sizeof name, value, sizeof value); block++) {
    struct csd_block_entry entry;
    memcpy(&entry, page + 64 + header.block_count * 4u + block * sizeof entry, sizeof entry);
    uint32_t base = header.lead_base_doc, last_doc, i = 0;
    memcpy(&last_doc, page + 64 + block * 4u, sizeof last_doc);
    if (entry.flags & CSD_BLOCK_FLAG_FIRST_OF_LIST) {
      base = CSD_NO_DOC;
    } else if (block > 0) {
      memcpy(&base, page + 64 + (block - 1) * 4u, sizeof base);
    }
    uint32_t doc = base;
    const uint32_t freqs = entry.flags & CSD_BLOCK_FLAG_DOC_BITMAP
                               ? entry.offset + (last_doc - base + 63) / 64 * 8
                               : behind(entry.offset, entry.count, entry.doc_bits);
    const uint32_t norms = behind(freqs, entry.count, entry.freq_bits) +
                           (uint32_t)(entry.flags >> CSD_EXCEPTIONS_SHIFT) * 2u;
    for (char *next = value; *next != 0; i++) {
      const unsigned long want_doc = strtoul(next, &next, 10);
      const unsigned long want_freq = strtoul(next + 1, &next, 10);
      const unsigned long want_norm = strtoul(next + 1, &next, 10);
      doc = next_doc(page, &entry, base, doc, i);
      CHECK_EQ(want_doc, doc);
      CHECK_EQ(want_freq, freq_value(page, &entry, freqs, i) + 1);
      CHECK_EQ(want_norm, entry.norm_base + value_at(page + norms, i, entry.norm_bits));
    }
    CHECK_MSG(i == entry.count, "%s: block %u has %u postings", vector->name, block, i);
  }
  CHECK_MSG(block == header.block_count, "%s: %u blocks", vector->name, block);
}

static void check_page(const struct vector_file *vector) {
  const struct vector_section *bytes = vector_section_of(vector, "bytes", 0);
  CHECK_MSG(bytes != NULL && bytes->size == CSD_PAGE_BYTES, "%s: no page", vector->name);
  if (bytes == NULL || bytes->size != CSD_PAGE_BYTES) {
    return;
  }
  const int status = csd_page_check(bytes->bytes); /* sections have slack behind them */
  CHECK_MSG(status == -vector->status, "%s gives %s (%s)", vector->name, csd_status_name(status),
            csd_last_error());
  if (vector->status != 0) {
    return;
  }
  vector_check_fields(vector, false);
  check_postings(vector, bytes->bytes);
}

/* ---- position pages ---- */

/* The values of each block, and where in its posting block they are. */
static void check_blocks(const struct vector_file *vector, const uint8_t *page) {
  const struct vector_section *rows = vector_section_of(vector, "blocks", 0);
  struct csd_position_page_header header;
  memcpy(&header, page, sizeof header);
  if (!CHECK_MSG(rows != NULL, "%s: no blocks", vector->name)) {
    return;
  }
  const char *text = rows->text;
  char name[16];
  static char value[1 << 14];
  uint32_t b = 0;
  for (; vector_next_row(&text, name, sizeof name, value, sizeof value); b++) {
    struct csd_position_block block;
    char *next;
    uint32_t i = 0;
    CHECK(csd_position_block_at(page, header.block_count, b, &block));
    CHECK_EQ(strtoul(value, &next, 10), csd_position_last_doc(page, b));
    CHECK_EQ(strtoul(next + 1, &next, 10), block.rank);
    for (; *next != 0; i++) {
      uint32_t found = value_at(page + block.values, i, block.value_bits);
      for (uint32_t e = 0; e < block.exception_count; e++) {
        const uint8_t *exception = page + block.exceptions + 3u * e;
        found += (exception[0] | exception[1] << 8) == (int)i
                     ? (uint32_t)exception[2] << block.value_bits
                     : 0u;
      }
      CHECK_EQ(strtoul(next, &next, 10), found);
    }
    CHECK_EQ(block.value_count, i);
  }
  CHECK_EQ(header.block_count, b);
}

static void check_position_page(const struct vector_file *vector) {
  const struct vector_section *bytes = vector_section_of(vector, "bytes", 0);
  if (!CHECK_MSG(bytes != NULL && bytes->size == CSD_PAGE_BYTES, "%s: no page", vector->name)) {
    return;
  }
  const int status = csd_position_check(bytes->bytes);
  CHECK_MSG(status == -vector->status, "%s gives %s (%s)", vector->name, csd_status_name(status),
            csd_last_error());
  if (vector->status == 0) {
    vector_check_fields(vector, false);
    check_blocks(vector, bytes->bytes);
  }
}

/* ---- column pages ---- */

/* Every doc of the page has the values that its row says, and no other doc has any. */
static void check_values(const struct vector_file *vector, const struct csd_column_page *page) {
  const struct vector_section *rows = vector_section_of(vector, "values", 0);
  CHECK_MSG(rows != NULL, "%s: no values", vector->name);
  if (rows == NULL) {
    return;
  }
  const char *text = rows->text;
  char name[16], value[256];
  uint32_t rank = 0;
  for (; vector_next_row(&text, name, sizeof name, value, sizeof value); rank++) {
    const uint32_t doc = (uint32_t)strtoul(name, NULL, 10);
    uint32_t found;
    if (!CHECK_MSG(rank < page->header.doc_count && csd_column_find(page, doc, &found) &&
                       found == rank && csd_column_doc(page, rank) == doc,
                   "%s: doc %u has no value", vector->name, doc)) {
      return;
    }
    uint32_t v = csd_column_first_value(page, rank);
    for (char *next = value; *next != 0; v++) {
      CHECK_EQ(strtoll(next, &next, 10), csd_column_value(page, v));
    }
    CHECK_EQ(csd_column_first_value(page, rank + 1), v);
  }
  CHECK_EQ(page->header.doc_count, rank);
}

static void check_column_page(const struct vector_file *vector) {
  const struct vector_section *bytes = vector_section_of(vector, "bytes", 0);
  if (!CHECK_MSG(bytes != NULL && bytes->size == CSD_PAGE_BYTES, "%s: no page", vector->name)) {
    return;
  }
  const int status = csd_column_check(bytes->bytes); /* sections have slack behind them */
  CHECK_MSG(status == -vector->status, "%s gives %s (%s)", vector->name, csd_status_name(status),
            csd_last_error());
  struct csd_column_page page;
  if (vector->status == 0 && CHECK(csd_column_lay_out(bytes->bytes, &page))) {
    vector_check_fields(vector, false);
    check_values(vector, &page);
  }
}

/* ---- plans ---- */

static const uint64_t *any_doc_bits(void *context, uint32_t resource, uint32_t doc_count) {
  (void)context, (void)resource, (void)doc_count;
  static const uint64_t words[1024];
  return words;
}

/* A plan that sorts looks pages up as it begins; none of these is known. */
static bool no_entry(void *context, uint64_t lba, uint64_t stamp, uint32_t file_page,
                     struct csd_page_range *range) {
  (void)context, (void)lba, (void)stamp, (void)file_page, (void)range;
  return false;
}

static void check_plan(const struct vector_file *vector) {
  static _Alignas(64) uint8_t grant[GRANT_BYTES], result[RESULT_BYTES];
  const struct vector_section *bytes = vector_section_of(vector, "bytes", 0);
  const struct csd_page_source source = {.doc_bits = any_doc_bits, .peek = no_entry};
  struct csd_program *program;
  CHECK_MSG(bytes != NULL, "%s: no plan", vector->name);
  if (bytes == NULL) {
    return;
  }
  uint8_t *exact = malloc(bytes->size + 1); /* so that a sanitizer sees a read beyond its end */
  memcpy(exact, bytes->bytes, bytes->size);
  const int status = csd_program_begin(grant, sizeof grant, exact, bytes->size, result,
                                       sizeof result, &source, &program);
  CHECK_MSG(status == -vector->status, "%s gives %s", vector->name, csd_status_name(status));
  if (status == 0) {
    csd_program_end(program);
  }
  free(exact);
  if (vector->status == 0) {
    vector_check_fields(vector, false);
  }
}

/* ---- programs ---- */

/* Compares a result page with the one expected, but for the exemptions that the README names. */
static void check_result_page(const struct vector_file *vector, int i, const uint8_t *got,
                              int64_t size) {
  const struct vector_section *want = vector_section_of(vector, "result", i);
  const struct vector_section *next = vector_section_of(vector, "result", i + 1);
  CHECK_MSG(want != NULL, "%s: a result page %d too many", vector->name, i);
  if (want == NULL) {
    return;
  }
  struct csd_result_header header, expected;
  memcpy(&header, got, sizeof header);
  memcpy(&expected, want->bytes, sizeof expected);
  CHECK_MSG(size == (int64_t)want->size, "%s: result page %d has %d bytes, not %d", vector->name, i,
            (int)size, (int)want->size);
  if (size != (int64_t)want->size) {
    return;
  }
  header.flags &= (1u << CSD_WAY_SHIFT) - 1u;
  CHECK_MSG(memcmp(&header, want->bytes, 24) == 0,
            "%s: header of result page %d: %u matches, not %u", vector->name, i,
            (unsigned)header.match_count, (unsigned)expected.match_count);
  CHECK_MSG(
      memcmp(got + sizeof header, want->bytes + sizeof header, (size_t)size - sizeof header) == 0,
      "%s: entries of result page %d", vector->name, i);
  if (next == NULL) {
    CHECK_MSG(header.next_doc == expected.next_doc, "%s: next_doc %u", vector->name,
              header.next_doc);
    return;
  }
  uint32_t last, first;
  memcpy(&last, got + sizeof header + (header.entry_count - 1) * 4, sizeof last);
  memcpy(&first, next->bytes + sizeof header, sizeof first);
  CHECK_MSG(last < header.next_doc && header.next_doc <= first, "%s: next_doc %u", vector->name,
            header.next_doc);
}

/* Gives all DOC_SETs and COMBINEDs of a plan a resource of this device. */
static void name_doc_sets(uint8_t *plan, uint32_t node_count, uint32_t resource) {
  for (uint32_t i = 0; i < node_count; i++) {
    uint8_t *at = plan + sizeof(struct csd_plan_header) + i * sizeof(struct csd_plan_node);
    struct csd_plan_node node;
    memcpy(&node, at, sizeof node);
    if (node.op == CSD_OP_DOC_SET || node.op == CSD_OP_COMBINED) {
      memcpy(at + offsetof(struct csd_plan_node, list), &resource, sizeof resource);
    }
  }
}

static void run_program(const struct vector_file *vector, struct csd_queue *queue,
                        uint64_t budget) {
  static uint8_t result[RESULT_BYTES];
  const struct vector_section *plan = vector_section_of(vector, "plan", 0);
  const struct vector_section *live = vector_section_of(vector, "live_docs", 0);
  const int64_t session = client_session(queue, 8 << 20);
  REQUIRE(plan != NULL && session > 0);
  struct csd_plan_header header;
  memcpy(&header, plan->bytes, sizeof header);
  if (live != NULL) {
    const int64_t resource = client_live_docs(queue, live->bytes, (uint32_t)live->size);
    REQUIRE(resource > 0);
    header.live_docs = header.live_docs != 0 ? (uint32_t)resource : 0;
    name_doc_sets(plan->bytes, header.node_count, (uint32_t)resource);
  }
  int pages = 0;
  for (bool more = true; more; pages++) {
    memcpy(plan->bytes, &header, sizeof header);
    const int64_t size = client_plan(queue, (uint32_t)session, plan->bytes, (uint32_t)plan->size,
                                     result, sizeof result, budget);
    if (size < 0 || vector->status != 0) {
      CHECK_MSG(size == -vector->status, "%s gives %s (%s)", vector->name,
                csd_status_name((int)(size < 0 ? size : 0)), csd_last_error());
      break;
    }
    check_result_page(vector, pages, result, size);
    struct csd_result_header head;
    memcpy(&head, result, sizeof head);
    more = (head.flags & CSD_RESULT_FLAG_MORE) != 0 && head.next_doc > header.min_doc;
    header.min_doc = head.next_doc;
  }
  if (vector->status == 0) {
    CHECK_MSG(vector_section_of(vector, "result", pages) == NULL, "%s: only %d result pages",
              vector->name, pages);
  }
  CHECK_EQ(0, client_close_session(queue, (uint32_t)session));
}

static void check_program(const struct vector_file *vector) {
  struct csd_device *device = client_open(vector->name, DEVICE_LBAS, 1 << 20);
  struct csd_queue *queue = client_queue(device);
  const struct vector_section *page;
  for (int i = 0; (page = vector_section_of(vector, "page", i)) != NULL; i++) {
    const uint64_t lba = strtoull(page->title + 5, NULL, 10);
    CHECK_EQ(0, client_write(queue, lba, page->bytes, 1));
  }
  const struct vector_section *plan = vector_section_of(vector, "plan", 0);
  struct csd_plan_header header;
  memcpy(&header, plan->bytes, sizeof header);
  run_program(vector, queue, CSD_BUDGET_UNLIMITED);
  memcpy(plan->bytes, &header, sizeof header);
  run_program(vector, queue, 1); /* in the smallest steps */
  csd_queue_destroy(queue);
  csd_device_close(device);
}

/* ---- the rest ---- */

static void check_bad_command(const struct vector_file *vector) {
  struct csd_device *device = client_open(vector->name, DEVICE_LBAS, 1 << 20);
  struct csd_queue *queue = client_queue(device);
  static uint8_t zeros[CSD_MAX_TRANSFER_BYTES];
  struct csd_submission command;
  memcpy(&command, vector_section_of(vector, "bytes", 0)->bytes, sizeof command);
  if (command.data != 0) {
    command.data = (uint64_t)(uintptr_t)zeros;
  }
  const int64_t status = client_run(queue, &command);
  CHECK_MSG(status == -vector->status, "%s gives %s (%s)", vector->name,
            csd_status_name((int)status), csd_last_error());
  csd_queue_destroy(queue);
  csd_device_close(device);
}

static void check_vector(const struct vector_file *vector) {
  static const char *const kinds[] = {"page",   "plan",        "program",      "submission",
                                      "result", "column_page", "position_page"};
  int kind = 0;
  while (kind < KINDS && strcmp(vector->kind, kinds[kind]) != 0) {
    kind++;
  }
  kinds_seen[kind]++;
  switch (kind) {
    case 0: check_page(vector); break;
    case 1: check_plan(vector); break;
    case 2: check_program(vector); break;
    case 3:
      if (vector->status != 0) {
        check_bad_command(vector);
        break;
      }
      vector_check_fields(vector, true);
      break;
    case 4: vector_check_fields(vector, false); break;
    case 5: check_column_page(vector); break;
    case 6: check_position_page(vector); break;
    default: vector_check_fields(vector, true);
  }
}

static void check_bad_vector(const struct vector_file *vector) {
  char prefix[40] = "";
  for (size_t i = 0; i < sizeof prefix - 2 && vector->status_name[i] != 0; i++) {
    prefix[i] = (char)(vector->status_name[i] | (vector->status_name[i] == '_' ? 0 : 0x20));
  }
  strcat(prefix, "_");
  CHECK_MSG(vector->status != 0, "%s is not bad", vector->name);
  CHECK_MSG(strncmp(vector->name, prefix, strlen(prefix)) == 0, "%s is not named after its status",
            vector->name);
  check_vector(vector);
}

static void check_good_vector(const struct vector_file *vector) {
  CHECK_MSG(vector->status == 0, "%s is bad", vector->name);
  check_vector(vector);
}

static void good_vectors(void) {
  CHECK(vector_files_each(CSD_VECTORS_DIR "/good", check_good_vector) > 50);
}

static void bad_vectors(void) {
  CHECK(vector_files_each(CSD_VECTORS_DIR "/bad", check_bad_vector) > 100);
  for (int kind = 0; kind < KINDS; kind++) {
    CHECK_MSG(kinds_seen[kind] > 3, "kind %d", kind);
  }
}

int main(void) {
  RUN(good_vectors);
  RUN(bad_vectors);
  return check_result();
}
