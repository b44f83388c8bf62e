/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

#include "device/store/reader.h"
#include "tests/support/check.h"
#include "tests/support/page/page_file.h"

enum { PAGES = 500, THREADS = 8, ROUNDS = 400 };

static struct csd_reader reader;

/* Plans that ask for stretches, take most of them, and pass over others. */
static void *plan(void *argument) {
  const uint32_t owner = (uint32_t)(uintptr_t)argument;
  uint64_t seed = owner;
  _Alignas(8) uint8_t page[CSD_PAGE_BYTES];
  for (int round = 0; round < ROUNDS; round++) {
    const uint32_t from = check_random_below(&seed, PAGES);
    const uint32_t count = 1 + check_random_below(&seed, 40);
    csd_reader_ask(&reader, owner, from, count);
    for (uint32_t i = from; i < from + count; i++) {
      const uint32_t what = check_random_below(&seed, 8);
      if (what == 0) {
        csd_reader_forget(&reader, i);
      } else if (what > 1 && csd_reader_take(&reader, i, page)) {
        CHECK_EQ(0, page_file_version(page, i));
      }
    }
    if (check_random_below(&seed, 4) == 0) {
      csd_reader_leave(&reader, owner);
    }
  }
  csd_reader_leave(&reader, owner);
  return NULL;
}

int main(void) {
  for (enum csd_read_way way = CSD_READ_RING; way <= CSD_READ_THREADS; way++) {
    const int file = page_file_make("pages", PAGES);
    if (!csd_reader_open(&reader, file, way, 0)) {
      printf("test_reader_threads: no %s here\n", way == CSD_READ_RING ? "io_uring" : "threads");
      CHECK(way == CSD_READ_RING);
      close(file);
      continue;
    }
    pthread_t threads[THREADS];
    for (uintptr_t i = 0; i < THREADS; i++) {
      CHECK(pthread_create(&threads[i], NULL, plan, (void *)(i + 1)) == 0);
    }
    for (int i = 0; i < THREADS; i++) {
      pthread_join(threads[i], NULL);
    }
    CHECK_EQ(0, reader.active_owners);
    CHECK(csd_reader_look(&reader).taken > 0);
    csd_reader_close(&reader);
    close(file);
  }
  return check_result();
}
