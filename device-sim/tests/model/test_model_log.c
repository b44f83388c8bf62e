/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/* Logs: what goes in comes out, bounded or growing, and a full log says so. */
#include <stdlib.h>

#include "tests/model/model_world.h"
#include "tests/support/check.h"

enum { EVENTS = 3000 };

static uint64_t units(uint64_t *state) {
  return check_random_below(state, 3) == 0 ? check_random(state) >> (8 + check_random(state) % 50)
                                           : 0;
}

static void random_event(uint64_t *state, struct csd_model_event *event,
                         uint64_t work[CSD_MODEL_WORK_SLOTS]) {
  *event = (struct csd_model_event){.kind = check_random_below(state, CSD_MODEL_END),
                                    .address = (uint32_t)check_random(state),
                                    .bytes = check_random(state)};
  for (uint32_t i = 0; i < CSD_MODEL_WORK_SLOTS; i++) {
    work[i] = units(state);
  }
}

static void check_event(const struct csd_model_event *want, const uint64_t *work,
                        const struct csd_model_event *got) {
  uint64_t found[CSD_MODEL_WORK_SLOTS] = {0};
  CHECK_EQ(want->kind, got->kind);
  CHECK_EQ(want->address, got->address);
  CHECK_EQ(want->bytes, got->bytes);
  for (uint32_t i = 0; i < got->work_count; i++) {
    found[csd_model_work_kind(got->work[i])] += csd_model_work_units(got->work[i]);
  }
  CHECK(memcmp(found, work, sizeof found) == 0);
}

static void what_goes_in_comes_out(void) {
  struct csd_model_log log = model_log();
  struct csd_model_event event, got;
  uint64_t work[CSD_MODEL_WORK_SLOTS], state = 5;
  for (int i = 0; i < EVENTS; i++) {
    random_event(&state, &event, work);
    REQUIRE_OK(csd_model_log_add(&log, event.kind, event.address, event.bytes, work));
  }
  CHECK_OK(csd_model_log_add(&log, CSD_MODEL_END, 0, 0, NULL));
  CHECK_EQ(EVENTS + 1, log.events);
  size_t at = 0;
  state = 5;
  for (int i = 0; i < EVENTS; i++) {
    random_event(&state, &event, work);
    REQUIRE(csd_model_log_next(&log, &at, &got));
    check_event(&event, work, &got);
  }
  REQUIRE(csd_model_log_next(&log, &at, &got));
  CHECK_EQ(CSD_MODEL_END, got.kind);
  CHECK_EQ(0, got.work_count);
  CHECK(!csd_model_log_next(&log, &at, &got));
  CHECK_STATUS(CSD_STATUS_INVALID_ARGUMENT, csd_model_log_add(&log, CSD_MODEL_LOAD, 0, 4096, NULL));
  csd_model_log_free(&log);
  CHECK(log.words == NULL && log.used == 0 && log.failure == 0);
}

static void a_bounded_log_fills_up_and_stays_failed(void) {
  const size_t bytes = 1000;
  uint64_t *memory = malloc(bytes); /* to the byte, for a sanitizer */
  struct csd_model_log log;
  csd_model_log_init(&log, memory, bytes, NULL, NULL);
  int status = 0, added = 0;
  for (; status == 0 && added < 1000; added++) {
    status =
        csd_model_log_add(&log, CSD_MODEL_LOAD, 7, 4096, model_work(CSD_MODEL_WORK_COMPARE, 9));
  }
  CHECK(added > 20);
  CHECK_STATUS(CSD_STATUS_NO_MEMORY, status);
  CHECK_STATUS(CSD_STATUS_NO_MEMORY, csd_model_log_add(&log, CSD_MODEL_END, 0, 0, NULL));
  CHECK_EQ(added - 1, log.events);
  csd_model_log_clear(&log);
  CHECK_OK(csd_model_log_add(&log, CSD_MODEL_END, 0, 0, NULL));
  csd_model_log_free(&log);
  free(memory);
}

static void *refuse(void *context, void *memory, size_t bytes) {
  (void)context;
  return bytes > 20000 ? NULL : csd_model_grow(NULL, memory, bytes);
}

static void a_log_survives_a_grow_that_refuses(void) {
  struct csd_model_log log;
  csd_model_log_init(&log, NULL, 0, refuse, NULL);
  int status = 0;
  while (status == 0) {
    status = csd_model_log_add(&log, CSD_MODEL_LOAD, 7, 4096, NULL);
  }
  CHECK_STATUS(CSD_STATUS_NO_MEMORY, status);
  struct csd_model_event event;
  uint64_t count = 0;
  for (size_t at = 0; csd_model_log_next(&log, &at, &event);) {
    count += event.address == 7;
  }
  CHECK_EQ(count, log.events);
  CHECK(count > 500);
  csd_model_log_free(&log);
}

static void bad_events_are_refused(void) {
  struct csd_model_log log = model_log();
  CHECK_STATUS(CSD_STATUS_INVALID_ARGUMENT,
               csd_model_log_add(&log, (enum csd_model_event_kind)99, 0, 0, NULL));
  csd_model_log_clear(&log);
  CHECK_STATUS(CSD_STATUS_INVALID_ARGUMENT,
               csd_model_log_add(&log, CSD_MODEL_END, 0, 0,
                                 model_work(CSD_MODEL_WORK_LIST_READ, UINT64_C(1) << 56)));
  csd_model_log_free(&log);
}

int main(void) {
  RUN(what_goes_in_comes_out);
  RUN(a_bounded_log_fills_up_and_stays_failed);
  RUN(a_log_survives_a_grow_that_refuses);
  RUN(bad_events_are_refused);
  return check_result();
}
