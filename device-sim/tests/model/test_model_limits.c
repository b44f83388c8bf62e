/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/* The player at its limits: the largest numbers, what it refuses, what it keeps when there is no
 * room. Under a sanitizer, also that nothing overflows. */
#include <stdlib.h>

#include "csd/csd.h"
#include "tests/model/model_world.h"
#include "tests/support/check.h"

static int play(const struct csd_model_profile *profile, enum csd_model_side side,
                const struct csd_model_log *log, struct csd_model_report *report) {
  const struct csd_model_run run = {
      .profile = profile, .side = side, .count = 1, .logs = &log, .total = report};
  return csd_model_play(&run);
}

/* Everything as slow, as large and as hungry as a profile may say. */
static struct csd_model_profile slowest(void) {
  struct csd_model_profile p = model_profile();
  p.link_bytes_per_s = p.channel_bytes_per_s = 1000000;
  p.dram_bytes_per_s = p.host_dram_bytes_per_s = 1000000;
  p.core_hz = p.host_hz = 1000000;
  p.link_command_ns = p.link_completion_ns = p.send_chunk_ns = p.session_open_ns = 1000000000;
  p.firmware_read_ns = p.firmware_write_ns = p.host_read_cpu_ns = p.host_read_wait_ns = 1000000000;
  p.host_query_ns = p.host_rank_ps = 1000000000;
  p.flash_read_ns[0] = p.flash_program_ns[0] = p.flash_erase_ns = 1000000000;
  p.ecc_step_bytes = 64;
  p.ecc_step_ns = p.flash_command_ns = p.core_switch_ns = 1000000;
  for (uint32_t i = 0; i <= CSD_MODEL_WORK_DRAM_LINE; i++) {
    p.core_millicycles[i] = p.host_millicycles[i] = 100000000;
    p.access_ps[i] = p.host_access_ps[i] = 100000000;
    p.access_bytes[i] = p.host_access_bytes[i] = 65536;
  }
  for (uint32_t i = 0; i <= CSD_MODEL_COMPONENT_HOST_DRAM; i++) {
    p.power_idle_mw[i] = p.power_active_mw[i] = 1000000;
  }
  p.flash_read_pj = p.flash_program_pj = p.flash_erase_pj = UINT64_C(1000000000000);
  return p;
}

static void all_work(uint64_t work[CSD_MODEL_WORK_SLOTS], uint64_t units) {
  for (uint32_t i = 0; i < CSD_MODEL_WORK_SLOTS; i++) {
    work[i] = units;
  }
}

/* From a second to what no time holds: played, or refused, on either side. */
static void the_slowest_device_and_all_the_work_there_is(void) {
  const struct csd_model_profile profile = slowest();
  uint64_t work[CSD_MODEL_WORK_SLOTS];
  int played = 0, refused = 0;
  REQUIRE_OK(csd_profile_check(&profile));
  for (uint32_t bits = 0; bits < 56; bits++) {
    struct csd_model_log log = model_log();
    all_work(work, (UINT64_C(2) << bits) - 1);
    log.opened_bytes = UINT64_MAX >> (56 - bits);
    model_event(&log, CSD_MODEL_LOAD, 0, 1 << 24, work);
    model_event(&log, CSD_MODEL_SEND, 0, (UINT64_C(2) << bits) - 1, work);
    model_event(&log, CSD_MODEL_RANK, 0, UINT64_MAX >> (56 - bits), work);
    model_event(&log, CSD_MODEL_FLASH_ERASE, 7, 0, work);
    model_event(&log, CSD_MODEL_END, 0, 0, work);
    for (int side = CSD_MODEL_SIDE_DEVICE; side <= CSD_MODEL_SIDE_HOST; side++) {
      struct csd_model_report report;
      const int status = play(&profile, (enum csd_model_side)side, &log, &report);
      if (status == 0) {
        played++;
        CHECK_EQ(report.elapsed_ps, model_parts(&report));
        CHECK(report.elapsed_ps <= CSD_MODEL_MAX_PS);
      } else {
        refused++;
        CHECK_STATUS(CSD_STATUS_INVALID_ARGUMENT, status);
        CHECK(strstr(csd_last_error(), "longer than 36028 s") != NULL);
      }
    }
    csd_model_log_free(&log);
  }
  CHECK(played > 10 && refused > 50);
}

static void logs_that_cannot_be_played(void) {
  const struct csd_model_profile profile = model_profile();
  static const struct {
    uint32_t kind, page;
    uint64_t bytes;
    const char *text;
  } rows[] = {
      {CSD_MODEL_LOAD, 0, 0, "event 0 of log 0: loads 1 to 16777216 bytes, not 0"},
      {CSD_MODEL_READ_AHEAD, 0, (1 << 24) + 1, "not 16777217"},
      {CSD_MODEL_LOAD, 131072, 1, "loads what is not on the device, LBA 131072"},
      {CSD_MODEL_LOAD, UINT32_MAX, 8192, "LBA 4294967296"},
      {CSD_MODEL_FLASH_READ, 65536, 0, "no flash page 65536"},
      {CSD_MODEL_FLASH_PROGRAM, 65536, 0, "no flash page 65536"},
      {CSD_MODEL_FLASH_ERASE, 1024, 0, "no flash block 1024"},
  };
  struct csd_model_report report;
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
    struct csd_model_log log = model_log();
    model_event(&log, (enum csd_model_event_kind)rows[i].kind, rows[i].page, rows[i].bytes, NULL);
    model_event(&log, CSD_MODEL_END, 0, 0, NULL);
    CHECK_STATUS(CSD_STATUS_INVALID_ARGUMENT, play(&profile, CSD_MODEL_SIDE_HOST, &log, &report));
    CHECK_MSG(strstr(csd_last_error(), rows[i].text) != NULL, "%s", csd_last_error());
    csd_model_log_free(&log);
  }
  struct csd_model_log log = model_log();
  model_event(&log, CSD_MODEL_LOAD, 0, 4096, NULL);
  CHECK_STATUS(CSD_STATUS_INVALID_ARGUMENT, play(&profile, CSD_MODEL_SIDE_DEVICE, &log, &report));
  CHECK(strstr(csd_last_error(), "log 0 has no end") != NULL);
  csd_model_log_add(&log, (enum csd_model_event_kind)99, 0, 0, NULL);
  CHECK_STATUS(CSD_STATUS_INVALID_ARGUMENT, play(&profile, CSD_MODEL_SIDE_DEVICE, &log, &report));
  CHECK(strstr(csd_last_error(), "not complete") != NULL);
  csd_model_log_free(&log);
}

/* The last LBA there is, and the first of another request's lists. */
static void the_end_of_the_device(void) {
  const struct csd_model_profile profile = model_profile();
  struct csd_model_log log = model_log();
  log.bare = true;
  model_event(&log, CSD_MODEL_LOAD, 131071, 4096, NULL);
  model_event(&log, CSD_MODEL_END, 0, 0, NULL);
  struct csd_model_report report;
  CHECK_OK(play(&profile, CSD_MODEL_SIDE_DEVICE, &log, &report));
  CHECK_EQ(1, report.flash_reads);
  const struct csd_model_log *logs[] = {&log};
  const uint32_t first = 1;
  const struct csd_model_run run = {.profile = &profile,
                                    .side = CSD_MODEL_SIDE_DEVICE,
                                    .count = 1,
                                    .logs = logs,
                                    .first_lbas = &first};
  CHECK_STATUS(CSD_STATUS_INVALID_ARGUMENT, csd_model_play(&run));
  csd_model_log_free(&log);
}

static uint32_t elsewhere(void *context, uint32_t lba) {
  (void)lba;
  return *(const uint32_t *)context;
}

static void a_place_outside_the_flash(void) {
  const struct csd_model_profile profile = model_profile();
  uint32_t address = 65536;
  const struct csd_model_place place = {.find = elsewhere, .context = &address};
  struct csd_model_log log = model_log();
  model_event(&log, CSD_MODEL_LOAD, 5, 4096, NULL);
  model_event(&log, CSD_MODEL_END, 0, 0, NULL);
  const struct csd_model_log *logs[] = {&log};
  const struct csd_model_run run = {
      .profile = &profile, .side = CSD_MODEL_SIDE_HOST, .place = &place, .count = 1, .logs = logs};
  CHECK_STATUS(CSD_STATUS_OUT_OF_RANGE, csd_model_play(&run));
  CHECK(strstr(csd_last_error(), "LBA 5 is at flash page 65536") != NULL);
  address = 65535;
  CHECK_OK(csd_model_play(&run));
  csd_model_log_free(&log);
}

static void wrong_calls(void) {
  struct csd_model_profile profile = model_profile();
  struct csd_model_log log = model_log();
  model_event(&log, CSD_MODEL_END, 0, 0, NULL);
  const struct csd_model_log *logs[] = {&log};
  const uint64_t arrival = CSD_MODEL_MAX_PS + 1;
  struct csd_model_run run = {
      .profile = &profile, .side = CSD_MODEL_SIDE_DEVICE, .count = 1, .logs = logs};
  CHECK_OK(csd_model_play(&run));
  run.arrivals_ps = &arrival;
  CHECK_STATUS(CSD_STATUS_INVALID_ARGUMENT, csd_model_play(&run));
  run.arrivals_ps = NULL;
  run.side = (enum csd_model_side)0;
  CHECK_STATUS(CSD_STATUS_INVALID_ARGUMENT, csd_model_play(&run));
  run.side = CSD_MODEL_SIDE_HOST;
  run.count = 0;
  CHECK_STATUS(CSD_STATUS_INVALID_ARGUMENT, csd_model_play(&run));
  run.count = CSD_MODEL_MAX_LOGS + 1;
  CHECK_STATUS(CSD_STATUS_INVALID_ARGUMENT, csd_model_play(&run));
  run.count = 1;
  profile.flash_channels = 0;
  CHECK_STATUS(CSD_STATUS_INVALID_ARGUMENT, csd_model_play(&run));
  CHECK(strstr(csd_last_error(), "flash_channels is 0") != NULL);
  csd_model_log_free(&log);
}

/* Pages that nobody loads in the end, more of them than are remembered. */
static void pages_read_ahead_for_nothing(void) {
  struct csd_model_profile profile = model_profile();
  profile.program_read_ahead = 4096;
  struct csd_model_log log = model_log();
  for (uint32_t i = 0; i < 20000; i++) {
    model_event(&log, CSD_MODEL_READ_AHEAD, 2 * i, 8192, model_work(CSD_MODEL_WORK_COMPARE, 200));
  }
  model_event(&log, CSD_MODEL_LOAD, 40000, 8192, NULL);
  model_event(&log, CSD_MODEL_LOAD, 0, 8192, NULL); /* forgotten by now */
  model_event(&log, CSD_MODEL_END, 0, 0, NULL);
  const struct csd_model_report report = model_play_one(&profile, CSD_MODEL_SIDE_DEVICE, &log);
  CHECK_EQ(2, report.page_loads);
  CHECK_EQ(0, report.ahead_loads);
  csd_model_log_free(&log);
}

/* As many requests as there may be, on one core. */
static void as_many_requests_as_there_may_be(void) {
  struct csd_model_profile profile = model_profile();
  profile.core_count = 1;
  profile.link_queue_depth = 64;
  profile.core_slice_ns = 15000;
  struct csd_model_log log = model_log();
  model_event(&log, CSD_MODEL_LOAD, 0, 8192, model_work(CSD_MODEL_WORK_COMPARE, 1000));
  model_event(&log, CSD_MODEL_END, 0, 0, model_work(CSD_MODEL_WORK_COMPARE, 1000));
  static const struct csd_model_log *logs[CSD_MODEL_MAX_LOGS];
  for (uint32_t i = 0; i < CSD_MODEL_MAX_LOGS; i++) {
    logs[i] = &log;
  }
  struct csd_model_report total;
  const struct csd_model_run run = {.profile = &profile,
                                    .side = CSD_MODEL_SIDE_DEVICE,
                                    .count = CSD_MODEL_MAX_LOGS,
                                    .logs = logs,
                                    .total = &total};
  REQUIRE_OK(csd_model_play(&run));
  model_check_report(&profile, &total, false);
  /* The core is the bottleneck: 50 us to open and 80 us of work each, and switches. */
  CHECK(total.elapsed_ps > CSD_MODEL_MAX_LOGS * UINT64_C(130000000));
  CHECK(total.elapsed_ps < CSD_MODEL_MAX_LOGS * UINT64_C(133000000));
  csd_model_log_free(&log);
}

int main(void) {
  RUN(the_slowest_device_and_all_the_work_there_is);
  RUN(logs_that_cannot_be_played);
  RUN(the_end_of_the_device);
  RUN(a_place_outside_the_flash);
  RUN(wrong_calls);
  RUN(pages_read_ahead_for_nothing);
  RUN(as_many_requests_as_there_may_be);
  return check_result();
}
