/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/* The FTL: the map stays a bijection, space never runs out, wear is even, writes are not amplified
 * more than they must be, and its flash commands can be played. */
#include <stdlib.h>

#include "csd/csd.h"
#include "csd/csd_model_ftl.h"
#include "tests/model/model_world.h"
#include "tests/support/check.h"

struct world {
  struct csd_model_profile profile;
  struct csd_ftl *ftl;
  void *memory;
  uint32_t lbas;
};

/* 16 planes of 64 blocks of 64 pages of two LBAs; of these 10 % are spare unless said otherwise. */
static struct world open_world(uint32_t lbas, uint32_t spare_ppm) {
  struct world world = {.profile = model_profile(), .lbas = lbas};
  world.profile.flash_spare_ppm = spare_ppm;
  return world;
}

/* To the byte, so that a sanitizer sees any access beyond. */
static bool make(struct world *world) {
  uint64_t bytes = 0;
  if (!CHECK_OK(csd_ftl_size(&world->profile, world->lbas, &bytes))) {
    return false;
  }
  world->memory = malloc(bytes);
  return CHECK_OK(csd_ftl_init(&world->profile, world->lbas, world->memory, bytes, &world->ftl)) &&
         CHECK_OK(csd_ftl_check(world->ftl));
}

static void close_world(struct world *world) { free(world->memory); }

static double amplification(const struct world *world) {
  const struct csd_ftl_stats stats = csd_ftl_stats(world->ftl);
  return (double)(stats.pages_programmed) / ((double)stats.lbas_written / 2);
}

static void in_order_it_is_striped(void) {
  struct world world = open_world(20000, 100000);
  REQUIRE(make(&world));
  CHECK_EQ(CSD_MODEL_NOWHERE, csd_ftl_find(world.ftl, 0));
  CHECK_OK(csd_ftl_write(world.ftl, 0, world.lbas, NULL));
  for (uint32_t lba = 0; lba < world.lbas; lba++) {
    CHECK_EQ(csd_model_striped(&world.profile, lba), csd_ftl_find(world.ftl, lba));
  }
  CHECK_EQ(CSD_MODEL_NOWHERE, csd_ftl_find(world.ftl, world.lbas));
  CHECK_OK(csd_ftl_check(world.ftl));
  CHECK_EQ(10000, csd_ftl_stats(world.ftl).pages_programmed);
  close_world(&world);
}

/* Writes and trims of random ranges; a model says which logical pages have data. */
static void random_writes_and_trims(void) {
  struct world world = open_world(20001, 100000);
  REQUIRE(make(&world));
  bool *has = calloc(world.lbas, sizeof *has);
  uint64_t state = 9, pages_in_log = 0;
  struct csd_model_log log = model_log();
  for (int i = 0; i < 30000; i++) {
    const uint32_t lba = check_random_below(&state, world.lbas);
    const uint32_t most = world.lbas - lba < 30 ? world.lbas - lba : 30;
    const uint32_t count = 1 + check_random_below(&state, most);
    if (check_random_below(&state, 4) == 0) {
      CHECK_OK(csd_ftl_trim(world.ftl, lba, count));
      for (uint32_t at = lba; at < lba + count; at++) {
        const bool first_too = at % 2 == 0 || at > lba;
        const bool second_too = at % 2 != 0 || at + 1 < lba + count || at + 1 == world.lbas;
        if (first_too && second_too) {
          has[at] = false;
        }
      }
    } else {
      CHECK_OK(csd_ftl_write(world.ftl, lba, count, &log));
      for (uint32_t at = lba / 2 * 2; at < (lba + count + 1) / 2 * 2 && at < world.lbas; at++) {
        has[at] = true;
      }
      pages_in_log += log.events;
      csd_model_log_clear(&log);
    }
    if (i % 5000 == 0) {
      CHECK_OK(csd_ftl_check(world.ftl));
    }
  }
  CHECK_OK(csd_ftl_check(world.ftl));
  for (uint32_t lba = 0; lba < world.lbas; lba++) {
    CHECK_MSG(has[lba] == (csd_ftl_find(world.ftl, lba) != CSD_MODEL_NOWHERE), "LBA %u", lba);
  }
  const struct csd_ftl_stats stats = csd_ftl_stats(world.ftl);
  CHECK(stats.blocks_erased > 1000);
  CHECK_EQ(stats.pages_programmed + stats.pages_copied + stats.pages_read + stats.blocks_erased,
           pages_in_log);
  csd_model_log_free(&log);
  free(has);
  close_world(&world);
}

/* Whole flash pages at random on a full device: the textbook's amplification of greedy collection
 * is about (1 + rho) / (2 rho) at a spare factor rho, here 0.25 and 0.11. */
static void amplification_is_sane(void) {
  static const struct {
    uint32_t spare_ppm;
    double least, most;
  } rows[] = {{200000, 1.5, 3.0}, {100000, 2.2, 5.6}};
  for (size_t row = 0; row < 2; row++) {
    struct world world = open_world(100000, rows[row].spare_ppm);
    world.profile.flash_gc_blocks = 1;
    REQUIRE(make(&world));
    CHECK_OK(csd_ftl_write(world.ftl, 0, world.lbas, NULL));
    CHECK(amplification(&world) == 1.0);
    uint64_t state = 4;
    for (int i = 0; i < 300000; i++) {
      CHECK_OK(csd_ftl_write(world.ftl, 2 * check_random_below(&state, world.lbas / 2), 2, NULL));
    }
    CHECK_OK(csd_ftl_check(world.ftl));
    printf("  write amplification %.2f, spare %u ppm\n", amplification(&world),
           rows[row].spare_ppm);
    CHECK(amplification(&world) > rows[row].least && amplification(&world) < rows[row].most);
    close_world(&world);
  }
  /* In order, round and round, nothing is copied. */
  struct world world = open_world(100000, 100000);
  REQUIRE(make(&world));
  for (int i = 0; i < 5; i++) {
    CHECK_OK(csd_ftl_write(world.ftl, 0, world.lbas, NULL));
  }
  CHECK_EQ(0, csd_ftl_stats(world.ftl).pages_copied);
  close_world(&world);
}

/* A tenth of the LBAs gets all writes: the blocks of the rest are worn too. */
static void wear_is_even(void) {
  struct world world = open_world(100000, 100000);
  REQUIRE(make(&world));
  CHECK_OK(csd_ftl_write(world.ftl, 0, world.lbas, NULL));
  uint64_t state = 4;
  for (int i = 0; i < 1500000; i++) {
    csd_ftl_write(world.ftl, 2 * check_random_below(&state, world.lbas / 20), 2, NULL);
  }
  CHECK_OK(csd_ftl_check(world.ftl));
  const struct csd_ftl_stats stats = csd_ftl_stats(world.ftl);
  const double mean = (double)stats.blocks_erased / (16 * 64);
  printf("  wear %u to %u, mean %.1f\n", stats.min_wear, stats.max_wear, mean);
  CHECK(mean > 15);
  CHECK(stats.min_wear > 0);
  CHECK(stats.max_wear < 2 * mean + 16);
  close_world(&world);
}

/* What lives in one plane is written again and again: the other planes fill up and are passed
 * over. */
static void writes_that_all_come_from_one_plane(void) {
  struct world world = open_world(100000, 100000);
  REQUIRE(make(&world));
  CHECK_OK(csd_ftl_write(world.ftl, 0, world.lbas, NULL));
  const uint32_t plane_pages = 64 * 64;
  for (int round = 0; round < 40; round++) {
    for (uint32_t lba = 0; lba < world.lbas; lba += 2) {
      if (csd_ftl_find(world.ftl, lba) / plane_pages != 0) {
        continue;
      }
      csd_ftl_write(world.ftl, lba, 2, NULL);
    }
    REQUIRE_OK(csd_ftl_check(world.ftl));
  }
  CHECK_EQ(50000, csd_ftl_stats(world.ftl).pages_mapped);
  close_world(&world);
}

/* Two pages to two planes at once; a collection takes longer than a write without. */
static void its_flash_commands_can_be_played(void) {
  struct world world = open_world(100000, 100000);
  REQUIRE(make(&world));
  struct csd_model_log log = model_log();
  log.bare = true;
  CHECK_OK(csd_ftl_write(world.ftl, 0, 4, &log));
  CHECK_OK(csd_model_log_add(&log, CSD_MODEL_END, 0, 0, NULL));
  struct csd_model_report r = model_play_one(&world.profile, CSD_MODEL_SIDE_DEVICE, &log);
  CHECK_EQ(2, r.flash_programs);
  /* The second page passes the controller while the first is read from DRAM, and comes next. */
  CHECK_EQ(UINT64_C(1000) * (4000 + 2 * 5120 + 300 + 20480 + 600000), r.elapsed_ps);
  uint64_t state = 4;
  CHECK_OK(csd_ftl_write(world.ftl, 0, world.lbas, NULL));
  csd_model_log_clear(&log);
  const struct csd_ftl_stats before = csd_ftl_stats(world.ftl);
  for (int i = 0; i < 3000; i++) {
    csd_ftl_write(world.ftl, 2 * check_random_below(&state, world.lbas / 2), 2, &log);
  }
  for (int i = 0; i < 3000; i++) {
    csd_ftl_write(world.ftl, check_random_below(&state, world.lbas), 1, &log);
  }
  CHECK_OK(csd_model_log_add(&log, CSD_MODEL_END, 0, 0, NULL));
  const struct csd_ftl_stats stats = csd_ftl_stats(world.ftl);
  r = model_play_one(&world.profile, CSD_MODEL_SIDE_DEVICE, &log);
  CHECK_EQ(stats.pages_programmed - before.pages_programmed, r.flash_programs);
  CHECK_EQ(stats.blocks_erased - before.blocks_erased, r.flash_erases);
  CHECK_EQ(stats.pages_copied + stats.pages_read, r.flash_reads + r.register_reads);
  CHECK(r.flash_erases > 0 && stats.pages_copied > 0);
  /* At least the planes' own time, spread over all of them. */
  CHECK(r.elapsed_ps * 16 >= r.flash_programs * 600000000 + r.flash_erases * 2000000000);
  csd_model_log_free(&log);
  close_world(&world);
}

/* A read of what was written finds it where the FTL put it. */
static void reads_go_where_the_ftl_says(void) {
  struct world world = open_world(1000, 100000);
  REQUIRE(make(&world));
  CHECK_OK(csd_ftl_write(world.ftl, 100, 2, NULL));
  struct csd_model_log log = model_log();
  log.bare = true;
  model_event(&log, CSD_MODEL_LOAD, 100, 8192, NULL);
  model_event(&log, CSD_MODEL_LOAD, 200, 8192, NULL); /* never written */
  model_event(&log, CSD_MODEL_END, 0, 0, NULL);
  const struct csd_model_log *logs[] = {&log};
  const struct csd_model_place place = csd_ftl_place(world.ftl);
  struct csd_model_trace_record records[16];
  struct csd_model_trace trace = {.records = records, .room = 16};
  struct csd_model_report report;
  const struct csd_model_run run = {.profile = &world.profile,
                                    .side = CSD_MODEL_SIDE_DEVICE,
                                    .place = &place,
                                    .count = 1,
                                    .logs = logs,
                                    .reports = &report,
                                    .trace = &trace};
  REQUIRE_OK(csd_model_play(&run));
  CHECK_EQ(1, report.flash_reads);
  CHECK_EQ(2, report.page_loads);
  bool sensed = false;
  for (uint32_t i = 0; i < trace.count; i++) {
    if (records[i].what != CSD_MODEL_ACTIVITY_SENSE) {
      continue;
    }
    CHECK_EQ(csd_ftl_find(world.ftl, 100) / (64 * 64), records[i].unit);
    sensed = true;
  }
  CHECK(sensed);
  csd_model_log_free(&log);
  close_world(&world);
}

/* The same reads alone, and beside random writes whose garbage is collected: they wait for
 * programs and erases of their planes, and the writes for them. */
static void collection_disturbs_reads(void) {
  struct world world = open_world(100000, 100000);
  REQUIRE(make(&world));
  CHECK_OK(csd_ftl_write(world.ftl, 0, world.lbas, NULL));
  struct csd_model_log reads = model_log(), writes = model_log();
  reads.bare = writes.bare = true;
  uint64_t state = 4;
  for (int i = 0; i < 22000; i++) { /* the first use the spare blocks up */
    csd_ftl_write(world.ftl, 2 * check_random_below(&state, world.lbas / 2), 2,
                  i < 20000 ? NULL : &writes);
  }
  for (int i = 0; i < 200; i++) {
    model_event(&reads, CSD_MODEL_LOAD, 2 * check_random_below(&state, world.lbas / 2), 8192, NULL);
  }
  model_event(&reads, CSD_MODEL_END, 0, 0, NULL);
  CHECK_OK(csd_model_log_add(&writes, CSD_MODEL_END, 0, 0, NULL));
  const struct csd_model_log *logs[] = {&reads, &writes};
  const struct csd_model_place place = csd_ftl_place(world.ftl);
  struct csd_model_report alone, both[2], total;
  struct csd_model_run run = {.profile = &world.profile,
                              .side = CSD_MODEL_SIDE_DEVICE,
                              .place = &place,
                              .count = 1,
                              .logs = logs,
                              .reports = &alone};
  REQUIRE_OK(csd_model_play(&run));
  /* A few find their page in the register: 40.3 us less. */
  CHECK_EQ(200 * UINT64_C(72900000) - alone.register_reads * 40300000, alone.elapsed_ps);
  run.count = 2;
  run.reports = both;
  run.total = &total;
  REQUIRE_OK(csd_model_play(&run));
  model_check_report(&world.profile, &both[0], true);
  model_check_report(&world.profile, &total, false);
  printf("  a read takes %.0f us, beside garbage collection %.0f us\n",
         (double)alone.elapsed_ps / 200e6, (double)both[0].elapsed_ps / 200e6);
  CHECK(both[0].elapsed_ps > 3 * alone.elapsed_ps);
  CHECK(total.flash_erases > 0);
  csd_model_log_free(&reads);
  csd_model_log_free(&writes);
  close_world(&world);
}

static void what_is_wrong_is_refused(void) {
  struct world world = open_world(1000, 100000);
  uint64_t bytes = 0;
  CHECK_STATUS(CSD_STATUS_INVALID_ARGUMENT, csd_ftl_size(&world.profile, 0, &bytes));
  CHECK_STATUS(CSD_STATUS_INVALID_ARGUMENT, csd_ftl_size(&world.profile, 200000, &bytes));
  REQUIRE(make(&world));
  CHECK_STATUS(CSD_STATUS_OUT_OF_RANGE, csd_ftl_write(world.ftl, 999, 2, NULL));
  CHECK_STATUS(CSD_STATUS_OUT_OF_RANGE, csd_ftl_trim(world.ftl, 1001, 0));
  CHECK_STATUS(CSD_STATUS_OUT_OF_RANGE, csd_ftl_write(world.ftl, 1, UINT32_MAX, NULL));
  struct csd_ftl *ftl;
  CHECK_STATUS(CSD_STATUS_NO_MEMORY, csd_ftl_init(&world.profile, 1000, world.memory, 8, &ftl));
  close_world(&world);
}

int main(void) {
  RUN(in_order_it_is_striped);
  RUN(random_writes_and_trims);
  RUN(amplification_is_sane);
  RUN(wear_is_even);
  RUN(writes_that_all_come_from_one_plane);
  RUN(its_flash_commands_can_be_played);
  RUN(reads_go_where_the_ftl_says);
  RUN(collection_disturbs_reads);
  RUN(what_is_wrong_is_refused);
  return check_result();
}
