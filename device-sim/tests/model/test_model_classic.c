/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/* Recordings of classic programs say what the programs counted; and plain reads. */
#include <stdlib.h>

#include "csd/csd.h"
#include "csd/csd_model_classic.h"
#include "tests/classic/classic_world.h"
#include "tests/model/model_world.h"
#include "tests/support/check.h"

static const struct csd_classic_workload small = {
    .lists = 3, .longest = 20000, .skew = 7, .ratio_ppm = 50000, .seed = 11};

/* A log's events add up to the counts. */
static void check_log(const struct csd_model_log *log, const struct csd_classic_counts *c,
                      uint64_t ranked, uint32_t lbas) {
  uint64_t work[CSD_MODEL_WORK_SLOTS] = {0};
  uint64_t count[CSD_MODEL_END + 1] = {0};
  uint64_t bytes[CSD_MODEL_END + 1] = {0};
  struct csd_model_event event;
  for (size_t at = 0; csd_model_log_next(log, &at, &event);) {
    count[event.kind]++;
    bytes[event.kind] += event.bytes;
    CHECK(event.kind != CSD_MODEL_LOAD || event.address + 2 <= lbas);
    for (uint32_t i = 0; i < event.work_count; i++) {
      work[csd_model_work_kind(event.work[i])] += csd_model_work_units(event.work[i]);
    }
  }
  CHECK_EQ(c->list_reads, work[CSD_MODEL_WORK_LIST_READ]);
  CHECK_EQ(c->probe_reads, work[CSD_MODEL_WORK_PROBE_READ]);
  CHECK_EQ(c->score_reads, work[CSD_MODEL_WORK_SCORE_READ]);
  CHECK_EQ(c->result_writes, work[CSD_MODEL_WORK_RESULT_WRITE]);
  CHECK_EQ(c->result_reads, work[CSD_MODEL_WORK_RESULT_READ]);
  CHECK_EQ(c->heap_accesses, work[CSD_MODEL_WORK_SRAM_ACCESS]);
  CHECK_EQ(c->comparisons, work[CSD_MODEL_WORK_COMPARE]);
  CHECK_EQ(c->pages_loaded, work[CSD_MODEL_WORK_PAGE_OPEN]);
  CHECK_EQ(c->pages_loaded, count[CSD_MODEL_LOAD]);
  CHECK_EQ(c->bytes_sent, bytes[CSD_MODEL_SEND]);
  CHECK_EQ(ranked, bytes[CSD_MODEL_RANK]);
  CHECK_EQ(1, count[CSD_MODEL_END]);
}

static void recordings_add_up_to_the_counts(void) {
  for (int i = 0; i < 16; i++) {
    struct csd_classic_workload workload = small;
    const enum csd_classic_operation operation = (enum csd_classic_operation)(i % 3);
    const bool ranked = i % 2 != 0;
    const bool host_ranks = i % 4 < 2;
    if (operation == CSD_CLASSIC_DIFFERENCE) {
      workload.lists = 2;
    }
    struct csd_model_classic_pair pair;
    REQUIRE_OK(csd_model_classic_record_workload(&workload, operation, ranked, i % 5 == 0,
                                                 i < 8 ? 0 : 100000, host_ranks, &pair));
    const uint64_t left = host_ranks && !ranked ? pair.device_counts.results : 0;
    check_log(&pair.device, &pair.device_counts, left, pair.lbas);
    check_log(&pair.host, &pair.host_counts, host_ranks || ranked ? pair.host_counts.results : 0,
              pair.lbas);
    CHECK_EQ(pair.device_counts.results, pair.host_counts.results);
    CHECK_EQ(0, pair.host_counts.heap_accesses);
    CHECK_EQ(workload.lists * CSD_MODEL_CLASSIC_METADATA_BYTES, pair.device.opened_bytes);
    csd_model_classic_free(&pair);
  }
}

/* A program announces its pages: a device that reads ahead loads as many, in less time. A DMA
 * engine copies them while the program works on others. */
static void read_ahead_and_dma_shorten_the_time(void) {
  struct csd_model_profile profile = model_profile();
  profile.program_read_ahead = 0;
  profile.access_ps[CSD_MODEL_WORK_PAGE_OPEN] = 10000000;
  struct csd_model_classic_pair pair;
  REQUIRE_OK(csd_model_classic_record_workload(&small, CSD_CLASSIC_INTERSECTION, false, false, 0,
                                               false, &pair));
  const struct csd_model_report plain =
      model_play_one(&profile, CSD_MODEL_SIDE_DEVICE, &pair.device);
  CHECK_EQ(0, plain.ahead_loads);
  profile.program_read_ahead = 16;
  const struct csd_model_report ahead =
      model_play_one(&profile, CSD_MODEL_SIDE_DEVICE, &pair.device);
  CHECK_EQ(plain.page_loads, ahead.page_loads);
  CHECK_EQ(plain.flash_reads, ahead.flash_reads);
  CHECK_EQ(ahead.page_loads, ahead.ahead_loads);
  CHECK(2 * ahead.part_ps[CSD_MODEL_PART_IO] < plain.part_ps[CSD_MODEL_PART_IO]);
  profile.copy_bytes_per_s = UINT64_C(2000000000); /* 4.096 us a page */
  const struct csd_model_report dma = model_play_one(&profile, CSD_MODEL_SIDE_DEVICE, &pair.device);
  CHECK(dma.part_ps[CSD_MODEL_PART_DRAM] + plain.page_loads * 9000000 <
        ahead.part_ps[CSD_MODEL_PART_DRAM] + ahead.part_ps[CSD_MODEL_PART_IO]);
  CHECK(dma.elapsed_ps < ahead.elapsed_ps);
  profile.program_read_ahead = 0;
  const struct csd_model_report alone =
      model_play_one(&profile, CSD_MODEL_SIDE_DEVICE, &pair.device);
  CHECK_EQ(plain.part_ps[CSD_MODEL_PART_IO] + plain.page_loads * 4096000,
           alone.part_ps[CSD_MODEL_PART_IO]);
  CHECK_EQ(plain.part_ps[CSD_MODEL_PART_DRAM] - plain.page_loads * 10000000,
           alone.part_ps[CSD_MODEL_PART_DRAM]);
  csd_model_classic_free(&pair);
}

/* What the lists of a request cost when nothing but pages and list accesses does. */
static void both_sides_by_hand(void) {
  struct csd_model_profile profile = model_profile();
  profile.program_read_ahead = profile.host_read_ahead = 0;
  for (uint32_t i = 0; i <= CSD_MODEL_WORK_DRAM_LINE; i++) {
    if (i == CSD_MODEL_WORK_PROBE_READ || i == CSD_MODEL_WORK_LIST_READ) {
      continue;
    }
    profile.core_millicycles[i] = profile.access_ps[i] = profile.access_bytes[i] = 0;
    profile.host_millicycles[i] = profile.host_access_ps[i] = profile.host_access_bytes[i] = 0;
  }
  struct classic_world world = classic_world_of(&small);
  const struct csd_classic_request request =
      classic_request(&world, CSD_CLASSIC_INTERSECTION, false);
  struct classic_run run = classic_run_in(&request, 0, NULL, NULL);
  struct csd_model_report device, host;
  REQUIRE_OK(csd_model_run_classic(&request, 0, true, &profile, &device, &host));
  model_check_report(&profile, &device, true);
  model_check_report(&profile, &host, true);
  const uint64_t pages = run.counts.pages_loaded;
  CHECK_EQ(pages * (3000 + 300 + 40000 + 20480 + 4000 + 5120) * 1000,
           device.part_ps[CSD_MODEL_PART_IO]);
  CHECK_EQ(run.counts.list_reads * 100000 + run.counts.probe_reads * 101000,
           device.part_ps[CSD_MODEL_PART_DRAM]);
  CHECK_EQ(run.counts.results * 170000, device.part_ps[CSD_MODEL_PART_RANK]);
  CHECK_EQ(run.counts.results * 170000, host.part_ps[CSD_MODEL_PART_RANK]);
  CHECK_EQ(run.counts.results * 16, device.bytes_sent);
  CHECK_EQ(pages, host.link_commands);
  CHECK_EQ(0, host.part_ps[CSD_MODEL_PART_SEND]);
  free(run.results);
  classic_world_free(&world);
}

static void wrong_requests_are_refused_and_leave_nothing(void) {
  struct csd_model_classic_pair pair;
  struct csd_classic_workload workload = small;
  CHECK_STATUS(CSD_STATUS_NO_MEMORY,
               csd_model_classic_record_workload(&workload, CSD_CLASSIC_UNION, false, false, 8192,
                                                 false, &pair));
  csd_model_classic_free(&pair);
  CHECK_STATUS(CSD_STATUS_INVALID_ARGUMENT,
               csd_model_classic_record_workload(&workload, CSD_CLASSIC_DIFFERENCE, false, false, 0,
                                                 false, &pair));
  csd_model_classic_free(&pair);
  workload.longest = 1 << 26;
  CHECK_STATUS(CSD_STATUS_INVALID_ARGUMENT,
               csd_model_classic_record_workload(&workload, CSD_CLASSIC_UNION, false, false, 0,
                                                 false, &pair));
  CHECK(strstr(csd_last_error(), "at most 67108864 can be run") != NULL);
  csd_model_classic_free(&pair);
  workload.skew = 0;
  CHECK_STATUS(CSD_STATUS_INVALID_ARGUMENT,
               csd_model_classic_record_workload(&workload, CSD_CLASSIC_UNION, false, false, 0,
                                                 false, &pair));
  csd_model_classic_free(&pair);
}

static struct csd_model_report play_reads(const struct csd_model_profile *profile,
                                          enum csd_model_side side, uint32_t count, uint32_t bytes,
                                          uint32_t depth, uint32_t lbas) {
  struct csd_model_report total = {0};
  const struct csd_model_reads reads = {
      .count = count, .bytes = bytes, .depth = depth, .random = lbas > 0, .lbas = lbas, .seed = 3};
  CHECK_OK(csd_model_play_reads(profile, side, &reads, &total, NULL));
  model_check_report(profile, &total, depth == 1);
  CHECK_EQ((uint64_t)count * bytes, total.bytes_read);
  return total;
}

/* One at a time: the latency of a page each. Many: what the slowest resource lets through. */
static void plain_reads_by_hand(void) {
  const struct csd_model_profile profile = model_profile();
  struct csd_model_report r = play_reads(&profile, CSD_MODEL_SIDE_DEVICE, 100, 8192, 1, 0);
  CHECK_EQ(UINT64_C(100) * 72900000, r.elapsed_ps);
  /* Deep: four channels take 20.78 us a page each, so 5.195 us a page; the DRAM bus takes 5.12. */
  r = play_reads(&profile, CSD_MODEL_SIDE_DEVICE, 4000, 8192, 64, 0);
  CHECK_MSG(r.elapsed_ps > UINT64_C(4000) * 5195000 && r.elapsed_ps < UINT64_C(4020) * 5195000,
            "%" PRIu64, r.elapsed_ps);
  /* On the host the link is slower: 16.384 us a page. */
  r = play_reads(&profile, CSD_MODEL_SIDE_HOST, 4000, 8192, 64, 0);
  CHECK_MSG(r.elapsed_ps > UINT64_C(4000) * 16384000 && r.elapsed_ps < UINT64_C(4020) * 16384000,
            "%" PRIu64, r.elapsed_ps);
  /* At random the channels are not loaded evenly. */
  r = play_reads(&profile, CSD_MODEL_SIDE_DEVICE, 4000, 8192, 64, 100000);
  CHECK(r.elapsed_ps > UINT64_C(4000) * 5300000 && r.elapsed_ps < UINT64_C(4000) * 7000000);
}

static void wrong_reads_are_refused(void) {
  const struct csd_model_profile profile = model_profile();
  const struct csd_model_reads wrong[] = {
      {.count = 0, .bytes = 4096, .depth = 1},
      {.count = 1, .bytes = 4097, .depth = 1},
      {.count = 1, .bytes = 0, .depth = 1},
      {.count = 1, .bytes = 4096, .depth = 5000},
      {.count = 1, .bytes = 8192, .depth = 1, .random = true, .lbas = 1},
      {.count = 100000, .bytes = 8192, .depth = 1}, /* more than the device has */
  };
  for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
    CHECK_STATUS(CSD_STATUS_INVALID_ARGUMENT,
                 csd_model_play_reads(&profile, CSD_MODEL_SIDE_HOST, &wrong[i], NULL, NULL));
  }
}

int main(void) {
  RUN(recordings_add_up_to_the_counts);
  RUN(read_ahead_and_dma_shorten_the_time);
  RUN(both_sides_by_hand);
  RUN(wrong_requests_are_refused_and_leave_nothing);
  RUN(plain_reads_by_hand);
  RUN(wrong_reads_are_refused);
  return check_result();
}
