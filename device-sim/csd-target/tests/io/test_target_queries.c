/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/* The vendor's commands: real queries over posting pages, checked by brute force; who owns what. */
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

#include "csd/csd.h"
#include "initiator.h"
#include "target_process.h"
#include "tests/support/check.h"
#include "tests/support/search_world.h"

static struct target_process target;
static struct search_world *world;

static struct ini_answer vendor(struct ini_connection *c, uint8_t opcode, uint32_t cdw10,
                                uint32_t cdw11) {
  const struct ini_command command = {.opcode = opcode, .nsid = 1, .cdw10 = cdw10, .cdw11 = cdw11};
  return ini_run(c, &command);
}

static uint32_t open_session(struct ini_connection *c) {
  const struct ini_answer answer = vendor(c, CSD_OPCODE_OPEN, 0, 0);
  CHECK_EQ(0, answer.status);
  return (uint32_t)answer.result;
}

static struct ini_command submit(uint32_t session, const void *plan, uint32_t bytes) {
  return (struct ini_command){.opcode = CSD_OPCODE_SUBMIT,
                              .nsid = 1,
                              .cdw10 = session,
                              .cdw11 = bytes,
                              .out = plan,
                              .out_bytes = bytes};
}

static struct ini_command fetch(uint32_t session, void *result, uint32_t bytes) {
  return (struct ini_command){.opcode = CSD_OPCODE_FETCH,
                              .nsid = 1,
                              .cdw10 = session,
                              .cdw12 = bytes,
                              .in = result,
                              .in_bytes = bytes};
}

static struct ini_answer put_live_docs(struct ini_connection *c, const void *bytes,
                                       uint32_t count) {
  const struct ini_command command = {.opcode = CSD_OPCODE_PUT,
                                      .nsid = 1,
                                      .cdw10 = CSD_RESOURCE_LIVE_DOCS,
                                      .cdw11 = count,
                                      .cdw14 = count,
                                      .out = bytes,
                                      .out_bytes = count,
                                      .apart = count > 16384};
  return ini_run(c, &command);
}

static bool write_world(struct ini_connection *c) {
  for (uint32_t page = 0; page < world->page_count; page += 4) {
    const uint32_t count = world->page_count - page < 4 ? world->page_count - page : 4;
    const struct ini_command command = {.opcode = 1,
                                        .nsid = 1,
                                        .cdw10 = (uint32_t)world->first_lba + page,
                                        .cdw12 = count - 1,
                                        .out = world->pages + page * CSD_PAGE_BYTES,
                                        .out_bytes = count * CSD_PAGE_BYTES};
    if (ini_run(c, &command).status != 0) {
      return false;
    }
  }
  return true;
}

static void capabilities_are_told(void) {
  struct ini_host host;
  struct csd_device_info info;
  REQUIRE(ini_host_open(&host, target.port, 0, INI_HOST));
  const struct ini_command command = fetch(0, &info, sizeof info);
  const struct ini_answer answer = ini_run(&host.io, &command);
  CHECK_EQ(0, answer.status);
  CHECK_EQ(sizeof info, answer.result);
  CHECK_EQ(CSD_INFO_MAGIC, info.magic);
  CHECK_EQ(CSD_WIRE_VERSION, info.version);
  CHECK_EQ(16 << 20 >> 12, info.lba_count);
  ini_host_close(&host);
}

/* Random queries, SUBMIT and FETCH on their way together. */
static void run_queries(struct ini_connection *c, uint64_t seed, int count) {
  static _Thread_local uint8_t plan[WORLD_PLAN_BYTES], result[1 << 17];
  const uint32_t session = open_session(c);
  for (int i = 0; i < count; i++) {
    const struct search_query query = search_query_random(&seed);
    const uint32_t bytes = search_query_plan(world, &query, plan);
    struct ini_command run = submit(session, plan, bytes);
    run.apart = i % 2 != 0;
    if (run.apart) { /* an R2T in between: one after the other */
      CHECK_EQ(0, ini_run(c, &run).status);
    }
    const struct ini_command get = fetch(session, result, sizeof result);
    const uint16_t first = run.apart ? 0 : ini_start(c, &run);
    const uint16_t second = ini_start(c, &get);
    if (!run.apart) {
      CHECK_EQ(0, ini_finish(c, &run, first).status);
    }
    const struct ini_answer answer = ini_finish(c, &get, second);
    REQUIRE(answer.status == 0);
    CHECK_EQ(answer.result, answer.in_bytes);
    REQUIRE(search_query_check(world, &query, result, answer.in_bytes));
  }
  CHECK_EQ(0, vendor(c, CSD_OPCODE_CLOSE, session, 0).status);
  CHECK_EQ(0x4700 | CSD_STATUS_NO_SESSION, vendor(c, CSD_OPCODE_CLOSE, session, 0).status);
}

static void queries_find_what_brute_force_finds(void) {
  for (uint8_t digests = 0; digests < 4; digests += 3) {
    struct ini_host host;
    REQUIRE(ini_host_open(&host, target.port, digests, INI_HOST));
    if (digests == 0) {
      REQUIRE(write_world(&host.io));
    }
    run_queries(&host.io, 40 + digests, 60);
    CHECK_MSG(host.io.broken == NULL, "%s", host.io.broken);
    ini_host_close(&host);
  }
}

static void *query_thread(void *argument) {
  struct ini_host host;
  const bool odd = (uintptr_t)argument % 2 != 0;
  if (CHECK(ini_host_open(&host, target.port, odd ? 3 : 0, odd ? INI_HOST : INI_OTHER_HOST))) {
    run_queries(&host.io, (uintptr_t)argument, 40);
    ini_host_close(&host);
  }
  return NULL;
}

static void hosts_query_at_once(void) {
  pthread_t threads[4];
  for (uintptr_t i = 0; i < 4; i++) {
    REQUIRE(pthread_create(&threads[i], NULL, query_thread, (void *)i) == 0);
  }
  for (int i = 0; i < 4; i++) {
    pthread_join(threads[i], NULL);
  }
}

static const struct search_query all_docs = {.mode = CSD_MODE_DOCS,
                                             .k = 1,
                                             .term_count = 1,
                                             .list = {0},
                                             .occur = {CSD_OCCUR_MUST},
                                             .weight = {1}};

/* Numbers of another controller are unknown, in every place where one may stand. */
static void sessions_belong_to_their_controller(void) {
  struct ini_host one, other;
  uint8_t plan[WORLD_PLAN_BYTES], result[4096];
  static uint8_t live[(WORLD_MAX_DOC + 63) / 64 * 8];
  const uint32_t bytes = search_query_plan(world, &all_docs, plan);
  const int no_session = 0x4700 | CSD_STATUS_NO_SESSION;
  const int no_resource = 0x4700 | CSD_STATUS_NO_RESOURCE;
  REQUIRE(ini_host_open(&one, target.port, 0, INI_HOST));
  REQUIRE(ini_host_open(&other, target.port, 0, INI_HOST)); /* even of the same host */
  const uint32_t mine = open_session(&one.io), theirs = open_session(&other.io);
  CHECK(mine != theirs);
  const struct ini_command run = submit(theirs, plan, bytes);
  const struct ini_command get = fetch(theirs, result, sizeof result);
  CHECK_EQ(no_session, ini_run(&one.io, &run).status);
  CHECK_EQ(no_session, ini_run(&one.io, &get).status);
  CHECK_EQ(no_session, vendor(&one.io, CSD_OPCODE_CLOSE, theirs, 0).status);
  CHECK_EQ(0, ini_run(&other.io, &run).status);
  CHECK_EQ(0, ini_run(&other.io, &get).status);
  const struct ini_answer put = put_live_docs(&other.io, live, sizeof live);
  CHECK_EQ(0, put.status);
  const uint32_t resource = (uint32_t)put.result;
  memcpy(plan + offsetof(struct csd_plan_header, live_docs), &resource, 4);
  const struct ini_command live_run = submit(mine, plan, bytes);
  CHECK_EQ(no_resource, ini_run(&one.io, &live_run).status);
  struct csd_plan_node set_of_docs = {.op = CSD_OP_DOC_SET, .list = resource};
  struct csd_plan_header set_header;
  memcpy(&set_header, plan, sizeof set_header);
  set_header.live_docs = 0;
  set_header.node_count = 1;
  set_header.list_count = set_header.extent_count = set_header.table_count = 0;
  set_header.total_bytes = sizeof set_header + sizeof set_of_docs;
  uint8_t set_plan[sizeof set_header + sizeof set_of_docs];
  memcpy(set_plan, &set_header, sizeof set_header);
  memcpy(set_plan + sizeof set_header, &set_of_docs, sizeof set_of_docs);
  const struct ini_command set_run = submit(mine, set_plan, sizeof set_plan);
  const struct ini_command set_theirs = submit(theirs, set_plan, sizeof set_plan);
  CHECK_EQ(no_resource, ini_run(&one.io, &set_run).status);
  CHECK_EQ(0, ini_run(&other.io, &set_theirs).status);
  const struct ini_command live_theirs = submit(theirs, plan, bytes);
  CHECK_EQ(0, ini_run(&other.io, &live_theirs).status);
  CHECK_EQ(no_resource, vendor(&one.io, CSD_OPCODE_DROP, resource, 0).status);
  const struct ini_command more = {.opcode = CSD_OPCODE_PUT,
                                   .nsid = 1,
                                   .cdw10 = CSD_RESOURCE_LIVE_DOCS,
                                   .cdw11 = 8,
                                   .cdw12 = resource,
                                   .cdw13 = 8,
                                   .cdw14 = 16,
                                   .out = live,
                                   .out_bytes = 8};
  CHECK_EQ(no_resource, ini_run(&one.io, &more).status);
  CHECK_EQ(0, vendor(&other.io, CSD_OPCODE_DROP, resource, 0).status);
  CHECK_EQ(no_resource, vendor(&other.io, CSD_OPCODE_DROP, resource, 0).status);
  ini_host_close(&one);
  ini_host_close(&other);
}

/* Whatever way a controller ends, its sessions are free again. It gets eight of the target's nine.
 */
static void nothing_leaks_with_a_controller(void) {
  enum { TRIES = 6000 }; /* a minute */
  for (int way = 0; way < 6; way++) {
    struct ini_host host;
    REQUIRE(ini_host_open(&host, target.port, 0, INI_HOST));
    int status = 0x700 | CSD_STATUS_TOO_MANY_SESSIONS;
    for (int i = 0; i < TRIES && status != 0; i++) { /* the one before may be on its way out */
      status = vendor(&host.io, CSD_OPCODE_OPEN, 0, 0).status;
      if (status != 0) {
        usleep(10000);
      }
    }
    CHECK_EQ(0, status);
    for (int i = 1; i < 8; i++) {
      status = vendor(&host.io, CSD_OPCODE_OPEN, 0, 0).status;
      for (int k = 0; k < TRIES && status != 0; k++) {
        usleep(10000);
        status = vendor(&host.io, CSD_OPCODE_OPEN, 0, 0).status;
      }
      CHECK_EQ(0, status);
    }
    CHECK_EQ(0x700 | CSD_STATUS_TOO_MANY_SESSIONS, vendor(&host.io, CSD_OPCODE_OPEN, 0, 0).status);
    static const uint64_t live[8];
    CHECK_EQ(0, put_live_docs(&host.io, live, sizeof live).status);
    switch (way) {
      case 0: ini_close(&host.io); break;
      case 1: ini_close(&host.admin); break;
      case 2: /* a reset gives them back before it is answered */
        CHECK_EQ(0, ini_set_cc(&host.admin, 0x460000).status);
        ini_close(&host.io);
        CHECK_EQ(0, ini_set_cc(&host.admin, 0x460001).status);
        CHECK_EQ(0, ini_connect(&host.io, target.port, 0, INI_HOST, INI_SUBSYSTEM, 1,
                                host.controller_id, 0)
                        .status);
        CHECK_EQ(0, vendor(&host.io, CSD_OPCODE_OPEN, 0, 0).status);
        break;
      case 3: ini_send(&host.io, "\4", 1); break; /* in the middle of a PDU */
      case 4: ini_send(&host.io, "\377\377\377\377\377\377\377\377", 8); break;
      default: break;
    }
    ini_host_close(&host);
  }
}

/* Sessions that a process left behind make room for others of the same host, the oldest first;
   those of another host do not. */
static void idle_sessions_make_room(void) {
  enum { IDLE_MS = 1000 };
  struct target_process small;
  struct ini_host host, other;
  uint32_t sessions[4];
  const int full = 0x700 | CSD_STATUS_TOO_MANY_SESSIONS;
  const char *const options[] = {"--sessions", "4", "--idle-session", "1", NULL};
  REQUIRE(target_start(&small, "idle", options));
  REQUIRE(ini_host_open(&host, small.port, 0, INI_HOST));
  REQUIRE(ini_host_open(&other, small.port, 0, INI_OTHER_HOST));
  for (int i = 0; i < 4; i++) {
    sessions[i] = open_session(&host.io);
  }
  usleep((IDLE_MS + 1000) * 1000 + 100000); /* the target counts whole seconds */
  const int64_t start = ini_now_ms();
  const struct ini_command use = fetch(sessions[0], NULL, 0);
  CHECK_EQ(0, ini_run(&host.io, &use).status);
  CHECK_EQ(full, vendor(&other.io, CSD_OPCODE_OPEN, 0, 0).status);
  for (int i = 0; i < 3; i++) {
    CHECK(open_session(&host.io) != 0);
  }
  const int status = vendor(&host.io, CSD_OPCODE_OPEN, 0, 0).status;
  if (ini_now_ms() - start < IDLE_MS) { /* this machine has not stopped: all are in use now */
    CHECK_EQ(full, status);
    CHECK_EQ(0, ini_run(&host.io, &use).status);
  }
  for (int i = 1; i < 4; i++) {
    CHECK_EQ(0x4700 | CSD_STATUS_NO_SESSION,
             vendor(&host.io, CSD_OPCODE_CLOSE, sessions[i], 0).status);
  }
  CHECK(target_logged(&small, "makes room, unused for 1 s or more"));
  ini_host_close(&host);
  ini_host_close(&other);
  CHECK_EQ(0, target_stop(&small));
}

/* A command that waits for its data is reached for sure; one that runs, by luck. */
static void an_abort_finds_its_command(void) {
  struct ini_host host;
  uint8_t plan[WORLD_PLAN_BYTES];
  REQUIRE(ini_host_open(&host, target.port, 0, INI_HOST));
  const uint32_t bytes = search_query_plan(world, &all_docs, plan);
  const uint32_t session = open_session(&host.io);
  const struct ini_command run = {.opcode = CSD_OPCODE_SUBMIT,
                                  .nsid = 1,
                                  .cdw10 = session,
                                  .cdw11 = bytes,
                                  .out = plan,
                                  .out_bytes = bytes,
                                  .apart = true};
  /* Its data are not there yet, so it waits; the abort reaches it there. */
  const uint16_t cid = ini_start(&host.io, &run);
  struct ini_pdu r2t;
  REQUIRE(ini_receive(&host.io, &r2t) == 0);
  CHECK_EQ(9, r2t.header[0]);
  const struct ini_command abort = {.opcode = 0x08, .cdw10 = 1 | (uint32_t)cid << 16};
  CHECK_EQ(0, ini_run(&host.admin, &abort).result);
  CHECK(ini_answer_r2t(&host.io, &r2t, plan, bytes));
  CHECK_EQ(0x4007, ini_finish(&host.io, &run, cid).status);
  CHECK_EQ(1, ini_run(&host.admin, &abort).result); /* answered, so not aborted any more */
  CHECK_EQ(0, ini_run(&host.io, &run).status);      /* and the queue goes on */
  const struct ini_command nowhere = {.opcode = 0x08, .cdw10 = 99};
  CHECK_EQ(1, ini_run(&host.admin, &nowhere).result);
  ini_host_close(&host);
}

static void statuses_are_those_of_the_wire(void) {
  struct ini_host host;
  uint8_t plan[WORLD_PLAN_BYTES], result[64];
  REQUIRE(ini_host_open(&host, target.port, 0, INI_HOST));
  const uint32_t bytes = search_query_plan(world, &all_docs, plan);
  const uint32_t session = open_session(&host.io);
  struct ini_command run = submit(session, plan, bytes);
  plan[0] ^= 1;
  CHECK_EQ(0x4700 | CSD_STATUS_PLAN_MALFORMED, ini_run(&host.io, &run).status);
  plan[0] ^= 1;
  plan[4] ^= 1;
  CHECK_EQ(0x4700 | CSD_STATUS_UNSUPPORTED_VERSION, ini_run(&host.io, &run).status);
  plan[4] ^= 1;
  run.cdw11 = bytes - 1;
  CHECK_EQ(0x4700 | CSD_STATUS_PLAN_TRUNCATED, ini_run(&host.io, &run).status);
  run.cdw11 = bytes + 1;
  CHECK_EQ(0x4002, ini_run(&host.io, &run).status); /* more than there is */
  CHECK_EQ(0x4002, vendor(&host.io, CSD_OPCODE_OPEN, 1, 0).status);
  const struct ini_command with_data = {
      .opcode = CSD_OPCODE_OPEN, .nsid = 1, .in = result, .in_bytes = sizeof result};
  CHECK_EQ(0x4002, ini_run(&host.io, &with_data).status);
  const struct ini_command cdw2 = {.opcode = CSD_OPCODE_OPEN, .nsid = 1, .cdw2 = 1};
  CHECK_EQ(0x4002, ini_run(&host.io, &cdw2).status);
  const struct ini_command model = {.opcode = CSD_OPCODE_MODEL, .nsid = 1};
  CHECK_EQ(0x4001, ini_run(&host.io, &model).status); /* not without --timing-model */
  struct ini_command get = fetch(session, result, sizeof result);
  struct ini_answer answer = ini_run(&host.io, &get);
  CHECK(answer.status == 0 && answer.result == 0 && answer.in_bytes == 0); /* no result yet */
  get.cdw11 = 1;
  CHECK_EQ(0x4002, ini_run(&host.io, &get).status);
  get.cdw11 = 0;
  get.cdw12 = sizeof result + 1;
  CHECK_EQ(0x4002, ini_run(&host.io, &get).status);
  ini_host_close(&host);
}

static void opcodes_go_where_they_are_told(void) {
  struct target_process moved;
  struct ini_host host;
  const char *const options[] = {"--opcode-base", "0xC0",           "--opcode",
                                 "open=0xF0",     "--timing-model", NULL};
  REQUIRE(target_start(&moved, "moved", options));
  REQUIRE(ini_host_open(&host, moved.port, 0, INI_HOST));
  CHECK_EQ(0x4001, vendor(&host.io, CSD_OPCODE_OPEN, 0, 0).status);
  CHECK_EQ(0x4001, vendor(&host.io, 0xC0, 0, 0).status);
  const struct ini_answer answer = vendor(&host.io, 0xF0, 0, 0);
  CHECK_EQ(0, answer.status);
  CHECK_EQ(0, vendor(&host.io, 0xC4, (uint32_t)answer.result, 0).status);
  CHECK_EQ(0, vendor(&host.io, 0xC9, 0, 0).status); /* MODEL, off */
  ini_host_close(&host);
  CHECK_EQ(0, target_stop(&moved));
}

/* A task over the fabric: windows in its session, FINAL and FETCH, and what else may come. */
static void tasks_run_window_by_window(void) {
  struct ini_host host, other;
  uint8_t plan[WORLD_PLAN_BYTES];
  static uint8_t result[1 << 17];
  uint64_t seed = 11;
  REQUIRE(ini_host_open(&host, target.port, 0, INI_HOST));
  REQUIRE(ini_host_open(&other, target.port, 0, INI_OTHER_HOST));
  REQUIRE(write_world(&host.io));
  const uint32_t session = open_session(&host.io);
  for (int i = 0; i < 30; i++) {
    struct search_query query = search_query_random(&seed);
    query.mode = i % 2 == 0 ? CSD_MODE_TOP_K : CSD_MODE_DOCS;
    query.k = i % 2 == 0 ? 10 : 0;
    struct ini_command init = submit(session, plan, search_query_plan(world, &query, plan));
    init.opcode = CSD_OPCODE_INIT_TSK;
    init.cdw12 = CSD_TASK_MODE_STATIC;
    init.cdw13 = 1;
    CHECK_EQ(0, ini_run(&host.io, &init).status);
    const uint32_t step = WORLD_MAX_DOC / 5;
    for (uint32_t at = 0; at < WORLD_MAX_DOC; at += step) {
      const struct ini_command read = {.opcode = CSD_OPCODE_READ_PROC,
                                       .nsid = 1,
                                       .cdw10 = session,
                                       .cdw11 = at,
                                       .cdw12 = at + step};
      const struct ini_answer answer = ini_run(&host.io, &read);
      CHECK_EQ(0, answer.status);
      CHECK_EQ(CSD_TASK_ANSWER_TAKEN, answer.result);
    }
    /* Another controller has no such session. */
    CHECK_EQ(0x4700 | CSD_STATUS_NO_SESSION,
             vendor(&other.io, CSD_OPCODE_FINAL, session, 0).status);
    const struct ini_answer ended = vendor(&host.io, CSD_OPCODE_FINAL, session, 0);
    CHECK_EQ(0, ended.status);
    const struct ini_command get = fetch(session, result, sizeof result);
    const struct ini_answer answer = ini_run(&host.io, &get);
    CHECK_EQ(ended.result, answer.result);
    REQUIRE(search_query_check(world, &query, result, answer.in_bytes));
  }
  CHECK_EQ(0x4002, vendor(&host.io, CSD_OPCODE_FINAL, session, 0).status); /* there is no task */
  /* A host that goes away in the middle of a task takes it along. */
  const struct search_query query = search_query_random(&seed);
  struct ini_command init = submit(session, plan, search_query_plan(world, &query, plan));
  init.opcode = CSD_OPCODE_INIT_TSK;
  init.cdw12 = CSD_TASK_MODE_DYNAMIC;
  if (query.mode != CSD_MODE_SCORED_DOCS) {
    CHECK_EQ(0, ini_run(&host.io, &init).status);
  }
  ini_host_close(&host);
  ini_host_close(&other);
}

int main(void) {
  const char *const options[] = {"--capacity", "16M",    "--sessions", "9", "--task-threads",
                                 "2",          "--spin", "20",         NULL};
  world = search_world_make(3, 77, 1000);
  if (!target_start(&target, "queries", options)) {
    return 1;
  }
  RUN(capabilities_are_told);
  RUN(queries_find_what_brute_force_finds);
  RUN(hosts_query_at_once);
  RUN(sessions_belong_to_their_controller);
  RUN(nothing_leaks_with_a_controller);
  RUN(idle_sessions_make_room);
  RUN(an_abort_finds_its_command);
  RUN(statuses_are_those_of_the_wire);
  RUN(opcodes_go_where_they_are_told);
  RUN(tasks_run_window_by_window);
  CHECK_EQ(0, target_stop(&target));
  search_world_free(world);
  return check_result();
}
