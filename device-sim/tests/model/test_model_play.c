/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/* Single requests, calculated by hand. Times of the profile are in model_world.c. */
#include "csd/csd.h"
#include "tests/model/model_world.h"
#include "tests/support/check.h"

#define NS(ns) (UINT64_C(1000) * (ns))

/* 8192 bytes: at 400 MB/s, in 8 steps of 500 ns, at 1.6 GB/s, at 500 MB/s, at 20 GB/s. */
enum {
  FIRMWARE = 3000,
  COMMAND = 300,
  TR = 40000,
  CHANNEL = 20480,
  ECC = 4000,
  DRAM = 5120,
  LINK_PS = 16384000,
  HOST_DRAM_PS = 409600,
};

static const uint64_t page_ps = NS(FIRMWARE + COMMAND + TR + CHANNEL + ECC + DRAM);

static struct csd_model_log loads(uint32_t first, uint32_t count, uint32_t step, uint32_t bytes) {
  struct csd_model_log log = model_log();
  log.bare = true;
  for (uint32_t i = 0; i < count; i++) {
    model_event(&log, CSD_MODEL_LOAD, first + i * step, bytes, NULL);
  }
  model_event(&log, CSD_MODEL_END, 0, 0, NULL);
  return log;
}

static void a_page_on_an_idle_die(void) {
  const struct csd_model_profile profile = model_profile();
  struct csd_model_log log = loads(0, 1, 2, 8192);
  struct csd_model_report r = model_play_one(&profile, CSD_MODEL_SIDE_DEVICE, &log);
  CHECK_EQ(page_ps, r.elapsed_ps);
  CHECK_EQ(page_ps, r.part_ps[CSD_MODEL_PART_IO]);
  CHECK_EQ(NS(FIRMWARE), r.busy_ps[CSD_MODEL_RESOURCE_FIRMWARE]);
  CHECK_EQ(NS(TR), r.busy_ps[CSD_MODEL_RESOURCE_PLANE]);
  CHECK_EQ(NS(COMMAND + CHANNEL), r.busy_ps[CSD_MODEL_RESOURCE_CHANNEL]);
  CHECK_EQ(NS(ECC), r.busy_ps[CSD_MODEL_RESOURCE_ECC]);
  CHECK_EQ(NS(DRAM), r.busy_ps[CSD_MODEL_RESOURCE_DRAM_BUS]);
  CHECK_EQ(1, r.flash_reads);
  CHECK_EQ(1, r.page_loads);
  CHECK_EQ(8192, r.bytes_read);
  CHECK_EQ(0, r.link_commands);
  /* On the host: system call, command, the same, link, completion, host DRAM. */
  r = model_play_one(&profile, CSD_MODEL_SIDE_HOST, &log);
  CHECK_EQ(NS(15000 + 25000 + 10000) + page_ps + LINK_PS + NS(7000) + HOST_DRAM_PS, r.elapsed_ps);
  CHECK_EQ(r.elapsed_ps, r.part_ps[CSD_MODEL_PART_IO]);
  CHECK_EQ(NS(15000), r.busy_ps[CSD_MODEL_RESOURCE_HOST_CORE]);
  CHECK_EQ(LINK_PS, r.busy_ps[CSD_MODEL_RESOURCE_LINK]);
  CHECK_EQ(1, r.link_commands);
  csd_model_log_free(&log);
}

/* The second LBA of a flash page comes from the register. */
static void an_lba_of_the_page_last_read(void) {
  const struct csd_model_profile profile = model_profile();
  struct csd_model_log log = loads(0, 2, 1, 4096);
  const struct csd_model_report r = model_play_one(&profile, CSD_MODEL_SIDE_DEVICE, &log);
  const uint64_t half = NS(FIRMWARE) + NS(CHANNEL + ECC + DRAM) / 2;
  CHECK_EQ(NS(COMMAND + TR) + 2 * half, r.elapsed_ps);
  CHECK_EQ(1, r.flash_reads);
  CHECK_EQ(1, r.register_reads);
  csd_model_log_free(&log);
}

/* Two flash pages for one load, on two channels: at once, but for the DRAM bus. */
static void a_load_of_two_flash_pages(void) {
  struct csd_model_profile profile = model_profile();
  struct csd_model_log log = loads(0, 1, 1, 16384);
  struct csd_model_report r = model_play_one(&profile, CSD_MODEL_SIDE_DEVICE, &log);
  CHECK_EQ(page_ps + NS(DRAM), r.elapsed_ps);
  CHECK_EQ(2, r.flash_reads);
  /* And with one channel of one plane one after the other, the controller and ECC apart. */
  profile.flash_channels = profile.flash_ways = profile.flash_planes = 1;
  r = model_play_one(&profile, CSD_MODEL_SIDE_DEVICE, &log);
  CHECK_EQ(page_ps + NS(COMMAND + TR + CHANNEL), r.elapsed_ps);
  csd_model_log_free(&log);
}

/* Planes of one die, read independently or not. */
static void two_planes_of_a_die(void) {
  struct csd_model_profile profile = model_profile();
  profile.flash_channels = profile.flash_ways = 1;
  struct csd_model_log log = loads(0, 1, 1, 16384);
  struct csd_model_report r = model_play_one(&profile, CSD_MODEL_SIDE_DEVICE, &log);
  CHECK_EQ(page_ps + NS(CHANNEL), r.elapsed_ps);
  profile.flash_independent_planes = 0;
  r = model_play_one(&profile, CSD_MODEL_SIDE_DEVICE, &log);
  CHECK_EQ(page_ps + NS(COMMAND + TR + CHANNEL), r.elapsed_ps);
  CHECK_EQ(2, r.flash_reads);
  csd_model_log_free(&log);
}

/* Kinds of pages: every other page of a block is slow. */
static void a_slow_page(void) {
  struct csd_model_profile profile = model_profile();
  profile.flash_page_types = 2;
  profile.flash_read_ns[1] = 65000;
  profile.flash_program_ns[1] = 1300000;
  struct csd_model_log log = loads(4 * 2 * 2 * 2, 1, 1, 8192); /* the second page of plane 0 */
  const struct csd_model_report r = model_play_one(&profile, CSD_MODEL_SIDE_DEVICE, &log);
  CHECK_EQ(page_ps + NS(25000), r.elapsed_ps);
  csd_model_log_free(&log);
}

static struct csd_model_log work(enum csd_model_work kind, uint64_t units) {
  struct csd_model_log log = model_log();
  log.bare = true;
  model_event(&log, CSD_MODEL_END, 0, 0, model_work(kind, units));
  return log;
}

/* An access: stall and cycles; a compare: cycles alone; SRAM: all of it counts as computing. */
static void a_unit_of_work(void) {
  const struct csd_model_profile profile = model_profile();
  struct csd_model_log log = work(CSD_MODEL_WORK_PROBE_READ, 1);
  struct csd_model_report r = model_play_one(&profile, CSD_MODEL_SIDE_DEVICE, &log);
  CHECK_EQ(101000, r.part_ps[CSD_MODEL_PART_DRAM]);
  CHECK_EQ(27500, r.part_ps[CSD_MODEL_PART_COMPUTE]); /* 11 cycles of 2.5 ns */
  CHECK_EQ(128500, r.elapsed_ps);
  CHECK_EQ(20625, r.busy_ps[CSD_MODEL_RESOURCE_DRAM_BUS]); /* 33 bytes at 1.6 GB/s */
  CHECK_EQ(1, r.work[CSD_MODEL_WORK_PROBE_READ]);
  r = model_play_one(&profile, CSD_MODEL_SIDE_HOST, &log);
  CHECK_EQ(10100, r.part_ps[CSD_MODEL_PART_DRAM]);
  CHECK_EQ(1617, r.part_ps[CSD_MODEL_PART_COMPUTE]); /* 5.5 cycles of 0.294 ns */
  csd_model_log_free(&log);
  log = work(CSD_MODEL_WORK_COMPARE, 1000);
  r = model_play_one(&profile, CSD_MODEL_SIDE_DEVICE, &log);
  CHECK_EQ(NS(40000), r.elapsed_ps);
  CHECK_EQ(NS(40000), r.part_ps[CSD_MODEL_PART_COMPUTE]);
  csd_model_log_free(&log);
  log = work(CSD_MODEL_WORK_SRAM_ACCESS, 10);
  r = model_play_one(&profile, CSD_MODEL_SIDE_DEVICE, &log);
  CHECK_EQ(10 * (105000 + 37500), r.part_ps[CSD_MODEL_PART_COMPUTE]);
  CHECK_EQ(0, r.part_ps[CSD_MODEL_PART_DRAM]);
  csd_model_log_free(&log);
}

/* What streams faster than the bus moves it waits for the bus. */
static void work_bound_by_the_bus(void) {
  struct csd_model_profile profile = model_profile();
  profile.access_bytes[CSD_MODEL_WORK_DRAM_LINE] = 64;
  profile.access_ps[CSD_MODEL_WORK_DRAM_LINE] = 10000;
  profile.core_millicycles[CSD_MODEL_WORK_DRAM_LINE] = 0;
  struct csd_model_log log = work(CSD_MODEL_WORK_DRAM_LINE, 1000);
  struct csd_model_report r = model_play_one(&profile, CSD_MODEL_SIDE_DEVICE, &log);
  CHECK_EQ(NS(40000), r.elapsed_ps);
  profile.access_ps[CSD_MODEL_WORK_DRAM_LINE] = 50000;
  r = model_play_one(&profile, CSD_MODEL_SIDE_DEVICE, &log);
  CHECK_EQ(NS(50000), r.elapsed_ps);
  csd_model_log_free(&log);
}

static struct csd_model_log answer(uint64_t bytes, uint64_t results) {
  struct csd_model_log log = model_log();
  log.opened_bytes = 5000;
  model_event(&log, CSD_MODEL_SEND, 0, bytes, model_work(CSD_MODEL_WORK_COMPARE, 1000));
  model_event(&log, CSD_MODEL_RANK, 0, results, NULL);
  model_event(&log, CSD_MODEL_END, 0, 0, NULL);
  return log;
}

/* Command and 5,000 bytes, open, work, interrupt, 20,000 bytes in 3 chunks, ranking. */
static void a_session_by_interrupt(void) {
  const struct csd_model_profile profile = model_profile();
  struct csd_model_log log = answer(20000, 1250);
  struct csd_model_report r = model_play_one(&profile, CSD_MODEL_SIDE_DEVICE, &log);
  CHECK_EQ(NS(10000 + 10000 + 7000), r.part_ps[CSD_MODEL_PART_LINK]);
  CHECK_EQ(NS(50000), r.part_ps[CSD_MODEL_PART_FIXED]);
  CHECK_EQ(NS(40000), r.part_ps[CSD_MODEL_PART_COMPUTE]);
  CHECK_EQ(NS(3 * 20000 + 40000), r.part_ps[CSD_MODEL_PART_SEND]);
  CHECK_EQ(NS(170 * 1250), r.part_ps[CSD_MODEL_PART_RANK]);
  CHECK_EQ(NS(50000), r.busy_ps[CSD_MODEL_RESOURCE_LINK]);
  CHECK_EQ(4, r.link_commands);
  CHECK_EQ(0, r.link_polls);
  CHECK_EQ(20000, r.bytes_sent);
  CHECK_EQ(5000, r.bytes_opened);
  CHECK_EQ(1250, r.results_ranked);
  /* On the host the same work and ranking, and nothing of the session. */
  r = model_play_one(&profile, CSD_MODEL_SIDE_HOST, &log);
  CHECK_EQ(NS(30000), r.part_ps[CSD_MODEL_PART_FIXED]);
  CHECK_EQ(NS(170 * 1250), r.part_ps[CSD_MODEL_PART_RANK]);
  CHECK_EQ(UINT64_C(8000) * 1000000000 / 3400000, r.part_ps[CSD_MODEL_PART_COMPUTE]);
  CHECK_EQ(0, r.part_ps[CSD_MODEL_PART_LINK] + r.part_ps[CSD_MODEL_PART_SEND] + r.bytes_sent +
                  r.link_commands);
  csd_model_log_free(&log);
}

/* The device has the session at 20 us, the result 90 us later; the host looks every 40 us. */
static void a_session_by_polling(void) {
  struct csd_model_profile profile = model_profile();
  profile.link_completion = CSD_MODEL_COMPLETION_POLLED;
  profile.link_poll_ns = 40000;
  struct csd_model_log log = answer(8192, 0);
  struct csd_model_report r = model_play_one(&profile, CSD_MODEL_SIDE_DEVICE, &log);
  CHECK_EQ(NS(20000 + 120000 + 20000) + LINK_PS, r.elapsed_ps);
  CHECK_EQ(NS(20000 + 30000), r.part_ps[CSD_MODEL_PART_LINK]);
  CHECK_EQ(2, r.link_polls);
  profile.link_poll_ns = 45000; /* 90 us is two intervals: seen at once */
  r = model_play_one(&profile, CSD_MODEL_SIDE_DEVICE, &log);
  CHECK_EQ(NS(20000), r.part_ps[CSD_MODEL_PART_LINK]);
  CHECK_EQ(1, r.link_polls);
  csd_model_log_free(&log);
  /* Without results the host still has to learn that the program is at its end. */
  log = model_log();
  model_event(&log, CSD_MODEL_END, 0, 0, NULL);
  r = model_play_one(&profile, CSD_MODEL_SIDE_DEVICE, &log);
  CHECK_EQ(NS(10000 + 90000), r.elapsed_ps);
  csd_model_log_free(&log);
}

/* Pages read ahead: the flash works while the core does. */
static void reading_ahead(void) {
  struct csd_model_profile profile = model_profile();
  struct csd_model_log log = model_log();
  log.bare = true;
  const uint64_t compute = page_ps / 40000 + 1; /* compares: a bit more than a page's time */
  model_event(&log, CSD_MODEL_READ_AHEAD, 0, 8192, NULL);
  model_event(&log, CSD_MODEL_READ_AHEAD, 2, 8192, NULL);
  model_event(&log, CSD_MODEL_LOAD, 0, 8192, NULL);
  model_event(&log, CSD_MODEL_LOAD, 2, 8192, model_work(CSD_MODEL_WORK_COMPARE, compute));
  model_event(&log, CSD_MODEL_END, 0, 0, NULL);
  struct csd_model_report r = model_play_one(&profile, CSD_MODEL_SIDE_DEVICE, &log);
  CHECK_EQ(page_ps + compute * 40000, r.elapsed_ps);
  CHECK_EQ(2, r.ahead_loads);
  profile.program_read_ahead = 0; /* and without */
  r = model_play_one(&profile, CSD_MODEL_SIDE_DEVICE, &log);
  CHECK_EQ(2 * page_ps + compute * 40000, r.elapsed_ps);
  CHECK_EQ(0, r.ahead_loads);
  csd_model_log_free(&log);
}

/* Four pages on four channels are announced; half a page's time later the first is loaded. A page
 * that is loaded is ahead no more, and makes room for the next. Of one ahead they begin at 0, 1/2,
 * 1 and 3/2 pages' time; of two at 0, 0, 1/2 and 1; of three at 0, 0, 0 and 1/2. */
static void reading_ahead_to_a_limit(void) {
  const uint64_t half_ps = NS(847 * 40);
  for (uint32_t limit = 1; limit <= 4; limit++) {
    struct csd_model_profile profile = model_profile();
    profile.program_read_ahead = limit;
    profile.firmware_count = 4;
    profile.dram_bytes_per_s = 100000000000000; /* 82 ps a page */
    const uint64_t fast_ps = page_ps - NS(DRAM) + 82;
    struct csd_model_log log = model_log();
    log.bare = true;
    for (uint32_t i = 0; i < 4; i++) {
      model_event(&log, CSD_MODEL_READ_AHEAD, 2 * i, 8192, NULL);
    }
    model_event(&log, CSD_MODEL_LOAD, 0, 8192, model_work(CSD_MODEL_WORK_COMPARE, 847));
    for (uint32_t i = 1; i < 4; i++) {
      model_event(&log, CSD_MODEL_LOAD, 2 * i, 8192, NULL);
    }
    model_event(&log, CSD_MODEL_END, 0, 0, NULL);
    struct csd_model_report r = model_play_one(&profile, CSD_MODEL_SIDE_DEVICE, &log);
    CHECK_EQ(4, r.ahead_loads);
    CHECK_EQ(4, r.flash_reads);
    const uint64_t last_begins[] = {half_ps + fast_ps, fast_ps, half_ps, 0};
    const uint64_t expected = last_begins[limit - 1] + fast_ps;
    CHECK_MSG(r.elapsed_ps >= expected && r.elapsed_ps < expected + 1000, /* others on the bus */
              "limit %u: %" PRIu64 " ps, not %" PRIu64, limit, r.elapsed_ps, expected);
    csd_model_log_free(&log);
  }
}

/* A page that is announced twice is read once. */
static void a_page_announced_twice(void) {
  const struct csd_model_profile profile = model_profile();
  struct csd_model_log log = model_log();
  log.bare = true;
  for (int i = 0; i < 2; i++) {
    model_event(&log, CSD_MODEL_READ_AHEAD, 0, 8192, NULL);
  }
  model_event(&log, CSD_MODEL_LOAD, 0, 8192, NULL);
  model_event(&log, CSD_MODEL_END, 0, 0, NULL);
  const struct csd_model_report r = model_play_one(&profile, CSD_MODEL_SIDE_DEVICE, &log);
  CHECK_EQ(1, r.flash_reads + r.register_reads);
  CHECK_EQ(page_ps, r.elapsed_ps);
  csd_model_log_free(&log);
}

/* Two sends with 50 us of work between, polled every 40 us: the second is seen 80 us after the
 * first was fetched; then 20 us of work and no results: the end is seen 40 us after that fetch. */
static void polls_start_anew_after_a_send(void) {
  struct csd_model_profile profile = model_profile();
  profile.link_completion = CSD_MODEL_COMPLETION_POLLED;
  profile.link_poll_ns = 40000;
  struct csd_model_log log = model_log();
  model_event(&log, CSD_MODEL_SEND, 0, 8192, NULL);
  model_event(&log, CSD_MODEL_SEND, 0, 8192, model_work(CSD_MODEL_WORK_COMPARE, 1250));
  model_event(&log, CSD_MODEL_END, 0, 0, model_work(CSD_MODEL_WORK_COMPARE, 500));
  const struct csd_model_report r = model_play_one(&profile, CSD_MODEL_SIDE_DEVICE, &log);
  const uint64_t fetch = NS(20000) + LINK_PS;
  CHECK_EQ(NS(10000 + 80000) + fetch + NS(80000) + fetch + NS(40000), r.elapsed_ps);
  CHECK_EQ(1 + 1 + 0, r.link_polls);
  csd_model_log_free(&log);
}

/* A page, an erase of its plane's block, the page again: it is read again. */
static void an_erase_empties_the_register(void) {
  const struct csd_model_profile profile = model_profile();
  struct csd_model_log log = model_log();
  log.bare = true;
  model_event(&log, CSD_MODEL_LOAD, 0, 8192, NULL);
  model_event(&log, CSD_MODEL_FLASH_ERASE, 0, 0, NULL);
  model_event(&log, CSD_MODEL_LOAD, 0, 8192, NULL);
  model_event(&log, CSD_MODEL_END, 0, 0, NULL);
  const struct csd_model_report r = model_play_one(&profile, CSD_MODEL_SIDE_DEVICE, &log);
  CHECK_EQ(2, r.flash_reads);
  CHECK_EQ(0, r.register_reads);
  /* The erase passes the controller, 4 us, when the first page is there; the second page waits. */
  CHECK_EQ(page_ps + NS(4000 + COMMAND + 2000000) + page_ps - NS(FIRMWARE), r.elapsed_ps);
  csd_model_log_free(&log);
}

/* A flash program and an erase: what is waited for at the end. */
static void flash_commands(void) {
  const struct csd_model_profile profile = model_profile();
  struct csd_model_log log = model_log();
  log.bare = true;
  model_event(&log, CSD_MODEL_FLASH_PROGRAM, 5, 0, NULL);
  model_event(&log, CSD_MODEL_END, 0, 0, NULL);
  struct csd_model_report r = model_play_one(&profile, CSD_MODEL_SIDE_DEVICE, &log);
  CHECK_EQ(NS(4000 + DRAM + COMMAND + CHANNEL + 600000), r.elapsed_ps);
  CHECK_EQ(1, r.flash_programs);
  csd_model_log_clear(&log);
  model_event(&log, CSD_MODEL_FLASH_ERASE, 3, 0, NULL);
  model_event(&log, CSD_MODEL_END, 0, 0, NULL);
  r = model_play_one(&profile, CSD_MODEL_SIDE_DEVICE, &log);
  CHECK_EQ(NS(4000 + COMMAND + 2000000), r.elapsed_ps);
  CHECK_EQ(1, r.flash_erases);
  csd_model_log_free(&log);
}

int main(void) {
  RUN(a_page_on_an_idle_die);
  RUN(an_lba_of_the_page_last_read);
  RUN(a_load_of_two_flash_pages);
  RUN(two_planes_of_a_die);
  RUN(a_slow_page);
  RUN(a_unit_of_work);
  RUN(work_bound_by_the_bus);
  RUN(a_session_by_interrupt);
  RUN(a_session_by_polling);
  RUN(reading_ahead);
  RUN(reading_ahead_to_a_limit);
  RUN(a_page_announced_twice);
  RUN(polls_start_anew_after_a_send);
  RUN(an_erase_empties_the_register);
  RUN(flash_commands);
  return check_result();
}
