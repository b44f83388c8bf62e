/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/*
 * Property: whatever several sessions are made to do over two queues, in whatever order and broken
 * off wherever, every command is answered once and in order, what is written is what is read, and a
 * sound plan over sound pages gets the right answer however the others behave.
 *
 * Input: whether the pages of plans are there, and a script. Each step is a byte that names it, and
 * its parameters, see `steps`.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "fuzz_script.h"
#include "tests/model/model_world.h"
#include "tests/support/check.h"
#include "tests/support/client.h"
#include "tests/support/page/page_builder.h"
#include "tests/support/scratch.h"
#include "tests/support/search_world.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* One of the numbers that the device gave, or any. */
static uint32_t number(struct fuzz_input *input, const uint32_t *numbers) {
  const uint8_t which = fuzz_u8(input);
  return which < 240 ? numbers[which % NUMBERS] : fuzz_u32(input);
}

static void open_session(struct script *s, int queue) {
  static const uint32_t grants[] = {0, CSD_MIN_GRANT_BYTES, 300000, 1, UINT32_MAX};
  const uint8_t grant = fuzz_u8(&s->input);
  script_submit(s, queue,
                (struct csd_submission){.opcode = CSD_OPCODE_OPEN, .cdw10 = grants[grant % 5]},
                NULL, 0);
}

static void close_session(struct script *s, int queue) {
  const uint32_t session = number(&s->input, s->sessions);
  script_submit(s, queue, (struct csd_submission){.opcode = CSD_OPCODE_CLOSE, .cdw10 = session},
                NULL, 0);
}

/*
 * Puts, before a plan's root, a BOOL that requires it, a set of docs, and a term with norms of its
 * own, of the same or another resource. Returns how many bytes the plan has now.
 */
static uint32_t add_resources(struct script *s, uint8_t *plan, uint32_t bytes) {
  const struct csd_plan_node nodes[] = {
      {.op = CSD_OP_BOOL, .child_count = 3},
      {.op = CSD_OP_DOC_SET,
       .occur = fuzz_u8(&s->input) % 4u,
       .list = number(&s->input, s->resources),
       .weight = 1.5f},
      {.op = CSD_OP_COMBINED,
       .occur = CSD_OCCUR_SHOULD,
       .child_count = 1,
       .list = number(&s->input, s->resources),
       .weight = 2.5f},
      {.op = CSD_OP_TERM, .occur = CSD_OCCUR_SHOULD, .weight = 3.0f},
  };
  struct csd_plan_header header;
  memcpy(&header, plan, sizeof header);
  header.node_count += sizeof nodes / sizeof nodes[0];
  header.total_bytes += sizeof nodes;
  memmove(plan + sizeof header + sizeof nodes, plan + sizeof header, bytes - sizeof header);
  memcpy(plan + sizeof header, nodes, sizeof nodes);
  memcpy(plan, &header, sizeof header);
  return bytes + (uint32_t)sizeof nodes;
}

/* A plan over the world, with bytes altered. */
static void submit_plan(struct script *s, int queue) {
  uint8_t plan[WORLD_PLAN_BYTES + 4 * sizeof(struct csd_plan_node)];
  const uint32_t session = number(&s->input, s->sessions);
  uint64_t seed = fuzz_u8(&s->input);
  const struct search_query query = search_query_random(&seed);
  uint32_t bytes = search_query_plan(script_world(), &query, plan);
  const uint8_t resource = fuzz_u8(&s->input);
  if (resource % 2 == 1) {
    bytes = add_resources(s, plan, bytes);
  }
  if (resource < 128) {
    memcpy(plan + offsetof(struct csd_plan_header, live_docs), &s->resources[resource % NUMBERS],
           sizeof s->resources[0]);
  }
  fuzz_alter(&s->input, plan, bytes);
  script_submit(
      s, queue,
      (struct csd_submission){.opcode = CSD_OPCODE_SUBMIT, .cdw10 = session, .cdw11 = bytes}, plan,
      bytes);
}

static void fetch(struct script *s, int queue) {
  const uint32_t session = number(&s->input, s->sessions);
  const uint32_t offset = fuzz_u16(&s->input), bytes = fuzz_u16(&s->input);
  script_submit(s, queue,
                (struct csd_submission){
                    .opcode = CSD_OPCODE_FETCH, .cdw10 = session, .cdw11 = offset, .cdw12 = bytes},
                NULL, bytes);
}

/* A whole resource at once: docs of the world, or norms. */
static void put_whole(struct script *s, int queue, bool norms) {
  const uint32_t bytes = norms ? WORLD_MAX_DOC : (WORLD_MAX_DOC + 63) / 64 * 8;
  uint8_t *data = malloc(bytes);
  if (data == NULL) {
    abort();
  }
  memset(data, fuzz_u8(&s->input), bytes);
  script_submit(s, queue,
                (struct csd_submission){.opcode = CSD_OPCODE_PUT,
                                        .cdw10 = CSD_RESOURCE_LIVE_DOCS,
                                        .cdw11 = bytes,
                                        .cdw14 = bytes},
                data, bytes);
  free(data);
}

static void put(struct script *s, int queue) {
  const uint8_t how = fuzz_u8(&s->input);
  if (how >= 192 && how < 250) {
    put_whole(s, queue, how % 2 == 0);
    return;
  }
  const uint32_t resource = how % 4 == 0 ? 0 : number(&s->input, s->resources);
  const uint32_t bytes = how % 4 == 1 ? fuzz_u16(&s->input) : fuzz_u8(&s->input) * 8u;
  const uint32_t offset = resource == 0 ? 0 : fuzz_u16(&s->input);
  const uint32_t whole = how % 8 < 4 ? (WORLD_MAX_DOC + 63) / 64 * 8 : fuzz_u16(&s->input) * 8u;
  script_submit(s, queue,
                (struct csd_submission){.opcode = CSD_OPCODE_PUT,
                                        .cdw10 = how < 250 ? CSD_RESOURCE_LIVE_DOCS : how,
                                        .cdw11 = bytes,
                                        .cdw12 = resource,
                                        .cdw13 = offset,
                                        .cdw14 = whole},
                NULL, bytes);
}

static void drop(struct script *s, int queue) {
  const uint32_t resource = number(&s->input, s->resources);
  script_submit(s, queue, (struct csd_submission){.opcode = CSD_OPCODE_DROP, .cdw10 = resource},
                NULL, 0);
}

/* Pages of the world, with bytes altered, or any bytes; somewhere. */
static void write_pages(struct script *s, int queue) {
  const uint8_t how = fuzz_u8(&s->input);
  const uint32_t lba = fuzz_u8(&s->input), count = 1 + how % 3u;
  uint8_t *bytes = calloc(count, CSD_LBA_BYTES);
  if (bytes == NULL) {
    abort();
  }
  if (how < 200) {
    const uint32_t from = fuzz_u8(&s->input) % (script_world()->page_count - count);
    memcpy(bytes, script_world()->pages + (size_t)from * CSD_PAGE_BYTES,
           (size_t)count * CSD_PAGE_BYTES);
    fuzz_alter(&s->input, bytes, (size_t)count * CSD_PAGE_BYTES);
    for (uint32_t i = 0; how < 150 && i < count; i++) {
      page_builder_seal(bytes + i * CSD_PAGE_BYTES);
    }
  } else {
    fuzz_take(&s->input, bytes, 64);
  }
  s->sound = false;
  script_submit(
      s, queue,
      (struct csd_submission){.opcode = CSD_OPCODE_WRITE, .cdw10 = lba, .cdw12 = count - 1}, bytes,
      (size_t)count * CSD_LBA_BYTES);
  free(bytes);
}

static void read_pages(struct script *s, int queue) {
  const uint32_t lba = fuzz_u8(&s->input), count = 1 + fuzz_u8(&s->input) % 8u;
  script_submit(
      s, queue,
      (struct csd_submission){.opcode = CSD_OPCODE_READ, .cdw10 = lba, .cdw12 = count - 1}, NULL,
      (size_t)count * CSD_LBA_BYTES);
}

static void trim(struct script *s, int queue) {
  struct csd_trim_range ranges[3];
  const uint32_t count = 1 + fuzz_u8(&s->input) % 3u;
  for (uint32_t i = 0; i < count; i++) {
    const uint8_t lba = fuzz_u8(&s->input), lbas = fuzz_u8(&s->input);
    ranges[i] = (struct csd_trim_range){.lba = lba, .lba_count = lbas};
  }
  s->sound = false;
  script_submit(s, queue,
                (struct csd_submission){.opcode = CSD_OPCODE_TRIM, .cdw10 = count - 1, .cdw11 = 4},
                ranges, count * sizeof ranges[0]);
}

static void set_model(struct script *s, int queue) {
  const struct csd_model_profile profile = model_profile();
  const uint8_t how = fuzz_u8(&s->input);
  if (how < 64) {
    script_submit(s, queue, (struct csd_submission){.opcode = CSD_OPCODE_MODEL}, NULL, 0);
    return;
  }
  script_submit(s, queue,
                (struct csd_submission){.opcode = CSD_OPCODE_MODEL,
                                        .cdw10 = sizeof profile,
                                        .cdw11 = how % 16u * 10,
                                        .cdw12 = how / 16u % 2},
                &profile, sizeof profile);
}

static void fetch_model(struct script *s, int queue) {
  const uint32_t session = number(&s->input, s->sessions);
  const uint32_t offset = fuzz_u16(&s->input), bytes = fuzz_u16(&s->input);
  script_submit(s, queue,
                (struct csd_submission){.opcode = CSD_OPCODE_MODEL_FETCH,
                                        .cdw10 = session,
                                        .cdw11 = offset,
                                        .cdw12 = bytes,
                                        .cdw13 = fuzz_u8(&s->input) % 8u},
                NULL, bytes);
}

/* Any command at all, with zeros as its data. */
static void any_command(struct script *s, int queue) {
  struct csd_submission command;
  fuzz_take(&s->input, &command, sizeof command);
  const size_t bytes = command.data == 0 ? 0 : command.data_bytes % MAX_BYTES;
  command.data = 0;
  command.data_bytes = 0;
  /* Of these the steps above make enough, and know what they did; here they are out of range. */
  if (command.opcode == CSD_OPCODE_WRITE || command.opcode == CSD_OPCODE_READ) {
    command.cdw10 |= LBAS;
  }
  script_submit(s, queue, command, NULL, bytes);
}

static void poll_a_little(struct script *s, int queue) {
  script_poll(s, queue, 1u + fuzz_u8(&s->input) * 16u);
}

static void end_plans(struct script *s, int queue) { csd_queue_abort(s->queues[queue]); }

/* A queue goes with commands pending: nothing of theirs happens any more. */
static void renew_queue(struct script *s, int queue) {
  csd_queue_destroy(s->queues[queue]);
  for (int i = 0; i < s->pending_count[queue]; i++) {
    if (s->pending[queue][i].command.opcode == CSD_OPCODE_WRITE) {
      s->sound = false;
    }
    free(s->pending[queue][i].buffer);
  }
  s->pending_count[queue] = 0;
  if (csd_queue_create(s->device, DEPTH, &s->queues[queue]) != 0) {
    abort();
  }
}

/* A sound query in a session of its own, beside what is under way in the others. */
static void ask(struct script *s, int queue) {
  uint64_t seed = fuzz_u8(&s->input);
  if (s->asked++ >= MAX_ASKED) {
    return;
  }
  if (!s->sound) {
    script_write_world(s, queue);
  }
  struct csd_queue *own = client_queue(s->device);
  const int64_t session = client_session(own, 4 << 20);
  if (session > 0) {
    uint8_t plan[WORLD_PLAN_BYTES];
    uint8_t *result = malloc(CSD_MAX_RESULT_BYTES);
    const struct search_query query = search_query_random(&seed);
    const uint32_t bytes = search_query_plan(script_world(), &query, plan);
    const int64_t got = client_plan(own, (uint32_t)session, plan, bytes, result,
                                    CSD_MAX_RESULT_BYTES, 1 + check_random_below(&seed, 20000));
    if (got < 0 || !search_query_check(script_world(), &query, result, got)) {
      abort();
    }
    if (client_close_session(own, (uint32_t)session) != 0) {
      abort();
    }
    free(result);
  } else if (session != -CSD_STATUS_TOO_MANY_SESSIONS) {
    abort();
  }
  csd_queue_destroy(own);
}

typedef void step(struct script *script, int queue);
static step *const steps[] = {
    open_session, submit_plan,        fetch, poll_a_little, close_session, put,         drop,
    write_pages,  read_pages,         trim,  set_model,     fetch_model,   any_command, end_plans,
    renew_queue,  script_write_world, ask,   poll_a_little};

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static struct script script;
  const char *path = scratch_path("session");
  const struct csd_device_options options = {.path = path,
                                             .capacity_bytes = LBAS * CSD_LBA_BYTES,
                                             .dram_bytes = 1 << 17,
                                             .max_sessions = NUMBERS - 1};
  script = (struct script){.input = {data, size}};
  memset(script.known, true, sizeof script.known);
  if (csd_device_open(&options, &script.device) != 0) {
    abort();
  }
  unlink(path); /* the device keeps it open; the next one starts empty */
  for (int i = 0; i < QUEUES; i++) {
    if (csd_queue_create(script.device, DEPTH, &script.queues[i]) != 0) {
      abort();
    }
  }
  if (fuzz_u8(&script.input) & 1) {
    script_write_world(&script, 0);
  }
  for (int i = 0; i < MAX_STEPS && script.input.left > 0; i++) {
    const uint8_t what = fuzz_u8(&script.input);
    steps[what / QUEUES % (sizeof steps / sizeof steps[0])](&script, what % QUEUES);
  }
  /* Half of the time the device goes first, with whatever is under way. */
  if (size % 2 == 0) {
    script_finish_all(&script);
  }
  csd_device_close(script.device);
  for (int i = 0; i < QUEUES; i++) {
    csd_queue_destroy(script.queues[i]);
    for (int j = 0; j < script.pending_count[i]; j++) {
      free(script.pending[i][j].buffer);
    }
  }
  for (int i = 0; i < LBAS; i++) {
    free(script.shadow[i]);
  }
  return 0;
}
