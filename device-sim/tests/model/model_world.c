/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
#include "tests/model/model_world.h"

#include <string.h>

#include "tests/support/check.h"

static struct csd_model_profile without_arrays(void) {
  return (struct csd_model_profile){
      .magic = CSD_MODEL_PROFILE_MAGIC,
      .version = CSD_WIRE_VERSION,
      .name = "test",
      .link_bytes_per_s = 500000000,
      .link_command_ns = 10000,
      .link_completion_ns = 7000,
      .link_completion = CSD_MODEL_COMPLETION_INTERRUPT,
      .link_queue_depth = 32,
      .send_chunk_bytes = 8192,
      .send_chunk_ns = 20000,
      .session_open_ns = 50000,
      .core_hz = 400000000,
      .core_count = 4,
      .core_switch_ns = 200,
      .program_read_ahead = 8,
      .dram_bytes = 256 << 20,
      .dram_bytes_per_s = 1600000000,
      .firmware_count = 2,
      .firmware_read_ns = 3000,
      .firmware_write_ns = 4000,
      .flash_writes_in_flight = 64,
      .flash_channels = 4,
      .flash_ways = 2,
      .flash_dies = 1,
      .flash_planes = 2,
      .flash_independent_planes = 1,
      .flash_page_bytes = 8192,
      .flash_block_pages = 64,
      .flash_plane_blocks = 64,
      .flash_spare_ppm = 100000,
      .flash_gc_blocks = 3,
      .flash_page_types = 1,
      .flash_command_ns = 300,
      .flash_erase_ns = 2000000,
      .ecc_step_bytes = 1024,
      .ecc_step_ns = 500,
      .channel_bytes_per_s = 400000000,
      .host_hz = 3400000000,
      .host_dram_bytes_per_s = 20000000000,
      .host_core_count = 4,
      .host_read_cpu_ns = 15000,
      .host_read_wait_ns = 25000,
      .host_query_ns = 30000,
      .host_rank_ps = 170000,
      .flash_read_pj = 4000000,
      .flash_program_pj = 40000000,
      .flash_erase_pj = 90000000,
      .link_pj_per_byte = 50,
      .dram_pj_per_byte = 40,
      .channel_pj_per_byte = 20,
      .host_dram_pj_per_byte = 30,
  };
}

struct csd_model_profile model_profile(void) {
  struct csd_model_profile profile = without_arrays();
  profile.flash_read_ns[0] = 40000;
  profile.flash_program_ns[0] = 600000;
  for (uint32_t i = 0; i <= CSD_MODEL_WORK_DRAM_LINE; i++) {
    profile.core_millicycles[i] = 10000 + 1000 * i;
    profile.host_millicycles[i] = 5000 + 500 * i;
    if (i == CSD_MODEL_WORK_COMPARE) {
      continue;
    }
    profile.access_ps[i] = 100000 + 1000 * i;
    profile.host_access_ps[i] = 10000 + 100 * i;
    profile.access_bytes[i] = i == CSD_MODEL_WORK_SRAM_ACCESS ? 0 : 32 + i;
    profile.host_access_bytes[i] = 64 + i;
  }
  for (uint32_t i = 0; i <= CSD_MODEL_COMPONENT_HOST_DRAM; i++) {
    profile.power_idle_mw[i] = 100 * (i + 1);
    profile.power_active_mw[i] = 70 * (i + 2);
  }
  return profile;
}

struct csd_model_log model_log(void) {
  struct csd_model_log log;
  csd_model_log_init(&log, NULL, 0, csd_model_grow, NULL);
  return log;
}

const uint64_t *model_work(enum csd_model_work kind, uint64_t units) {
  static uint64_t work[CSD_MODEL_WORK_SLOTS];
  memset(work, 0, sizeof work);
  work[kind] = units;
  return work;
}

void model_event(struct csd_model_log *log, enum csd_model_event_kind kind, uint32_t page,
                 uint64_t bytes, const uint64_t *work) {
  CHECK_OK(csd_model_log_add(log, kind, page, bytes, work));
}

uint64_t model_parts(const struct csd_model_report *report) {
  uint64_t sum = 0;
  for (uint32_t i = 0; i < CSD_MODEL_PART_SLOTS; i++) {
    sum += report->part_ps[i];
  }
  return sum;
}

static uint64_t active(const struct csd_model_profile *p, const struct csd_model_report *r,
                       uint32_t component, uint32_t resource) {
  return p->power_active_mw[component] * r->busy_ps[resource] / 1000;
}

static void check_energy(const struct csd_model_profile *p, const struct csd_model_report *r) {
  for (uint32_t i = 0; i <= CSD_MODEL_COMPONENT_HOST_DRAM; i++) {
    CHECK_EQ(p->power_idle_mw[i] * r->elapsed_ps / 1000, r->idle_pj[i]);
  }
  if (p->core_power_hz == 0) { /* else test_model_contend.c knows what it comes to */
    CHECK_EQ(active(p, r, CSD_MODEL_COMPONENT_CORE, CSD_MODEL_RESOURCE_CORE),
             r->active_pj[CSD_MODEL_COMPONENT_CORE]);
    CHECK_EQ(active(p, r, CSD_MODEL_COMPONENT_HOST_CORE, CSD_MODEL_RESOURCE_HOST_CORE),
             r->active_pj[CSD_MODEL_COMPONENT_HOST_CORE]);
  }
  CHECK_EQ(active(p, r, CSD_MODEL_COMPONENT_FLASH, CSD_MODEL_RESOURCE_PLANE) +
               r->flash_reads * p->flash_read_pj + r->flash_programs * p->flash_program_pj +
               r->flash_erases * p->flash_erase_pj,
           r->active_pj[CSD_MODEL_COMPONENT_FLASH]);
}

void model_check_report(const struct csd_model_profile *profile,
                        const struct csd_model_report *report, bool of_one_request) {
  CHECK_EQ(CSD_MODEL_REPORT_MAGIC, report->magic);
  CHECK_EQ(report->finish_ps - report->arrival_ps, report->elapsed_ps);
  if (of_one_request) {
    CHECK_EQ(report->elapsed_ps, model_parts(report));
  }
  for (uint32_t i = 0; i < CSD_MODEL_RESOURCE_SLOTS; i++) {
    CHECK_MSG(report->busiest_ps[i] <= report->elapsed_ps,
              "resource %u: a unit is used %" PRIu64 " of %" PRIu64 " ps", i, report->busiest_ps[i],
              report->elapsed_ps);
    CHECK_MSG(report->busy_ps[i] <= report->elapsed_ps * report->unit_count[i],
              "resource %u: used %" PRIu64 " of %" PRIu64 " ps", i, report->busy_ps[i],
              report->elapsed_ps);
  }
  CHECK(report->ahead_loads <= report->page_loads);
  check_energy(profile, report);
}

struct csd_model_report model_play_one(const struct csd_model_profile *profile,
                                       enum csd_model_side side, const struct csd_model_log *log) {
  struct csd_model_report report = {0};
  struct csd_model_report total = {0};
  const struct csd_model_run run = {.profile = profile,
                                    .side = side,
                                    .count = 1,
                                    .logs = &log,
                                    .reports = &report,
                                    .total = &total};
  CHECK_OK(csd_model_play(&run));
  model_check_report(profile, &report, true);
  CHECK(memcmp(&report, &total, sizeof report) == 0);
  return report;
}
