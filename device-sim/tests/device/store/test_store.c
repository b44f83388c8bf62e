/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "csd/csd.h"
#include "device/store/store.h"
#include "tests/support/check.h"
#include "tests/support/scratch.h"

enum { LBAS = 1 << 20 };

static uint8_t bytes[4 * CSD_LBA_BYTES], back[4 * CSD_LBA_BYTES];

static void fill(uint8_t seed) {
  for (size_t i = 0; i < sizeof bytes; i++) {
    bytes[i] = (uint8_t)(i / 7 + seed);
  }
}

static void what_is_written_is_read(void) {
  struct csd_store store;
  REQUIRE_OK(csd_store_open(&store, scratch_path("a"), LBAS, CSD_STORE_WRITE));
  fill(1);
  CHECK_OK(csd_store_write(&store, 5, 4, bytes));
  CHECK_OK(csd_store_read(&store, 5, 4, back));
  CHECK(memcmp(bytes, back, sizeof back) == 0);
  CHECK_OK(csd_store_read(&store, 7, 4, back));
  CHECK(memcmp(bytes + 2 * CSD_LBA_BYTES, back, 2 * CSD_LBA_BYTES) == 0);
  for (size_t i = 2 * CSD_LBA_BYTES; i < sizeof back; i++) {
    REQUIRE(back[i] == 0);
  }
  CHECK_OK(csd_store_flush(&store));
  csd_store_close(&store);
  REQUIRE_OK(csd_store_open(&store, scratch_path("a"), LBAS, CSD_STORE_READ));
  CHECK_OK(csd_store_read(&store, 5, 4, back));
  CHECK(memcmp(bytes, back, sizeof back) == 0);
  csd_store_close(&store);
}

static void unwritten_reads_as_zeros_and_takes_no_room(void) {
  struct csd_store store;
  REQUIRE_OK(csd_store_open(&store, scratch_path("sparse"), LBAS, CSD_STORE_WRITE));
  memset(back, 1, sizeof back);
  CHECK_OK(csd_store_read(&store, LBAS - 4, 4, back));
  for (size_t i = 0; i < sizeof back; i++) {
    REQUIRE(back[i] == 0);
  }
  fill(2);
  CHECK_OK(csd_store_write(&store, LBAS - 1, 1, bytes));
  struct stat info;
  REQUIRE(stat(scratch_path("sparse"), &info) == 0);
  CHECK_EQ((int64_t)LBAS * CSD_LBA_BYTES, info.st_size);
  CHECK(info.st_blocks < 1000);
  csd_store_close(&store);
}

/* Whatever the umask: who may read a store may read the index in it. */
static void a_new_store_is_its_owners(void) {
  struct csd_store store;
  struct stat info;
  const char *paths[] = {scratch_path("private"), scratch_path("private later")};
  const mode_t before = umask(0);
  REQUIRE_OK(csd_store_open(&store, paths[0], LBAS, CSD_STORE_WRITE));
  csd_store_close(&store);
  REQUIRE_OK(csd_store_open(&store, paths[1], LBAS, CSD_STORE_READ_FIRST));
  REQUIRE_OK(csd_store_open_for_writing(&store));
  csd_store_close(&store);
  umask(before);
  for (int i = 0; i < 2; i++) {
    REQUIRE(stat(paths[i], &info) == 0);
    CHECK_EQ(0600, info.st_mode & 07777);
  }
  /* A mode that was set stays. */
  REQUIRE(chmod(paths[0], 0640) == 0);
  REQUIRE_OK(csd_store_open(&store, paths[0], LBAS, CSD_STORE_WRITE));
  csd_store_close(&store);
  REQUIRE(stat(paths[0], &info) == 0);
  CHECK_EQ(0640, info.st_mode & 07777);
}

static void ranges_are_checked(void) {
  struct csd_store store;
  REQUIRE_OK(csd_store_open(&store, scratch_path("range"), 8, CSD_STORE_WRITE));
  CHECK_STATUS(CSD_STATUS_OUT_OF_RANGE, csd_store_read(&store, 8, 1, back));
  CHECK_STATUS(CSD_STATUS_OUT_OF_RANGE, csd_store_read(&store, 7, 2, back));
  CHECK_STATUS(CSD_STATUS_OUT_OF_RANGE, csd_store_write(&store, UINT64_MAX, 2, bytes));
  CHECK_STATUS(CSD_STATUS_OUT_OF_RANGE, csd_store_write(&store, 1, UINT64_MAX, bytes));
  CHECK_STATUS(CSD_STATUS_OUT_OF_RANGE, csd_store_trim(&store, UINT64_MAX, UINT64_MAX));
  CHECK_OK(csd_store_read(&store, 4, 4, back));
  csd_store_close(&store);
}

static void trim_frees_room(void) {
  struct csd_store store;
  REQUIRE_OK(csd_store_open(&store, scratch_path("trim"), LBAS, CSD_STORE_WRITE));
  fill(3);
  for (int i = 0; i < 64; i++) {
    CHECK_OK(csd_store_write(&store, (uint64_t)i * 4, 4, bytes));
  }
  CHECK_OK(csd_store_trim(&store, 1, 254));
  CHECK_OK(csd_store_read(&store, 0, 1, back));
  CHECK(memcmp(bytes, back, CSD_LBA_BYTES) == 0);
  CHECK_OK(csd_store_read(&store, 255, 1, back));
  CHECK(memcmp(bytes + 3 * CSD_LBA_BYTES, back, CSD_LBA_BYTES) == 0);
  CHECK_OK(csd_store_trim(&store, 0, LBAS));
  csd_store_close(&store);
}

static void one_process_writes(void) {
  struct csd_store store, second;
  REQUIRE_OK(csd_store_open(&store, scratch_path("lock"), LBAS, CSD_STORE_WRITE));
  const char *path = scratch_path("lock");
  CHECK_STATUS(CSD_STATUS_LOCKED, csd_store_open(&second, path, LBAS, CSD_STORE_WRITE));
  const pid_t child = fork();
  if (child == 0) {
    const int opened = csd_store_open(&second, path, LBAS, CSD_STORE_WRITE);
    _exit(opened == -CSD_STATUS_LOCKED ? 0 : 1);
  }
  int status = -1;
  CHECK(waitpid(child, &status, 0) == child && status == 0);
  REQUIRE_OK(csd_store_open(&second, scratch_path("lock"), LBAS, CSD_STORE_READ));
  CHECK_STATUS(CSD_STATUS_READ_ONLY, csd_store_write(&second, 0, 1, bytes));
  CHECK_STATUS(CSD_STATUS_READ_ONLY, csd_store_trim(&second, 0, 1));
  CHECK_OK(csd_store_flush(&second));
  fill(4);
  CHECK_OK(csd_store_write(&store, 0, 1, bytes));
  CHECK_OK(csd_store_read(&second, 0, 1, back));
  CHECK(memcmp(bytes, back, CSD_LBA_BYTES) == 0);
  csd_store_close(&second);
  csd_store_close(&store);
  REQUIRE_OK(csd_store_open(&store, scratch_path("lock"), LBAS, CSD_STORE_WRITE));
  csd_store_close(&store);
}

static void a_truncated_file_gives_zeros(void) {
  struct csd_store store;
  REQUIRE_OK(csd_store_open(&store, scratch_path("cut"), LBAS, CSD_STORE_WRITE));
  fill(5);
  CHECK_OK(csd_store_write(&store, 0, 4, bytes));
  REQUIRE(truncate(scratch_path("cut"), CSD_LBA_BYTES + 100) == 0);
  CHECK_OK(csd_store_read(&store, 0, 4, back));
  CHECK(memcmp(bytes, back, CSD_LBA_BYTES + 100) == 0);
  for (size_t i = CSD_LBA_BYTES + 100; i < sizeof back; i++) {
    REQUIRE(back[i] == 0);
  }
  csd_store_close(&store);
}

static void bad_files_are_refused(void) {
  struct csd_store store;
  CHECK_STATUS(CSD_STATUS_IO_ERROR,
               csd_store_open(&store, scratch_path("absent"), LBAS, CSD_STORE_READ));
  CHECK(strstr(csd_last_error(), "absent") != NULL);
  CHECK_STATUS(CSD_STATUS_INVALID_ARGUMENT, csd_store_open(&store, "/", LBAS, CSD_STORE_WRITE));
  CHECK_STATUS(CSD_STATUS_INVALID_ARGUMENT,
               csd_store_open(&store, "/dev/null", LBAS, CSD_STORE_WRITE));
  REQUIRE(mkfifo(scratch_path("fifo"), 0600) == 0);
  CHECK_STATUS(CSD_STATUS_INVALID_ARGUMENT,
               csd_store_open(&store, scratch_path("fifo"), LBAS, CSD_STORE_READ));
  REQUIRE_OK(csd_store_open(&store, scratch_path("large"), LBAS, CSD_STORE_WRITE));
  CHECK_OK(csd_store_write(&store, 9, 1, bytes));
  csd_store_close(&store);
  CHECK_STATUS(CSD_STATUS_INVALID_ARGUMENT,
               csd_store_open(&store, scratch_path("large"), 9, CSD_STORE_READ));
  CHECK_OK(csd_store_open(&store, scratch_path("large"), 10, CSD_STORE_READ));
  csd_store_close(&store);
}

static void a_reader_becomes_the_writer(void) {
  struct csd_store store, second;
  const char *path = scratch_path("later");
  REQUIRE_OK(csd_store_open(&second, path, LBAS, CSD_STORE_WRITE));
  fill(6);
  CHECK_OK(csd_store_write(&second, 0, 1, bytes));
  REQUIRE_OK(csd_store_open(&store, path, LBAS, CSD_STORE_READ_FIRST));
  CHECK_STATUS(CSD_STATUS_READ_ONLY, csd_store_write(&store, 1, 1, bytes));
  CHECK_STATUS(CSD_STATUS_LOCKED, csd_store_open_for_writing(&store));
  CHECK(strstr(csd_last_error(), path) != NULL);
  CHECK_STATUS(CSD_STATUS_READ_ONLY, csd_store_trim(&store, 1, 1));
  csd_store_close(&second);
  CHECK_OK(csd_store_open_for_writing(&store));
  CHECK_OK(csd_store_open_for_writing(&store));
  CHECK_STATUS(CSD_STATUS_LOCKED, csd_store_open(&second, path, LBAS, CSD_STORE_WRITE));
  CHECK_OK(csd_store_write(&store, 1, 1, bytes + CSD_LBA_BYTES));
  CHECK_OK(csd_store_flush(&store));
  CHECK_OK(csd_store_read(&store, 0, 2, back));
  CHECK(memcmp(bytes, back, 2 * CSD_LBA_BYTES) == 0);
  csd_store_close(&store);
  REQUIRE_OK(csd_store_open(&store, path, LBAS, CSD_STORE_READ));
  CHECK_STATUS(CSD_STATUS_READ_ONLY, csd_store_open_for_writing(&store));
  csd_store_close(&store);
}

static bool is_there(const char *path) {
  struct stat info;
  return stat(path, &info) == 0;
}

static void an_absent_file_reads_as_zeros_until_it_is_made(void) {
  struct csd_store store, other;
  const char *path = scratch_path("unborn");
  REQUIRE_OK(csd_store_open(&store, path, LBAS, CSD_STORE_READ_FIRST));
  memset(back, 1, sizeof back);
  CHECK_OK(csd_store_read(&store, 7, 4, back));
  for (size_t i = 0; i < sizeof back; i++) {
    REQUIRE(back[i] == 0);
  }
  CHECK_OK(csd_store_flush(&store));
  CHECK(!is_there(path));
  /* Another one makes it. */
  REQUIRE_OK(csd_store_open(&other, path, LBAS, CSD_STORE_READ_FIRST));
  CHECK_OK(csd_store_open_for_writing(&other));
  CHECK(is_there(path));
  fill(7);
  CHECK_OK(csd_store_write(&other, 7, 4, bytes));
  CHECK_OK(csd_store_read(&store, 7, 4, back));
  CHECK(memcmp(bytes, back, sizeof back) == 0);
  csd_store_close(&other);
  csd_store_close(&store);
  REQUIRE(unlink(path) == 0);
  /* A folder that is not there is no reason to fail before anything is written. */
  char deep[512];
  snprintf(deep, sizeof deep, "%s/none/store", path);
  REQUIRE_OK(csd_store_open(&store, deep, LBAS, CSD_STORE_READ_FIRST));
  CHECK_STATUS(CSD_STATUS_IO_ERROR, csd_store_open_for_writing(&store));
  csd_store_close(&store);
}

static void a_writer_takes_the_file_that_is_there_now(void) {
  struct csd_store store, other;
  const char *path = scratch_path("replaced");
  REQUIRE_OK(csd_store_open(&other, path, LBAS, CSD_STORE_WRITE));
  fill(8);
  CHECK_OK(csd_store_write(&other, 0, 1, bytes));
  csd_store_close(&other);
  REQUIRE_OK(csd_store_open(&store, path, LBAS, CSD_STORE_READ_FIRST));
  REQUIRE(unlink(path) == 0);
  CHECK_OK(csd_store_read(&store, 0, 1, back));
  CHECK(memcmp(bytes, back, CSD_LBA_BYTES) == 0);
  CHECK_OK(csd_store_open_for_writing(&store));
  CHECK(is_there(path));
  CHECK_OK(csd_store_read(&store, 0, 1, back));
  for (size_t i = 0; i < CSD_LBA_BYTES; i++) {
    REQUIRE(back[i] == 0);
  }
  csd_store_close(&store);
}

/* The file and its folder stay readable for a child that is nobody in particular. */
static void without_permission_it_stays_a_reader(void) {
  if (geteuid() != 0) {
    printf("not run: only root can become another user\n");
    return;
  }
  struct csd_store store;
  const char *path = scratch_path("foreign");
  REQUIRE_OK(csd_store_open(&store, path, LBAS, CSD_STORE_WRITE));
  fill(9);
  CHECK_OK(csd_store_write(&store, 0, 4, bytes));
  csd_store_close(&store);
  REQUIRE(chmod(path, 0644) == 0);
  REQUIRE_OK(csd_store_open(&store, path, LBAS, CSD_STORE_READ_FIRST));
  const pid_t child = fork();
  if (child == 0) {
    if (setuid(65534) != 0) {
      _exit(1);
    }
    if (csd_store_open_for_writing(&store) != -CSD_STATUS_READ_ONLY) {
      _exit(2);
    }
    if (csd_store_read(&store, 0, 4, back) != 0) {
      _exit(3);
    }
    _exit(memcmp(bytes, back, sizeof back) == 0 ? 0 : 4);
  }
  int status = -1;
  CHECK(waitpid(child, &status, 0) == child);
  CHECK_EQ(0, WEXITSTATUS(status));
  csd_store_close(&store);
}

/* /dev/full takes the place of the opened file: every write to it finds the disk full. */
static void a_full_disk_is_no_space(void) {
  const char *path = scratch_path("full"); /* removed by whoever asked for it: not the child */
  const pid_t child = fork();
  if (child == 0) {
    struct csd_store store;
    if (csd_store_open(&store, path, LBAS, CSD_STORE_WRITE) != 0) {
      _exit(1);
    }
    close(store.file);
    store.file = open("/dev/full", O_WRONLY);
    _exit(store.file >= 0 && csd_store_write(&store, 0, 1, bytes) == -CSD_STATUS_NO_SPACE ? 0 : 2);
  }
  int status = -1;
  CHECK(waitpid(child, &status, 0) == child);
  CHECK_EQ(0, WEXITSTATUS(status));
}

int main(void) {
  RUN(what_is_written_is_read);
  RUN(unwritten_reads_as_zeros_and_takes_no_room);
  RUN(a_new_store_is_its_owners);
  RUN(ranges_are_checked);
  RUN(trim_frees_room);
  RUN(one_process_writes);
  RUN(a_truncated_file_gives_zeros);
  RUN(bad_files_are_refused);
  RUN(a_reader_becomes_the_writer);
  RUN(an_absent_file_reads_as_zeros_until_it_is_made);
  RUN(a_writer_takes_the_file_that_is_there_now);
  RUN(without_permission_it_stays_a_reader);
  RUN(a_full_disk_is_no_space);
  return check_result();
}
