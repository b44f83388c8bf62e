/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/* Blocks: every way that data take, digests, and what goes wrong with them. */
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

#include "core/kernels/crc32c.h"
#include "csd/csd.h"
#include "initiator.h"
#include "target_process.h"
#include "tests/support/check.h"

enum { LBAS = 4096, MAX_BYTES = 1 << 20 };

static struct target_process target;
static uint8_t sent[MAX_BYTES], received[MAX_BYTES];

static void fill(uint64_t seed) {
  for (size_t i = 0; i < sizeof sent; i += 8) {
    const uint64_t random = check_random(&seed);
    memcpy(sent + i, &random, 8);
  }
}

static struct ini_command blocks(uint8_t opcode, uint64_t lba, uint32_t count) {
  return (struct ini_command){.opcode = opcode,
                              .nsid = 1,
                              .cdw10 = (uint32_t)lba,
                              .cdw11 = (uint32_t)(lba >> 32),
                              .cdw12 = count - 1};
}

static int write_blocks(struct ini_connection *c, uint64_t lba, uint32_t count, bool apart) {
  struct ini_command command = blocks(1, lba, count);
  command.out = sent;
  command.out_bytes = count * CSD_LBA_BYTES;
  command.apart = apart;
  return ini_run(c, &command).status;
}

static struct ini_answer read_blocks(struct ini_connection *c, uint64_t lba, uint32_t count) {
  struct ini_command command = blocks(2, lba, count);
  command.in = received;
  command.in_bytes = count * CSD_LBA_BYTES;
  memset(received, 0xEE, command.in_bytes);
  return ini_run(c, &command);
}

/* In the capsule, or asked for; one PDU of data, or several; with every combination of digests. */
static void blocks_come_back(void) {
  static const struct {
    uint32_t count;
    bool apart;
  } rows[] = {{1, false}, {4, false}, {1, true}, {5, true}, {32, true}, {33, true}, {256, true}};
  for (uint8_t digests = 0; digests < 4; digests++) {
    struct ini_host host;
    REQUIRE(ini_host_open(&host, target.port, digests, INI_HOST));
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
      const uint32_t count = rows[i].count;
      fill(100 * digests + i);
      CHECK_EQ(0, write_blocks(&host.io, 7 + i, count, rows[i].apart));
      const struct ini_answer answer = read_blocks(&host.io, 7 + i, count);
      CHECK_EQ(0, answer.status);
      CHECK_EQ(count * CSD_LBA_BYTES, answer.in_bytes);
      CHECK_MSG(memcmp(sent, received, count * CSD_LBA_BYTES) == 0, "digests %u, row %zu", digests,
                i);
    }
    CHECK_MSG(host.io.broken == NULL, "%s", host.io.broken);
    ini_host_close(&host);
  }
}

static void data_are_aligned_as_the_host_wants(void) {
  for (uint8_t digests = 0; digests < 4; digests++) {
    struct ini_connection admin, c;
    const struct ini_answer answer =
        ini_connect(&admin, target.port, 0, INI_HOST, INI_SUBSYSTEM, 0, 0xFFFF, 0);
    CHECK_EQ(0, ini_set_cc(&admin, 0x460001).status);
    REQUIRE(ini_dial(&c, target.port));
    REQUIRE(ini_parameters(&c, digests, 31)); /* 128 bytes */
    CHECK_EQ(0, ini_connect_on(&c, INI_HOST, INI_SUBSYSTEM, 1, (uint16_t)answer.result, 0).status);
    fill(digests);
    CHECK_EQ(0, write_blocks(&c, 50, 100, true));
    CHECK_EQ(0, read_blocks(&c, 50, 100).status);
    CHECK(memcmp(sent, received, 100 * CSD_LBA_BYTES) == 0);
    CHECK_MSG(c.broken == NULL, "%s", c.broken);
    ini_close(&c);
    ini_close(&admin);
  }
}

/* Several writes on their way at once: their R2Ts come in order, the answers as well. */
static void writes_overlap(void) {
  enum { MANY = 12, EACH = 64 };
  struct ini_host host;
  struct ini_command commands[MANY];
  uint16_t cids[MANY];
  REQUIRE(ini_host_open(&host, target.port, INI_HEADER_DIGEST | INI_DATA_DIGEST, INI_HOST));
  fill(5);
  for (uint32_t i = 0; i < MANY; i++) {
    commands[i] = blocks(1, 1000 + EACH * i, EACH);
    commands[i].out = sent + 4096 * i;
    commands[i].out_bytes = EACH * CSD_LBA_BYTES;
    commands[i].apart = true;
    cids[i] = ini_start(&host.io, &commands[i]);
  }
  int asked = 0, answered = 0;
  while (answered < MANY) {
    struct ini_pdu pdu;
    REQUIRE(ini_receive(&host.io, &pdu) == 0);
    if (pdu.header[0] == 9) {
      REQUIRE(asked < MANY);
      CHECK_EQ(cids[asked], ini_get16(pdu.header + 8));
      CHECK(ini_answer_r2t(&host.io, &pdu, commands[asked].out, commands[asked].out_bytes));
      asked++;
    } else {
      REQUIRE(pdu.header[0] == 5);
      CHECK_EQ(cids[answered], ini_get16(pdu.header + 20));
      CHECK_EQ(0, ini_get16(pdu.header + 22));
      answered++;
    }
  }
  for (uint32_t i = 0; i < MANY; i++) {
    CHECK_EQ(0, read_blocks(&host.io, 1000 + EACH * i, EACH).status);
    CHECK(memcmp(sent + 4096 * i, received, EACH * CSD_LBA_BYTES) == 0);
  }
  ini_host_close(&host);
}

static void trim_zeroes_and_flush(void) {
  struct ini_host host;
  uint8_t ranges[4096] = {0};
  REQUIRE(ini_host_open(&host, target.port, 0, INI_HOST));
  fill(9);
  CHECK_EQ(0, write_blocks(&host.io, 300, 40, true));
  ranges[0] = 0x77; /* a hint */
  ranges[4] = 10;
  ranges[8] = 300 & 0xFF, ranges[9] = 300 >> 8;
  struct ini_command trim = {.opcode = 9,
                             .nsid = 1,
                             .cdw11 = 4,
                             .out = ranges,
                             .out_bytes = sizeof ranges}; /* as long as Linux sends it */
  CHECK_EQ(0, ini_run(&host.io, &trim).status);
  CHECK_EQ(0, read_blocks(&host.io, 310, 30).status);
  CHECK(memcmp(sent + 10 * CSD_LBA_BYTES, received, 30 * CSD_LBA_BYTES) == 0);
  trim.cdw11 = 1; /* not to deallocate: nothing happens */
  CHECK_EQ(0, ini_run(&host.io, &trim).status);
  trim.cdw10 = 255;
  trim.out_bytes = 4080;
  CHECK_EQ(0x400F, ini_run(&host.io, &trim).status);
  struct ini_command zeroes = blocks(8, 310, 20);
  CHECK_EQ(0, ini_run(&host.io, &zeroes).status);
  CHECK_EQ(0, read_blocks(&host.io, 310, 30).status);
  for (uint32_t i = 0; i < 20 * CSD_LBA_BYTES; i++) {
    REQUIRE(received[i] == 0);
  }
  CHECK(memcmp(sent + 30 * CSD_LBA_BYTES, received + 20 * CSD_LBA_BYTES, 10 * CSD_LBA_BYTES) == 0);
  zeroes = blocks(8, LBAS - 300, 600);
  CHECK_EQ(0x4080, ini_run(&host.io, &zeroes).status);
  zeroes = blocks(8, LBAS - 600, 600); /* more than one piece */
  CHECK_EQ(0, ini_run(&host.io, &zeroes).status);
  struct ini_command flush = {.nsid = 1};
  CHECK_EQ(0, ini_run(&host.io, &flush).status);
  flush.nsid = 0xFFFFFFFF;
  CHECK_EQ(0, ini_run(&host.io, &flush).status);
  struct ini_command forced = blocks(1, 1, 1);
  forced.cdw12 |= 1u << 30;
  forced.out = sent, forced.out_bytes = CSD_LBA_BYTES;
  CHECK_EQ(0, ini_run(&host.io, &forced).status);
  ini_host_close(&host);
}

static void what_is_wrong_gets_its_status(void) {
  struct ini_host host;
  REQUIRE(ini_host_open(&host, target.port, 0, INI_HOST));
  CHECK_EQ(0x4080, read_blocks(&host.io, LBAS, 1).status);
  CHECK_EQ(0x4080, read_blocks(&host.io, LBAS - 1, 2).status);
  CHECK_EQ(0x4080, read_blocks(&host.io, UINT64_MAX, 1).status);
  CHECK_EQ(0x4080, write_blocks(&host.io, LBAS, 1, false));
  CHECK_EQ(0x4080, write_blocks(&host.io, LBAS, 200, true));
  CHECK_EQ(0, read_blocks(&host.io, LBAS - 1, 1).status);
  struct ini_command command = blocks(2, 0, 2);
  command.in = received, command.in_bytes = CSD_LBA_BYTES;
  CHECK_EQ(0x400F, ini_run(&host.io, &command).status); /* no room */
  command = blocks(1, 0, 2);
  command.out = sent, command.out_bytes = CSD_LBA_BYTES;
  CHECK_EQ(0x400F, ini_run(&host.io, &command).status);
  command = blocks(2, 0, 1);
  command.nsid = 2;
  command.in = received, command.in_bytes = CSD_LBA_BYTES;
  CHECK_EQ(0x400B, ini_run(&host.io, &command).status);
  command = blocks(2, 0, 257); /* beyond MDTS */
  command.in = received, command.in_bytes = MAX_BYTES + CSD_LBA_BYTES;
  CHECK_EQ(0x4002, ini_run(&host.io, &command).status);
  command = blocks(1, 0, 257);
  command.apart = true;
  command.out = sent, command.out_bytes = MAX_BYTES + CSD_LBA_BYTES;
  struct ini_pdu pdu;
  ini_start(&host.io, &command);
  CHECK_EQ(0, ini_receive(&host.io, &pdu));
  CHECK_EQ(5, pdu.header[0]); /* answered, without asking for the data */
  CHECK_EQ(0x4002 << 1, ini_get16(pdu.header + 22));
  command = blocks(0x83, 0, 1);
  CHECK_EQ(0x4001, ini_run(&host.io, &command).status);
  command.out = sent, command.out_bytes = CSD_LBA_BYTES;
  CHECK_EQ(0x4001, ini_run(&host.io, &command).status);
  command.apart = true;
  CHECK_EQ(0x4001, ini_run(&host.io, &command).status);
  command = blocks(1, 0, 1);
  command.cdw12 |= 1 << 29; /* protection information */
  command.out = sent, command.out_bytes = CSD_LBA_BYTES;
  CHECK_EQ(0x4002, ini_run(&host.io, &command).status);
  CHECK_MSG(host.io.broken == NULL, "%s", host.io.broken);
  ini_host_close(&host);
}

/* A wrong data digest is the command's fault; the connection goes on. */
static void a_wrong_data_digest_fails_its_command(void) {
  struct ini_host host;
  REQUIRE(ini_host_open(&host, target.port, INI_DATA_DIGEST, INI_HOST));
  fill(12);
  CHECK_EQ(0, write_blocks(&host.io, 20, 1, false));
  uint8_t capsule[72 + 4096 + 4] = {4, 2, 72, 72};
  const uint32_t total = sizeof capsule;
  memcpy(capsule + 4, &total, 4);
  uint8_t *sqe = capsule + 8;
  sqe[0] = 1, sqe[1] = 0x40, sqe[2] = 77, sqe[4] = 1;
  sqe[33] = 4096 >> 8, sqe[39] = 1, sqe[40] = 20;
  memset(capsule + 72, 0xAB, 4096);
  const uint32_t digest = csd_crc32c(0, capsule + 72, 4096) ^ 1;
  memcpy(capsule + 72 + 4096, &digest, 4);
  CHECK(ini_send(&host.io, capsule, sizeof capsule));
  const struct ini_command command = blocks(1, 20, 1);
  CHECK_EQ(0x22, ini_finish(&host.io, &command, 77).status);
  CHECK_EQ(0, read_blocks(&host.io, 20, 1).status);
  CHECK(memcmp(sent, received, CSD_LBA_BYTES) == 0);
  ini_host_close(&host);
}

/* Two hosts and four queues at once, each over its own blocks. */
static void hosts_do_not_disturb_each_other(void) {
  struct ini_host hosts[4];
  for (int i = 0; i < 4; i++) {
    REQUIRE(ini_host_open(&hosts[i], target.port, (uint8_t)i, i < 2 ? INI_HOST : INI_OTHER_HOST));
  }
  for (uint32_t round = 0; round < 20; round++) {
    for (uint32_t i = 0; i < 4; i++) {
      fill(i);
      CHECK_EQ(0, write_blocks(&hosts[i].io, 500 + 100 * i + round, 4, round % 2 == 0));
    }
    for (uint32_t i = 0; i < 4; i++) {
      fill(i);
      CHECK_EQ(0, read_blocks(&hosts[3 - i].io, 500 + 100 * i + round, 4).status);
      CHECK(memcmp(sent, received, 4 * CSD_LBA_BYTES) == 0);
    }
    if (round == 10) {
      ini_host_close(&hosts[0]);
      REQUIRE(ini_host_open(&hosts[0], target.port, 0, INI_HOST));
    }
  }
  for (int i = 0; i < 4; i++) {
    ini_host_close(&hosts[i]);
  }
}

static void a_read_only_target_writes_nothing(void) {
  struct target_process read_only;
  struct ini_host host;
  const char *const options[] = {"--capacity", "16M", "--read-only", NULL};
  CHECK_EQ(0, target_stop(&target));
  REQUIRE(target_start(&read_only, "io", options));
  REQUIRE(ini_host_open(&host, read_only.port, 0, INI_HOST));
  CHECK_EQ(0x4020, write_blocks(&host.io, 20, 1, false));
  fill(12);
  CHECK_EQ(0, read_blocks(&host.io, 20, 1).status); /* as an earlier test left it */
  CHECK(memcmp(sent, received, CSD_LBA_BYTES) == 0);
  ini_host_close(&host);
  CHECK_EQ(0, target_stop(&read_only));
}

int main(void) {
  const char *const options[] = {"--capacity", "16M", NULL};
  if (!target_start(&target, "io", options)) {
    return 1;
  }
  RUN(blocks_come_back);
  RUN(data_are_aligned_as_the_host_wants);
  RUN(writes_overlap);
  RUN(trim_zeroes_and_flush);
  RUN(what_is_wrong_gets_its_status);
  RUN(hosts_do_not_disturb_each_other);
  RUN(a_wrong_data_digest_fails_its_command);
  RUN(a_read_only_target_writes_nothing);
  return check_result();
}
