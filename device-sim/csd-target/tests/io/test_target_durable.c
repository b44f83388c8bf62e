/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/*
 * When writes are made durable, and what a store that fails looks like from outside. The target
 * runs in this process over socket pairs; fdatasync, pread and pwrite are wrapped by the linker.
 */
#include <errno.h>
#include <stdatomic.h>
#include <sys/types.h>
#include <unistd.h>

#include "csd/csd.h"
#include "initiator.h"
#include "inside.h"
#include "tests/support/check.h"

static atomic_int syncs;
static atomic_int failing; /* errno of every wrapped call; 0: none */

int __real_fdatasync(int file);
ssize_t __real_pread64(int file, void *to, size_t bytes, off_t offset);
ssize_t __real_pwrite64(int file, const void *from, size_t bytes, off_t offset);
int __wrap_fdatasync(int file);
ssize_t __wrap_pread64(int file, void *to, size_t bytes, off_t offset);
ssize_t __wrap_pwrite64(int file, const void *from, size_t bytes, off_t offset);

static bool fails(void) {
  errno = atomic_load(&failing);
  return errno != 0;
}

/* The page index, which is derived from the store, is no matter here. */
static bool is_index(int file) {
  char link[64], path[512] = "";
  snprintf(link, sizeof link, "/proc/self/fd/%d", file);
  const ssize_t length = readlink(link, path, sizeof path - 1);
  return length > 4 && strcmp(path + length - 4, ".idx") == 0;
}

int __wrap_fdatasync(int file) {
  atomic_fetch_add(&syncs, is_index(file) ? 0 : 1);
  return fails() ? -1 : __real_fdatasync(file);
}

ssize_t __wrap_pread64(int file, void *to, size_t bytes, off_t offset) {
  return fails() ? -1 : __real_pread64(file, to, bytes, offset);
}

ssize_t __wrap_pwrite64(int file, const void *from, size_t bytes, off_t offset) {
  return fails() ? -1 : __real_pwrite64(file, from, bytes, offset);
}

static struct inside inside;
static uint8_t block[4096];

static void set_up(void) {
  atomic_store(&failing, 0);
  inside_defaults(&inside, "durable");
  inside_open(&inside);
  atomic_store(&syncs, 0);
}

static int run(uint8_t opcode, uint32_t cdw12) {
  struct ini_command command = {.opcode = opcode, .nsid = 1, .cdw12 = cdw12};
  if (opcode == 1) {
    command.out = block, command.out_bytes = sizeof block;
  }
  if (opcode == 2) {
    command.in = block, command.in_bytes = sizeof block;
  }
  return ini_run(&inside.io, &command).status;
}

static int set_write_cache(uint32_t on) {
  const struct ini_command command = {.opcode = 9, .cdw10 = 6, .cdw11 = on};
  return ini_run(&inside.admin, &command).status;
}

static void writes_are_durable_when_they_should_be(void) {
  static const uint8_t range[16] = {0, 0, 0, 0, 1};
  const struct ini_command trim = {
      .opcode = 9, .nsid = 1, .cdw11 = 4, .out = range, .out_bytes = sizeof range};
  set_up();
  CHECK_EQ(0, run(1, 0));
  CHECK_EQ(0, run(8, 0));
  CHECK_EQ(0, run(2, 1u << 30));
  CHECK_EQ(0, ini_run(&inside.io, &trim).status);
  CHECK_EQ(0, atomic_load(&syncs)); /* with a cache, nothing yet */
  CHECK_EQ(0, run(0, 0));
  CHECK_EQ(1, atomic_load(&syncs));
  CHECK_EQ(0, run(1, 1u << 30)); /* Force Unit Access */
  CHECK_EQ(2, atomic_load(&syncs));
  CHECK_EQ(0, run(8, 1u << 30));
  CHECK_EQ(3, atomic_load(&syncs));
  CHECK_EQ(0, set_write_cache(0));
  CHECK_EQ(0, run(1, 0));
  CHECK_EQ(4, atomic_load(&syncs));
  CHECK_EQ(0, run(8, 0));
  CHECK_EQ(5, atomic_load(&syncs));
  CHECK_EQ(0, ini_run(&inside.io, &trim).status);
  CHECK_EQ(6, atomic_load(&syncs));
  CHECK_EQ(0, set_write_cache(1));
  CHECK_EQ(0, run(1, 0));
  CHECK_EQ(6, atomic_load(&syncs));
  CHECK_EQ(0, ini_set_cc(&inside.admin, 0x464001).status); /* shutdown */
  CHECK_EQ(7, atomic_load(&syncs));
  CHECK_EQ(0, inside_close(&inside)); /* and once more at the end */
  CHECK_EQ(8, atomic_load(&syncs));
}

static void a_store_that_fails_says_so(void) {
  uint8_t health[512];
  const struct ini_command get_health = {.opcode = 2,
                                         .nsid = 0xFFFFFFFF,
                                         .cdw10 = 2 | 127 << 16,
                                         .in = health,
                                         .in_bytes = sizeof health};
  set_up();
  atomic_store(&failing, EIO);
  CHECK_EQ(0x4281, run(2, 0));
  CHECK_EQ(0x4280, run(1, 0));
  atomic_store(&failing, ENOSPC);
  CHECK_EQ(0x4081, run(1, 0));
  CHECK_EQ(0x4081, run(8, 0));
  atomic_store(&failing, 0);
  CHECK_EQ(0, run(1, 0));
  CHECK_EQ(0, run(2, 0));
  CHECK_EQ(0, run(0, 0));
  atomic_store(&failing, EIO);
  CHECK_EQ(0x4280, run(0, 0));
  atomic_store(&failing, 0);
  CHECK_EQ(0x4280, run(0, 0)); /* for good: what was written may be lost */
  CHECK_EQ(0, ini_run(&inside.admin, &get_health).status);
  CHECK_EQ(4, ini_get64(health + 160)); /* media errors */
  CHECK_EQ(0, ini_set_cc(&inside.admin, 0x464001).status);
  CHECK_EQ(-CSD_STATUS_IO_ERROR, inside_close(&inside));
}

int main(void) {
  RUN(writes_are_durable_when_they_should_be);
  RUN(a_store_that_fails_says_so);
  return check_result();
}
