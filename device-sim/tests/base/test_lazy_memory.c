/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/* Memory that takes up room where it is touched: zeroed, and kept when a part of it is prepared. */
#include "base/lazy_memory.h"
#include "tests/support/check.h"

enum { BYTES = 1 << 20, MARK = 0x5A };

static void memory_is_zeroed_and_prepared_parts_keep_what_they_hold(void) {
  uint8_t *memory = csd_lazy_alloc(BYTES / 4, 4);
  REQUIRE(memory != NULL);
  memory[5000] = MARK;
  memory[BYTES - 1] = MARK;
  csd_lazy_prepare(memory + 4990, 100); /* within pages, over what is there */
  csd_lazy_prepare(memory, BYTES);
  csd_lazy_prepare(memory + BYTES - 1, 1);
  csd_lazy_prepare(memory + 77, 0);
  for (uint32_t i = 0; i < BYTES; i++) {
    CHECK_EQ(memory[i], i == 5000 || i == BYTES - 1 ? MARK : 0);
  }
  csd_lazy_free(memory, BYTES / 4, 4);
}

static void impossible_sizes_are_refused(void) {
  CHECK(csd_lazy_alloc(0, 4) == NULL);
  CHECK(csd_lazy_alloc(4, 0) == NULL);
  CHECK(csd_lazy_alloc(UINT64_MAX / 2, 4) == NULL);
  csd_lazy_free(NULL, 1, 1);
}

int main(void) {
  RUN(memory_is_zeroed_and_prepared_parts_keep_what_they_hold);
  RUN(impossible_sizes_are_refused);
  return check_result();
}
