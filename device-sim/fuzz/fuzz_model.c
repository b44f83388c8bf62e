/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/*
 * Property: whatever the profile, it is refused, or everything that can be played under it ends
 * with a report or a clear refusal, twice with the same bytes; and so does a device that is given
 * it.
 *
 * Input: a profile, then a script of what is played.
 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "csd/csd_model_classic.h"
#include "csd/csd_model_ftl.h"
#include "fuzz_input.h"
#include "tests/model/model_world.h"
#include "tests/support/client.h"
#include "tests/support/scratch.h"
#include "tests/support/search_world.h"
#include "tests/vectors/vector_file.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
size_t fuzz_seed(const struct vector_file *vector, uint8_t *input, size_t room);

enum { MAX_EVENTS = 40, LBAS = 128, TRACE = 64, MAX_FTL_BYTES = 16 << 20, MAX_READS = 200 };

static void may(int status) {
  if (status > 0) {
    return; /* a count */
  }
  if (status == -CSD_STATUS_INTERNAL || strcmp(csd_status_name(status), "UNKNOWN") == 0) {
    abort();
  }
}

/* Bytes of an event: a load or send of many more is played as well, chunk by chunk, and slow. */
enum { MAX_BYTES = 1 << 20 };

/* A number of any size, small ones mostly. */
static uint64_t amount(struct fuzz_input *input) {
  const uint8_t shift = fuzz_u8(input);
  return shift < 128 ? shift * 512u : (uint64_t)fuzz_u32(input) << (shift & 15);
}

static void add_events(struct fuzz_input *input, struct csd_model_log *log) {
  for (int i = 0; i < MAX_EVENTS && input->left > 1; i++) {
    const enum csd_model_event_kind kind = fuzz_u8(input) % CSD_MODEL_END;
    const uint32_t page = fuzz_u8(input) < 200 ? fuzz_u8(input) : fuzz_u32(input);
    uint64_t work[CSD_MODEL_WORK_SLOTS] = {0};
    for (uint32_t kinds = fuzz_u8(input) % 4u; kinds > 0; kinds--) {
      work[fuzz_u8(input) % CSD_MODEL_WORK_SLOTS] = amount(input);
    }
    may(csd_model_log_add(log, kind, page, amount(input) % MAX_BYTES, work));
  }
  may(csd_model_log_add(log, CSD_MODEL_END, 0, 0, NULL));
}

static void play(const struct csd_model_profile *profile, enum csd_model_side side,
                 const struct csd_model_log *log) {
  static struct csd_model_trace_record records[2][TRACE];
  struct csd_model_report reports[2][2], totals[2];
  const struct csd_model_log *logs[2] = {log, log};
  const uint64_t arrivals[2] = {0, 1000000};
  int status[2];
  memset(reports, 0, sizeof reports);
  memset(totals, 0, sizeof totals);
  for (int i = 0; i < 2; i++) {
    struct csd_model_trace trace = {.records = records[i], .room = TRACE};
    const struct csd_model_split split = {
        .slots = 2, .marked_ppm = 600000, .dynamic = log->events % 2 == 0};
    const struct csd_model_run run = {.profile = profile,
                                      .split = side == CSD_MODEL_SIDE_DEVICE ? &split : NULL,
                                      .side = side,
                                      .count = 2,
                                      .logs = logs,
                                      .arrivals_ps = arrivals,
                                      .reports = reports[i],
                                      .total = &totals[i],
                                      .trace = &trace};
    may(status[i] = csd_model_play(&run));
  }
  if (status[0] != status[1] || memcmp(&totals[0], &totals[1], sizeof totals[0]) != 0) {
    abort();
  }
}

static void use_ftl(const struct csd_model_profile *profile, struct fuzz_input *input,
                    struct csd_model_log *log) {
  uint64_t bytes;
  const int sized = csd_ftl_size(profile, LBAS, &bytes);
  may(sized);
  if (sized != 0 || bytes > MAX_FTL_BYTES) {
    return;
  }
  void *memory = malloc((size_t)bytes);
  struct csd_ftl *ftl;
  if (memory == NULL) {
    return;
  }
  if (csd_ftl_init(profile, LBAS, memory, bytes, &ftl) != 0) {
    abort();
  }
  for (int i = 0; i < MAX_EVENTS && input->left > 0; i++) {
    const uint32_t lba = fuzz_u8(input), count = fuzz_u8(input) % 16u;
    may(lba % 4 == 0 ? csd_ftl_trim(ftl, lba, count) : csd_ftl_write(ftl, lba, count, log));
  }
  if (csd_ftl_check(ftl) != 0) {
    abort();
  }
  free(memory);
}

/* A device under the profile, its flash not too large to be laid out here. */
static void use_device(const struct csd_model_profile *profile, struct fuzz_input *input) {
  static struct search_world *world;
  static uint8_t plan[WORLD_PLAN_BYTES], result[1 << 17];
  if (world == NULL) {
    world = search_world_make(5, 0x77, 3);
  }
  struct csd_device *device = client_open("model", LBAS, 1 << 18);
  unlink(scratch_path("model"));
  struct csd_queue *queue = client_queue(device);
  if (search_world_write(world, queue) != 0) {
    abort();
  }
  const uint32_t flags = fuzz_u8(input) & 1u;
  const int64_t set = client_model(queue, profile, sizeof *profile, TRACE, flags);
  may((int)set);
  if (set == 0) {
    const int64_t session = client_session(queue, 1 << 20);
    uint64_t seed = fuzz_u8(input);
    const struct search_query query = search_query_random(&seed);
    const uint32_t bytes = search_query_plan(world, &query, plan);
    const int64_t got =
        client_plan(queue, (uint32_t)session, plan, bytes, result, sizeof result, 10000);
    if (got >= 0 && !search_query_check(world, &query, result, got)) {
      abort();
    }
    may((int)(got < 0 ? got : 0));
    for (uint32_t what = 0; what < 6; what++) {
      may((int)client_told(queue, (uint32_t)session, what, 0, result, 4096));
      may((int)client_told(queue, 0, what, 0, result, sizeof(struct csd_model_report)));
    }
    may((int)client_trim(queue, 0, LBAS));
    may((int)client_model(queue, NULL, 0, 0, 0));
  }
  csd_queue_destroy(queue);
  csd_device_close(device);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  struct fuzz_input input = {data, size};
  struct csd_model_profile profile;
  fuzz_take(&input, &profile, sizeof profile);
  const int status = csd_profile_check(&profile);
  may(status);
  if (status != 0) {
    return 0;
  }
  use_device(&profile, &(struct fuzz_input){input.at, input.left});
  struct csd_model_log log;
  csd_model_log_init(&log, NULL, 0, csd_model_grow, NULL);
  log.bare = fuzz_u8(&input) & 1;
  log.opened_bytes = fuzz_u16(&input);
  use_ftl(&profile, &(struct fuzz_input){input.at, input.left}, &log);
  add_events(&input, &log);
  play(&profile, CSD_MODEL_SIDE_DEVICE, &log);
  play(&profile, CSD_MODEL_SIDE_HOST, &log);
  csd_model_log_free(&log);
  const struct csd_model_reads reads = {.count = 1 + fuzz_u8(&input) % MAX_READS,
                                        .bytes = (1 + fuzz_u8(&input) % 8u) * CSD_LBA_BYTES,
                                        .depth = 1 + fuzz_u8(&input) % 64u,
                                        .random = (fuzz_u8(&input) & 1) != 0,
                                        .lbas = 1 + fuzz_u16(&input),
                                        .seed = 1};
  struct csd_model_report total;
  may(csd_model_play_reads(&profile, CSD_MODEL_SIDE_DEVICE, &reads, &total, NULL));
  may(csd_model_play_reads(&profile, CSD_MODEL_SIDE_HOST, &reads, &total, NULL));
  return 0;
}

/* A profile that passes, and some script; the vector's own is no valid one. */
size_t fuzz_seed(const struct vector_file *vector, uint8_t *input, size_t room) {
  enum { SCRIPT = 150 };
  const struct csd_model_profile profile = model_profile();
  (void)vector;
  if (room < sizeof profile + SCRIPT) {
    return 0;
  }
  memcpy(input, &profile, sizeof profile);
  for (size_t i = 0; i < SCRIPT; i++) {
    input[sizeof profile + i] = (uint8_t)(i * 37 + 5);
  }
  return sizeof profile + SCRIPT;
}
