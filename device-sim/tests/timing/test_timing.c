/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/* MODEL and MODEL_FETCH: answers stay, reports are the same every time, nonsense is refused. */
#include <stdlib.h>

#include "device/run/device_parts.h"
#include "tests/model/model_world.h"
#include "tests/support/check.h"
#include "tests/support/client.h"
#include "tests/support/scratch.h"
#include "tests/support/search_world.h"
#include "timing/timing.h"

enum { LBAS = 4096, QUERIES = 60, RESULT_BYTES = 1 << 17, FIRST_LBA = 100 };

static struct search_world *world;
static uint8_t *result, *other;
static uint8_t plan[WORLD_PLAN_BYTES];

/* ---- commands ---- */

static int64_t set_model(struct csd_queue *queue, const void *profile, uint32_t bytes,
                         uint32_t trace_records) {
  return client_model(queue, profile, bytes, trace_records, 0);
}

static int64_t set_profile(struct csd_queue *queue) {
  const struct csd_model_profile profile = model_profile();
  return set_model(queue, &profile, sizeof profile, 0);
}

static int64_t clear_model(struct csd_queue *queue) { return set_model(queue, NULL, 0, 0); }

static struct csd_model_report report_of(struct csd_queue *queue, uint32_t session, uint32_t what) {
  struct csd_model_report report = {0};
  CHECK_EQ(sizeof report, client_told(queue, session, what, 0, &report, sizeof report));
  return report;
}

static int64_t run_query(struct csd_queue *queue, uint32_t session,
                         const struct search_query *query, uint8_t *to, uint64_t budget) {
  const uint32_t bytes = search_query_plan(world, query, plan);
  return client_plan(queue, session, plan, bytes, to, RESULT_BYTES, budget);
}

/* ---- a device that holds the world ---- */

struct host {
  struct csd_device *device;
  struct csd_queue *queue;
  uint32_t session;
};

static struct host host_open(const char *kernels) {
  const struct csd_device_options options = {.path = scratch_path("timing"),
                                             .capacity_bytes = LBAS * CSD_LBA_BYTES,
                                             .dram_bytes = 8 << 20,
                                             .kernels = kernels};
  struct host host;
  if (csd_device_open(&options, &host.device) != 0) {
    abort();
  }
  host.queue = client_queue(host.device);
  CHECK_OK((int)search_world_write(world, host.queue));
  host.session = (uint32_t)client_session(host.queue, 0);
  return host;
}

static void host_close(struct host *host) {
  csd_queue_destroy(host->queue);
  csd_device_close(host->device);
}

static struct search_query query_of(uint8_t mode, uint32_t list) {
  return (struct search_query){.mode = mode,
                               .k = mode == CSD_MODE_TOP_K ? 10 : 0,
                               .term_count = 1,
                               .list = {list},
                               .occur = {CSD_OCCUR_MUST},
                               .weight = {1.5f}};
}

/* ---- tests ---- */

static struct csd_model_report reports[QUERIES][2];

/* With the model off, on, and on in another device of other kernels: one answer, one report. */
static void answers_stay_and_reports_repeat(void) {
  const struct csd_kernels *list[CSD_MAX_KERNELS];
  const unsigned variants = csd_kernels_list(list);
  for (unsigned v = 0; v < variants; v++) {
    struct host host = host_open(list[v]->name);
    uint64_t seed = 99;
    for (int q = 0; q < QUERIES; q++) {
      const struct search_query query = search_query_random(&seed);
      CHECK_OK((int)clear_model(host.queue));
      const int64_t off = run_query(host.queue, host.session, &query, result, 1000);
      CHECK_OK((int)set_profile(host.queue));
      const int64_t on = run_query(host.queue, host.session, &query, other, q % 2 ? 1000 : 1 << 30);
      REQUIRE(off > 0);
      CHECK_EQ(off, on);
      /* The header tells the work too, which may go another way. */
      const size_t head = sizeof(struct csd_result_header);
      CHECK_MSG(memcmp(result + head, other + head, (size_t)off - head) == 0,
                "query %d: another answer", q);
      CHECK(search_query_check(world, &query, other, on));
      for (uint32_t side = 0; side < 2; side++) {
        const struct csd_model_report report =
            report_of(host.queue, host.session, CSD_MODEL_DATA_DEVICE_REPORT + side);
        if (v == 0) {
          reports[q][side] = report;
        }
        CHECK_MSG(memcmp(&report, &reports[q][side], sizeof report) == 0,
                  "query %d, side %u: another report on %s", q, side, list[v]->name);
      }
    }
    host_close(&host);
  }
}

static void reports_hold_together(void) {
  for (int q = 0; q < QUERIES; q++) {
    for (int side = 0; side < 2; side++) {
      const struct csd_model_report *r = &reports[q][side];
      CHECK_EQ(CSD_MODEL_REPORT_MAGIC, r->magic);
      CHECK_EQ(CSD_MODEL_SIDE_DEVICE + side, r->side);
      uint64_t parts = 0;
      for (uint32_t i = 0; i < CSD_MODEL_PART_SLOTS; i++) {
        parts += r->part_ps[i];
      }
      CHECK_EQ(r->elapsed_ps, parts);
      for (uint32_t i = 0; i < CSD_MODEL_RESOURCE_SLOTS; i++) {
        CHECK(r->busiest_ps[i] <= r->elapsed_ps);
        CHECK(r->busy_ps[i] <= r->elapsed_ps * (r->unit_count[i] > 0 ? r->unit_count[i] : 1));
      }
      CHECK_EQ(reports[q][0].page_loads, r->page_loads);
      CHECK(memcmp(reports[q][0].work, r->work, sizeof r->work) == 0);
    }
    CHECK_EQ(reports[q][0].elapsed_ps == 0, false);
  }
}

/* One page read on an idle device costs its sense, and a list of one page is loaded once. */
static void a_short_list_is_one_flash_read(void) {
  struct host host = host_open(NULL);
  CHECK_OK((int)set_profile(host.queue));
  const struct csd_model_profile profile = model_profile();
  for (uint32_t list = 0; list < WORLD_LISTS; list++) {
    const struct search_query query = query_of(CSD_MODE_DOCS, list);
    REQUIRE(run_query(host.queue, host.session, &query, result, CSD_BUDGET_UNLIMITED) > 0);
    const struct csd_model_report r =
        report_of(host.queue, host.session, CSD_MODEL_DATA_DEVICE_REPORT);
    const uint32_t pages = world->refs[list].page_count;
    CHECK_EQ(pages, r.page_loads);
    /* And the first pages of the plan's other lists, which are read ahead. */
    CHECK(r.flash_reads + r.register_reads >= pages);
    CHECK(r.flash_reads + r.register_reads < pages + WORLD_LISTS);
    CHECK_EQ((r.flash_reads + r.register_reads) * CSD_PAGE_BYTES, r.bytes_read);
    if (pages == 1) {
      CHECK(r.part_ps[CSD_MODEL_PART_IO] >= UINT64_C(1000) * profile.flash_read_ns[0] ||
            r.ahead_loads == 1);
    }
  }
  host_close(&host);
}

static void the_trace_is_kept_and_bounded(void) {
  enum { ROOM = 16 };
  static struct csd_model_trace_record all[1 << 14], few[ROOM + 1];
  const struct csd_model_profile profile = model_profile();
  struct host host = host_open(NULL);
  CHECK_OK((int)set_model(host.queue, &profile, sizeof profile, 1 << 14));
  const struct search_query query = query_of(CSD_MODE_SCORED_DOCS, 0);
  REQUIRE(run_query(host.queue, host.session, &query, result, CSD_BUDGET_UNLIMITED) > 0);
  const struct csd_model_report r =
      report_of(host.queue, host.session, CSD_MODEL_DATA_DEVICE_REPORT);
  const int64_t bytes =
      client_told(host.queue, host.session, CSD_MODEL_DATA_DEVICE_TRACE, 0, all, sizeof all);
  CHECK_EQ((uint64_t)r.trace_records * sizeof all[0], bytes);
  CHECK_EQ(0, r.trace_lost);
  CHECK(r.trace_records > ROOM);
  for (uint32_t i = 0; i < r.trace_records; i++) {
    CHECK(all[i].start_ns <= all[i].end_ns && all[i].end_ns <= r.finish_ps / 1000);
    CHECK(all[i].resource <= CSD_MODEL_RESOURCE_REQUEST);
  }
  /* From an offset on, and the other side's. */
  CHECK_EQ(32, client_told(host.queue, host.session, CSD_MODEL_DATA_DEVICE_TRACE, 32, few, 32));
  CHECK(memcmp(&few[0], &all[1], 32) == 0);
  CHECK(client_told(host.queue, host.session, CSD_MODEL_DATA_HOST_TRACE, 0, few, sizeof few) > 0);
  CHECK(memcmp(&few[0], &all[0], 32 * ROOM) != 0);
  CHECK_EQ(32, client_told(host.queue, host.session, CSD_MODEL_DATA_DEVICE_TRACE, 32, few, 32));
  CHECK(memcmp(&few[0], &all[1], 32) == 0);
  /* A small trace keeps the first records and counts the others. */
  CHECK_OK((int)set_model(host.queue, &profile, sizeof profile, ROOM));
  REQUIRE(run_query(host.queue, host.session, &query, result, CSD_BUDGET_UNLIMITED) > 0);
  const struct csd_model_report s =
      report_of(host.queue, host.session, CSD_MODEL_DATA_DEVICE_REPORT);
  CHECK_EQ(ROOM, s.trace_records);
  CHECK_EQ(r.trace_records - ROOM, s.trace_lost);
  CHECK_EQ(r.elapsed_ps, s.elapsed_ps);
  CHECK_EQ(32 * ROOM,
           client_told(host.queue, host.session, CSD_MODEL_DATA_DEVICE_TRACE, 0, few, sizeof few));
  CHECK(memcmp(few, all, 32 * ROOM) == 0);
  host_close(&host);
}

static void the_host_ranks_if_it_is_told_to(void) {
  struct host host = host_open(NULL);
  const struct csd_model_profile profile = model_profile();
  for (uint32_t flags = 0; flags <= CSD_MODEL_FLAG_HOST_RANKS; flags++) {
    CHECK_OK((int)client_model(host.queue, &profile, sizeof profile, 0, flags));
    for (uint8_t mode = CSD_MODE_COUNT; mode <= CSD_MODE_TOP_K; mode++) {
      const struct search_query query = query_of(mode, 1);
      REQUIRE(run_query(host.queue, host.session, &query, result, CSD_BUDGET_UNLIMITED) > 0);
      struct csd_result_header header;
      memcpy(&header, result, sizeof header);
      const bool ranked = flags != 0 && (mode == CSD_MODE_DOCS || mode == CSD_MODE_SCORED_DOCS);
      for (uint32_t what = 1; what <= 2; what++) {
        const struct csd_model_report r = report_of(host.queue, host.session, what);
        CHECK_EQ(ranked ? header.entry_count : 0, r.results_ranked);
        CHECK((r.part_ps[CSD_MODEL_PART_RANK] > 0) == ranked);
      }
    }
  }
  CHECK_STATUS(CSD_STATUS_INVALID_FIELD,
               (int)client_model(host.queue, &profile, sizeof profile, 0, 2));
  host_close(&host);
}

static void what_was_not_modelled_has_no_report(void) {
  struct csd_model_report report;
  struct host host = host_open(NULL);
  const struct search_query query = query_of(CSD_MODE_COUNT, 0);
#define FETCH(what) client_told(host.queue, host.session, what, 0, &report, sizeof report)
  CHECK_STATUS(CSD_STATUS_INVALID_FIELD, (int)FETCH(CSD_MODEL_DATA_DEVICE_REPORT));
  REQUIRE(run_query(host.queue, host.session, &query, result, CSD_BUDGET_UNLIMITED) > 0);
  CHECK_STATUS(CSD_STATUS_INVALID_FIELD, (int)FETCH(CSD_MODEL_DATA_DEVICE_REPORT));
  CHECK_OK((int)set_profile(host.queue));
  CHECK_STATUS(CSD_STATUS_INVALID_FIELD, (int)FETCH(CSD_MODEL_DATA_DEVICE_REPORT));
  REQUIRE(run_query(host.queue, host.session, &query, result, CSD_BUDGET_UNLIMITED) > 0);
  CHECK_EQ(sizeof report, FETCH(CSD_MODEL_DATA_DEVICE_REPORT));
  CHECK_STATUS(CSD_STATUS_INVALID_FIELD, (int)FETCH(0));
  CHECK_STATUS(CSD_STATUS_INVALID_FIELD, (int)FETCH(6));
  CHECK_EQ(0, FETCH(CSD_MODEL_DATA_DEVICE_TRACE)); /* none was wanted */
  /* A report stays beyond the end of the model, not beyond the next program. */
  CHECK_OK((int)clear_model(host.queue));
  CHECK_EQ(sizeof report, FETCH(CSD_MODEL_DATA_HOST_REPORT));
  REQUIRE(run_query(host.queue, host.session, &query, result, CSD_BUDGET_UNLIMITED) > 0);
  CHECK_STATUS(CSD_STATUS_INVALID_FIELD, (int)FETCH(CSD_MODEL_DATA_HOST_REPORT));
  /* Nor has a program that failed. */
  CHECK_OK((int)set_profile(host.queue));
  memset(plan, 0, 64);
  CHECK(client_plan(host.queue, host.session, plan, 64, result, RESULT_BYTES, 1000) < 0);
  CHECK_STATUS(CSD_STATUS_INVALID_FIELD, (int)FETCH(CSD_MODEL_DATA_HOST_REPORT));
  CHECK_STATUS(CSD_STATUS_NO_SESSION,
               (int)client_told(host.queue, 999, 1, 0, &report, sizeof report));
#undef FETCH
  host_close(&host);
}

/* ---- writes ---- */

static uint8_t zeros[64 * CSD_LBA_BYTES];

/* Two LBAs are a flash page of this profile. */
static void writes_are_programs(void) {
  struct host host = host_open(NULL);
  const struct csd_model_profile profile = model_profile();
  struct csd_model_report r;
#define WRITES(what) client_told(host.queue, 0, what, 0, &r, sizeof r)
  /* Without a profile, and without a write. */
  CHECK_STATUS(CSD_STATUS_INVALID_FIELD, (int)WRITES(CSD_MODEL_DATA_DEVICE_REPORT));
  CHECK_OK((int)set_profile(host.queue));
  CHECK_STATUS(CSD_STATUS_INVALID_FIELD, (int)WRITES(CSD_MODEL_DATA_DEVICE_REPORT));
  CHECK_OK((int)client_write(host.queue, 2000, zeros, 32));
  CHECK_EQ(sizeof r, WRITES(CSD_MODEL_DATA_DEVICE_REPORT));
  CHECK_EQ(16, r.flash_programs);
  CHECK_EQ(0, r.flash_reads);
  CHECK(r.elapsed_ps >= UINT64_C(1000) * profile.flash_program_ns[0]);
  CHECK(r.elapsed_ps < UINT64_C(16000) * profile.flash_program_ns[0]); /* side by side */
  const struct csd_model_report first = r;
  CHECK_EQ(sizeof r, WRITES(CSD_MODEL_DATA_HOST_REPORT));
  CHECK_EQ(16, r.flash_programs);
  CHECK_EQ(CSD_MODEL_SIDE_HOST, r.side);
  CHECK_EQ(sizeof r, WRITES(CSD_MODEL_DATA_DEVICE_REPORT));
  CHECK(memcmp(&first, &r, sizeof r) == 0);
  /* Half a page: the other half is read and written with it. The reports start anew. */
  CHECK_OK((int)client_write(host.queue, 2003, zeros, 1));
  CHECK_EQ(sizeof r, WRITES(CSD_MODEL_DATA_DEVICE_REPORT));
  CHECK_EQ(1, r.flash_programs);
  CHECK_EQ(1, r.flash_reads);
  CHECK_STATUS(CSD_STATUS_INVALID_FIELD, (int)WRITES(CSD_MODEL_DATA_DEVICE_TRACE));
#undef WRITES
  host_close(&host);
}

/* What lay there before is where it would be if it had been written in order, FTL or not. */
static void pages_stay_where_they_are_until_they_are_written(void) {
  struct host host = host_open(NULL);
  const struct search_query query = query_of(CSD_MODE_SCORED_DOCS, 0);
  struct csd_model_trace_record before[64], after[64];
  const struct csd_model_profile profile = model_profile();
  CHECK_OK((int)set_model(host.queue, &profile, sizeof profile, 64));
  REQUIRE(run_query(host.queue, host.session, &query, result, CSD_BUDGET_UNLIMITED) > 0);
  const int64_t bytes =
      client_told(host.queue, host.session, CSD_MODEL_DATA_DEVICE_TRACE, 0, before, sizeof before);
  CHECK_EQ(sizeof before, bytes);
  CHECK_OK((int)client_write(host.queue, 3000, zeros, 10));
  CHECK_OK((int)client_trim(host.queue, 3000, 4));
  REQUIRE(run_query(host.queue, host.session, &query, result, CSD_BUDGET_UNLIMITED) > 0);
  CHECK_EQ(bytes, client_told(host.queue, host.session, CSD_MODEL_DATA_DEVICE_TRACE, 0, after,
                              sizeof after));
  CHECK(memcmp(before, after, sizeof before) == 0);
  /* The same pages written again lie elsewhere, and are found there. */
  CHECK_OK((int)client_write(host.queue, 3100, zeros, 3));
  CHECK_OK((int)search_world_write(world, host.queue));
  const int64_t found = run_query(host.queue, host.session, &query, result, CSD_BUDGET_UNLIMITED);
  REQUIRE(found > 0);
  CHECK(search_query_check(world, &query, result, found));
  CHECK_EQ(bytes, client_told(host.queue, host.session, CSD_MODEL_DATA_DEVICE_TRACE, 0, after,
                              sizeof after));
  CHECK(memcmp(before, after, sizeof before) != 0);
  const struct csd_model_report r =
      report_of(host.queue, host.session, CSD_MODEL_DATA_DEVICE_REPORT);
  CHECK(r.page_loads <= r.flash_reads + r.register_reads);
  host_close(&host);
}

/* 4 channels x 2 ways x 2 planes x 8 blocks x 4 pages of 8 KB: half of what the store has. */
static void a_flash_that_is_too_small_is_told(void) {
  struct host host = host_open(NULL);
  struct csd_model_profile profile = model_profile();
  struct csd_model_report r;
  profile.flash_plane_blocks = 8;
  profile.flash_block_pages = 4;
  CHECK_OK((int)set_model(host.queue, &profile, sizeof profile, 0));
  const struct search_query query = query_of(CSD_MODE_DOCS, 0);
  CHECK_OK((int)client_write(host.queue, 10, zeros, 10));
  CHECK_EQ(sizeof r, client_told(host.queue, 0, 1, 0, &r, sizeof r));
  CHECK_OK((int)client_write(host.queue, LBAS - 1, zeros, 1));
  CHECK_STATUS(CSD_STATUS_OUT_OF_RANGE, (int)client_told(host.queue, 0, 1, 0, &r, sizeof r));
  const int64_t bytes = run_query(host.queue, host.session, &query, result, CSD_BUDGET_UNLIMITED);
  CHECK(search_query_check(world, &query, result, bytes));
  CHECK_STATUS(CSD_STATUS_OUT_OF_RANGE,
               (int)client_told(host.queue, host.session, 1, 0, &r, sizeof r));
  host_close(&host);
}

static void bad_commands_are_refused(void) {
  struct host host = host_open(NULL);
  struct csd_model_profile profile = model_profile();
  const uint32_t bytes = sizeof profile;
  CHECK_STATUS(CSD_STATUS_INVALID_FIELD, (int)set_model(host.queue, &profile, bytes - 1, 0));
  CHECK_STATUS(CSD_STATUS_INVALID_FIELD, (int)set_model(host.queue, NULL, bytes, 0));
  CHECK_STATUS(CSD_STATUS_INVALID_FIELD, (int)set_model(host.queue, NULL, 0, 1));
  CHECK_STATUS(CSD_STATUS_INVALID_FIELD,
               (int)set_model(host.queue, &profile, bytes, CSD_TIMING_MAX_TRACE + 1));
  profile.core_hz = 0;
  CHECK_STATUS(CSD_STATUS_INVALID_ARGUMENT, (int)set_model(host.queue, &profile, bytes, 0));
  CHECK_MSG(strstr(csd_last_error(), "core_hz") != NULL, "trail: %s", csd_last_error());
  host_close(&host);
}

/* Whatever bytes a profile has: it is refused, or a query under it is answered and reported. */
static void random_profiles_do_no_harm(void) {
  struct host host = host_open(NULL);
  uint64_t seed = 5;
  unsigned taken = 0;
  for (int i = 0; i < 3000; i++) {
    union {
      struct csd_model_profile profile;
      uint8_t bytes[sizeof(struct csd_model_profile)];
    } p = {model_profile()};
    const uint32_t changes = 1 + check_random_below(&seed, 3);
    for (uint32_t c = 0; c < changes; c++) {
      const uint32_t at = 40 + check_random_below(&seed, sizeof p.bytes - 40);
      p.bytes[at] = check_random_below(&seed, 2) ? (uint8_t)check_random(&seed) : 0;
    }
    if (set_model(host.queue, &p, sizeof p, 100) < 0) {
      continue;
    }
    taken++;
    if (taken % 8 != 0) {
      continue;
    }
    const struct search_query query = search_query_random(&seed);
    const int64_t bytes = run_query(host.queue, host.session, &query, result, 1 << 30);
    CHECK(search_query_check(world, &query, result, bytes));
    struct csd_model_report report;
    for (uint32_t what = 1; what <= 2; what++) {
      const int64_t got = client_told(host.queue, host.session, what, 0, &report, sizeof report);
      /* A device that is too slow or too small for the query is told, and nothing else. */
      CHECK(got == sizeof report || got == -CSD_STATUS_INVALID_ARGUMENT);
    }
  }
  CHECK_MSG(taken > 100, "only %u profiles were taken", taken);
  host_close(&host);
}

int main(void) {
  world = search_world_make(21, 0x77, FIRST_LBA);
  result = malloc(RESULT_BYTES);
  other = malloc(RESULT_BYTES);
  if (result == NULL || other == NULL) {
    return 1;
  }
  RUN(answers_stay_and_reports_repeat);
  RUN(reports_hold_together);
  RUN(a_short_list_is_one_flash_read);
  RUN(the_trace_is_kept_and_bounded);
  RUN(the_host_ranks_if_it_is_told_to);
  RUN(what_was_not_modelled_has_no_report);
  RUN(writes_are_programs);
  RUN(pages_stay_where_they_are_until_they_are_written);
  RUN(a_flash_that_is_too_small_is_told);
  RUN(bad_commands_are_refused);
  RUN(random_profiles_do_no_harm);
  free(other), free(result);
  search_world_free(world);
  return check_result();
}
