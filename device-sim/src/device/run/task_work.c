/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
#include "device/run/task_work.h"

#include <string.h>

#include "base/status.h"
#include "core/plan/plan_check.h"
#include "device/run/run.h"
#include "device/run/slow.h"

enum { ALIGNMENT = 64 };

/* Lays the task out at the end of the working memory: the gathered page, then the task. */
static int lay_out(struct csd_session *session, uint32_t plan_bytes) {
  const uint32_t task_bytes =
      (uint32_t)(sizeof(struct csd_task) + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
  const uint32_t taken = task_bytes + session->result_limit;
  const uint32_t plan_room = csd_run_plan_room(plan_bytes + CSD_GATHER_PLAN_BYTES);
  if (taken > session->work_bytes || plan_room > session->work_bytes - taken) {
    return csd_fail(CSD_STATUS_INSUFFICIENT_GRANT, "a task of a plan of %u bytes in %u bytes",
                    plan_bytes, session->work_bytes);
  }
  const uint32_t room = (session->work_bytes - taken) / ALIGNMENT * ALIGNMENT;
  struct csd_task *task = (void *)(session->grant + room);
  memset(task, 0, sizeof *task);
  task->room = room;
  task->gather.page = session->grant + room + task_bytes;
  session->task = task;
  return 0;
}

static bool takes(uint32_t task_mode, uint8_t mode) {
  const bool docs = mode == CSD_MODE_DOCS || mode == CSD_MODE_SCORED_DOCS;
  return task_mode == CSD_TASK_MODE_HAND ? docs : mode != CSD_MODE_SCORED_DOCS;
}

static int begin_plan(struct csd_session *session, const struct csd_submission *command) {
  const uint32_t plan_bytes = command->cdw11;
  struct csd_plan plan;
  if (csd_run_plan_room(plan_bytes + CSD_GATHER_PLAN_BYTES) > session->work_bytes) {
    return csd_fail(CSD_STATUS_INSUFFICIENT_GRANT, "a plan of %u bytes in %u bytes of grant",
                    plan_bytes, session->work_bytes);
  }
  memcpy(session->grant, (const void *)(uintptr_t)command->data, plan_bytes);
  csd_trail_clear();
  int status = csd_plan_check(session->grant, plan_bytes, session->result_limit, &plan);
  if (status < 0) {
    return status;
  }
  if (!takes(command->cdw12, plan.header.mode)) {
    return csd_fail(CSD_STATUS_INVALID_FIELD, "mode %u of a plan in a task of mode %u",
                    plan.header.mode, command->cdw12);
  }
  status = lay_out(session, plan_bytes);
  if (status < 0) {
    return status;
  }
  struct csd_task *task = session->task;
  csd_gather_open(&task->gather, session->grant, &plan, task->gather.page, session->result_limit);
  return 0;
}

/* A program has the working memory before the task. Its record is that of all windows. */
static int begin_program(struct csd_queue *queue, struct csd_session *session,
                         const struct csd_submission *command) {
  const struct csd_page_source none = {/* it pins no page */
                                       .kernels = queue->device->kernels};
  int status = lay_out(session, 0);
  if (status < 0) {
    return status;
  }
  struct csd_task *task = session->task;
  task->program = queue->device->task_programs[command->cdw14 - 1];
  task->gather.header.mode = CSD_MODE_DOCS;
  csd_trail_clear();
  status = task->program->begin(session->grant, task->room, (const void *)(uintptr_t)command->data,
                                command->cdw11, &task->gather.header.limit_doc);
  if (status == 0) {
    task->recorder =
        csd_timing_start(&queue->device->timing, &session->modelled, &none, command->cdw11);
  }
  return status;
}

int csd_task_work_begin(struct csd_queue *queue, struct csd_session *session,
                        const struct csd_submission *command) {
  const int status =
      command->cdw14 != 0 ? begin_program(queue, session, command) : begin_plan(session, command);
  if (status < 0) {
    return status;
  }
  struct csd_task *task = session->task;
  const uint32_t limit = command->cdw13 != 0 ? command->cdw13 : CSD_DEFAULT_TASK_WINDOWS;
  task->mode = (uint8_t)command->cdw12;
  task->ring =
      (struct csd_task_ring){.windows = task->windows,
                             .limit = limit < CSD_MAX_TASK_WINDOWS ? limit : CSD_MAX_TASK_WINDOWS,
                             .at_once = 1,
                             .dynamic = command->cdw12 == CSD_TASK_MODE_DYNAMIC,
                             .owner = session};
  task->next_doc = task->gather.header.min_doc;
  return 0;
}

/* ---- windows ---- */

/* What a window of a program has read. */
struct window_reads {
  struct csd_store *store;
  uint64_t first, bytes;
};

static int read_lbas(void *context, uint64_t lba, uint32_t count, void *to) {
  struct window_reads *reads = context;
  reads->first = reads->bytes == 0 ? lba : reads->first;
  reads->bytes += (uint64_t)count * CSD_LBA_BYTES;
  return csd_store_read(reads->store, lba, count, to);
}

static int run_program(struct csd_queue *queue, struct csd_session *session,
                       const struct csd_task_window *window) {
  struct csd_task *task = session->task;
  const bool filters = task->mode == CSD_TASK_MODE_HAND;
  struct window_reads reads = {.store = &queue->device->store};
  struct csd_task_io io = {.context = &reads,
                           .read = read_lbas,
                           .out = filters ? csd_session_result(session) : NULL,
                           .room = filters ? session->result_limit : 0};
  csd_trail_clear();
  if (atomic_load_explicit(&task->cancelled, memory_order_relaxed)) {
    return csd_fail(CSD_STATUS_ABORTED, "the task was ended");
  }
  const uint64_t began = csd_slow_begin(queue);
  const int bytes = task->program->run(session->grant, &io, window->min_doc, window->limit_doc);
  csd_slow_end(queue, began);
  if (bytes < 0) {
    return bytes;
  }
  session->result_bytes = (uint32_t)bytes;
  csd_count(&queue->counts.programs, 1);
  if (task->recorder != NULL) {
    csd_recorder_task(task->recorder, reads.first, reads.bytes, io.work, filters ? bytes : -1);
  }
  return 0;
}

int csd_task_work_run(struct csd_queue *queue, struct csd_session *session,
                      const struct csd_task_window *window, bool *no_room) {
  struct csd_task *task = session->task;
  struct csd_gather *gather = &task->gather;
  if (task->program != NULL) {
    return run_program(queue, session, window);
  }
  const uint32_t plan_bytes =
      csd_gather_prepare(gather, window->min_doc, window->limit_doc, window->min_score_bits);
  const int status = csd_run_window(queue, session, plan_bytes, task->room, &task->cancelled);
  if (status == 0 && task->mode != CSD_TASK_MODE_HAND) {
    /* The program's memory is free now. */
    const uint32_t used = csd_run_plan_room(plan_bytes);
    *no_room = !csd_gather_take(gather, csd_session_result(session), session->grant + used,
                                task->room - used);
  }
  return status;
}

int csd_task_work_leave(struct csd_session *session) {
  const struct csd_task *task = session->task;
  struct csd_result_header header = {.mode = CSD_MODE_COUNT};
  if (task->program == NULL) {
    memcpy(&header, task->gather.page, sizeof header);
    memcpy(csd_session_result(session), task->gather.page, header.total_bytes);
    session->result_bytes = header.total_bytes;
    return 0;
  }
  const int bytes =
      task->program->final(session->grant, csd_session_result(session), session->result_limit);
  if (bytes < 0) {
    return bytes;
  }
  header.total_bytes = session->result_bytes = (uint32_t)bytes;
  if (task->recorder != NULL) {
    csd_timing_finish(session->modelled, &header);
  }
  return 0;
}
