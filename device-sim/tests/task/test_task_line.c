/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/* The line of windows: room, refusals, turns. */
#include "task/task_line.h"
#include "tests/support/check.h"

enum { ROOM = 4 };

static struct csd_task_window windows[3][ROOM];
static struct csd_task_ring rings[3];
static struct csd_task_line line;

static void begin(uint32_t limit, bool dynamic) {
  line = (struct csd_task_line){.limit = limit, .dice = 1};
  for (uint32_t i = 0; i < 3; i++) {
    rings[i] = (struct csd_task_ring){
        .windows = windows[i], .limit = ROOM, .at_once = 1, .dynamic = dynamic};
  }
}

static enum csd_task_place offer(uint32_t ring, uint32_t number) {
  const struct csd_task_window window = {.min_doc = number};
  return csd_task_line_offer(&line, &rings[ring], &window);
}

/* The number of the window whose turn it is; 0: none may run. */
static uint32_t take(void) {
  struct csd_task_window window;
  return csd_task_line_take(&line, &window) == NULL ? 0 : window.min_doc;
}

static void a_window_without_room_is_the_host_s_or_waits(void) {
  for (int dynamic = 0; dynamic < 2; dynamic++) {
    const enum csd_task_place refused = dynamic ? CSD_TASK_PLACE_RAW : CSD_TASK_PLACE_WAITS;
    begin(6, dynamic != 0);
    for (uint32_t i = 0; i < ROOM; i++) {
      CHECK_EQ(CSD_TASK_PLACE_TAKEN, offer(0, i + 1));
    }
    CHECK_EQ(refused, offer(0, 9)); /* the task's room */
    CHECK_EQ(CSD_TASK_PLACE_TAKEN, offer(1, 11));
    CHECK(!csd_task_line_is_full(&line));
    CHECK_EQ(CSD_TASK_PLACE_TAKEN, offer(1, 12));
    CHECK(csd_task_line_is_full(&line));
    CHECK_EQ(refused, offer(2, 9)); /* the device's */
    CHECK_EQ(1, take());
    CHECK_EQ(CSD_TASK_PLACE_TAKEN, offer(2, 21)); /* what runs waits no longer */
  }
}

static void tasks_take_turns(void) {
  begin(10, true);
  for (uint32_t i = 0; i < 3; i++) {
    CHECK_EQ(CSD_TASK_PLACE_TAKEN, offer(0, 1 + i));
    CHECK_EQ(CSD_TASK_PLACE_TAKEN, offer(1, 11 + i));
  }
  CHECK_EQ(1, take());
  CHECK_EQ(11, take());
  CHECK_EQ(0, take()); /* one window of a task at once */
  CHECK(csd_task_line_end(&line, &rings[1]));
  CHECK(csd_task_line_end(&line, &rings[0]));
  CHECK_EQ(12, take());
  CHECK_EQ(2, take());
  CHECK(csd_task_line_end(&line, &rings[0]));
  rings[0].at_once = 2;
  CHECK_EQ(3, take());
  CHECK_EQ(0, take());
  CHECK(!csd_task_line_end(&line, &rings[0]));
  CHECK_EQ(1, line.waiting);
}

static void two_windows_of_a_task_run_at_once_if_they_may(void) {
  begin(10, true);
  rings[0].at_once = 2;
  for (uint32_t i = 1; i <= 3; i++) {
    CHECK_EQ(CSD_TASK_PLACE_TAKEN, offer(0, i));
  }
  CHECK_EQ(1, take());
  CHECK_EQ(2, take());
  CHECK_EQ(0, take());
  CHECK(csd_task_line_end(&line, &rings[0]));
  CHECK_EQ(3, take());
}

static void what_is_dropped_makes_room(void) {
  begin(4, true);
  CHECK_EQ(CSD_TASK_PLACE_TAKEN, offer(0, 1));
  CHECK_EQ(CSD_TASK_PLACE_TAKEN, offer(1, 11));
  CHECK_EQ(CSD_TASK_PLACE_TAKEN, offer(2, 21));
  CHECK_EQ(CSD_TASK_PLACE_TAKEN, offer(2, 22));
  CHECK_EQ(2, csd_task_line_drop(&line, &rings[2])); /* the last in line */
  CHECK_EQ(2, line.waiting);
  CHECK_EQ(1, csd_task_line_drop(&line, &rings[0])); /* the first */
  CHECK_EQ(0, csd_task_line_drop(&line, &rings[0]));
  CHECK_EQ(CSD_TASK_PLACE_TAKEN, offer(2, 23));
  CHECK_EQ(11, take());
  CHECK_EQ(23, take());
  CHECK_EQ(0, take());
}

static void some_are_refused_at_random(void) {
  uint32_t refused = 0;
  begin(1, true);
  line.raw_percent = 30;
  for (uint32_t i = 0; i < 1000; i++) {
    refused += offer(0, 1) == CSD_TASK_PLACE_RAW;
    (void)csd_task_line_drop(&line, &rings[0]);
  }
  CHECK(refused > 250 && refused < 350);
  rings[0].dynamic = false;
  CHECK_EQ(CSD_TASK_PLACE_TAKEN, offer(0, 1));
}

int main(void) {
  RUN(a_window_without_room_is_the_host_s_or_waits);
  RUN(tasks_take_turns);
  RUN(two_windows_of_a_task_run_at_once_if_they_may);
  RUN(what_is_dropped_makes_room);
  RUN(some_are_refused_at_random);
  return check_result();
}
