/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/*
 * Memory and programs by the standard's own commands: queries by both dialects, checked by brute
 * force; every mistake by its status; who owns what. `test_target_compute N` sends N hostile
 * commands instead of some.
 */
#include <stdlib.h>
#include <string.h>

#include "controller/controller.h"
#include "csd/csd.h"
#include "initiator.h"
#include "inside.h"
#include "tests/support/check.h"
#include "tests/support/search_world.h"

enum { DNR = 0x4000, MEMORY = 64 << 20, GRANT = 1 << 20, RESULT_AT = WORLD_PLAN_BYTES };
enum { ALL_SETS = 0x460061, NVM_ALONE = 0x460001, RESULT_BYTES = 1 << 17 };

static struct inside inside;
static struct search_world *world;
static int hostile_commands = 4000;

/* A host of the target, connected anew with a configuration of its own. */
static void set_up(uint64_t program_bytes, uint32_t configuration) {
  inside_defaults(&inside, "compute");
  inside.options.capacity_bytes = 16 << 20;
  inside.options.program_bytes = program_bytes;
  inside.configuration = configuration;
  inside_open(&inside);
}

static int admin(uint8_t opcode, uint32_t nsid, uint32_t cdw10) {
  const struct ini_command command = {.opcode = opcode, .nsid = nsid, .cdw10 = cdw10};
  return ini_run(&inside.admin, &command).status;
}

static int activate(uint32_t program, bool on) {
  return admin(0x88, 3, program | (on ? 1u : 0u) << 16);
}

static struct ini_answer make_set(uint32_t nsid, uint32_t bytes, uint64_t start) {
  uint8_t range[32] = {0};
  memcpy(range, &nsid, 4);
  memcpy(range + 4, &bytes, 4);
  memcpy(range + 8, &start, 8);
  const struct ini_command command = {
      .opcode = 0x89, .nsid = 3, .cdw11 = 1, .out = range, .out_bytes = sizeof range};
  return ini_run(&inside.admin, &command);
}

static int delete_set(uint32_t set) { return admin(0x89, 3, set << 16 | 1); }

static int memory_write(uint64_t to, const void *data, uint32_t bytes) {
  const struct ini_command command = {.opcode = 5,
                                      .nsid = 2,
                                      .cdw10 = (uint32_t)to,
                                      .cdw11 = (uint32_t)(to >> 32),
                                      .cdw12 = bytes,
                                      .out = data,
                                      .out_bytes = bytes,
                                      .apart = bytes > 16384};
  return ini_run(&inside.io, &command).status;
}

static struct ini_answer memory_read(uint64_t from, void *to, uint32_t bytes) {
  const struct ini_command command = {.opcode = 2,
                                      .nsid = 2,
                                      .cdw10 = (uint32_t)from,
                                      .cdw11 = (uint32_t)(from >> 32),
                                      .cdw12 = bytes,
                                      .in = to,
                                      .in_bytes = bytes};
  return ini_run(&inside.io, &command);
}

static int fill(uint64_t from, uint32_t bytes) {
  const struct ini_command command = {
      .opcode = 4, .nsid = 2, .cdw10 = (uint32_t)from, .cdw12 = bytes};
  return ini_run(&inside.io, &command).status;
}

static int copy(uint32_t format, uint32_t nsid, uint64_t from, uint32_t count, uint64_t to,
                uint32_t bytes) {
  uint8_t source[32] = {0};
  memcpy(source, &nsid, 4);
  memcpy(source + 8, &from, 8);
  memcpy(source + 16, &count, 4);
  const struct ini_command command = {.opcode = 1,
                                      .nsid = 2,
                                      .cdw2 = bytes,
                                      .cdw10 = (uint32_t)to,
                                      .cdw12 = format << 8,
                                      .out = source,
                                      .out_bytes = sizeof source};
  return ini_run(&inside.io, &command).status;
}

/* Execute Program of the plan program; data NULL: the plan lies in the set's memory. */
static struct ini_answer execute(uint32_t set, const void *data, uint32_t bytes, uint32_t result_at,
                                 uint32_t counts) {
  const struct ini_command command = {.opcode = 1,
                                      .nsid = 3,
                                      .cdw2 = set << 16,
                                      .cdw4 = data != NULL ? bytes : 0,
                                      .cdw10 = bytes,
                                      .cdw12 = result_at,
                                      .cdw13 = counts,
                                      .out = data,
                                      .out_bytes = data != NULL ? bytes : 0};
  return ini_run(&inside.io, &command);
}

/* As a host begins: the pages there, both programs active, a set at byte 0. @return its ID */
static uint32_t set_up_search(void) {
  set_up(MEMORY, ALL_SETS);
  inside_write(&inside, world->first_lba, world->pages, world->page_count);
  CHECK_EQ(0, activate(0, true));
  CHECK_EQ(0, activate(1, true));
  const struct ini_answer set = make_set(2, GRANT, 0);
  CHECK_EQ(0, set.status);
  CHECK(set.result > 0);
  return (uint32_t)set.result;
}

static uint8_t *identify(uint32_t cns, uint32_t nsid, uint32_t set, int status) {
  static uint8_t page[4096];
  const struct ini_command command = {.opcode = 6,
                                      .nsid = nsid,
                                      .cdw10 = cns,
                                      .cdw11 = set << 24,
                                      .in = page,
                                      .in_bytes = sizeof page};
  const int got = ini_run(&inside.admin, &command).status;
  CHECK_MSG(got == status, "CNS %02X, namespace %u, set %u: %04X", cns, nsid, set, got);
  return page;
}

static uint8_t *log_page(uint32_t id, uint32_t nsid, uint32_t set, int status) {
  static uint8_t page[4096];
  const struct ini_command command = {.opcode = 2,
                                      .nsid = nsid,
                                      .cdw10 = id | 1023u << 16,
                                      .cdw14 = set << 24,
                                      .in = page,
                                      .in_bytes = sizeof page};
  const int got = ini_run(&inside.admin, &command).status;
  CHECK_MSG(got == status, "log %02X, namespace %u, set %u: %04X", id, nsid, set, got);
  return page;
}

static uint64_t property(uint32_t offset, bool wide) {
  const struct ini_command command = {.opcode = 0x7F, .nsid = 4, .cdw10 = wide, .cdw11 = offset};
  return ini_run(&inside.admin, &command).result;
}

/* Who does not ask for the command sets sees none of them. */
static void they_are_shown_to_who_asks(void) {
  static const struct {
    uint64_t bytes;
    uint32_t configuration;
  } rows[] = {{0, NVM_ALONE}, {MEMORY, NVM_ALONE}};
  uint8_t word[4];
  for (size_t i = 0; i < 2; i++) {
    set_up(rows[i].bytes, rows[i].configuration);
    CHECK_EQ(rows[i].bytes != 0, property(0, true) >> 43 & 1);
    CHECK_EQ(rows[i].bytes != 0 ? 0x20000 : 0x10400, property(8, false));
    CHECK_EQ(1, ini_get32(identify(1, 0, 0, 0) + 516));
    CHECK_EQ(0, ini_get32(identify(2, 0, 0, 0) + 4));
    identify(8, 2, 0, 0x400B);
    identify(7, 0, 3, 0x4002);
    log_page(5, 0xFFFFFFFF, 4, 0x4109);
    log_page(0x82, 3, 4, 0x4109);
    CHECK_EQ(0x4001, activate(0, true));
    CHECK_EQ(0x4001, delete_set(1));
    CHECK_EQ(0x400B, memory_read(0, word, 4).status);
    CHECK_EQ(0x4001, fill(0, 4)); /* of the NVM command set */
    CHECK_EQ(0, inside_close(&inside));
  }
  set_up(0, NVM_ALONE);
  CHECK_EQ(0, ini_set_cc(&inside.admin, 0).status);
  CHECK_EQ(0, ini_set_cc(&inside.admin, ALL_SETS).status);
  CHECK_EQ(2, property(0x1C, false)); /* CSTS: fatal */
  CHECK_EQ(0, inside_close(&inside));
}

static void they_are_described(void) {
  set_up(MEMORY, ALL_SETS);
  CHECK_EQ(1, property(0x1C, false));
  CHECK_EQ(3, ini_get32(identify(1, 0, 0, 0) + 516));
  const uint8_t *page = identify(2, 0, 0, 0);
  CHECK(ini_get32(page) == 1 && ini_get32(page + 4) == 2 && ini_get32(page + 8) == 3);
  CHECK_EQ(0, ini_get32(page + 12));
  for (uint32_t nsid = 1; nsid < 4; nsid++) {
    const uint32_t set = nsid == 1 ? 0 : nsid + 1;
    page = identify(7, 0, set, 0);
    CHECK(ini_get32(page) == nsid && ini_get32(page + 4) == 0);
    page = identify(3, nsid, 0, 0);
    CHECK(page[40] == 4 && page[41] == 1 && page[44] == set);
    CHECK_EQ(1, identify(8, nsid, 0, 0)[14]);
    identify(6, 0, set, 0);
    identify(5, nsid, set, 0);
    identify(5, nsid, set == 4 ? 3 : 4, 0x412C);
    identify(0, nsid, 0, nsid == 1 ? 0 : 0x412C);
  }
  identify(3, 4, 0, 0x400B);
  identify(7, 0, 2, 0x4002);
  CHECK_EQ(0x19, ini_get64(identify(0x1C, 0xFFFF, 0, 0)));
  CHECK_EQ(MEMORY / 8 * 7, ini_get64(identify(5, 2, 3, 0)));
  page = identify(5, 3, 4, 0);
  CHECK(ini_get16(page) == 2 && ini_get16(page + 2) == 512 && page[6] == 1);
  page = log_page(5, 0xFFFFFFFF, 3, 0);
  CHECK_EQ(1, ini_get32(page + 0x88 * 4));
  for (uint32_t opcode = 0; opcode < 256; opcode++) {
    const bool there = opcode == 1 || opcode == 2 || opcode == 4 || opcode == 5;
    CHECK_EQ(there ? 1 : 0, ini_get32(page + 1024 + opcode * 4));
  }
  page = log_page(5, 0xFFFFFFFF, 4, 0);
  CHECK(ini_get32(page + 1028) == 1 && ini_get32(page + 1032) == 0);
  page = log_page(5, 0xFFFFFFFF, 0, 0);
  CHECK(ini_get32(page + 1024 + CSD_OPCODE_SUBMIT * 4) == 1);
  page = log_page(0x82, 3, 0, 0);
  CHECK_EQ(2, ini_get16(page));
  CHECK(memcmp(page + 64 + 8, "ODPPLAN1", 8) == 0 && memcmp(page + 128 + 8, "ODPLIVE1", 8) == 0);
  CHECK_EQ(0, page[64] & 4);
  CHECK_EQ(0, activate(0, true));
  CHECK_EQ(4, log_page(0x82, 3, 0, 0)[64] & 4);
  log_page(0x82, 2, 0, 0x4109);
  page = log_page(0x1A, 0xFFFFFFFF, 0, 0);
  CHECK(ini_get16(page + 8) == 1 && ini_get32(page + 20) == 3 && ini_get32(page + 52) == 2);
  CHECK_EQ(1, ini_get32(log_page(0x1B, 0xFFFFFFFF, 0, 0) + 48));
  CHECK_EQ(0, inside_close(&inside));
}

/* Memory is bytes: zeros, what was written, what was copied. */
static void memory_keeps_bytes(void) {
  static uint8_t sent[1 << 18], got[1 << 18];
  uint64_t seed = 1;
  set_up(MEMORY, ALL_SETS);
  for (size_t i = 0; i < sizeof sent; i += 8) {
    const uint64_t random = check_random(&seed);
    memcpy(sent + i, &random, 8);
  }
  const uint64_t at = MEMORY / 8 * 7 - sizeof sent;
  CHECK_EQ(0, memory_read(at, got, sizeof got).status);
  CHECK(got[0] == 0 && memcmp(got, got + 1, sizeof got - 1) == 0);
  CHECK_EQ(0, memory_write(at, sent, sizeof sent));
  CHECK_EQ(0, fill(at + 4, 8));
  memset(sent + 4, 0, 8);
  CHECK_EQ(0, copy(4, 2, at, 4096, 8192, 4096));
  const struct ini_answer answer = memory_read(at, got, sizeof got);
  CHECK_EQ(sizeof got, answer.in_bytes);
  CHECK(memcmp(sent, got, sizeof got) == 0);
  CHECK_EQ(0, memory_read(8192, got, 4096).status);
  CHECK(memcmp(sent, got, 4096) == 0);
  inside_write(&inside, world->first_lba, world->pages, world->page_count);
  CHECK_EQ(0, copy(2, 1, world->first_lba, 2, 4096, 3 * 4096));
  CHECK_EQ(0, memory_read(4096, got, 3 * 4096).status);
  CHECK(memcmp(world->pages, got, 3 * 4096) == 0);
  CHECK_EQ(0, ini_set_cc(&inside.admin, 0).status); /* a reset gives all of it back */
  CHECK_EQ(0, inside.server.controllers->memory_bytes);
  CHECK_EQ(0, inside_close(&inside));
}

/* What goes wrong with memory, and its status. */
static void memory_is_checked(void) {
  const uint64_t end = MEMORY / 8 * 7;
  uint8_t bytes[64] = {0};
  set_up(MEMORY, ALL_SETS);
  CHECK_EQ(0x4002, memory_write(2, bytes, 4));
  CHECK_EQ(0x4002, memory_write(0, bytes, 6));
  CHECK_EQ(0x4002, memory_write(end, bytes, 4));
  CHECK_EQ(0x4002, memory_write(UINT64_MAX - 3, bytes, 4));
  CHECK_EQ(0, memory_write(end - 4, bytes, 4));
  CHECK_EQ(0x4002, memory_read(end - 4, bytes, 8).status);
  CHECK_EQ(0x4002, fill(4, 0xFFFFFFFC));
  struct ini_command short_one = {.opcode = 5, .nsid = 2, .cdw12 = 8, .out = bytes, .out_bytes = 4};
  CHECK_EQ(0x400F, ini_run(&inside.io, &short_one).status);
  short_one = (struct ini_command){.opcode = 2, .nsid = 2, .cdw12 = 8, .in = bytes, .in_bytes = 4};
  CHECK_EQ(0x400F, ini_run(&inside.io, &short_one).status);
  short_one = (struct ini_command){.opcode = 8, .nsid = 2};
  CHECK_EQ(0x4001, ini_run(&inside.io, &short_one).status);
  CHECK_EQ(0x4002, copy(1, 1, 0, 0, 0, 4096));            /* format */
  CHECK_EQ(0x4002, copy(2, 1, 0, 0, 0, 8192));            /* sum */
  CHECK_EQ(0x4002, copy(2, 1, 0, 0, end - 4, 4096));      /* destination */
  CHECK_EQ(0x4002, copy(4, 2, end - 4, 8, 0, 8));         /* source */
  CHECK_EQ(0x4185, copy(2, 2, 0, 0, 0, 4096));            /* LBAs of memory */
  CHECK_EQ(0x4185, copy(4, 1, 0, 8, 0, 8));               /* bytes of blocks */
  CHECK_EQ(0x400B, copy(4, 3, 0, 8, 0, 8));               /* neither */
  CHECK_EQ(0x4187, copy(4, 2, 4, 8, 0, 8));               /* overlap */
  CHECK_EQ(0x4183, copy(4, 2, 0, 32 << 20, 0, 32 << 20)); /* size */
  CHECK_EQ(0x4080, copy(2, 1, 4095, 1, 0, 8192));         /* beyond the last LBA */
  CHECK_EQ(0, inside_close(&inside));
}

/* The same pages as by the vendor's commands: the plan in memory, the plan with the command, the
   count in the completion. */
static void queries_find_what_brute_force_finds(void) {
  static uint8_t plan[WORLD_PLAN_BYTES], result[RESULT_BYTES], vendor[RESULT_BYTES];
  uint64_t seed = 9;
  int counts = 0;
  const uint32_t set = set_up_search();
  const struct ini_command open = {.opcode = CSD_OPCODE_OPEN, .nsid = 1, .cdw10 = GRANT};
  const uint32_t session = (uint32_t)ini_run(&inside.io, &open).result;
  for (int i = 0; i < 60; i++) {
    const struct search_query query = search_query_random(&seed);
    const uint32_t bytes = search_query_plan(world, &query, plan);
    const struct ini_command submit = {.opcode = CSD_OPCODE_SUBMIT,
                                       .nsid = 1,
                                       .cdw10 = session,
                                       .cdw11 = bytes,
                                       .out = plan,
                                       .out_bytes = bytes};
    const struct ini_command fetch = {.opcode = CSD_OPCODE_FETCH,
                                      .nsid = 1,
                                      .cdw10 = session,
                                      .cdw12 = sizeof vendor,
                                      .in = vendor,
                                      .in_bytes = sizeof vendor};
    const uint64_t there = ini_run(&inside.io, &submit).result;
    CHECK_EQ(0, ini_run(&inside.io, &fetch).status);
    if (i % 2 == 0) {
      CHECK_EQ(0, memory_write(0, plan, bytes));
    }
    const struct ini_answer answer = execute(set, i % 2 == 0 ? NULL : plan, bytes, RESULT_AT, 0);
    REQUIRE(answer.status == 0);
    CHECK_EQ(there, answer.result);
    CHECK_EQ(0, memory_read(RESULT_AT, result, (uint32_t)there).status);
    REQUIRE(search_query_check(world, &query, result, (int64_t)there));
    CHECK(memcmp(result + sizeof(struct csd_result_header),
                 vendor + sizeof(struct csd_result_header),
                 there - sizeof(struct csd_result_header)) == 0);
    if (query.mode == CSD_MODE_COUNT) {
      const struct ini_answer count = execute(set, plan, bytes, 0, 1);
      CHECK_EQ(0, count.status);
      CHECK_EQ(ini_get64(vendor + 16), count.result);
      counts++;
    }
  }
  CHECK_MSG(counts > 3, "%d plans that count", counts);
  struct csd_device_info info;
  CHECK_EQ(sizeof info, execute(set, NULL, 0, 64, 2).result);
  CHECK_EQ(0, memory_read(64, &info, sizeof info).status);
  CHECK_EQ(CSD_INFO_MAGIC, info.magic);
  CHECK_EQ(0, delete_set(set));
  CHECK_EQ(0, inside_close(&inside));
}

static struct ini_answer live_docs(const void *data, uint32_t bytes, uint32_t whole,
                                   uint32_t resource, uint32_t from) {
  const struct ini_command command = {.opcode = 1,
                                      .nsid = 3,
                                      .cdw2 = 1,
                                      .cdw4 = data != NULL ? bytes : 0,
                                      .cdw10 = bytes,
                                      .cdw11 = whole,
                                      .cdw12 = resource,
                                      .cdw13 = from,
                                      .out = data,
                                      .out_bytes = data != NULL ? bytes : 0};
  return ini_run(&inside.io, &command);
}

/* Live docs by the second program, in two parts; a plan with them; another controller's. */
static void live_docs_are_put(void) {
  enum { BYTES = (WORLD_MAX_DOC + 63) / 64 * 8 };
  static uint8_t plan[WORLD_PLAN_BYTES], bits[BYTES];
  const struct search_query query = {.mode = CSD_MODE_COUNT,
                                     .term_count = 1,
                                     .list = {0},
                                     .occur = {CSD_OCCUR_MUST},
                                     .weight = {1}};
  const uint32_t set = set_up_search();
  const uint32_t bytes = search_query_plan(world, &query, plan);
  CHECK(execute(set, plan, bytes, 0, 1).result > 0);
  const struct ini_answer first = live_docs(bits, 1024, BYTES, 0, 0);
  CHECK_EQ(0, first.status);
  const uint32_t resource = (uint32_t)first.result;
  CHECK_EQ(0, live_docs(bits, BYTES - 1024, BYTES, resource, 1024).status);
  memcpy(plan + offsetof(struct csd_plan_header, live_docs), &resource, 4);
  const struct ini_answer none = execute(set, plan, bytes, 0, 1);
  CHECK_EQ(0, none.status);
  CHECK_EQ(0, none.result); /* no doc is live */
  CHECK_EQ(0, live_docs(NULL, 0, 0, resource, 0).status);
  CHECK_EQ(0x4700 | CSD_STATUS_NO_RESOURCE, live_docs(NULL, 0, 0, resource, 0).status);
  CHECK_EQ(0x4700 | CSD_STATUS_NO_RESOURCE, execute(set, plan, bytes, 0, 1).status);
  CHECK_EQ(0x4002, live_docs(bits, 4, 4, 0, 0).status);
  CHECK_EQ(0, inside_close(&inside));
}

/* What goes wrong with programs and range sets, and its status. */
static void programs_are_checked(void) {
  static uint8_t plan[WORLD_PLAN_BYTES];
  const struct search_query query = {.mode = CSD_MODE_DOCS,
                                     .term_count = 1,
                                     .list = {0},
                                     .occur = {CSD_OCCUR_MUST},
                                     .weight = {1}};
  const uint32_t set = set_up_search(), bytes = search_query_plan(world, &query, plan);
  CHECK_EQ(0x418F, activate(2, true));
  CHECK_EQ(0x4002, admin(0x88, 3, 2 << 16));
  CHECK_EQ(0x400B, admin(0x88, 1, 1 << 16));
  CHECK_EQ(0x400B, admin(0x89, 2, 1));
  CHECK_EQ(0x4002, admin(0x89, 3, 2)); /* select */
  CHECK_EQ(0x4002, admin(0x89, 3, 0)); /* no range */
  CHECK_EQ(0x418D, delete_set(set + 1));
  CHECK_EQ(0x418D, delete_set(0));
  CHECK_EQ(0x418B, make_set(1, GRANT, GRANT).status);
  CHECK_EQ(0x418C, make_set(2, 4096, GRANT).status);
  CHECK_EQ(0x418C, make_set(2, GRANT + 2, GRANT).status);
  CHECK_EQ(0x418C, make_set(2, GRANT, MEMORY).status);
  CHECK_EQ(0x418C, make_set(2, GRANT, UINT64_MAX - 3).status);
  CHECK_EQ(0x4197, make_set(2, GRANT, GRANT - 4).status);
  uint8_t ranges[64] = {2};
  struct ini_command command = {
      .opcode = 0x89, .nsid = 3, .cdw11 = 2, .out = ranges, .out_bytes = sizeof ranges};
  CHECK_EQ(0x4191, ini_run(&inside.admin, &command).status);
  command.cdw11 = 1, command.out_bytes = 16;
  CHECK_EQ(0x400F, ini_run(&inside.admin, &command).status);
  CHECK_EQ(0x418D, execute(set + 1, plan, bytes, 0, 0).status);
  CHECK_EQ(0x418D, execute(0, plan, bytes, 0, 0).status);
  CHECK_EQ(0x4002, execute(set, plan, bytes, 2, 0).status);
  CHECK_EQ(0x4002, execute(set, plan, bytes, GRANT + 4, 0).status);
  CHECK_EQ(0x4002, execute(set, plan, bytes, 0, 2).status); /* a plan and the capabilities */
  CHECK_EQ(0x4002, execute(set, plan, bytes, 0, 3).status);
  CHECK_EQ(0x4700 | CSD_STATUS_PLAN_TRUNCATED, execute(set, NULL, 0, 0, 0).status);
  CHECK_EQ(0x4002, execute(set, plan, 64, 0, 1).status); /* no plan that counts */
  CHECK_EQ(0x4002, execute(set, NULL, GRANT + 4, 0, 0).status);
  CHECK_EQ(0x4700 | CSD_STATUS_PLAN_TOO_LARGE, execute(set, plan, bytes, GRANT, 0).status);
  CHECK_EQ(0x4700 | CSD_STATUS_PLAN_TRUNCATED, execute(set, plan, 16, 0, 0).status);
  command = (struct ini_command){.opcode = 1, .nsid = 3, .cdw2 = set << 16, .cdw3 = 1};
  CHECK_EQ(0x4002, ini_run(&inside.io, &command).status);
  command = (struct ini_command){.opcode = 1, .nsid = 3, .cdw2 = set << 16, .cdw4 = 64};
  CHECK_EQ(0x400F, ini_run(&inside.io, &command).status);
  command = (struct ini_command){.opcode = 1, .nsid = 3, .cdw2 = set << 16 | 2};
  CHECK_EQ(0x418F, ini_run(&inside.io, &command).status);
  command = (struct ini_command){.opcode = 2, .nsid = 3, .in = ranges, .in_bytes = 64};
  CHECK_EQ(0x4001, ini_run(&inside.io, &command).status);
  CHECK_EQ(0, activate(0, false));
  CHECK_EQ(0x4198, execute(set, plan, bytes, 0, 0).status);
  CHECK_EQ(0, activate(0, true));
  CHECK_EQ(0, execute(set, plan, bytes, 0, 0).status);
  CHECK_EQ(0, delete_set(set));
  CHECK_EQ(0x418D, execute(set, plan, bytes, 0, 0).status);
  CHECK_EQ(0x418D, delete_set(set));
  CHECK_EQ(0, inside_close(&inside));
}

/* Sets, sessions and memory end at the host's share, whatever they are made by. */
static void a_host_has_its_share(void) {
  int sets = 0;
  inside_defaults(&inside, "compute_share");
  inside.options.program_bytes = MEMORY;
  inside.options.sessions = 8;
  inside.configuration = ALL_SETS;
  inside_open(&inside);
  while (sets < 100 && make_set(2, 1 << 17, (uint64_t)sets << 17).status == 0) {
    sets++;
  }
  CHECK_EQ(7, sets);
  CHECK_EQ(0x192, make_set(2, 1 << 17, 32 << 20).status); /* later, perhaps */
  const struct ini_command open = {.opcode = CSD_OPCODE_OPEN, .nsid = 1};
  CHECK_EQ(0x700 | CSD_STATUS_TOO_MANY_SESSIONS, ini_run(&inside.io, &open).status);
  CHECK_EQ(0, delete_set(1));
  CHECK_EQ(0, ini_run(&inside.io, &open).status);
  /* A second controller of the host finds its share of memory taken. */
  uint8_t word[4] = {1};
  CHECK_EQ(0, fill(0, MEMORY / 8 * 7));
  CHECK_EQ(0, memory_write(0, word, 4));
  const struct ini_connection first_admin = inside.admin, first_io = inside.io;
  CHECK(inside_connect(&inside, INI_HOST));
  CHECK_EQ(0x081, fill(0, 4));
  ini_close(&inside.io);
  ini_close(&inside.admin);
  CHECK(inside_connect(&inside, INI_OTHER_HOST));
  CHECK_EQ(0, fill(0, 1 << 20)); /* another host's */
  CHECK_EQ(0, memory_read(0, word, 4).status);
  CHECK_EQ(0, word[0]);
  CHECK_EQ(0, activate(0, true));
  CHECK_EQ(0x418D, execute(2, NULL, 0, 0, 2).status); /* the first host's set */
  ini_close(&inside.io);
  ini_close(&inside.admin);
  inside.admin = first_admin, inside.io = first_io;
  CHECK_EQ(0, inside_close(&inside));
}

static uint32_t odd(uint64_t *seed) {
  static const uint32_t values[] = {0,       1,          2,          3,          4,
                                    8,       64,         128,        4096,       1 << 16,
                                    1 << 17, 1 << 20,    0x20000001, 0x7FFFFFFF, 0x80000000,
                                    0x10001, 0xFFFFFFFC, 0xFFFFFFFF};
  return values[check_random_below(seed, sizeof values / sizeof *values)];
}

/* A command with fields at random, of which some are as they may be. */
static struct ini_command hostile_command(uint64_t *seed, bool is_admin, const uint8_t *plan,
                                          uint32_t plan_bytes) {
  static const uint8_t admin_opcodes[] = {0x88, 0x89, 0x06, 0x02, 0x0A};
  static uint8_t data[8192];
  struct ini_command m = {.cdw2 = check_random_below(seed, 3) << 16 | check_random_below(seed, 3),
                          .cdw3 = check_random_below(seed, 3) == 0 ? odd(seed) : 0,
                          .cdw4 = check_random_below(seed, 2) == 0 ? odd(seed) : 0,
                          .cdw10 = odd(seed),
                          .cdw11 = check_random_below(seed, 2) == 0 ? odd(seed) : is_admin,
                          .cdw12 = odd(seed),
                          .cdw13 = check_random_below(seed, 2) == 0 ? odd(seed) : 0};
  m.nsid = check_random_below(seed, 8) == 0 ? odd(seed) : 2 + check_random_below(seed, 2);
  m.opcode = is_admin ? admin_opcodes[check_random_below(seed, sizeof admin_opcodes)]
                      : (uint8_t)check_random_below(seed, 6);
  for (uint32_t k = 0; k < 64; k += 4) {
    const uint32_t value = odd(seed);
    memcpy(data + k, &value, 4);
  }
  if (check_random_below(seed, 2) == 0) { /* a range that may be */
    const uint32_t range[] = {2, 1 << 17, check_random_below(seed, 8) << 17, 0};
    memcpy(data, range, sizeof range);
  } else if (check_random_below(seed, 2) == 0) {
    memcpy(data, plan, plan_bytes);
    m.cdw10 = m.cdw4 = plan_bytes;
  }
  if ((m.opcode & 1) != 0) {
    m.out = data;
    m.out_bytes = check_random_below(seed, 2) == 0 ? 64 : (uint32_t)sizeof data;
  } else if ((m.opcode & 2) != 0) {
    m.in = data;
    m.in_bytes = 4096;
  }
  return m;
}

/* Commands of both sets with fields at random: another host's set is as it was. */
static void hostile_commands_hurt_nobody(void) {
  static uint8_t plan[WORLD_PLAN_BYTES];
  uint64_t seed = 17;
  int good = 0;
  const struct search_query query = {.mode = CSD_MODE_COUNT,
                                     .term_count = 1,
                                     .list = {0},
                                     .occur = {CSD_OCCUR_MUST},
                                     .weight = {1}};
  const uint32_t set = set_up_search(), bytes = search_query_plan(world, &query, plan);
  const uint64_t count = execute(set, plan, bytes, 0, 1).result;
  const struct ini_connection first_admin = inside.admin, first_io = inside.io;
  CHECK(inside_connect(&inside, INI_OTHER_HOST));
  for (int i = 0; i < hostile_commands; i++) {
    const bool is_admin = check_random_below(&seed, 3) == 0;
    const struct ini_command m = hostile_command(&seed, is_admin, plan, bytes);
    const struct ini_answer answer = ini_run(is_admin ? &inside.admin : &inside.io, &m);
    REQUIRE(answer.status >= 0);
    good += answer.status == 0;
  }
  CHECK_MSG(good > hostile_commands / 50, "%d of %d were right", good, hostile_commands);
  ini_close(&inside.io);
  ini_close(&inside.admin);
  inside.admin = first_admin, inside.io = first_io;
  const struct ini_answer after = execute(set, plan, bytes, 0, 1);
  CHECK_EQ(0, after.status);
  CHECK_EQ(count, after.result);
  CHECK_EQ(0, inside_close(&inside));
}

int main(int count, char **arguments) {
  world = search_world_make(3, 77, 1000);
  if (count > 1) {
    hostile_commands = atoi(arguments[1]);
  }
  RUN(they_are_shown_to_who_asks);
  RUN(they_are_described);
  RUN(memory_keeps_bytes);
  RUN(memory_is_checked);
  RUN(queries_find_what_brute_force_finds);
  RUN(live_docs_are_put);
  RUN(programs_are_checked);
  RUN(a_host_has_its_share);
  RUN(hostile_commands_hurt_nobody);
  search_world_free(world);
  return check_result();
}
