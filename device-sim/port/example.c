/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/*
 * The engine's core without an operating system: runs the golden programs over pages in memory, and
 * compares. It asks its surroundings for two things, to print a text and to end; here they are the
 * system calls of Linux on AArch64, so that an emulator for programs can run it.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "core/program/program.h"
#include "csd/csd_wire.h"
#include "memory_pages.h"
#include "vectors.h"

enum { GRANT_BYTES = 4 << 20, RESULT_BYTES = 1 << 20, NEXT_DOC_AT = 24, BUDGET = 1000 };

static uint8_t grant[GRANT_BYTES] __attribute__((aligned(64)));
static uint8_t result[RESULT_BYTES] __attribute__((aligned(64)));
static uint8_t plan[1 << 20] __attribute__((aligned(8)));

static long call(long number, long a, long b, long c) {
  register long x8 __asm__("x8") = number;
  register long x0 __asm__("x0") = a;
  register long x1 __asm__("x1") = b;
  register long x2 __asm__("x2") = c;
  __asm__ volatile("svc 0" : "+r"(x0) : "r"(x8), "r"(x1), "r"(x2) : "memory");
  return x0;
}

static void print(const char *text) {
  long bytes = 0;
  while (text[bytes] != 0) {
    bytes++;
  }
  call(64, 1, (long)text, bytes);
}

static _Noreturn void end(int status) {
  for (;;) {
    call(93, status, 0, 0);
  }
}

/* Runs a plan in small steps, as a device with other work does. */
static int run(const struct vector_bytes *bytes, struct csd_page_source *source) {
  struct csd_program *program;
  int status = csd_program_begin(grant, sizeof grant, plan, bytes->size, result, sizeof result,
                                 source, &program);
  if (status != 0) {
    return status;
  }
  do {
    status = csd_program_step(program, BUDGET);
  } while (status == 1);
  csd_program_end(program);
  return status;
}

static bool as_expected(const struct vector_bytes *expected, bool more) {
  struct csd_result_header header;
  memcpy(&header, expected->bytes, sizeof header);
  const size_t head = sizeof header, size = header.total_bytes;
  /* Where a page with more behind it says to go on is the device's choice, within limits. */
  return size >= head && size <= expected->size &&
         memcmp(result, expected->bytes, more ? NEXT_DOC_AT : NEXT_DOC_AT + 4) == 0 &&
         memcmp(result + head, expected->bytes + head, size - head) == 0;
}

static bool check(const struct vector *vector) {
  struct memory_pages pages = {.pages = vector->pages,
                               .count = vector->page_count,
                               .live_docs = (const uint64_t *)(const void *)vector->live_docs.bytes,
                               .live_docs_words = vector->live_docs.size / 8};
  struct csd_page_source source = memory_pages_source(&pages);
  memcpy(plan, vector->plan.bytes, vector->plan.size);
  for (uint32_t i = 0; i < vector->result_count; i++) {
    if (run(&vector->plan, &source) != 0) {
      return false;
    }
    if (!as_expected(&vector->results[i], i + 1 < vector->result_count)) {
      return false;
    }
    struct csd_result_header header;
    memcpy(&header, result, sizeof header);
    memcpy(plan + offsetof(struct csd_plan_header, min_doc), &header.next_doc, 4);
  }
  return pages.pinned == 0;
}

_Noreturn void _start(void);

_Noreturn void _start(void) {
  bool good = vector_count > 0;
  for (uint32_t i = 0; i < vector_count; i++) {
    const bool same = check(&vectors[i]);
    print(same ? "identical: " : "DIFFERENT: ");
    print(vectors[i].name);
    print("\n");
    good &= same;
  }
  end(good ? 0 : 1);
}
