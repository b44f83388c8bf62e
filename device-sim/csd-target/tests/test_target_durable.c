/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/*
 * When writes are made durable, and what a store that fails looks like from outside. The target
 * runs in this process over socket pairs; fdatasync, pread and pwrite are wrapped by the linker.
 */
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

#include "check.h"
#include "connection.h"
#include "csd/csd.h"
#include "initiator.h"
#include "log.h"
#include "scratch.h"
#include "server.h"

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

int __wrap_fdatasync(int file) {
  atomic_fetch_add(&syncs, 1);
  return fails() ? -1 : __real_fdatasync(file);
}

ssize_t __wrap_pread64(int file, void *to, size_t bytes, off_t offset) {
  return fails() ? -1 : __real_pread64(file, to, bytes, offset);
}

ssize_t __wrap_pwrite64(int file, const void *from, size_t bytes, off_t offset) {
  return fails() ? -1 : __real_pwrite64(file, from, bytes, offset);
}

static struct tgt_server server;
static struct tgt_options options;
static struct ini_connection admin, io;
static uint8_t block[4096];

/* A thread of the target for one end of a socket pair; the initiator has the other. */
static void *serve(void *argument) {
  struct tgt_connection *c = argument;
  tgt_connection_serve(c);
  tgt_server_leave(&server, c);
  return NULL;
}

static void dial(struct ini_connection *c) {
  int pair[2];
  pthread_t thread;
  if (socketpair(AF_UNIX, SOCK_STREAM, 0, pair) != 0) abort();
  struct tgt_connection *mine = tgt_connection_make(&server, pair[0], "pair");
  if (mine == NULL || tgt_server_enter(&server, mine) != NULL) abort();
  if (pthread_create(&thread, NULL, serve, mine) != 0) abort();
  pthread_detach(thread);
  *c = (struct ini_connection){.file = pair[1], .alignment = 4, .next_cid = 1};
  CHECK(ini_parameters(c, 0, 0));
}

static void set_up(void) {
  tgt_options_defaults(&options);
  tgt_log_set_level(TGT_ERROR);
  options.store = scratch_path("durable");
  options.capacity_bytes = 64 * CSD_LBA_BYTES;
  atomic_store(&failing, 0);
  if (tgt_server_open(&server, &options) != 0) abort();
  dial(&admin);
  const struct ini_answer answer = ini_connect_on(&admin, INI_HOST, INI_SUBSYSTEM, 0, 0xFFFF, 0);
  CHECK_EQ(0, answer.status);
  CHECK_EQ(0, ini_set_cc(&admin, 0x460001).status);
  dial(&io);
  CHECK_EQ(0, ini_connect_on(&io, INI_HOST, INI_SUBSYSTEM, 1, (uint16_t)answer.result, 0).status);
  atomic_store(&syncs, 0);
}

static int run(uint8_t opcode, uint32_t cdw12) {
  struct ini_command command = {.opcode = opcode, .nsid = 1, .cdw12 = cdw12};
  if (opcode == 1) command.out = block, command.out_bytes = sizeof block;
  if (opcode == 2) command.in = block, command.in_bytes = sizeof block;
  return ini_run(&io, &command).status;
}

static int set_write_cache(uint32_t on) {
  const struct ini_command command = {.opcode = 9, .cdw10 = 6, .cdw11 = on};
  return ini_run(&admin, &command).status;
}

static void writes_are_durable_when_they_should_be(void) {
  static const uint8_t range[16] = {0, 0, 0, 0, 1};
  const struct ini_command trim = {.opcode = 9, .nsid = 1, .cdw11 = 4, .out = range,
                                   .out_bytes = sizeof range};
  set_up();
  CHECK_EQ(0, run(1, 0));
  CHECK_EQ(0, run(8, 0));
  CHECK_EQ(0, run(2, 1u << 30));
  CHECK_EQ(0, ini_run(&io, &trim).status);
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
  CHECK_EQ(0, ini_run(&io, &trim).status);
  CHECK_EQ(6, atomic_load(&syncs));
  CHECK_EQ(0, set_write_cache(1));
  CHECK_EQ(0, run(1, 0));
  CHECK_EQ(6, atomic_load(&syncs));
  CHECK_EQ(0, ini_set_cc(&admin, 0x464001).status); /* shutdown */
  CHECK_EQ(7, atomic_load(&syncs));
  CHECK_EQ(0, tgt_server_close(&server)); /* and once more at the end */
  CHECK_EQ(8, atomic_load(&syncs));
  ini_close(&admin);
  ini_close(&io);
}

static void a_store_that_fails_says_so(void) {
  uint8_t health[512];
  const struct ini_command get_health = {.opcode = 2, .nsid = 0xFFFFFFFF, .cdw10 = 2 | 127 << 16,
                                         .in = health, .in_bytes = sizeof health};
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
  CHECK_EQ(0, ini_run(&admin, &get_health).status);
  CHECK_EQ(4, ini_get64(health + 160)); /* media errors */
  CHECK_EQ(0, ini_set_cc(&admin, 0x464001).status);
  CHECK_EQ(-CSD_STATUS_IO_ERROR, tgt_server_close(&server));
  ini_close(&admin);
  ini_close(&io);
}

int main(void) {
  RUN(writes_are_durable_when_they_should_be);
  RUN(a_store_that_fails_says_so);
  return check_result();
}
