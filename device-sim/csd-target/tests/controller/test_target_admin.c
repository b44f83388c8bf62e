/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/* Discovery, Connect, properties, Identify, logs, features, events, keep-alive. */
#include <stdlib.h>
#include <unistd.h>

#include "csd/csd.h"
#include "initiator.h"
#include "target_process.h"
#include "tests/support/check.h"

enum { KEEP_ALIVE_MS = 500 };

static struct target_process target;

static struct ini_answer identify(struct ini_connection *c, uint32_t cns, uint32_t nsid,
                                  uint8_t *page) {
  const struct ini_command command = {
      .opcode = 0x06, .nsid = nsid, .cdw10 = cns, .in = page, .in_bytes = 4096};
  return ini_run(c, &command);
}

static struct ini_answer get_log(struct ini_connection *c, uint8_t id, uint32_t offset, void *page,
                                 uint32_t bytes) {
  const uint32_t dwords = bytes / 4 - 1;
  const struct ini_command command = {.opcode = 0x02,
                                      .nsid = 0xFFFFFFFF,
                                      .cdw10 = id | dwords << 16,
                                      .cdw11 = dwords >> 16,
                                      .cdw12 = offset,
                                      .in = page,
                                      .in_bytes = bytes};
  return ini_run(c, &command);
}

static struct ini_answer set_feature(struct ini_connection *c, uint32_t id, uint32_t value) {
  const struct ini_command command = {.opcode = 0x09, .cdw10 = id, .cdw11 = value};
  return ini_run(c, &command);
}

static struct ini_answer get_feature(struct ini_connection *c, uint32_t id) {
  const struct ini_command command = {.opcode = 0x0A, .cdw10 = id};
  return ini_run(c, &command);
}

static struct ini_answer get_property(struct ini_connection *c, uint32_t offset, uint32_t size) {
  const struct ini_command command = {.opcode = 0x7F, .nsid = 4, .cdw10 = size, .cdw11 = offset};
  return ini_run(c, &command);
}

static void discovery_names_the_subsystem(void) {
  struct ini_connection c;
  uint8_t page[4096];
  CHECK_EQ(0, ini_connect(&c, target.port, 0, INI_HOST, INI_DISCOVERY, 0, 0xFFFF, 0).status);
  CHECK_EQ(0, ini_set_cc(&c, 0x460001).status);
  CHECK_EQ(0, identify(&c, 1, 0, page).status);
  CHECK_EQ(2, page[111]); /* CNTRLTYPE */
  CHECK(strcmp(INI_DISCOVERY, (char *)page + 768) == 0);
  CHECK_EQ(0x4002, identify(&c, 0, 1, page).status); /* it has no namespaces */
  CHECK_EQ(0, get_log(&c, 0x70, 0, page, 16).status);
  CHECK_EQ(1, ini_get64(page + 8));
  CHECK_EQ(0, get_log(&c, 0x70, 1024, page, 1024).status);
  CHECK_EQ(3, page[0]); /* TCP */
  CHECK_EQ(1, page[1]); /* IPv4 */
  CHECK_EQ(2, page[2]);
  CHECK_EQ(target.port, atoi((char *)page + 32));
  CHECK(strcmp(INI_SUBSYSTEM, (char *)page + 256) == 0);
  CHECK(memcmp("127.0.0.1 ", page + 512, 10) == 0);
  CHECK_EQ(0x4109, get_log(&c, 0x05, 0, page, 4096).status);
  ini_close(&c);
}

static void connect_is_checked(void) {
  static const struct {
    const char *host, *subsystem;
    uint16_t queue_id, controller_id;
    int status;
    uint64_t result;
  } rows[] = {
      {INI_HOST, "nqn.2026-11.org.luceneoffload:other", 0, 0xFFFF, 0x4182, 1 << 16 | 256},
      {INI_HOST, INI_SUBSYSTEM, 0, 5, 0x4182, 1 << 16 | 16}, /* not dynamic */
      {INI_HOST, INI_SUBSYSTEM, 1, 4711, 0x4182, 1 << 16 | 16},
      {INI_HOST, INI_SUBSYSTEM, 999, 1, 0x4182, 42},
      {INI_HOST, INI_DISCOVERY, 1, 1, 0x4182, 1 << 16 | 16},
  };
  struct ini_connection c;
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
    const struct ini_answer answer =
        ini_connect(&c, target.port, 0, rows[i].host, rows[i].subsystem, rows[i].queue_id,
                    rows[i].controller_id, 0);
    CHECK_MSG(answer.status == rows[i].status && answer.result == rows[i].result,
              "row %zu: 0x%X, 0x%llX", i, answer.status, (unsigned long long)answer.result);
    /* A queue that did not come about takes no other command. */
    CHECK_EQ(0x400C, get_feature(&c, 7).status);
    ini_close(&c);
  }
}

static void a_queue_belongs_to_its_host(void) {
  struct ini_connection admin, c;
  struct ini_answer answer =
      ini_connect(&admin, target.port, 0, INI_HOST, INI_SUBSYSTEM, 0, 0xFFFF, 0);
  const uint16_t id = (uint16_t)answer.result;
  CHECK_EQ(0, answer.status);
  /* Not before the controller is enabled, nor for another host, nor twice. */
  CHECK_EQ(0x4182, ini_connect(&c, target.port, 0, INI_HOST, INI_SUBSYSTEM, 1, id, 0).status);
  ini_close(&c);
  CHECK_EQ(0x400C, get_feature(&admin, 7).status);
  CHECK_EQ(0, ini_set_cc(&admin, 0x460001).status);
  CHECK_EQ(0x4182, ini_connect(&c, target.port, 0, INI_OTHER_HOST, INI_SUBSYSTEM, 1, id, 0).status);
  ini_close(&c);
  CHECK_EQ(0, ini_connect(&c, target.port, 0, INI_HOST, INI_SUBSYSTEM, 1, id, 0).status);
  struct ini_connection twice;
  CHECK_EQ(0x4182, ini_connect(&twice, target.port, 0, INI_HOST, INI_SUBSYSTEM, 1, id, 0).status);
  ini_close(&twice);
  /* Disconnect is answered, and then the queue is free. */
  const struct ini_command disconnect = {.opcode = 0x7F, .nsid = 8};
  CHECK_EQ(0, ini_run(&c, &disconnect).status);
  struct ini_pdu pdu;
  CHECK_EQ(INI_CLOSED, ini_receive(&c, &pdu));
  ini_close(&c);
  int status = -1;
  for (int i = 0; i < 6000 && status != 0; i++) { /* a minute */
    status = ini_connect(&c, target.port, 0, INI_HOST, INI_SUBSYSTEM, 1, id, 0).status;
    if (status != 0) {
      usleep(10000);
    }
    if (status != 0) {
      ini_close(&c);
    }
  }
  CHECK_EQ(0, status);
  /* The association ends with its admin connection. */
  ini_close(&admin);
  CHECK_EQ(INI_CLOSED, ini_receive(&c, &pdu));
  ini_close(&c);
}

static void controllers_have_ids_of_their_own(void) {
  enum { MANY = 12 };
  struct ini_connection c[MANY];
  uint16_t ids[MANY];
  for (int i = 0; i < MANY; i++) {
    const struct ini_answer answer = ini_connect(
        &c[i], target.port, 0, i % 2 ? INI_HOST : INI_OTHER_HOST, INI_SUBSYSTEM, 0, 0xFFFF, 0);
    CHECK_EQ(0, answer.status);
    ids[i] = (uint16_t)answer.result;
    for (int k = 0; k < i; k++) {
      CHECK(ids[k] != ids[i]);
    }
    CHECK(ids[i] > 0 && ids[i] < 0xFFF0);
  }
  for (int i = 0; i < MANY; i++) {
    ini_close(&c[i]);
  }
}

static void properties_are_as_the_kernel_wants_them(void) {
  struct ini_connection c;
  CHECK_EQ(0, ini_connect(&c, target.port, 0, INI_HOST, INI_SUBSYSTEM, 0, 0xFFFF, 0).status);
  const uint64_t cap = get_property(&c, 0, 1).result;
  CHECK_EQ(127, cap & 0xFFFF);
  CHECK((cap >> 16 & 1) == 1 && (cap >> 37 & 1) == 1);
  CHECK_EQ(0x10400, get_property(&c, 8, 0).result);
  CHECK_EQ(0, get_property(&c, 0x1C, 0).result);
  CHECK_EQ(0x4002, get_property(&c, 0x100, 0).status);
  CHECK_EQ(0x4002, get_property(&c, 0, 0).status); /* of the wrong size */
  CHECK_EQ(0x4002, get_property(&c, 0, 2).status);
  CHECK_EQ(0, ini_set_cc(&c, 0x460001).status);
  CHECK_EQ(1, get_property(&c, 0x1C, 0).result);
  CHECK_EQ(0x460001, get_property(&c, 0x14, 0).result);
  CHECK_EQ(0, ini_set_cc(&c, 0x464001).status); /* shutdown */
  CHECK_EQ(9, get_property(&c, 0x1C, 0).result);
  CHECK_EQ(0, ini_set_cc(&c, 0x460000).status); /* reset */
  CHECK_EQ(0, get_property(&c, 0x1C, 0).result);
  CHECK_EQ(0, ini_set_cc(&c, 0x460061).status); /* a command set that is not there */
  CHECK_EQ(2, get_property(&c, 0x1C, 0).result);
  const struct ini_command set_cap = {.opcode = 0x7F, .cdw10 = 1, .cdw12 = 1};
  CHECK_EQ(0x4002, ini_run(&c, &set_cap).status);
  ini_close(&c);
}

static void identify_tells_what_is_there(void) {
  struct ini_host host;
  uint8_t page[4096];
  REQUIRE(ini_host_open(&host, target.port, 0, INI_HOST));
  CHECK_EQ(0, identify(&host.admin, 1, 0, page).status);
  CHECK_EQ(8, page[77]); /* MDTS: 1 MiB */
  CHECK_EQ(host.controller_id, ini_get16(page + 78));
  CHECK_EQ(1, page[111]);
  CHECK(ini_get16(page + 320) != 0);
  CHECK_EQ(0x66, page[512]);
  CHECK_EQ(0x44, page[513]);
  CHECK_EQ(1, ini_get32(page + 516));
  CHECK((ini_get32(page + 536) & 3) == 1);
  CHECK(strcmp(INI_SUBSYSTEM, (char *)page + 768) == 0);
  CHECK_EQ((64 + 16384) / 16, ini_get32(page + 1792));
  CHECK_EQ(1, ini_get32(page + 1796));
  CHECK_EQ(0, identify(&host.admin, 0, 1, page).status);
  CHECK_EQ(64 << 20 >> 12, ini_get64(page));
  CHECK_EQ(12, page[130]);
  uint8_t descriptors[4096];
  CHECK_EQ(0, identify(&host.admin, 3, 1, descriptors).status);
  CHECK(descriptors[0] == 2 && descriptors[1] == 16);
  CHECK(memcmp(descriptors + 4, page + 104, 16) == 0);
  CHECK_EQ(0, identify(&host.admin, 2, 0, page).status);
  CHECK_EQ(1, ini_get32(page));
  CHECK_EQ(0, ini_get32(page + 4));
  CHECK_EQ(0, identify(&host.admin, 2, 1, page).status);
  CHECK_EQ(0, ini_get32(page));
  CHECK_EQ(0, identify(&host.admin, 6, 0, page).status);
  CHECK_EQ(0, identify(&host.admin, 8, 1, page).status);
  CHECK_EQ(1, page[14]);
  CHECK_EQ(0x400B, identify(&host.admin, 0, 2, page).status);
  CHECK_EQ(0x4002, identify(&host.admin, 0x99, 1, page).status);
  const struct ini_command small = {.opcode = 0x06, .cdw10 = 1, .in = page, .in_bytes = 512};
  CHECK_EQ(0x400F, ini_run(&host.admin, &small).status);
  ini_host_close(&host);
}

static void logs_tell_what_happened(void) {
  struct ini_host host;
  uint8_t page[4096];
  REQUIRE(ini_host_open(&host, target.port, 0, INI_HOST));
  CHECK_EQ(0, get_log(&host.admin, 5, 0, page, 4096).status);
  static const uint8_t vendor[] = {0x80, 0x81, 0x82, 0x84, 0x85, 0x88};
  for (size_t i = 0; i < sizeof vendor; i++) {
    CHECK_EQ(1, ini_get32(page + 1024 + vendor[i] * 4));
  }
  CHECK_EQ(0, ini_get32(page + 1024 + 0x83 * 4));
  CHECK_EQ(0, ini_get32(page + 1024 + 0x89 * 4)); /* the timing model is off */
  CHECK_EQ(3, ini_get32(page + 1024 + 4));        /* Write changes blocks */
  CHECK_EQ(1, ini_get32(page + 6 * 4));
  const struct ini_command wrong = {
      .opcode = 0x02, .nsid = 1, .cdw11 = 0xFFFFFFFF, .in = page, .in_bytes = 4096};
  CHECK_EQ(0x4080, ini_run(&host.io, &wrong).status);
  CHECK_EQ(0, get_log(&host.admin, 1, 0, page, 128).status);
  CHECK_EQ(1, ini_get64(page));
  CHECK_EQ(1, ini_get16(page + 8));
  CHECK_EQ(0x4080 << 1, ini_get16(page + 12));
  CHECK_EQ(0, ini_get64(page + 64));
  CHECK_EQ(0, get_log(&host.admin, 2, 0, page, 512).status);
  CHECK_EQ(1, ini_get64(page + 176));
  CHECK_EQ(0, get_log(&host.admin, 3, 0, page, 512).status);
  CHECK_EQ(0x4109, get_log(&host.admin, 0x42, 0, page, 512).status);
  CHECK_EQ(0x4002, get_log(&host.admin, 2, 4096, page, 512).status);
  ini_host_close(&host);
}

static void features_are_kept(void) {
  struct ini_host host;
  uint8_t id[16];
  REQUIRE(ini_host_open(&host, target.port, 0, INI_HOST));
  CHECK_EQ(15 << 16 | 15, get_feature(&host.admin, 7).result);
  CHECK_EQ(3 << 16 | 3, set_feature(&host.admin, 7, 3 << 16 | 3).result);
  CHECK_EQ(3 << 16 | 3, get_feature(&host.admin, 7).result);
  CHECK_EQ(15 << 16 | 15, set_feature(&host.admin, 7, 99 << 16 | 99).result);
  CHECK_EQ(1, get_feature(&host.admin, 6).result);
  CHECK_EQ(0, set_feature(&host.admin, 6, 0).status);
  CHECK_EQ(0, get_feature(&host.admin, 6).result);
  CHECK_EQ(0, set_feature(&host.admin, 0x0B, 0x1FF).status);
  CHECK_EQ(0x1FF, get_feature(&host.admin, 0x0B).result);
  CHECK_EQ(0x4002, set_feature(&host.admin, 6, 7).status);
  CHECK_EQ(0x4002, set_feature(&host.admin, 0xC0, 0).status);
  CHECK_EQ(0x4002, get_feature(&host.admin, 0xC0).status);
  CHECK_EQ(0x4002, set_feature(&host.admin, 1u << 31 | 6, 1).status); /* nothing is saved */
  const struct ini_command host_id = {
      .opcode = 0x0A, .cdw10 = 0x81, .cdw11 = 1, .in = id, .in_bytes = sizeof id};
  CHECK_EQ(0, ini_run(&host.admin, &host_id).status);
  CHECK(id[0] == 0x11 && id[15] == '1');
  const struct ini_command unknown = {.opcode = 0xC1};
  CHECK_EQ(0x4001, ini_run(&host.admin, &unknown).status);
  ini_host_close(&host);
}

static void events_are_held_until_aborted(void) {
  struct ini_host host;
  const struct ini_command event = {.opcode = 0x0C};
  uint16_t cids[4];
  REQUIRE(ini_host_open(&host, target.port, 0, INI_HOST));
  for (int i = 0; i < 4; i++) {
    cids[i] = ini_start(&host.admin, &event);
  }
  CHECK_EQ(0x4105, ini_run(&host.admin, &event).status); /* one more than AERL says */
  CHECK_EQ(0, get_feature(&host.admin, 0x0B).status);    /* the others go on */
  const struct ini_command abort = {.opcode = 0x08, .cdw10 = (uint32_t)cids[1] << 16};
  const uint16_t cid = ini_start(&host.admin, &abort);
  CHECK_EQ(0x4007, ini_finish(&host.admin, &event, cids[1]).status);
  const struct ini_answer aborted = ini_finish(&host.admin, &abort, cid);
  CHECK(aborted.status == 0 && aborted.result == 0);
  CHECK_EQ(1, ini_run(&host.admin, &abort).result); /* it is there no more */
  ini_host_close(&host);
}

/*
 * Sends a keep-alive now and then, for longer than the timer runs, which started at `last`.
 * @return the longest time from one to the answer to the next: no less passed for the target, ms
 */
static int64_t stay_alive(struct ini_host *host, int64_t last, int *status) {
  const struct ini_command alive = {.opcode = 0x18};
  int64_t longest = 0;
  *status = 0;
  for (int i = 0; i < 6 && *status == 0; i++) {
    usleep(KEEP_ALIVE_MS / 5 * 1000);
    const int64_t sent = ini_now_ms();
    *status = ini_run(&host->admin, &alive).status;
    const int64_t gap = ini_now_ms() - last;
    longest = gap > longest ? gap : longest;
    last = sent;
  }
  return longest;
}

static void keep_alive_ends_the_association(void) {
  struct ini_host host;
  struct ini_pdu pdu;
  int status = -1;
  /* A machine that stopped this test for longer than the timer runs has proved nothing. */
  for (int tries = 0; tries < 50 && status != 0; tries++) {
    REQUIRE(ini_host_open(&host, target.port, 0, INI_HOST));
    CHECK_EQ(0x4002, set_feature(&host.admin, 0x0F, 5).status);
    const int64_t start = ini_now_ms();
    CHECK_EQ(0, set_feature(&host.admin, 0x0F, KEEP_ALIVE_MS).status);
    const int64_t longest = stay_alive(&host, start, &status);
    if (status != 0) {
      REQUIRE(longest >= KEEP_ALIVE_MS);
      ini_host_close(&host);
    }
  }
  CHECK_EQ(0, status);
  CHECK_EQ(INI_CLOSED, ini_receive(&host.io, &pdu)); /* ends with the other one */
  CHECK_EQ(INI_CLOSED, ini_receive(&host.admin, &pdu));
  CHECK(target_logged(&target, "keep-alive timer expired"));
  ini_host_close(&host);
}

static void only_hosts_that_are_named_connect(void) {
  struct target_process strict;
  struct ini_host host;
  const char *const options[] = {"--allow-host", INI_OTHER_HOST, "--capacity", "64M", NULL};
  REQUIRE(target_start(&strict, "strict", options));
  struct ini_connection c;
  CHECK_EQ(0x4184, ini_connect(&c, strict.port, 0, INI_HOST, INI_SUBSYSTEM, 0, 0xFFFF, 0).status);
  CHECK(target_logged(&strict, "0000-000000000001 is not allowed"));
  ini_close(&c);
  CHECK(ini_host_open(&host, strict.port, 0, INI_OTHER_HOST));
  ini_host_close(&host);
  CHECK_EQ(0, target_stop(&strict));
}

static void a_target_stops_in_order(void) {
  struct target_process other;
  struct ini_host host;
  struct ini_pdu pdu;
  REQUIRE(target_start(&other, "stops", NULL));
  REQUIRE(ini_host_open(&host, other.port, 0, INI_HOST));
  CHECK_EQ(0, target_stop(&other)); /* connections or not */
  CHECK_EQ(INI_CLOSED, ini_receive(&host.io, &pdu));
  CHECK_EQ(INI_CLOSED, ini_receive(&host.admin, &pdu));
  CHECK(target_logged(&other, "ended: the target stops"));
  CHECK(target_logged(&other, "stopped"));
  ini_host_close(&host);
  /* The store is one target's at a time. */
  struct target_process first, second;
  REQUIRE(target_start(&first, "stops", NULL));
  second = first;
  CHECK(!target_start(&second, "stops", NULL));
  CHECK_EQ(1, target_stop(&second));
  CHECK(target_logged(&first, "LOCKED"));
  CHECK_EQ(0, target_stop(&first));
}

int main(void) {
  const char *const options[] = {"--capacity", "64M", NULL};
  if (!target_start(&target, "admin", options)) {
    return 1;
  }
  RUN(discovery_names_the_subsystem);
  RUN(connect_is_checked);
  RUN(a_queue_belongs_to_its_host);
  RUN(controllers_have_ids_of_their_own);
  RUN(properties_are_as_the_kernel_wants_them);
  RUN(identify_tells_what_is_there);
  RUN(logs_tell_what_happened);
  RUN(features_are_kept);
  RUN(events_are_held_until_aborted);
  RUN(keep_alive_ends_the_association);
  CHECK_EQ(0, target_stop(&target));
  RUN(only_hosts_that_are_named_connect);
  RUN(a_target_stops_in_order);
  return check_result();
}
