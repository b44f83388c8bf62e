/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
#include "tests/support/slow_drive.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <time.h>
#include <unistd.h>

enum { PAGE_BYTES = 4096, MAX_PAGES = 1 << 16, MAX_FILES = 64 };

/* When a page comes, in delays since the start; 0: nobody has asked for it. */
static uint32_t *arrivals[MAX_FILES];
static bool running, shortens, sleeps;
static int failure;
static uint32_t now;
static struct slow_drive_seen seen;

/* The names that the system calls have in the C library; what includes its headers may know them as
   macros or inline functions. */
#ifdef __GLIBC__
#define NAME_IN_LIBC(name) __asm__(#name "64")
#else
#define NAME_IN_LIBC(name) __asm__(#name)
#endif
ssize_t slow_drive_pread(int file, void *bytes, size_t count, off_t at) NAME_IN_LIBC(pread);
int slow_drive_fadvise(int file, off_t at, off_t count, int advice) NAME_IN_LIBC(posix_fadvise);

static uint32_t *arrival_of(int file, uint64_t page) {
  if (file < 0 || file >= MAX_FILES || page >= MAX_PAGES) {
    abort();
  }
  if (arrivals[file] == NULL) {
    arrivals[file] = calloc(MAX_PAGES, sizeof *arrivals[file]);
  }
  return &arrivals[file][page];
}

static void look_at_depth(void) {
  uint32_t depth = 0;
  for (int file = 0; file < MAX_FILES; file++) {
    for (uint32_t page = 0; arrivals[file] != NULL && page < MAX_PAGES; page++) {
      depth += arrivals[file][page] > now;
    }
  }
  seen.deepest = depth > seen.deepest ? depth : seen.deepest;
}

static void ask(int file, uint64_t at, uint64_t count) {
  for (uint64_t page = at / PAGE_BYTES; page <= (at + count - 1) / PAGE_BYTES; page++) {
    uint32_t *arrival = arrival_of(file, page);
    *arrival = *arrival == 0 ? now + 1 : *arrival;
  }
  look_at_depth();
}

ssize_t slow_drive_pread(int file, void *bytes, size_t count, off_t at) {
  if (running && count > 0) {
    seen.reads++;
    const uint32_t latest = *arrival_of(file, (uint64_t)at / PAGE_BYTES);
    if (failure != 0 && (latest == 0 || latest > now)) {
      errno = failure;
      return -1;
    }
    ask(file, (uint64_t)at, count);
    for (uint64_t page = (uint64_t)at / PAGE_BYTES; page <= ((uint64_t)at + count - 1) / PAGE_BYTES;
         page++) {
      const uint32_t arrival = *arrival_of(file, page);
      if (arrival > now) {
        if (sleeps) {
          nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
        }
        seen.delays += arrival - now;
        now = arrival;
      }
    }
    count = shortens ? 1 : count;
  }
  return syscall(SYS_pread64, file, bytes, count, at);
}

int slow_drive_fadvise(int file, off_t at, off_t count, int advice) {
  if (running && advice == POSIX_FADV_WILLNEED && count > 0) {
    seen.asks++;
    ask(file, (uint64_t)at, (uint64_t)count);
  }
  return 0;
}

void slow_drive_start(void) {
  slow_drive_stop();
  running = true;
}

void slow_drive_fail(int cause) { failure = cause; }

void slow_drive_sleep(void) { sleeps = true; }

void slow_drive_shorten(void) { shortens = true; }

struct slow_drive_seen slow_drive_look(void) {
  const struct slow_drive_seen result = seen;
  seen = (struct slow_drive_seen){0};
  return result;
}

void slow_drive_stop(void) {
  running = false;
  shortens = false;
  sleeps = false;
  failure = 0;
  now = 0;
  seen = (struct slow_drive_seen){0};
  for (int file = 0; file < MAX_FILES; file++) {
    free(arrivals[file]);
    arrivals[file] = NULL;
  }
}
