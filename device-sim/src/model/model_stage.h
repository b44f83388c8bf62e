/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/**
 * The steps of a request, for the files that implement them: model_request.c (sessions, pages, the
 * end), model_work.c, model_results.c and model_task.c. A step returns true if the request takes
 * the step of its `stage` at once, false if it waits.
 */
#ifndef CSD_MODEL_STAGE_H
#define CSD_MODEL_STAGE_H

#include "model/model_player.h"

/** The step that a request takes next. */
enum model_stage {
  ARRIVED,
  COMMANDED, /* has a place in the command queue */
  OPENING,   /* the command is at the device */
  OPENED,    /* so are its data */
  GRANTED,   /* has the memory that it opens with */
  FIXED,     /* has a core for the fixed part */
  FIXED_DONE,
  NEXT,
  WORK, /* has a core for work */
  PIECE,
  WORKED,
  SWITCHED, /* the core has switched to this request, for work */
  EVENT,
  HOST_READ, /* has a core for the system call */
  HOST_READ_DONE,
  LOADED,
  REGAINED, /* has a core again after its quantum */
  POLLED,   /* the host knows that there are results */
  CHUNK,
  CHUNK_ASKED,
  CHUNK_SENT,
  RANK, /* has a core for ranking */
  RANKED,
  COMMAND_ROOM, /* may start another flash command of its own */
  COMMAND_PASSED,
  ENDING, /* waits for the end of its flash commands */
  ANSWERED,
  TASKS, /* waits for the end of its tasks */
  TASKS_DONE,
  /* Of workers. */
  TAKE,     /* looks for a task */
  ASK_TASK, /* has a core for the system call */
  TASK_ASKED,
};

/** Schedules the step `stage` for that time. */
static inline bool model_then(struct model_player *player, uint32_t index, enum model_stage stage,
                              uint64_t time) {
  player->requests[index].stage = (uint8_t)stage;
  csd_model_schedule(player, time, MODEL_REQUEST_STEP, index);
  return false;
}

/** Makes `stage` the step to take now. */
static inline bool model_at_once(struct model_request *r, enum model_stage stage) {
  r->stage = (uint8_t)stage;
  return true;
}

static inline bool model_is_worker(const struct model_player *player, uint32_t index) {
  return index >= player->run->count;
}

/** The cores on which a request or a worker runs. */
static inline struct model_cores *model_cores_of(struct model_player *player, uint32_t index) {
  const bool other = player->requests[index].works_on_host && !player->on_host;
  return other ? &player->ranking : &player->cores;
}

/** Takes the step `stage` as soon as the request has a core. Returns whether it has one now. */
static inline bool model_with_core(struct model_player *player, struct model_cores *cores,
                                   uint32_t index, enum model_stage stage) {
  struct model_request *r = &player->requests[index];
  r->stage = (uint8_t)stage;
  if (r->core != MODEL_NONE) {
    return true;
  }
  r->from = player->now;
  return csd_model_core_acquire(player, cores, index);
}

/** Whether the request is a command with a session of the device. */
static inline bool model_has_session(const struct model_player *player,
                                     const struct model_request *r) {
  return !player->on_host && !r->log->bare;
}

/** Sets the time of the work of `r->event`, on the side where it is done, and its pieces. */
void csd_model_measure_work(struct model_player *player, uint32_t index);

/** Accounts for the wait for a core, which has ended. */
void csd_model_has_core(struct model_player *player, uint32_t index);

/** Adds the request's activity from `from` until now to the trace. */
void csd_model_trace_request(struct model_player *player, uint32_t index, uint64_t from,
                             enum csd_model_activity what, uint64_t amount);

/** Charges the core that the request holds for its activity from `from` until now. */
void csd_model_charge_core(struct model_player *player, const struct model_cores *cores,
                           uint32_t index, uint64_t from, enum csd_model_activity what,
                           uint64_t amount);

/* Work on a core, before each event of the log: model_work.c. */
bool csd_model_next_event(struct model_player *player, uint32_t index);
bool csd_model_begin_work(struct model_player *player, uint32_t index);
bool csd_model_switched(struct model_player *player, uint32_t index);
bool csd_model_begin_piece(struct model_player *player, uint32_t index);
bool csd_model_end_piece(struct model_player *player, uint32_t index);

/* Tasks, which device and host work on at once: model_task.c. */
bool csd_model_begin_tasks(struct model_player *player, uint32_t index);
bool csd_model_end_tasks(struct model_player *player, uint32_t index);
bool csd_model_take_task(struct model_player *player, uint32_t index);
bool csd_model_ask_task(struct model_player *player, uint32_t index);
bool csd_model_task_asked(struct model_player *player, uint32_t index);
bool csd_model_task_worked(struct model_player *player, uint32_t index);

/* How sessions share the device: model_runtime.c. */

/** Grants the request its memory and returns true; else the request waits in line for it. */
bool csd_model_grant(struct model_player *player, uint32_t index);

/** Takes the memory of a request that has ended back; the first in line gets it. */
void csd_model_grant_end(struct model_player *player);

/** Whether the request has had as many pages as its master thread takes before it is scheduled
 * again. */
bool csd_model_quantum_ends(const struct model_player *player, uint32_t index);

/** Returns when the host polls the request next, and counts the polls in vain until now. */
uint64_t csd_model_poll(struct model_player *player, struct model_request *r);

/* Results on their way to the host, and their ranking there: model_results.c. */
bool csd_model_send(struct model_player *player, uint32_t index);
bool csd_model_polled(struct model_player *player, uint32_t index);
bool csd_model_send_chunk(struct model_player *player, uint32_t index);
bool csd_model_move_chunk(struct model_player *player, uint32_t index);
bool csd_model_end_chunk(struct model_player *player, uint32_t index);
bool csd_model_rank(struct model_player *player, uint32_t index);
bool csd_model_begin_rank(struct model_player *player, uint32_t index);
bool csd_model_end_rank(struct model_player *player, uint32_t index);

/** Releases the core, and takes the step `stage` at the host's next poll, or its interrupt. */
bool csd_model_await_host(struct model_player *player, uint32_t index, enum model_stage stage);

#endif
