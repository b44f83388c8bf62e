/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
#include <pthread.h>

#include "device/page_index.h"
#include "tests/support/check.h"

static struct csd_stored_page page_of(uint64_t stamp, uint32_t page, uint32_t tag) {
  return (struct csd_stored_page){
      .stamp = stamp, .file_page = page, .range = {tag, tag + 1, tag + 2}};
}

static void an_entry_answers_its_own_page_only(void) {
  struct csd_page_index index;
  struct csd_page_range range;
  REQUIRE_OK(csd_page_index_open(&index, 1000));
  CHECK(!csd_page_index_peek(&index, 7, 0, 0, &range));
  const struct csd_stored_page page = page_of(5, 6, 70);
  csd_page_index_put(&index, 7, &page);
  CHECK(csd_page_index_has(&index, 7) && !csd_page_index_has(&index, 8));
  REQUIRE(csd_page_index_peek(&index, 7, 5, 6, &range));
  CHECK_EQ(70, range.lead_first_doc);
  CHECK_EQ(71, range.lead_last_doc);
  CHECK_EQ(72, range.lead_impacts);
  CHECK(!csd_page_index_peek(&index, 7, 5, 7, &range));
  CHECK(!csd_page_index_peek(&index, 7, 4, 6, &range));
  CHECK(!csd_page_index_peek(&index, 8, 5, 6, &range));
  CHECK(!csd_page_index_peek(&index, 1000, 5, 6, &range));
  CHECK(!csd_page_index_peek(&index, UINT64_MAX, 5, 6, &range));
  csd_page_index_clear(&index, 7);
  CHECK(!csd_page_index_peek(&index, 7, 5, 6, &range));
  csd_page_index_put(&index, 7, &page);
  CHECK(csd_page_index_peek(&index, 7, 5, 6, &range));
  csd_page_index_close(&index);
}

static struct csd_page_index shared;
static atomic_bool stop;

static void *change(void *unused) {
  (void)unused;
  for (uint32_t i = 0; i < 200000; i++) {
    const struct csd_stored_page page = page_of(1, 1, i * 16);
    csd_page_index_put(&shared, 3, &page);
  }
  atomic_store(&stop, true);
  return NULL;
}

static void a_torn_entry_is_never_seen(void) {
  REQUIRE_OK(csd_page_index_open(&shared, 10));
  pthread_t writer;
  REQUIRE(pthread_create(&writer, NULL, change, NULL) == 0);
  uint64_t seen = 0, torn = 0;
  do {
    struct csd_page_range range;
    if (!csd_page_index_peek(&shared, 3, 1, 1, &range)) {
      continue;
    }
    seen++;
    torn += range.lead_last_doc != range.lead_first_doc + 1 ||
            range.lead_impacts != range.lead_first_doc + 2u;
  } while (!atomic_load(&stop) || seen == 0);
  pthread_join(writer, NULL);
  CHECK_EQ(0, torn);
  csd_page_index_close(&shared);
}

int main(void) {
  RUN(an_entry_answers_its_own_page_only);
  RUN(a_torn_entry_is_never_seen);
  return check_result();
}
