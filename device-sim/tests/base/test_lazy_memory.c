/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/* Memory that takes up room where it is touched: zeroed, and kept when a part of it is prepared. */
#include <string.h>

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

/* Whoever allocates as much next gets the same memory, and finds zeros. */
static void what_is_kept_is_zeroed_and_given_to_who_needs_as_much(void) {
  const uint64_t bytes = 4 * (uint64_t)CSD_KEPT_BYTES + 12345;
  uint8_t *first = csd_lazy_alloc(bytes, 1);
  REQUIRE(first != NULL);
  memset(first, MARK, bytes);
  csd_lazy_keep(first, bytes, 1, bytes);
  uint8_t *less = csd_lazy_alloc(bytes - 1, 1);
  REQUIRE(less != NULL);
  CHECK(less != first);
  csd_lazy_free(less, bytes - 1, 1);
  uint8_t *second = csd_lazy_alloc(bytes, 1);
  CHECK(second == first);
  REQUIRE(second != NULL);
  uint64_t others = 0;
  for (uint64_t i = 0; i < bytes; i++) {
    others += second[i] != 0;
  }
  CHECK_EQ(0, others);
  /* Touched beyond what the caller says, within a page and behind it. */
  second[100] = second[bytes - 1] = MARK;
  csd_lazy_keep(second, bytes, 1, 1);
  uint8_t *third = csd_lazy_alloc(bytes, 1);
  REQUIRE(third != NULL);
  CHECK_EQ(0, third[100]);
  CHECK_EQ(0, third[bytes - 1]);
  csd_lazy_free(third, bytes, 1);
}

static void no_more_blocks_are_kept_than_there_is_room_for(void) {
  uint8_t *blocks[CSD_KEPT_BLOCKS + 3];
  for (uint32_t i = 0; i < CSD_KEPT_BLOCKS + 3; i++) {
    blocks[i] = csd_lazy_alloc(i + 1u, 4096);
    REQUIRE(blocks[i] != NULL);
    blocks[i][0] = MARK;
  }
  for (uint32_t i = 0; i < CSD_KEPT_BLOCKS + 3; i++) {
    csd_lazy_keep(blocks[i], i + 1u, 4096, 1);
  }
  csd_lazy_keep(NULL, 1, 1, 1);
  for (uint32_t i = 0; i < CSD_KEPT_BLOCKS + 3; i++) {
    blocks[i] = csd_lazy_alloc(i + 1u, 4096);
    REQUIRE(blocks[i] != NULL);
    CHECK_EQ(0, blocks[i][0]);
    csd_lazy_free(blocks[i], i + 1u, 4096);
  }
}

int main(void) {
  RUN(memory_is_zeroed_and_prepared_parts_keep_what_they_hold);
  RUN(impossible_sizes_are_refused);
  RUN(what_is_kept_is_zeroed_and_given_to_who_needs_as_much);
  RUN(no_more_blocks_are_kept_than_there_is_room_for);
  return check_result();
}
