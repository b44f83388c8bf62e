/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
#include "csd/csd.h"
#include "device/session/resource.h"
#include "tests/support/check.h"

enum { LIVE = CSD_RESOURCE_LIVE_DOCS };

static const uint64_t words[4] = {1, 2, 3, 4};

static void chunks_make_a_resource(void) {
  struct csd_resources resources;
  REQUIRE_OK(csd_resources_open(&resources, 1 << 20, 0));
  uint32_t number = 0;
  REQUIRE_OK(csd_resource_put(&resources, LIVE, &number, words, 16, 0, 32));
  CHECK(number != 0);
  CHECK(csd_resource_acquire(&resources, LIVE, number, 1) == NULL);
  CHECK_STATUS(CSD_STATUS_INVALID_FIELD,
               csd_resource_put(&resources, LIVE, &number, words, 8, 0, 32));
  CHECK_STATUS(CSD_STATUS_INVALID_FIELD,
               csd_resource_put(&resources, LIVE, &number, words, 8, 24, 32));
  CHECK_STATUS(CSD_STATUS_INVALID_FIELD,
               csd_resource_put(&resources, LIVE, &number, words, 8, 16, 40));
  CHECK_OK(csd_resource_put(&resources, LIVE, &number, words + 2, 16, 16, 32));
  CHECK_STATUS(CSD_STATUS_INVALID_FIELD,
               csd_resource_put(&resources, LIVE, &number, words, 8, 32, 32));
  struct csd_resource_slot *held = csd_resource_acquire(&resources, LIVE, number, 256);
  REQUIRE(held != NULL);
  CHECK(memcmp(held->words, words, 32) == 0);
  CHECK(csd_resource_acquire(&resources, LIVE, number, 257) == NULL);
  CHECK_OK(csd_resource_drop(&resources, number));
  CHECK_STATUS(CSD_STATUS_NO_RESOURCE, csd_resource_drop(&resources, number));
  CHECK(csd_resource_acquire(&resources, LIVE, number, 1) == NULL);
  CHECK(memcmp(held->words, words, 32) == 0); /* as long as it is held */
  CHECK_EQ(1, resources.count);
  csd_resource_release(&resources, held);
  CHECK_EQ(0, resources.count);
  CHECK_EQ(0, resources.bytes);
  csd_resources_close(&resources);
}

static void bad_puts_are_refused(void) {
  struct csd_resources resources;
  REQUIRE_OK(csd_resources_open(&resources, 64, 0));
  uint32_t n = 0;
  CHECK_STATUS(CSD_STATUS_INVALID_FIELD, csd_resource_put(&resources, LIVE, &n, words, 0, 0, 32));
  CHECK_STATUS(CSD_STATUS_INVALID_FIELD, csd_resource_put(&resources, LIVE, &n, words, 12, 0, 32));
  CHECK_STATUS(CSD_STATUS_INVALID_FIELD, csd_resource_put(&resources, LIVE, &n, words, 8, 0, 0));
  CHECK_STATUS(CSD_STATUS_INVALID_FIELD, csd_resource_put(&resources, LIVE, &n, words, 8, 0, 12));
  CHECK_STATUS(CSD_STATUS_INVALID_FIELD, csd_resource_put(&resources, LIVE, &n, words, 16, 0, 8));
  CHECK_STATUS(CSD_STATUS_INVALID_FIELD, csd_resource_put(&resources, LIVE, &n, words, 8, 8, 16));
  CHECK_STATUS(CSD_STATUS_INVALID_FIELD,
               csd_resource_put(&resources, LIVE, &n, words, 8, UINT32_MAX - 7, 32));
  CHECK_STATUS(CSD_STATUS_INVALID_FIELD,
               csd_resource_put(&resources, LIVE, &n, words, 8, 0, 1u << 29));
  CHECK_STATUS(CSD_STATUS_NO_MEMORY, csd_resource_put(&resources, LIVE, &n, words, 8, 0, 72));
  CHECK_EQ(0, n);
  n = 12345;
  CHECK_STATUS(CSD_STATUS_NO_RESOURCE, csd_resource_put(&resources, LIVE, &n, words, 8, 0, 8));
  CHECK_STATUS(CSD_STATUS_NO_RESOURCE, csd_resource_drop(&resources, 0));
  CHECK_EQ(0, resources.count);
  csd_resources_close(&resources);
}

static void kinds_are_kept_apart(void) {
  struct csd_resources resources;
  const struct csd_page_rule rule = {.hi = 1};
  REQUIRE_OK(csd_resources_open(&resources, 1 << 20, 0));
  uint32_t number = 0;
  CHECK_STATUS(CSD_STATUS_INVALID_FIELD,
               csd_resource_put(&resources, CSD_RESOURCE_RULE, &number, &rule, 32, 0, 32));
  CHECK_OK(csd_resource_put(&resources, CSD_RESOURCE_RULE, &number, &rule, 32, 0, sizeof rule));
  CHECK_STATUS(CSD_STATUS_NO_RESOURCE,
               csd_resource_put(&resources, LIVE, &number, words, 8, 32, sizeof rule));
  CHECK_OK(csd_resource_put(&resources, CSD_RESOURCE_RULE, &number, &rule, 8, 32, sizeof rule));
  CHECK(csd_resource_acquire(&resources, LIVE, number, 1) == NULL);
  struct csd_resource_slot *held = csd_resource_acquire(&resources, CSD_RESOURCE_RULE, number, 320);
  REQUIRE(held != NULL);
  csd_resource_release(&resources, held);
  csd_resources_close(&resources);
}

static void the_table_fills_and_empties(void) {
  struct csd_resources resources;
  static uint32_t numbers[CSD_MAX_RESOURCES];
  REQUIRE_OK(csd_resources_open(&resources, 1 << 20, 0));
  for (int i = 0; i < CSD_MAX_RESOURCES; i++) {
    REQUIRE_OK(csd_resource_put(&resources, LIVE, &numbers[i], words, 8, 0, 8));
  }
  uint32_t number = 0;
  CHECK_STATUS(CSD_STATUS_NO_MEMORY, csd_resource_put(&resources, LIVE, &number, words, 8, 0, 8));
  CHECK_OK(csd_resource_drop(&resources, numbers[77]));
  CHECK_OK(csd_resource_put(&resources, LIVE, &number, words, 8, 0, 8));
  CHECK(number != numbers[77]);
  csd_resources_close(&resources);
}

static void numbers_begin_where_they_are_told(void) {
  static const uint32_t boots[] = {0, 1, 77, UINT32_MAX >> 13, UINT32_MAX};
  const uint64_t word = 1;
  uint32_t before = 0;
  for (uint32_t i = 0; i < sizeof boots / sizeof boots[0]; i++) {
    struct csd_resources resources;
    REQUIRE_OK(csd_resources_open(&resources, 64, boots[i]));
    uint32_t number = 0;
    CHECK_OK(csd_resource_put(&resources, LIVE, &number, &word, 8, 0, 8));
    CHECK(number != 0);
    CHECK(number != before);
    if (before != 0) {
      CHECK_STATUS(CSD_STATUS_NO_RESOURCE, csd_resource_drop(&resources, before));
    }
    before = number;
    csd_resources_close(&resources);
  }
}

int main(void) {
  RUN(numbers_begin_where_they_are_told);
  RUN(chunks_make_a_resource);
  RUN(bad_puts_are_refused);
  RUN(kinds_are_kept_apart);
  RUN(the_table_fills_and_empties);
  return check_result();
}
