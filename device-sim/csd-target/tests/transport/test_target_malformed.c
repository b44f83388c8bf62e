/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/* Every rule of NVMe/TCP that a host can break: the connection ends for the right reason, told to
   the host and logged, and the one beside it does not notice. */
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

#include "core/kernels/crc32c.h"
#include "initiator.h"
#include "target_process.h"
#include "tests/support/check.h"

/* FES of C2HTermReq; 0: none is sent, the stream itself has ended. */
enum { NO_TERM = 0, HEADER = 1, SEQUENCE = 2, DIGEST = 3, RANGE = 4, UNSUPPORTED = 6 };

static struct target_process target;
static struct ini_host neighbour;

static bool neighbour_is_well(void) { return ini_host_is_well(&neighbour); }

/* Receives to the end. @return FES of the C2HTermReq, NO_TERM without one, -1 if it goes on */
static int ending(struct ini_connection *c) {
  struct ini_pdu pdu;
  int fatal = NO_TERM;
  for (int i = 0; i < 1000; i++) {
    const int status = ini_receive(c, &pdu);
    if (status == INI_TERMINATED) {
      fatal = c->fatal;
    } else if (status != 0) {
      return fatal;
    }
  }
  return -1;
}

/* The connection must end with that FES, and a new line of the log say so. */
static void expect_end(struct ini_connection *c, int fatal, const char *logged, int before,
                       const char *what) {
  const int got = ending(c);
  CHECK_MSG(got == fatal, "%s: fatal error status %d, not %d", what, got, fatal);
  CHECK_MSG(target_logged_again(&target, logged, before), "%s", what);
  CHECK_MSG(neighbour_is_well(), "%s: harms its neighbour", what);
  ini_close(c);
}

/* A row: bytes of a PDU's head to be changed, in a stage of the connection. */
struct row {
  const char *what;
  uint8_t place, value;
  int fatal;
  const char *logged;
};

static void parameters_are_checked(void) {
  static const struct row rows[] = {
      {"type", 0, 9, SEQUENCE, "R2T PDU: a type that may not come now"},
      {"capsule first", 0, 4, SEQUENCE, "CapsuleCmd PDU: a type that may not come now"},
      {"data first", 0, 6, SEQUENCE, "H2CData PDU: a type that may not come now"},
      {"type 1", 0, 1, SEQUENCE, "ICResp PDU: a type that may not come now is 1"},
      {"type 8", 0, 8, HEADER, "type 8 PDU: a type that may not come now"},
      {"type 255", 0, 255, HEADER, "unknown PDU: a type that may not come now is 255"},
      {"flags", 1, 1, HEADER, "ICReq PDU: FLAGS is 1"},
      {"header length", 2, 127, HEADER, "ICReq PDU: HLEN is 127"},
      {"data offset", 3, 4, HEADER, "ICReq PDU: PDO is 4"},
      {"length", 4, 127, HEADER, "ICReq PDU: PLEN is 127"},
      {"too long", 5, 1, HEADER, "ICReq PDU: PLEN is 384"},
      {"far too long", 7, 255, HEADER, "ICReq PDU: PLEN is 4278190208"},
      {"version", 8, 1, UNSUPPORTED, "ICReq PDU: PFV is 1"},
      {"alignment", 10, 32, HEADER, "ICReq PDU: HPDA is 32"},
      {"digests", 11, 4, HEADER, "ICReq PDU: DGST is 4"},
      {"reserved", 16, 1, HEADER, "ICReq PDU: a reserved byte is 1"},
      {"reserved at the end", 127, 7, HEADER, "ICReq PDU: a reserved byte is 7"},
  };
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
    struct ini_connection c;
    uint8_t pdu[128] = {0, 0, 128, 0, 128};
    REQUIRE(ini_dial(&c, target.port));
    const int before = target_log_count(&target, rows[i].logged);
    pdu[rows[i].place] = rows[i].value;
    ini_send(&c, pdu, sizeof pdu);
    expect_end(&c, rows[i].fatal, rows[i].logged, before, rows[i].what);
  }
}

/* A write of one block, its data in the capsule. */
static void make_capsule(uint8_t *pdu) {
  memset(pdu, 0, 72 + 4096);
  pdu[0] = 4, pdu[2] = 72, pdu[3] = 72;
  pdu[4] = (72 + 4096) & 0xFF, pdu[5] = (72 + 4096) >> 8;
  pdu[8] = 1, pdu[9] = 0x40, pdu[10] = 5, pdu[12] = 1;
  pdu[8 + 33] = 4096 >> 8, pdu[8 + 39] = 1, pdu[8 + 40] = 3;
}

static void capsules_are_checked(void) {
  static const struct row rows[] = {
      {"parameters twice", 0, 0, SEQUENCE, "ICReq PDU: a type that may not come now"},
      {"data unasked for", 0, 6, HEADER, "H2CData PDU: HLEN is 72"},
      {"digest flag", 1, 1, HEADER, "CapsuleCmd PDU: FLAGS is 1"},
      {"data digest flag", 1, 2, HEADER, "CapsuleCmd PDU: FLAGS is 2"},
      {"last flag", 1, 4, HEADER, "CapsuleCmd PDU: FLAGS is 4"},
      {"header length", 2, 76, HEADER, "CapsuleCmd PDU: HLEN is 76"},
      {"no data offset", 3, 0, HEADER, "CapsuleCmd PDU: PDO is 0"},
      {"data offset", 3, 76, HEADER, "CapsuleCmd PDU: PDO is 76"},
      {"too short", 5, 0, HEADER, "CapsuleCmd PDU: PDO is 72"},
      {"too long", 5, 0x80, HEADER, "CapsuleCmd PDU: PLEN is 32840"},
      {"far too long", 7, 1, HEADER, "CapsuleCmd PDU: PLEN is 16781384"},
  };
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
    struct ini_host host;
    uint8_t pdu[72 + 4096];
    REQUIRE(ini_host_open(&host, target.port, 0, INI_HOST));
    const int before = target_log_count(&target, rows[i].logged);
    make_capsule(pdu);
    pdu[rows[i].place] = rows[i].value;
    ini_send(&host.io, pdu, sizeof pdu);
    expect_end(&host.io, rows[i].fatal, rows[i].logged, before, rows[i].what);
    ini_host_close(&host);
  }
}

/* Starts a write of so many blocks and takes its R2T. @return its tag */
static uint16_t start_write(struct ini_connection *c, uint32_t blocks, uint16_t *cid) {
  static uint8_t data[1 << 17];
  const struct ini_command write = {.opcode = 1,
                                    .nsid = 1,
                                    .cdw12 = blocks - 1,
                                    .out = data,
                                    .out_bytes = blocks * 4096,
                                    .apart = true};
  struct ini_pdu pdu;
  *cid = ini_start(c, &write);
  if (ini_receive(c, &pdu) != 0 || pdu.header[0] != 9) {
    return 0xFFFF;
  }
  CHECK_EQ(blocks * 4096, ini_get32(pdu.header + 16));
  CHECK_EQ(0, ini_get32(pdu.header + 12));
  return ini_get16(pdu.header + 10);
}

static void data_are_checked(void) {
  static const struct row rows[] = {
      {"another tag", 10, 99, SEQUENCE, "H2CData PDU: TTAG is 99"},
      {"a tag out of range", 11, 255, SEQUENCE, "H2CData PDU: TTAG is 652"},
      {"another command", 9, 77, HEADER, "H2CData PDU: CCCID is"},
      {"offset", 12, 4, RANGE, "H2CData PDU: DATAO is 4"},
      {"offset far away", 15, 255, RANGE, "H2CData PDU: DATAO is 4278190080"},
      {"length is not what is there", 16, 4, HEADER, "H2CData PDU: DATAL is 4100"},
      {"last too early", 1, 4, HEADER, "H2CData PDU: FLAGS is 4"},
      {"digest flag", 1, 1, HEADER, "H2CData PDU: FLAGS is 1"},
      {"data offset", 3, 28, HEADER, "H2CData PDU: PDO is 28"},
      {"header length", 2, 28, HEADER, "H2CData PDU: HLEN is 28"},
      {"too long", 6, 4, HEADER, "H2CData PDU: PLEN is"},
  };
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
    struct ini_host host;
    uint8_t pdu[24 + 4096] = {6, 0, 24, 24, (24 + 4096) & 0xFF, (24 + 4096) >> 8};
    uint16_t cid;
    REQUIRE(ini_host_open(&host, target.port, 0, INI_HOST));
    const uint16_t tag = start_write(&host.io, 32, &cid);
    memcpy(pdu + 8, &cid, 2);
    memcpy(pdu + 10, &tag, 2);
    pdu[17] = 4096 >> 8;
    const int before = target_log_count(&target, rows[i].logged);
    pdu[rows[i].place] = rows[i].value;
    ini_send(&host.io, pdu, sizeof pdu);
    expect_end(&host.io, rows[i].fatal, rows[i].logged, before, rows[i].what);
    ini_host_close(&host);
  }
  /* Twice the same part, after a good one. */
  struct ini_host host;
  uint8_t pdu[24 + 4096] = {6, 0, 24, 24, (24 + 4096) & 0xFF, (24 + 4096) >> 8};
  uint16_t cid;
  REQUIRE(ini_host_open(&host, target.port, 0, INI_HOST));
  const uint16_t tag = start_write(&host.io, 32, &cid);
  memcpy(pdu + 8, &cid, 2);
  memcpy(pdu + 10, &tag, 2);
  pdu[17] = 4096 >> 8;
  const int before = target_log_count(&target, "H2CData PDU: DATAO is 0");
  ini_send(&host.io, pdu, sizeof pdu);
  ini_send(&host.io, pdu, sizeof pdu);
  expect_end(&host.io, RANGE, "H2CData PDU: DATAO is 0", before, "the same part twice");
  ini_host_close(&host);
}

/* More than was asked for, with and without the flag of the last one. */
static void data_beyond_the_end_are_refused(void) {
  static uint8_t pdu[24 + 8192];
  for (uint8_t flags = 0; flags <= 4; flags += 4) {
    struct ini_host host;
    uint16_t cid;
    memset(pdu, 0xAA, sizeof pdu);
    memcpy(pdu, (uint8_t[24]){6, flags, 24, 24, 24, 8192 >> 8}, 24);
    pdu[17] = 8192 >> 8;
    REQUIRE(ini_host_open(&host, target.port, 0, INI_HOST));
    const uint16_t tag = start_write(&host.io, 1, &cid);
    memcpy(pdu + 8, &cid, 2);
    memcpy(pdu + 10, &tag, 2);
    const int before = target_log_count(&target, "H2CData PDU: DATAL is 8192");
    ini_send(&host.io, pdu, sizeof pdu);
    expect_end(&host.io, RANGE, "H2CData PDU: DATAL is 8192", before, "data beyond the end");
    ini_host_close(&host);
  }
}

static void header_digests_are_checked(void) {
  struct ini_host host;
  uint8_t pdu[76] = {4, 1, 72, 0, 76};
  REQUIRE(ini_host_open(&host, target.port, INI_HEADER_DIGEST, INI_HOST));
  pdu[9] = 0x40, pdu[12] = 1, pdu[8 + 39] = 0x5A; /* Flush */
  const uint32_t digest = csd_crc32c(0, pdu, 72) ^ 0x100;
  memcpy(pdu + 72, &digest, 4);
  const char *logged = "CapsuleCmd PDU: the header digest is";
  ini_send(&host.io, pdu, sizeof pdu);
  expect_end(&host.io, DIGEST, logged, 0, "a wrong header digest");
  ini_host_close(&host);
  REQUIRE(ini_host_open(&host, target.port, INI_HEADER_DIGEST, INI_HOST));
  pdu[1] = 0;
  ini_send(&host.io, pdu, sizeof pdu);
  expect_end(&host.io, HEADER, "CapsuleCmd PDU: FLAGS is 0", 0, "no header digest");
  ini_host_close(&host);
}

/* What is wrong in a command, in a PDU that is right: the command fails, the connection goes on. */
static void commands_fail_alone(void) {
  static const struct {
    const char *what;
    uint8_t place, value;
    int status;
  } rows[] = {
      {"fused", 9, 0x41, 0x4002},
      {"PRP", 9, 0x00, 0x4002},
      {"SGL kind", 9, 0xC0, 0x4002},
      {"SGL type", 8 + 39, 0x5A, 0x4011},
      {"keyed SGL", 8 + 39, 0x40, 0x4011},
      {"SGL offset", 8 + 24, 8, 0x4016},
      {"SGL too long", 8 + 33, 0x20, 0x400F},
      {"SGL too short", 8 + 33, 8, 0x400F},
      {"namespace", 12, 9, 0x400B},
      {"opcode", 8, 0x0D, 0x4001},
      {"opcode of a read", 8, 2, 0x4011},
  };
  struct ini_host host;
  uint8_t pdu[72 + 4096];
  const struct ini_command nothing = {.nsid = 1};
  REQUIRE(ini_host_open(&host, target.port, 0, INI_HOST));
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
    make_capsule(pdu);
    pdu[rows[i].place] = rows[i].value;
    CHECK(ini_send(&host.io, pdu, sizeof pdu));
    const struct ini_answer answer = ini_finish(&host.io, &nothing, 5);
    CHECK_MSG(answer.status == rows[i].status, "%s: 0x%X", rows[i].what, answer.status);
  }
  make_capsule(pdu);
  CHECK(ini_send(&host.io, pdu, sizeof pdu));
  CHECK_EQ(0, ini_finish(&host.io, &nothing, 5).status);
  ini_host_close(&host);
}

static void streams_may_end_anywhere(void) {
  uint8_t pdu[72 + 4096];
  make_capsule(pdu);
  for (size_t bytes = 1; bytes < sizeof pdu; bytes = bytes * 2 + 1) {
    struct ini_host host;
    REQUIRE(ini_host_open(&host, target.port, 0, INI_HOST));
    const char *const logged = "the peer closed in the middle of";
    const int before = target_log_count(&target, logged);
    ini_send(&host.io, pdu, bytes);
    ini_close(&host.io);
    /* Before the admin connection goes, whose end would be the reason of this one's. */
    for (int i = 0; i < 200 && before == target_log_count(&target, logged); i++) {
      usleep(10000);
    }
    ini_host_close(&host);
  }
  CHECK(target_logged(&target, "the peer closed in the middle of a PDU's common header"));
  CHECK(target_logged(&target, "the peer closed in the middle of a PDU's header"));
  CHECK(target_logged(&target, "the peer closed in the middle of data"));
  /* A host that ends the connection itself says why. */
  struct ini_host host;
  const uint8_t term[24] = {2, 0, 24, 0, 24, 0, 0, 0, 3, 0, 0xEF, 0xBE};
  REQUIRE(ini_host_open(&host, target.port, 0, INI_HOST));
  ini_send(&host.io, term, sizeof term);
  expect_end(&host.io, NO_TERM, "fatal error status 3, information 0x0000BEEF", 0, "H2CTermReq");
  ini_host_close(&host);
  CHECK(neighbour_is_well());
}

int main(void) {
  const char *const options[] = {"--capacity", "16M", NULL};
  if (!target_start(&target, "malformed", options)) {
    return 1;
  }
  if (!ini_host_open(&neighbour, target.port, 0, INI_OTHER_HOST)) {
    return 1;
  }
  RUN(parameters_are_checked);
  RUN(capsules_are_checked);
  RUN(data_are_checked);
  RUN(data_beyond_the_end_are_refused);
  RUN(header_digests_are_checked);
  RUN(commands_fail_alone);
  RUN(streams_may_end_anywhere);
  ini_host_close(&neighbour);
  CHECK_EQ(0, target_stop(&target));
  return check_result();
}
