/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/* Sessions that share memory and cores, polls, and questions to the device. Times by hand. */
#include "csd/csd.h"
#include "tests/model/model_world.h"
#include "tests/support/check.h"

#define US(us) (UINT64_C(1000000) * (us))

enum { LOGS = 3, PAGES = 12 };

static struct csd_model_report reports[LOGS];
static struct csd_model_report total;

/* A program that announces all its pages, and computes 40 us with each. */
static struct csd_model_log program(uint32_t first_page) {
  struct csd_model_log log = model_log();
  for (uint32_t i = 0; i < PAGES; i++) {
    model_event(&log, CSD_MODEL_READ_AHEAD, 2 * (first_page + i), 8192, NULL);
  }
  for (uint32_t i = 0; i < PAGES; i++) {
    model_event(&log, CSD_MODEL_LOAD, 2 * (first_page + i), 8192,
                i == 0 ? NULL : model_work(CSD_MODEL_WORK_COMPARE, 1000));
  }
  model_event(&log, CSD_MODEL_END, 0, 0, model_work(CSD_MODEL_WORK_COMPARE, 1000));
  return log;
}

static int play(const struct csd_model_profile *profile, const struct csd_model_runtime *runtime) {
  struct csd_model_log logs[LOGS];
  const struct csd_model_log *places[LOGS];
  for (uint32_t i = 0; i < LOGS; i++) {
    logs[i] = program(i * PAGES);
    places[i] = &logs[i];
  }
  const struct csd_model_run run = {.profile = profile,
                                    .side = CSD_MODEL_SIDE_DEVICE,
                                    .count = LOGS,
                                    .logs = places,
                                    .runtime = runtime,
                                    .reports = reports,
                                    .total = &total};
  const int status = csd_model_play(&run);
  for (uint32_t i = 0; i < LOGS; i++) {
    if (status == 0) {
      model_check_report(profile, &reports[i], true);
    }
    csd_model_log_free(&logs[i]);
  }
  return status;
}

static struct csd_model_profile one_core(void) {
  struct csd_model_profile profile = model_profile();
  profile.core_count = 1;
  return profile;
}

/* With memory for one session, each opens when the one before it has ended. */
static void sessions_wait_for_memory(void) {
  const struct csd_model_profile profile = one_core();
  const struct csd_model_runtime one = {.memory_pages = 4, .session_pages = 4};
  REQUIRE_OK(play(&profile, &one));
  for (uint32_t i = 1; i < LOGS; i++) {
    CHECK(reports[i].finish_ps > reports[i - 1].finish_ps);
    CHECK(reports[i].finish_ps - reports[i - 1].finish_ps >= PAGES * US(40));
    CHECK(reports[i].part_ps[CSD_MODEL_PART_QUEUE] + US(100) > reports[i - 1].finish_ps);
  }
  CHECK_EQ(3 * PAGES, total.flash_reads);
}

/* The fewer pages a session may hold, the less is read ahead; one is enough to end. */
static void fewer_pages_take_longer(void) {
  const struct csd_model_profile profile = one_core();
  uint64_t before = 0;
  static const uint32_t pages[] = {12, 4, 2, 1};
  for (uint32_t i = 0; i < 4; i++) {
    const struct csd_model_runtime runtime = {.memory_pages = pages[i], .session_pages = pages[i]};
    REQUIRE_OK(play(&profile, &runtime));
    CHECK(reports[0].elapsed_ps >= before);
    CHECK_EQ(PAGES, reports[0].flash_reads);
    before = reports[0].elapsed_ps;
  }
}

/* Without a quantum the first program keeps the core while its pages are there. */
static void quanta_share_the_core(void) {
  const struct csd_model_profile profile = one_core();
  const struct csd_model_runtime quantum = {.quantum_pages = 2};
  REQUIRE_OK(play(&profile, NULL));
  const uint64_t spread = reports[2].finish_ps - reports[0].finish_ps;
  const uint64_t end = total.finish_ps;
  REQUIRE_OK(play(&profile, &quantum));
  CHECK(reports[2].finish_ps - reports[0].finish_ps < spread / 2);
  CHECK(total.finish_ps < end + US(100)); /* the switches */
}

/* Polls after 100, 200, 400 ... us: a session that takes T is asked about log2(T / 100 us) times in
 * vain, not T / 100 us times, and waits no longer than it took. */
static void polls_adapt(void) {
  struct csd_model_profile profile = model_profile();
  profile.link_completion = CSD_MODEL_COMPLETION_POLLED;
  profile.link_poll_ns = 100000;
  REQUIRE_OK(play(&profile, NULL));
  const uint64_t polls = total.link_polls;
  uint64_t finish[LOGS];
  for (uint32_t i = 0; i < LOGS; i++) {
    finish[i] = reports[i].finish_ps;
  }
  const struct csd_model_runtime adaptive = {.poll_min_ps = US(100), .poll_max_ps = US(100000)};
  REQUIRE_OK(play(&profile, &adaptive));
  CHECK(total.link_polls < polls);
  for (uint32_t i = 0; i < LOGS; i++) {
    CHECK(reports[i].finish_ps >= finish[i]);
    CHECK(reports[i].finish_ps <= 2 * finish[i] + US(100));
    CHECK(reports[i].link_polls <= 5);
  }
  const struct csd_model_runtime same = {.poll_min_ps = US(100), .poll_max_ps = US(100)};
  REQUIRE_OK(play(&profile, &same));
  CHECK_EQ(polls, total.link_polls);
  const struct csd_model_runtime wrong = {.poll_min_ps = US(2), .poll_max_ps = US(1)};
  CHECK_EQ(-CSD_STATUS_INVALID_ARGUMENT, play(&profile, &wrong));
}

/* Alone on a device: a callback for the opening and one for each page, a master for each quantum.
 */
static void threads_take_time(void) {
  struct csd_model_profile profile = one_core();
  struct csd_model_log log = model_log();
  for (uint32_t i = 0; i < PAGES; i++) {
    model_event(&log, CSD_MODEL_LOAD, 2 * i, 8192,
                i == 0 ? NULL : model_work(CSD_MODEL_WORK_COMPARE, 1000));
  }
  model_event(&log, CSD_MODEL_END, 0, 0, model_work(CSD_MODEL_WORK_COMPARE, 1000));
  const uint64_t before = model_play_one(&profile, CSD_MODEL_SIDE_DEVICE, &log).elapsed_ps;
  profile.thread_worker_ns = 2000;
  const uint64_t workers = model_play_one(&profile, CSD_MODEL_SIDE_DEVICE, &log).elapsed_ps;
  /* The opening's runs before the first page has come: the core waits for nothing else. */
  CHECK_EQ(before + (1 + PAGES) * US(2), workers);
  profile.thread_master_ns = 3000;
  const uint64_t masters = model_play_one(&profile, CSD_MODEL_SIDE_DEVICE, &log).elapsed_ps;
  /* It waits for each page, and is scheduled again behind it. */
  CHECK_EQ(workers + (1 + PAGES) * US(3), masters);
  const uint64_t host = model_play_one(&profile, CSD_MODEL_SIDE_HOST, &log).elapsed_ps;
  profile.thread_worker_ns = profile.thread_master_ns = 0;
  CHECK_EQ(host, model_play_one(&profile, CSD_MODEL_SIDE_HOST, &log).elapsed_ps);
  csd_model_log_free(&log);
}

/* A session waits for SRAM as for DRAM. */
static void a_grant_has_two_parts(void) {
  const struct csd_model_profile profile = one_core();
  const struct csd_model_runtime pages = {.memory_pages = 4, .session_pages = 4};
  REQUIRE_OK(play(&profile, &pages));
  const uint64_t second = reports[1].part_ps[CSD_MODEL_PART_QUEUE];
  const struct csd_model_runtime both = {
      .memory_pages = 12, .session_pages = 4, .sram_bytes = 4096, .session_sram_bytes = 4096};
  REQUIRE_OK(play(&profile, &both));
  CHECK_EQ(second, reports[1].part_ps[CSD_MODEL_PART_QUEUE]);
  const struct csd_model_runtime sram = {.sram_bytes = 4096, .session_sram_bytes = 4096};
  REQUIRE_OK(play(&profile, &sram));
  CHECK(reports[2].part_ps[CSD_MODEL_PART_QUEUE] >= PAGES * US(40));
  const struct csd_model_runtime more = {.sram_bytes = 4096, .session_sram_bytes = 4097};
  CHECK_EQ(-CSD_STATUS_INVALID_ARGUMENT, play(&profile, &more));
  CHECK(strstr(csd_last_error(), "4097 bytes of SRAM a session") != NULL);
}

/* By hand: system call 15 us, way to the device 25 + 10, answer 7. With a page in the device, its
 * read as in test_model_play.c: 72.9 us. Nothing crosses the link. */
static void a_question_moves_no_data(void) {
  const struct csd_model_profile profile = model_profile();
  struct csd_model_log log = model_log();
  log.bare = true;
  model_event(&log, CSD_MODEL_ASK, 0, 0, NULL);
  model_event(&log, CSD_MODEL_END, 0, 0, NULL);
  struct csd_model_report report = model_play_one(&profile, CSD_MODEL_SIDE_HOST, &log);
  CHECK_EQ(US(57), report.elapsed_ps);
  CHECK_EQ(0, report.busy_ps[CSD_MODEL_RESOURCE_LINK]);
  CHECK_EQ(0, report.flash_reads);
  CHECK_EQ(1, report.link_commands);
  csd_model_log_clear(&log);
  model_event(&log, CSD_MODEL_ASK, 0, 8192, NULL);
  model_event(&log, CSD_MODEL_END, 0, 0, NULL);
  report = model_play_one(&profile, CSD_MODEL_SIDE_HOST, &log);
  CHECK_EQ(US(57) + 72900000, report.elapsed_ps);
  CHECK_EQ(0, report.busy_ps[CSD_MODEL_RESOURCE_LINK]);
  CHECK_EQ(1, report.flash_reads);
  csd_model_log_free(&log);
}

static void a_grant_beyond_the_memory_is_refused(void) {
  const struct csd_model_profile profile = model_profile();
  const struct csd_model_runtime more = {.memory_pages = 4, .session_pages = 5};
  CHECK_EQ(-CSD_STATUS_INVALID_ARGUMENT, play(&profile, &more));
  CHECK(strstr(csd_last_error(), "5 pages a session") != NULL);
  const struct csd_model_runtime none = {.memory_pages = 4};
  CHECK_EQ(-CSD_STATUS_INVALID_ARGUMENT, play(&profile, &none));
}

int main(void) {
  RUN(sessions_wait_for_memory);
  RUN(fewer_pages_take_longer);
  RUN(quanta_share_the_core);
  RUN(polls_adapt);
  RUN(threads_take_time);
  RUN(a_grant_has_two_parts);
  RUN(a_question_moves_no_data);
  RUN(a_grant_beyond_the_memory_is_refused);
  return check_result();
}
