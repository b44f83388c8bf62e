/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/* The target's parts that need no connection: sets of numbers, statuses, the command line. */
#include <stdlib.h>
#include <unistd.h>

#include "controller/id_set.h"
#include "csd/csd.h"
#include "io/status_map.h"
#include "listener.h"
#include "nvme.h"
#include "options.h"
#include "tests/support/check.h"

static void a_set_holds_what_was_added_and_not_removed(void) {
  enum { NUMBERS = 600 };
  static bool in[NUMBERS];
  struct tgt_id_set set = {0};
  uint64_t seed = 11;
  uint32_t count = 0;
  uint64_t bytes = 0;
  CHECK(!tgt_id_set_has(&set, 7));
  CHECK(!tgt_id_set_add(&set, 0, 10, 1));
  CHECK_EQ(0, tgt_id_set_take(&set));
  for (int round = 0; round < 20000; round++) {
    const uint32_t n = check_random_below(&seed, NUMBERS);
    const uint32_t id = n << 16 | (n + 1); /* as the engine makes them */
    if (check_random_below(&seed, 2) != 0) {
      CHECK(tgt_id_set_add(&set, id, id, 1));
      count += !in[n];
      bytes += in[n] ? 0 : id;
      in[n] = true;
    } else {
      const uint32_t removed = in[n] ? id : 0;
      REQUIRE(tgt_id_set_remove(&set, id) == removed);
      bytes -= removed;
      count -= in[n];
      in[n] = false;
    }
    const uint32_t other = check_random_below(&seed, NUMBERS);
    REQUIRE(tgt_id_set_has(&set, other << 16 | (other + 1)) == in[other]);
    REQUIRE(set.count == count && set.bytes == bytes);
  }
  for (uint32_t id; (id = tgt_id_set_take(&set)) != 0; count--) {
    in[id >> 16] = false;
  }
  CHECK_EQ(0, count);
  CHECK_EQ(0, set.bytes);
  for (int n = 0; n < NUMBERS; n++) {
    CHECK(!in[n]);
  }
  tgt_id_set_free(&set);
}

static void a_set_knows_what_is_unused_longest(void) {
  struct tgt_id_set set = {0};
  CHECK_EQ(0, tgt_id_set_oldest(&set, 100));
  for (uint32_t id = 1; id <= 40; id++) {
    CHECK(tgt_id_set_add(&set, id << 16 | 5, 10, 100 + id));
  }
  CHECK_EQ(0, tgt_id_set_oldest(&set, 101));
  CHECK_EQ(1 << 16 | 5, tgt_id_set_oldest(&set, 102));
  CHECK_EQ(1 << 16 | 5, tgt_id_set_oldest(&set, 1000));
  CHECK(tgt_id_set_use(&set, 1 << 16 | 5, 500));
  CHECK(!tgt_id_set_use(&set, 99, 500));
  CHECK_EQ(2 << 16 | 5, tgt_id_set_oldest(&set, 1000));
  for (uint32_t id = 2; id <= 40; id++) {
    tgt_id_set_remove(&set, id << 16 | 5);
  }
  CHECK_EQ(0, tgt_id_set_oldest(&set, 500));
  CHECK_EQ(1 << 16 | 5, tgt_id_set_oldest(&set, 501));
  tgt_id_set_free(&set);
}

/* Every status comes back as it was, whatever the command; DNR or not makes no difference. */
static void statuses_come_back(void) {
  static const uint8_t opcodes[] = {CSD_OPCODE_FLUSH, CSD_OPCODE_WRITE, CSD_OPCODE_READ,
                                    CSD_OPCODE_TRIM,  CSD_OPCODE_OPEN,  CSD_OPCODE_SUBMIT,
                                    CSD_OPCODE_FETCH, CSD_OPCODE_PUT};
  int named = 0;
  for (int status = 0; status < 256; status++) {
    if (strcmp(csd_status_name(status), "UNKNOWN") == 0) {
      continue;
    }
    named++;
    for (size_t i = 0; i < sizeof opcodes; i++) {
      const uint16_t nvme = tgt_status_of(status, opcodes[i]);
      CHECK_EQ(status, tgt_status_to_wire(nvme));
      CHECK_EQ(status, tgt_status_to_wire(nvme & 0x7FF));
    }
  }
  CHECK(named > 20);
  CHECK_EQ(0x4728, tgt_status_of(CSD_STATUS_NO_SESSION, CSD_OPCODE_FETCH)); /* as WIRE.md says */
  CHECK_EQ(0x73E, tgt_status_of(CSD_STATUS_BUSY, CSD_OPCODE_SUBMIT));
  CHECK_EQ(0x4080, tgt_status_of(CSD_STATUS_OUT_OF_RANGE, CSD_OPCODE_READ));
  CHECK_EQ(0x4280, tgt_status_of(CSD_STATUS_IO_ERROR, CSD_OPCODE_WRITE));
  CHECK_EQ(0x4281, tgt_status_of(CSD_STATUS_IO_ERROR, CSD_OPCODE_SUBMIT));
  CHECK_EQ(-1, tgt_status_to_wire(0x370));
  CHECK_EQ(-1, tgt_status_to_wire(NVME_TRANSIENT_TRANSPORT_ERROR));
}

static int parse(struct tgt_options *options, const char *first, const char *second) {
  char *arguments[] = {
      "csd-target", "--store", "x", (char *)(uintptr_t)first, (char *)(uintptr_t)second, NULL};
  return tgt_options_parse(options, first == NULL ? 3 : second == NULL ? 4 : 5, arguments);
}

static void the_command_line_is_checked(void) {
  struct tgt_options o;
  static const char *const wrong[][2] = {{"--capacity", "5000"},
                                         {"--capacity", "1X"},
                                         {"--capacity", "-1"},
                                         {"--port", "65536"},
                                         {"--port", ""},
                                         {"--queues", "0"},
                                         {"--queue-depth", "2000"},
                                         {"--spin", "10001"},
                                         {"--subsystem", "name"},
                                         {"--io-timeout", "0"},
                                         {"--subsystem", NVME_DISCOVERY_NQN},
                                         {"--opcode", "submit=0x82"},
                                         {"--opcode", "submit=0x01"},
                                         {"--opcode", "open=0x84"},
                                         {"--opcode", "run=0x91"},
                                         {"--opcode-base", "0x40"},
                                         {"--opcode-base", "0x85"},
                                         {"--log-level", "loud"},
                                         {"--allow-host", "me"},
                                         {"--no-such", "option"},
                                         {"extra", NULL},
                                         {"--uuid", "6c8f3a52"},
                                         {"--uuid", "00000000-0000-0000-0000-000000000000"},
                                         {"--uuid", "6c8f3a52-0b1d-4e7f-9a60-1f2e3d4c5b6g"},
                                         {"--uuid", "6c8f3a5-20b1d-4e7f-9a60-1f2e3d4c5b6a"},
                                         {"--serial", "123456789012345678901"},
                                         {"--max-connections", "1"}};
  CHECK_EQ(0, parse(&o, NULL, NULL));
  CHECK_EQ(4420, o.port);
  CHECK(strcmp("127.0.0.1", o.address) == 0);
  CHECK_EQ(CSD_OPCODE_SUBMIT, o.wire_opcode[0x81]);
  CHECK_EQ(0, o.wire_opcode[0x83]);
  CHECK_EQ(0, o.wire_opcode[0x01]);
  CHECK_EQ(0, parse(&o, "--capacity", "8M"));
  CHECK_EQ(8 << 20, o.capacity_bytes);
  CHECK_EQ(0, parse(&o, "--opcode-base", "0xC0"));
  CHECK_EQ(CSD_OPCODE_SUBMIT, o.wire_opcode[0xC1]);
  CHECK_EQ(0, o.wire_opcode[0x81]);
  CHECK_EQ(0, parse(&o, "--opcode", "submit=0xF1"));
  CHECK_EQ(CSD_OPCODE_SUBMIT, o.wire_opcode[0xF1]);
  CHECK_EQ(CSD_OPCODE_FETCH, o.wire_opcode[0x82]);
  for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
    CHECK_MSG(parse(&o, wrong[i][0], wrong[i][1]) == 2, "%s %s", wrong[i][0], wrong[i][1]);
  }
}

static void only_loopback_is_listened_on_unless_the_network_is_trusted(void) {
  static const char *const open[] = {"0.0.0.0", "::", "192.0.2.7", "128.0.0.1", "2001:db8::1"};
  uint16_t port = 0;
  for (size_t i = 0; i < sizeof open / sizeof open[0]; i++) {
    CHECK_MSG(tgt_listen(open[i], false, &port) == -1, "%s", open[i]);
  }
  CHECK_EQ(0, port);
  static const char *const loopback[] = {"127.0.0.1", "127.1.2.3"};
  for (size_t i = 0; i < sizeof loopback / sizeof loopback[0]; i++) {
    port = 0;
    const int file = tgt_listen(loopback[i], false, &port);
    CHECK(file >= 0 && port != 0);
    close(file);
  }
  port = 0;
  const int file = tgt_listen("0.0.0.0", true, &port);
  CHECK(file >= 0 && port != 0);
  close(file);
  struct tgt_options o;
  CHECK_EQ(0, parse(&o, NULL, NULL));
  CHECK(!o.trust_network);
  CHECK_EQ(0, parse(&o, "--trust-network", NULL));
}

int main(void) {
  RUN(a_set_holds_what_was_added_and_not_removed);
  RUN(a_set_knows_what_is_unused_longest);
  RUN(statuses_come_back);
  RUN(the_command_line_is_checked);
  RUN(only_loopback_is_listened_on_unless_the_network_is_trusted);
  return check_result();
}
