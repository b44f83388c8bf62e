/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "device/store/reader.h"
#include "tests/support/check.h"
#include "tests/support/page/page_file.h"
#include "tests/support/scratch.h"

enum { PAGES = 600 };

static enum csd_read_way way;
static struct csd_reader reader;
static _Alignas(8) uint8_t page[CSD_PAGE_BYTES];
static int file;

static void start(void) {
  file = page_file_make("pages", PAGES);
  REQUIRE(csd_reader_open(&reader, file, way, 0));
}

/* Waits until nothing is under way any more. */
static void settle(void) {
  while (csd_reader_ask(&reader, 0, 0, 0), reader.under_way > 0) {
    nanosleep(&(struct timespec){.tv_nsec = 100000}, NULL);
  }
}

/* Every slot is free again once all was taken, or nobody's. */
static void stop(void) {
  settle();
  CHECK_EQ(CSD_READER_SLOTS, reader.free_count + reader.held[CSD_READER_NOBODY]);
  CHECK_EQ(0, reader.active_owners);
  csd_reader_close(&reader);
  close(file);
}

static void what_was_asked_for_arrives(void) {
  start();
  CHECK_EQ(100, csd_reader_ask(&reader, 1, 5, 100));
  CHECK_EQ(100, csd_reader_ask(&reader, 1, 5, 100)); /* again: nothing more */
  CHECK_EQ(100, csd_reader_look(&reader).deepest);
  CHECK_EQ(7, csd_reader_look(&reader).runs); /* of 16 pages */
  CHECK(!csd_reader_take(&reader, 4, page));
  CHECK(!csd_reader_take(&reader, 105, page));
  for (uint32_t i = 104; i >= 5; i--) {
    CHECK(csd_reader_take(&reader, i, page));
    CHECK_EQ(0, page_file_version(page, i));
  }
  CHECK(!csd_reader_take(&reader, 5, page)); /* it was taken */
  CHECK_EQ(100, csd_reader_look(&reader).taken);
  stop();
}

/* A stretch that is read in part is asked for around that. */
static void what_is_there_is_not_read_again(void) {
  start();
  CHECK_EQ(3, csd_reader_ask(&reader, 1, 10, 3));
  CHECK_EQ(20, csd_reader_ask(&reader, 1, 5, 20));
  CHECK_EQ(3, csd_reader_look(&reader).runs);
  for (uint32_t i = 5; i < 25; i++) {
    CHECK(csd_reader_take(&reader, i, page));
    CHECK_EQ(0, page_file_version(page, i));
  }
  stop();
}

static void slots_are_shared_fairly(void) {
  start();
  CHECK_EQ(CSD_READER_SLOTS, csd_reader_ask(&reader, 1, 0, PAGES)); /* alone: all of them */
  settle();
  CHECK_EQ(CSD_READER_SLOTS / 2, csd_reader_ask(&reader, 2, 300, 200));
  CHECK_EQ(CSD_READER_SLOTS / 2, reader.held[1]);
  CHECK_EQ(CSD_READER_SLOTS / 2, reader.held[2]);
  settle();
  /* Who asks for more than its share gives up what it asked for first. */
  CHECK_EQ(1, csd_reader_ask(&reader, 2, PAGES - 1, 1));
  CHECK_EQ(CSD_READER_SLOTS / 2, reader.held[2]);
  CHECK(!csd_reader_take(&reader, 300, page));
  CHECK(csd_reader_take(&reader, 301, page));
  CHECK_EQ(0, page_file_version(page, 301));
  /* A plan that has ended leaves its slots to others. */
  csd_reader_leave(&reader, 1);
  CHECK_EQ(0, reader.held[1]);
  CHECK_EQ(1, reader.active_owners);
  settle();
  const uint32_t more = csd_reader_ask(&reader, 2, 0, 100); /* some of them are there */
  CHECK_EQ(100, more);
  csd_reader_leave(&reader, 2);
  stop();
}

static void what_was_rewritten_is_forgotten(void) {
  start();
  CHECK_EQ(10, csd_reader_ask(&reader, 1, 50, 10));
  page_file_write(file, 52, 1);
  csd_reader_forget(&reader, 52);
  CHECK(!csd_reader_take(&reader, 52, page));
  CHECK_EQ(1, csd_reader_ask(&reader, 1, 52, 1)); /* while the other may be under way */
  CHECK(csd_reader_take(&reader, 52, page));
  CHECK_EQ(1, page_file_version(page, 52));
  settle();
  page_file_write(file, 53, 1);
  csd_reader_forget(&reader, 53);
  csd_reader_forget(&reader, 53);
  csd_reader_forget(&reader, 400);
  CHECK(!csd_reader_take(&reader, 53, page));
  csd_reader_leave(&reader, 1);
  stop();
}

/* The load then reads it itself, and says what is wrong. */
static void what_cannot_be_read_was_not_asked_for(void) {
  start();
  CHECK_EQ(20, csd_reader_ask(&reader, 1, PAGES - 10, 20)); /* beyond the end */
  for (uint32_t i = 0; i < 20; i++) {
    CHECK_EQ(i < 10, csd_reader_take(&reader, PAGES - 10 + i, page));
  }
  CHECK_EQ(0, ftruncate(file, (off_t)(PAGES - 3) * CSD_PAGE_BYTES + 100)); /* a part of a page */
  CHECK_EQ(5, csd_reader_ask(&reader, 1, PAGES - 5, 5));
  for (uint32_t i = 0; i < 5; i++) {
    CHECK_EQ(i < 2, csd_reader_take(&reader, PAGES - 5 + i, page));
  }
  stop();
  file = open(scratch_path("pages"), O_WRONLY); /* reads fail */
  REQUIRE(csd_reader_open(&reader, file, way, 0));
  CHECK_EQ(40, csd_reader_ask(&reader, 1, 0, 40));
  for (uint32_t i = 0; i < 40; i++) {
    CHECK(!csd_reader_take(&reader, i, page));
  }
  stop();
}

/* Pages of a slowed drive pass one after the other, asked for or not. */
static void a_slowed_drive_gives_no_more(void) {
  enum { BYTES_PER_S = 20 * 1000 * 1000, ASKED = 50, BESIDE = 10 };
  file = page_file_make("pages", PAGES);
  REQUIRE(csd_reader_open(&reader, file, way, BYTES_PER_S));
  struct timespec from, to;
  clock_gettime(CLOCK_MONOTONIC, &from);
  CHECK_EQ(ASKED, csd_reader_ask(&reader, 1, 0, ASKED));
  for (uint32_t i = 0; i < ASKED; i++) {
    CHECK(csd_reader_take(&reader, i, page));
    CHECK_EQ(0, page_file_version(page, i));
  }
  csd_reader_pass(&reader, BESIDE * CSD_PAGE_BYTES);
  clock_gettime(CLOCK_MONOTONIC, &to);
  const double seconds =
      (double)(to.tv_sec - from.tv_sec) + 1e-9 * (double)(to.tv_nsec - from.tv_nsec);
  CHECK(seconds * (double)BYTES_PER_S >= (double)((ASKED + BESIDE) * CSD_PAGE_BYTES));
  stop();
}

static void closing_waits_for_what_is_under_way(void) {
  for (int i = 0; i < 20; i++) {
    start();
    csd_reader_ask(&reader, 1, 0, CSD_READER_SLOTS);
    csd_reader_close(&reader);
    close(file);
  }
}

int main(void) {
  for (way = CSD_READ_RING; way <= CSD_READ_THREADS; way++) {
    struct csd_read_jobs *jobs = csd_read_jobs_open(way, 4);
    if (jobs == NULL) {
      printf("test_reader: no %s here\n", way == CSD_READ_RING ? "io_uring" : "threads");
      CHECK(way == CSD_READ_RING);
      continue;
    }
    csd_read_jobs_close(jobs);
    RUN(what_was_asked_for_arrives);
    RUN(what_is_there_is_not_read_again);
    RUN(slots_are_shared_fairly);
    RUN(what_was_rewritten_is_forgotten);
    RUN(what_cannot_be_read_was_not_asked_for);
    RUN(a_slowed_drive_gives_no_more);
    RUN(closing_waits_for_what_is_under_way);
  }
  return check_result();
}
