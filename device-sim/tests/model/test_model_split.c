/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/* Tasks, on which device and host work at once: single ones by hand, many by closed formulas. */
#include "csd/csd.h"
#include "tests/model/model_world.h"
#include "tests/support/check.h"

enum { PAGE = 8192, ALL = 1000000, MANY = 600, UNITS = 1000 };

/* One core; the link, 16.384 us a page, is slower than the flash. A page costs the host 6 us. */
#define LINK_PS UINT64_C(16384000)
#define HOST_PS UINT64_C(6000000)

static struct csd_model_report reports[2];
static struct csd_model_report total;
static struct csd_model_split_counts counts;

/* A device core takes `slower` times as long as a host core. */
static struct csd_model_profile profile_of(uint32_t slower) {
  struct csd_model_profile profile = model_profile();
  profile.core_count = 1;
  profile.core_hz = 1000000000;
  profile.host_hz = 1000000000;
  profile.host_read_cpu_ns = 1000;
  profile.host_millicycles[CSD_MODEL_WORK_COMPARE] = 6000;
  profile.core_millicycles[CSD_MODEL_WORK_COMPARE] = 6000 * slower;
  return profile;
}

static struct csd_model_log tasks(uint32_t count, uint64_t rest_bytes, uint64_t rest_units) {
  struct csd_model_log log = model_log();
  log.bare = true;
  for (uint32_t i = 0; i < count; i++) {
    model_event(&log, CSD_MODEL_TASK, 2 * i, PAGE, model_work(CSD_MODEL_WORK_COMPARE, UNITS));
    if (rest_bytes + rest_units > 0) {
      model_event(&log, CSD_MODEL_TASK_REST, 0, rest_bytes,
                  model_work(CSD_MODEL_WORK_COMPARE, rest_units));
    }
  }
  model_event(&log, CSD_MODEL_END, 0, 0, NULL);
  return log;
}

static int play_log(const struct csd_model_profile *profile, const struct csd_model_split *split,
                    const struct csd_model_log *log, uint32_t requests) {
  const struct csd_model_log *logs[2] = {log, log};
  static const uint32_t first_lbas[2] = {0, 4000};
  const struct csd_model_run run = {.profile = profile,
                                    .side = CSD_MODEL_SIDE_DEVICE,
                                    .count = requests,
                                    .logs = logs,
                                    .first_lbas = first_lbas,
                                    .split = split,
                                    .split_counts = &counts,
                                    .reports = reports,
                                    .total = &total};
  const int status = csd_model_play(&run);
  for (uint32_t i = 0; status == 0 && i < requests; i++) {
    model_check_report(profile, &reports[i], true);
  }
  if (status == 0) {
    model_check_report(profile, &total, requests == 1);
  }
  return status;
}

static uint64_t play(const struct csd_model_profile *profile, const struct csd_model_split *split,
                     uint32_t pages, uint32_t requests) {
  struct csd_model_log log = tasks(pages, 0, 0);
  CHECK_OK(play_log(profile, split, &log, requests));
  csd_model_log_free(&log);
  return total.elapsed_ps;
}

/* Time of a page in the steady state, in ps: what MANY pages more take. */
static double steady(const struct csd_model_profile *profile, const struct csd_model_split *split) {
  const uint64_t first = play(profile, split, MANY, 1);
  return (double)(play(profile, split, 2 * MANY, 1) - first) / (double)MANY;
}

static void check_near(double expected, double actual, double tolerance) {
  CHECK_MSG(actual > expected * (1 - tolerance) && actual < expected * (1 + tolerance),
            "expected %f, not %f", expected, actual);
}

/* System call 1 us, way to the device 25 + 10, page 72.9 (test_model_play.c), link 16.384, answer
 * 7, host DRAM 0.4096. */
static void one_page_by_hand(void) {
  const struct csd_model_profile profile = profile_of(10);
  const struct csd_model_split here = {.slots = 1, .marked_ppm = ALL};
  const struct csd_model_split there = {.slots = 1};
  CHECK_EQ(108900000 + LINK_PS + 7000000 + 409600 + HOST_PS, play(&profile, &there, 1, 1));
  CHECK_EQ(1, counts.raw);
  CHECK_EQ(0, counts.marked);
  CHECK_EQ(HOST_PS, reports[0].part_ps[CSD_MODEL_PART_COMPUTE]);
  CHECK_EQ(1000000 + HOST_PS, reports[0].busy_ps[CSD_MODEL_RESOURCE_HOST_CORE]);
  CHECK_EQ(0, reports[0].busy_ps[CSD_MODEL_RESOURCE_CORE]);
  CHECK_EQ(108900000 + 10 * HOST_PS + 7000000, play(&profile, &here, 1, 1));
  CHECK_EQ(1, counts.processed);
  CHECK_EQ(10 * HOST_PS, reports[0].busy_ps[CSD_MODEL_RESOURCE_CORE]);
  CHECK_EQ(0, reports[0].busy_ps[CSD_MODEL_RESOURCE_LINK]);
  CHECK_EQ(UNITS, reports[0].work[CSD_MODEL_WORK_COMPARE]);
}

/* A command without a page: no 72.9 us, but the core's work. */
static void a_command_without_a_page_by_hand(void) {
  const struct csd_model_profile profile = profile_of(10);
  const struct csd_model_split here = {.slots = 1, .marked_ppm = ALL};
  struct csd_model_log log = model_log();
  log.bare = true;
  model_event(&log, CSD_MODEL_TASK, 0, 0, model_work(CSD_MODEL_WORK_COMPARE, UNITS));
  model_event(&log, CSD_MODEL_END, 0, 0, NULL);
  REQUIRE_OK(play_log(&profile, &here, &log, 1));
  CHECK_EQ(36000000 + 10 * HOST_PS + 7000000, total.elapsed_ps);
  CHECK_EQ(10 * HOST_PS, total.busy_ps[CSD_MODEL_RESOURCE_CORE]);
  CHECK_EQ(1, total.link_commands);
  csd_model_log_free(&log);
}

/* 1,000 bytes take 2 us on the link and 0.05 us in host DRAM; half a page's work is left. */
static void a_rest_goes_to_the_host(void) {
  const struct csd_model_profile profile = profile_of(10);
  struct csd_model_split split = {.slots = 1, .marked_ppm = ALL};
  struct csd_model_log log = tasks(1, 1000, UNITS / 2);
  REQUIRE_OK(play_log(&profile, &split, &log, 1));
  CHECK_EQ(108900000 + 10 * HOST_PS + 2000000 + 7000000 + 50000 + HOST_PS / 2, total.elapsed_ps);
  CHECK_EQ(1000, total.bytes_sent);
  split.marked_ppm = 0; /* the host does both */
  REQUIRE_OK(play_log(&profile, &split, &log, 1));
  CHECK_EQ(108900000 + LINK_PS + 7000000 + 409600 + HOST_PS + HOST_PS / 2, total.elapsed_ps);
  CHECK_EQ(0, total.bytes_sent);
  csd_model_log_free(&log);
}

/* With s, what a device core is slower, and r, the host's work over the link's time: while pages
 * flow the device does f = 1 / (1 + s r) of them, and gains 1 / (s r) over the host alone. */
static void dynamic_gains_what_the_formula_says(void) {
  static const uint32_t slower[] = {4, 8, 16};
  const struct csd_model_split host = {.slots = 8, .apart = true};
  for (uint32_t i = 0; i < 3; i++) {
    const struct csd_model_profile profile = profile_of(slower[i]);
    const double sr = (double)slower[i] * HOST_PS / LINK_PS;
    const struct csd_model_split dynamic = {
        .slots = 8, .marked_ppm = ALL, .dynamic = true, .apart = true};
    const double before = steady(&profile, &host);
    check_near(LINK_PS + HOST_PS, before, 0.001);
    (void)play(&profile, &dynamic, MANY, 1);
    const uint64_t processed = counts.processed;
    check_near(before / (1 + 1 / sr), steady(&profile, &dynamic), 0.005);
    check_near(1 / (1 + sr), (double)(counts.processed - processed) / (double)MANY, 0.02);
    CHECK_EQ(counts.full, counts.raw);
    CHECK_EQ(2 * MANY, counts.raw + counts.processed);
  }
}

/* Static: the slower of link and device core, then the host's share of the work. */
static void static_shares_wait_for_the_slower_side(void) {
  const struct csd_model_profile profile = profile_of(8);
  const double link = (double)LINK_PS, host = (double)HOST_PS;
  for (uint32_t tenths = 0; tenths <= 10; tenths++) {
    const double share = tenths / 10.0;
    struct csd_model_split split = {.slots = 8, .marked_ppm = tenths * 100000, .apart = true};
    const double core = share * 8 * host, wire = (1 - share) * link;
    check_near((core > wire ? core : wire) + (1 - share) * host, steady(&profile, &split), 0.01);
    CHECK_EQ(counts.marked, counts.processed);
    split.apart = false; /* the host works while pages come */
    const double most = core > wire ? core : wire;
    const double here = (1 - share) * host;
    check_near(most > here ? most : here, steady(&profile, &split), 0.01);
  }
}

/* More places only change what is left in the queue at the end. */
static void places_do_not_matter_for_long(void) {
  const struct csd_model_profile profile = profile_of(8);
  double first = 0;
  for (uint32_t slots = 2; slots <= 16; slots *= 2) {
    const struct csd_model_split split = {
        .slots = slots, .marked_ppm = ALL, .dynamic = true, .apart = true};
    const double now = steady(&profile, &split);
    first = slots == 2 ? now : first;
    check_near(first, now, 0.005);
  }
  /* A queue with room for all that the host may ask for at once is never full. */
  const struct csd_model_split all = {.slots = 32, .marked_ppm = ALL, .dynamic = true};
  (void)play(&profile, &all, MANY, 1);
  CHECK_EQ(32, profile.link_queue_depth);
  CHECK_EQ(MANY, counts.processed);
}

static void two_cores_do_twice_as_much(void) {
  struct csd_model_profile profile = profile_of(16);
  const struct csd_model_split split = {.slots = 8, .marked_ppm = ALL};
  const double one = steady(&profile, &split);
  profile.core_count = 2;
  check_near(one / 2, steady(&profile, &split), 0.001);
}

/* Requests share queue, cores and link; each is charged what was done for it. */
static void two_requests_share(void) {
  const struct csd_model_profile profile = profile_of(8);
  const struct csd_model_split split = {.slots = 4, .marked_ppm = ALL, .dynamic = true};
  const uint64_t alone = play(&profile, &split, MANY, 1);
  const uint64_t both = play(&profile, &split, MANY, 2);
  CHECK(both > alone * 19 / 10 && both < alone * 21 / 10);
  CHECK_EQ(2 * MANY, counts.raw + counts.processed);
  CHECK_EQ(MANY * UNITS, reports[0].work[CSD_MODEL_WORK_COMPARE]);
  CHECK_EQ(MANY * UNITS, reports[1].work[CSD_MODEL_WORK_COMPARE]);
  CHECK_EQ(MANY, reports[1].page_loads);
}

static void the_same_again(void) {
  const struct csd_model_profile profile = profile_of(5);
  const struct csd_model_split split = {.slots = 3, .marked_ppm = 700000, .dynamic = true};
  (void)play(&profile, &split, MANY, 2);
  const struct csd_model_report before = total;
  const struct csd_model_split_counts counted = counts;
  (void)play(&profile, &split, MANY, 2);
  CHECK(memcmp(&before, &total, sizeof total) == 0);
  CHECK(memcmp(&counted, &counts, sizeof counts) == 0);
}

/* Tasks between other events, in a session; the answer is fetched at its end. */
static void tasks_are_a_part_of_a_session(void) {
  const struct csd_model_profile profile = profile_of(8);
  const struct csd_model_split split = {.slots = 4, .marked_ppm = ALL};
  struct csd_model_log log = model_log();
  log.opened_bytes = 500;
  for (uint32_t i = 0; i < 4; i++) {
    model_event(&log, CSD_MODEL_TASK, 2 * i, PAGE, model_work(CSD_MODEL_WORK_COMPARE, UNITS));
    if (i == 1) {
      model_event(&log, CSD_MODEL_LOAD, 100, PAGE, NULL);
    }
  }
  model_event(&log, CSD_MODEL_SEND, 0, 64, NULL);
  model_event(&log, CSD_MODEL_END, 0, 0, NULL);
  REQUIRE_OK(play_log(&profile, &split, &log, 1));
  CHECK_EQ(4, counts.processed);
  CHECK_EQ(5, total.flash_reads);
  CHECK_EQ(64, total.bytes_sent);
  CHECK_EQ(500, total.bytes_opened);
  CHECK(total.elapsed_ps > 4 * 8 * HOST_PS);
  csd_model_log_free(&log);
}

static void refuse(const struct csd_model_split *split, enum csd_model_side side,
                   const struct csd_model_log *log, const char *what) {
  const struct csd_model_profile profile = profile_of(8);
  const struct csd_model_run run = {
      .profile = &profile, .side = side, .count = 1, .logs = &log, .split = split};
  CHECK_EQ(-CSD_STATUS_INVALID_ARGUMENT, csd_model_play(&run));
  CHECK_MSG(strstr(csd_last_error(), what) != NULL, "%s", csd_last_error());
}

static void what_cannot_be_is_refused(void) {
  struct csd_model_log log = tasks(2, 0, 0);
  struct csd_model_log rest = model_log();
  model_event(&rest, CSD_MODEL_TASK_REST, 0, 8, NULL);
  model_event(&rest, CSD_MODEL_END, 0, 0, NULL);
  struct csd_model_log large = tasks(1, 1 + (1 << 24), 0);
  const struct csd_model_split good = {.slots = 1}, none = {.slots = 0}, many = {.slots = 5000};
  const struct csd_model_split share = {.slots = 1, .marked_ppm = ALL + 1};
  refuse(NULL, CSD_MODEL_SIDE_DEVICE, &log, "event 0 of log 0 is a task");
  refuse(&good, CSD_MODEL_SIDE_HOST, &log, "device's side");
  refuse(&none, CSD_MODEL_SIDE_DEVICE, &log, "0 places");
  refuse(&many, CSD_MODEL_SIDE_DEVICE, &log, "5000 places");
  refuse(&share, CSD_MODEL_SIDE_DEVICE, &log, "1000001 of a million");
  refuse(&good, CSD_MODEL_SIDE_DEVICE, &rest, "rest of no task");
  refuse(&good, CSD_MODEL_SIDE_DEVICE, &large, "leaves at most");
  csd_model_log_free(&log);
  csd_model_log_free(&rest);
  csd_model_log_free(&large);
}

int main(void) {
  RUN(one_page_by_hand);
  RUN(a_command_without_a_page_by_hand);
  RUN(a_rest_goes_to_the_host);
  RUN(dynamic_gains_what_the_formula_says);
  RUN(static_shares_wait_for_the_slower_side);
  RUN(places_do_not_matter_for_long);
  RUN(two_cores_do_twice_as_much);
  RUN(two_requests_share);
  RUN(the_same_again);
  RUN(tasks_are_a_part_of_a_session);
  RUN(what_cannot_be_is_refused);
  return check_result();
}
