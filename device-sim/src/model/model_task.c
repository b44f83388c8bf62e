/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/*
 * Tasks: pages that device and host work on at once. A request that comes to tasks waits until all
 * of them are done. Meanwhile workers act for it: a reader, which asks the device for one page
 * after the other, and one that computes, both on cores of the host. The device has a worker for
 * each of its cores, which take tasks of all requests from its queue: the line that the device
 * itself has (task/task_line.h), so that what is refused here is what is refused there. Workers
 * stand behind the requests, and get cores, work in pieces and wait as these do; what they use is
 * charged to the request.
 */
#include <stdlib.h>

#include "base/status.h"
#include "model/model_stage.h"

enum { PPM = 1000000, WORKERS_OF_REQUEST = 2 };

uint32_t csd_model_worker_count(const struct csd_model_run *run) {
  return run->split == NULL ? 0 : run->profile->core_count + WORKERS_OF_REQUEST * run->count;
}

/* Workers: those of the device, then reader and computer of each request. */
static uint32_t first_worker(const struct model_player *player) { return player->run->count; }

static uint32_t reader_of(const struct model_player *player, uint32_t request) {
  return first_worker(player) + player->profile->core_count + WORKERS_OF_REQUEST * request;
}

static uint32_t computer_of(const struct model_player *player, uint32_t request) {
  return reader_of(player, request) + 1;
}

int csd_model_line_open(struct model_player *player) {
  const struct csd_model_run *run = player->run;
  if (run->split == NULL) {
    return 0;
  }
  const uint32_t slots = run->split->slots, depth = run->profile->link_queue_depth;
  const uint32_t limit = slots < depth ? slots : depth;
  player->rings = calloc(run->count, sizeof *player->rings);
  player->windows = calloc((size_t)run->count * limit, sizeof *player->windows);
  if (player->rings == NULL || player->windows == NULL) {
    return csd_fail(CSD_STATUS_NO_MEMORY, "model: no memory for tasks of %u requests", run->count);
  }
  player->line = (struct csd_task_line){.limit = slots};
  for (uint32_t i = 0; i < run->count; i++) {
    player->rings[i] = (struct csd_task_ring){.windows = player->windows + (size_t)i * limit,
                                              .limit = limit,
                                              .at_once = run->profile->core_count,
                                              .dynamic = run->split->dynamic};
  }
  return 0;
}

void csd_model_line_close(struct model_player *player) {
  free(player->rings);
  free(player->windows);
}

void csd_model_workers_open(struct model_player *player) {
  const uint32_t first = first_worker(player), cores = player->profile->core_count;
  const uint32_t count = csd_model_worker_count(player->run);
  for (uint32_t i = 0; i < count; i++) {
    const bool of_host = i >= cores;
    const uint32_t of = of_host ? (i - cores) / WORKERS_OF_REQUEST : first + i;
    player->requests[first + i] = (struct model_request){.works_on_host = of_host,
                                                         .of = of,
                                                         .core = MODEL_NONE,
                                                         .waits_for = MODEL_NONE,
                                                         .task = MODEL_NONE,
                                                         .idle = true};
  }
  player->stalled = (struct model_line){MODEL_NONE, MODEL_NONE};
}

/* ---- lines of tasks ---- */

static void append(struct model_player *player, struct model_line *line, uint32_t index) {
  player->fetches[index].next_queued = MODEL_NONE;
  if (line->first == MODEL_NONE) {
    line->first = index;
  } else {
    player->fetches[line->last].next_queued = index;
  }
  line->last = index;
}

static uint32_t take_first(struct model_player *player, struct model_line *line) {
  const uint32_t index = line->first;
  if (index != MODEL_NONE) {
    line->first = player->fetches[index].next_queued;
  }
  return index;
}

/* Lets a worker look for something to do, if it does nothing. */
static void wake(struct model_player *player, uint32_t worker, enum model_stage stage) {
  struct model_request *w = &player->requests[worker];
  if (w->idle) {
    w->idle = false;
    (void)model_then(player, worker, stage, player->now);
  }
}

/* ---- the request ---- */

/* The task that the request asks for next; false if none follows. */
static bool next_task(struct model_player *player, uint32_t request) {
  struct model_request *r = &player->requests[request];
  size_t at = r->at;
  struct csd_model_event event;
  if (!csd_model_log_next(r->log, &at, &event) || event.kind != CSD_MODEL_TASK) {
    return false;
  }
  event.address += model_first_lba(player->run, request);
  r->event = event;
  return true;
}

bool csd_model_begin_tasks(struct model_player *player, uint32_t index) {
  struct model_request *r = &player->requests[index];
  csd_model_core_release(player, &player->cores, index);
  csd_model_host_works(player, 1);
  r->answered = false;
  r->from = player->now;
  r->stage = TASKS;
  wake(player, reader_of(player, index), TAKE);
  return false;
}

/* Ends the wait of a request whose tasks are done. */
static void check_end(struct model_player *player, uint32_t request) {
  struct model_request *r = &player->requests[request];
  const bool computed =
      r->at_host.first == MODEL_NONE && player->requests[computer_of(player, request)].idle;
  if (r->tasks == 0 && computed && r->stage == TASKS && !next_task(player, request)) {
    (void)model_then(player, request, TASKS_DONE, player->now);
  }
}

bool csd_model_end_tasks(struct model_player *player, uint32_t index) {
  struct model_request *r = &player->requests[index];
  r->tasks_ps += player->now - r->from;
  csd_model_host_works(player, -1);
  csd_model_spend(player, index, CSD_MODEL_PART_COMPUTE, player->now);
  return model_at_once(r, NEXT);
}

/* ---- the reader ---- */

static bool may_ask(struct model_player *player, uint32_t request) {
  return player->requests[request].tasks < player->profile->link_queue_depth &&
         next_task(player, request);
}

bool csd_model_ask_task(struct model_player *player, uint32_t index) {
  player->requests[index].from = player->now;
  return model_then(player, index, TASK_ASKED,
                    model_add(player->now, model_ns(player->profile->host_read_cpu_ns)));
}

static struct model_fetch task_of(struct model_player *player, uint32_t request) {
  struct model_request *r = &player->requests[request];
  struct csd_model_event event;
  csd_model_log_next(r->log, &r->at, &event);
  struct model_fetch task = {.is_task = true,
                             .request = request,
                             .lba = r->event.address,
                             .bytes = (uint32_t)event.bytes,
                             .next = MODEL_NONE,
                             .work = event.work,
                             .work_count = event.work_count};
  size_t at = r->at;
  if (csd_model_log_next(r->log, &at, &event) && event.kind == CSD_MODEL_TASK_REST) {
    r->at = at;
    task.rest_bytes = (uint32_t)event.bytes;
    task.rest_work = event.work;
    task.rest_count = event.work_count;
  }
  r->marks += player->run->split->marked_ppm;
  task.marked = r->marks >= PPM;
  r->marks -= task.marked ? PPM : 0;
  player->split_counts.marked += task.marked ? 1 : 0;
  return task;
}

bool csd_model_task_asked(struct model_player *player, uint32_t index) {
  struct model_request *w = &player->requests[index];
  const uint32_t request = w->of;
  struct model_request *r = &player->requests[request];
  csd_model_charge_core(player, model_cores_of(player, index), index, w->from,
                        CSD_MODEL_ACTIVITY_READ, r->event.bytes);
  csd_model_core_release(player, model_cores_of(player, index), index);
  const struct model_fetch task = task_of(player, request);
  r->tasks++;
  (void)csd_model_fetch_task(player, &task);
  return model_at_once(w, TAKE);
}

/* ---- the device ---- */

static void to_host(struct model_player *player, uint32_t index) {
  player->fetches[index].raw = true;
  player->split_counts.raw++;
  csd_model_fetch_answer(player, index);
}

/* Offers a task to the line, and wakes a core for it. */
static enum csd_task_place offer(struct model_player *player, uint32_t index) {
  const uint32_t first = first_worker(player);
  const struct csd_task_window window = {.min_doc = index};
  struct csd_task_ring *const ring = &player->rings[player->fetches[index].request];
  const enum csd_task_place place = csd_task_line_offer(&player->line, ring, &window);
  for (uint32_t i = 0; i < player->profile->core_count && place == CSD_TASK_PLACE_TAKEN; i++) {
    if (player->requests[first + i].idle) {
      wake(player, first + i, TAKE);
      break;
    }
  }
  return place;
}

void csd_model_task_read(struct model_player *player, uint32_t index) {
  if (!player->fetches[index].marked) {
    to_host(player, index);
    return;
  }
  const enum csd_task_place place = offer(player, index);
  player->split_counts.full += place != CSD_TASK_PLACE_TAKEN;
  if (place == CSD_TASK_PLACE_RAW) {
    to_host(player, index);
  } else if (place == CSD_TASK_PLACE_WAITS) {
    append(player, &player->stalled, index);
  }
}

/* Takes the task whose turn it is; its place goes to one that waits. */
static uint32_t take_turn(struct model_player *player) {
  struct csd_task_window window;
  if (csd_task_line_take(&player->line, &window) == NULL) {
    return MODEL_NONE;
  }
  const uint32_t next = player->stalled.first;
  if (next != MODEL_NONE && offer(player, next) == CSD_TASK_PLACE_TAKEN) {
    (void)take_first(player, &player->stalled);
  }
  return window.min_doc;
}

/* The device has done a task. */
static void processed(struct model_player *player, uint32_t index) {
  struct model_fetch *fetch = &player->fetches[index];
  (void)csd_task_line_end(&player->line, &player->rings[fetch->request]);
  player->split_counts.processed++;
  fetch->bytes = fetch->rest_bytes;
  struct csd_model_report *report = &player->requests[fetch->request].report;
  report->bytes_sent = model_sum(report->bytes_sent, fetch->bytes);
  csd_model_fetch_answer(player, index);
}

/* ---- the host ---- */

void csd_model_task_came(struct model_player *player, uint32_t index) {
  const struct model_fetch fetch = player->fetches[index];
  struct model_request *r = &player->requests[fetch.request];
  r->tasks--;
  if (fetch.raw || fetch.rest_count > 0) {
    append(player, &r->at_host, index);
  } else {
    csd_model_fetch_release(player, index);
  }
  const bool last = r->tasks == 0 && !next_task(player, fetch.request);
  if (last) {
    csd_model_spend(player, fetch.request, CSD_MODEL_PART_IO, player->now);
  }
  if (r->at_host.first != MODEL_NONE && (last || !player->run->split->apart)) {
    wake(player, computer_of(player, fetch.request), TAKE);
  }
  wake(player, reader_of(player, fetch.request), TAKE);
  check_end(player, fetch.request);
}

/* ---- workers ---- */

/* Begins the work of a task, or the rest of it. */
static bool begin(struct model_player *player, uint32_t index, const uint64_t *work,
                  uint32_t count) {
  struct model_request *w = &player->requests[index];
  w->event = (struct csd_model_event){.kind = CSD_MODEL_TASK, .work_count = count, .work = work};
  csd_model_measure_work(player, index);
  if (w->pieces == 0) {
    return model_at_once(w, EVENT);
  }
  return model_with_core(player, model_cores_of(player, index), index, WORK);
}

static bool begin_rest(struct model_player *player, uint32_t index) {
  const struct model_fetch fetch = player->fetches[player->requests[index].task];
  player->requests[index].on_rest = true;
  return begin(player, index, fetch.rest_work, fetch.rest_count);
}

static bool rests(struct model_player *player, uint32_t index) {
  struct model_request *w = &player->requests[index];
  w->idle = true;
  if (w->works_on_host) {
    check_end(player, w->of);
  }
  return false;
}

bool csd_model_take_task(struct model_player *player, uint32_t index) {
  struct model_request *w = &player->requests[index];
  if (w->works_on_host && index == reader_of(player, w->of)) {
    return may_ask(player, w->of)
               ? model_with_core(player, model_cores_of(player, index), index, ASK_TASK)
               : rests(player, index);
  }
  w->task =
      w->works_on_host ? take_first(player, &player->requests[w->of].at_host) : take_turn(player);
  if (w->task == MODEL_NONE) {
    return rests(player, index);
  }
  const struct model_fetch fetch = player->fetches[w->task];
  w->of = fetch.request;
  if (w->works_on_host && !fetch.raw) {
    return begin_rest(player, index);
  }
  w->on_rest = false;
  return begin(player, index, fetch.work, fetch.work_count);
}

bool csd_model_task_worked(struct model_player *player, uint32_t index) {
  struct model_request *w = &player->requests[index];
  const uint32_t task = w->task;
  if (w->works_on_host && !w->on_rest && player->fetches[task].rest_count > 0) {
    return begin_rest(player, index);
  }
  csd_model_core_release(player, model_cores_of(player, index), index);
  if (w->works_on_host) {
    csd_model_fetch_release(player, task);
  } else {
    processed(player, task);
  }
  return model_at_once(w, TAKE);
}
