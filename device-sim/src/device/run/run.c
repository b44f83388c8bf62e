/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/* Runs plans: SUBMIT, and the page source that programs get. */
#include "device/run/run.h"

#include <string.h>

#include "base/status.h"
#include "core/lists/page_run.h"
#include "device/run/slow.h"
#include "timing/timing.h"

enum {
  GRANT_ALIGNMENT = 64,
  SLICE_POSTINGS =
      1 << 16 /* of work between two looks at the stop flags: some tens of microseconds */
};

static int source_pin(void *context, uint64_t lba, uint64_t stamp, uint32_t file_page,
                      const uint8_t **page) {
  struct csd_queue *queue = context;
  struct csd_dram_counts *counts = &queue->counts.dram;
  const uint64_t loads = atomic_load_explicit(&counts->loads, memory_order_relaxed);
  const int status = csd_dram_pin(&queue->device->dram, lba, stamp, file_page, page, counts);
  if (atomic_load_explicit(&counts->loads, memory_order_relaxed) != loads) {
    queue->run.source.cold = true;
  }
  return status;
}

static void source_unpin(void *context, const uint8_t *page) {
  struct csd_queue *queue = context;
  csd_dram_unpin(&queue->device->dram, page);
}

static bool source_peek(void *context, uint64_t lba, uint64_t stamp, uint32_t file_page,
                        struct csd_page_range *range) {
  struct csd_queue *queue = context;
  return csd_page_index_peek(&queue->device->index, lba, stamp, file_page, range);
}

static bool source_peeks_at_once(void *context, uint64_t lba) {
  struct csd_queue *queue = context;
  return csd_page_index_is_cached(&queue->device->index, lba);
}

static void source_prefetch(void *context, uint64_t lba) {
  struct csd_queue *queue = context;
  csd_page_index_prefetch(&queue->device->index, lba);
  if (!csd_dram_prefetch(&queue->device->dram, lba, false)) {
    queue->run.source.cold = true;
  }
}

static void source_prefetch_whole(void *context, uint64_t lba) {
  struct csd_queue *queue = context;
  csd_page_index_prefetch(&queue->device->index, lba);
  csd_dram_prefetch(&queue->device->dram, lba, true);
}

static void source_ask(void *context, uint64_t lba, uint32_t count, uint32_t peeked) {
  struct csd_queue *queue = context;
  struct csd_dram *dram = &queue->device->dram;
  if (count == 0 ? csd_dram_may_ask(dram)
                 : csd_dram_ask(dram, queue->id, lba, count, &queue->counts.dram)) {
    csd_page_index_ask(&queue->device->index, lba, peeked);
  }
}

void csd_run_ask_ahead(struct csd_queue *queue, uint64_t lba, uint64_t count) {
  struct csd_device *device = queue->device;
  const uint32_t most = count < CSD_MAX_ASKED_PAGES ? (uint32_t)count : CSD_MAX_ASKED_PAGES;
  if (!csd_dram_prefetch(&device->dram, lba, false) &&
      csd_dram_ask(&device->dram, queue->id, lba, most, &queue->counts.dram)) {
    csd_page_index_ask(&device->index, lba, most > CSD_FEW_PAGES ? most : 0);
  }
}

static uint64_t source_place_of(void *context, const uint8_t *page) {
  struct csd_queue *queue = context;
  return csd_dram_place_of(&queue->device->dram, page);
}

static bool source_pin_again(void *context, uint64_t lba, const uint8_t *page, uint64_t place) {
  struct csd_queue *queue = context;
  return csd_dram_pin_again(&queue->device->dram, lba, page, place, &queue->counts.dram);
}

/* Acquires a resource that a plan names. It is released when the run ends. */
static const uint64_t *source_doc_bits(void *context, uint32_t resource, uint32_t doc_count) {
  struct csd_queue *queue = context;
  struct csd_run *run = &queue->run;
  if (run->resource_count == CSD_RUN_RESOURCES) {
    return NULL;
  }
  struct csd_resource_slot *found =
      csd_resource_acquire(&queue->device->resources, CSD_RESOURCE_LIVE_DOCS, resource, doc_count);
  if (found == NULL) {
    return NULL;
  }
  run->resources[run->resource_count++] = found;
  return found->words;
}

void csd_run_end(struct csd_queue *queue) {
  struct csd_run *run = &queue->run;
  if (run->session == NULL) {
    return;
  }
  if (run->program != NULL) {
    csd_program_end(run->program);
  }
  for (uint32_t i = 0; i < run->resource_count; i++) {
    csd_resource_release(&queue->device->resources, run->resources[i]);
  }
  if (run->source.cold) {
    csd_store_leave(&queue->device->store, queue->id);
  }
  if (!run->of_task) {
    csd_session_release(run->session);
  }
  *run = (struct csd_run){0};
}

/* From here on the program's kernels count for its record, if there is one. */
static void enter_program(const struct csd_run *run) {
  if (run->recorder != NULL) {
    csd_recorder_enter(run->recorder);
  }
}

static void leave_program(const struct csd_run *run) {
  if (run->recorder != NULL) {
    csd_recorder_leave();
  }
}

uint32_t csd_run_plan_room(uint32_t plan_bytes) {
  return (plan_bytes + GRANT_ALIGNMENT - 1) / GRANT_ALIGNMENT * GRANT_ALIGNMENT;
}

static int begin_program(struct csd_queue *queue, uint32_t plan_bytes, uint32_t room) {
  const uint32_t plan_room = csd_run_plan_room(plan_bytes);
  struct csd_run *run = &queue->run;
  struct csd_session *session = run->session;
  run->recorder =
      csd_timing_start(&queue->device->timing, &session->modelled, &run->source, plan_bytes);
  const uint64_t began = csd_slow_begin(queue);
  enter_program(run);
  const int status = csd_program_begin(
      session->grant + plan_room, room - plan_room, session->grant, plan_bytes,
      csd_session_result(session), session->result_limit,
      run->recorder != NULL ? &run->recorder->source : &run->source, &run->program);
  leave_program(run);
  csd_slow_end(queue, began);
  if (status < 0) {
    run->program = NULL;
  } else if (run->recorder != NULL) {
    csd_recorder_watch(run->recorder, csd_program_work(run->program));
  }
  return status;
}

/* Begins a run in a session that has been acquired. */
static void set_run(struct csd_queue *queue, struct csd_session *session) {
  session->result_bytes = 0;
  queue->run =
      (struct csd_run){.session = session,
                       .source = {.context = queue,
                                  .pin = source_pin,
                                  .unpin = source_unpin,
                                  .peek = source_peek,
                                  .peeks_at_once = source_peeks_at_once,
                                  .prefetch = source_prefetch,
                                  .prefetch_whole = source_prefetch_whole,
                                  .ask = source_ask,
                                  .memo = session->memo.facts != NULL ? &session->memo : NULL,
                                  .place_of = source_place_of,
                                  .pin_again = source_pin_again,
                                  .spare_pins = csd_dram_spare_pins(&queue->device->dram),
                                  .doc_bits = source_doc_bits,
                                  .kernels = queue->device->kernels}};
}

/* Starts a plan. It copies the plan into the grant first: the host may change its own buffer at any
   time, but what was checked must be what runs. */
static int begin(struct csd_queue *queue, const struct csd_submission *command) {
  struct csd_session *session;
  const uint32_t plan_bytes = command->cdw11;
  int status = csd_session_acquire(&queue->device->sessions, command->cdw10, &session);
  if (status < 0) {
    return status;
  }
  set_run(queue, session);
  if (csd_run_plan_room(plan_bytes) > session->work_bytes) {
    status = csd_fail(CSD_STATUS_INSUFFICIENT_GRANT, "a plan of %u bytes in %u bytes of grant",
                      plan_bytes, session->work_bytes);
  } else {
    memcpy(session->grant, (const void *)(uintptr_t)command->data, plan_bytes);
    csd_series_begin_plan(&session->series, session->grant, plan_bytes);
    csd_trail_clear(); /* a program may fail with a status alone */
    status = begin_program(queue, plan_bytes, session->work_bytes);
  }
  if (status < 0) {
    csd_run_end(queue);
  }
  return status;
}

/* Completes a plan whose program has ended. Its result page stays in the session. */
static int complete(struct csd_queue *queue, uint64_t slice, uint64_t *worked, uint32_t *dw0) {
  struct csd_session *session = queue->run.session;
  struct csd_result_header header;
  memcpy(&header, csd_session_result(session), sizeof header);
  if (header.total_bytes < sizeof header || header.total_bytes > session->result_limit) {
    return csd_fail(CSD_STATUS_INTERNAL, "a result page of %u bytes", header.total_bytes);
  }
  session->result_bytes = header.total_bytes;
  *worked = header.postings_decoded < slice ? header.postings_decoded : slice;
  *dw0 = header.total_bytes;
  if (!queue->run.of_task) {
    csd_series_end_plan(&session->series, csd_session_result(session));
  }
  csd_count(&queue->counts.programs, 1);
  if (queue->run.recorder != NULL) {
    csd_timing_finish(session->modelled, &header);
  }
  return 0;
}

int csd_run_stopped(const struct csd_queue *queue) {
  if (atomic_load_explicit(&queue->device->closing, memory_order_relaxed)) {
    return csd_fail(CSD_STATUS_CLOSED, "the device was closed while the plan ran");
  }
  if (queue->head < atomic_load_explicit(&queue->abort_before, memory_order_acquire)) {
    return csd_fail(CSD_STATUS_ABORTED, "the plan was stopped");
  }
  return 0;
}

static int step(struct csd_queue *queue, uint64_t *budget, uint32_t *dw0) {
  for (;;) {
    const int stopped = csd_run_stopped(queue);
    if (stopped < 0) {
      return stopped;
    }
    const uint64_t slice = *budget < SLICE_POSTINGS ? *budget : SLICE_POSTINGS;
    csd_trail_clear();
    const uint64_t began = csd_slow_begin(queue);
    enter_program(&queue->run);
    const int status = csd_program_step(queue->run.program, slice);
    leave_program(&queue->run);
    csd_slow_end(queue, began);
    uint64_t worked = slice;
    const int result = status == 0 ? complete(queue, slice, &worked, dw0) : status;
    if (*budget != CSD_BUDGET_UNLIMITED) {
      *budget -= worked;
    }
    if (status <= 0) {
      return result;
    }
    if (*budget == 0) {
      return CSD_COMMAND_PENDING;
    }
  }
}

int csd_run_submit(struct csd_queue *queue, const struct csd_submission *command, uint64_t *budget,
                   uint32_t *dw0) {
  if (*budget == 0) {
    return CSD_COMMAND_PENDING;
  }
  if (queue->run.session == NULL) {
    const int status = begin(queue, command);
    if (status < 0) {
      return csd_fail_in(status, "SUBMIT in session %u", command->cdw10);
    }
  }
  const int status = step(queue, budget, dw0);
  if (status == CSD_COMMAND_PENDING) {
    return status;
  }
  csd_run_end(queue);
  return status == 0 ? 0 : csd_fail_in(status, "SUBMIT in session %u", command->cdw10);
}

int csd_run_window(struct csd_queue *queue, struct csd_session *session, uint32_t plan_bytes,
                   uint32_t room, const atomic_bool *cancelled) {
  set_run(queue, session);
  queue->run.of_task = true;
  csd_trail_clear();
  int status = begin_program(queue, plan_bytes, room);
  uint32_t bytes;
  while (status >= 0) {
    uint64_t budget = SLICE_POSTINGS;
    status = atomic_load_explicit(cancelled, memory_order_relaxed)
                 ? csd_fail(CSD_STATUS_ABORTED, "the task was ended")
                 : step(queue, &budget, &bytes);
    if (status == 0) {
      break;
    }
  }
  csd_run_end(queue);
  return status;
}
