/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/*
 * How a request runs. It opens a session on the device, or begins on the host. Then it takes the
 * events of its log one by one: first the work before the event, on a core, then the event itself.
 * It keeps the core from event to event, and releases it while it waits for anything else.
 */
#include "model/model_stage.h"

void csd_model_has_core(struct model_player *player, uint32_t index) {
  if (model_is_worker(player, index)) {
    player->requests[index].mark = player->now;
    return;
  }
  const struct model_use use = {.resource = CSD_MODEL_RESOURCE_REQUEST,
                                .what = CSD_MODEL_ACTIVITY_QUEUE,
                                .from = player->requests[index].mark,
                                .until = player->now};
  csd_model_add_trace(player, index, &use);
  csd_model_spend(player, index, CSD_MODEL_PART_QUEUE, player->now);
}

void csd_model_trace_request(struct model_player *player, uint32_t index, uint64_t from,
                             enum csd_model_activity what, uint64_t amount) {
  const struct csd_model_event *event = &player->requests[index].event;
  if (model_is_worker(player, index)) {
    return; /* the request waits for its workers meanwhile */
  }
  const struct model_use use = {.resource = CSD_MODEL_RESOURCE_REQUEST,
                                .what = what,
                                .lba = what == CSD_MODEL_ACTIVITY_LOAD ? event->address : 0,
                                .amount = amount,
                                .from = from,
                                .until = player->now};
  csd_model_add_trace(player, index, &use);
}

void csd_model_charge_core(struct model_player *player, const struct model_cores *cores,
                           uint32_t index, uint64_t from, enum csd_model_activity what,
                           uint64_t amount) {
  const struct model_request *of = &player->requests[player->requests[index].of];
  const struct model_use use = {.resource = (enum csd_model_resource)cores->resource,
                                .what = what,
                                .unit = player->requests[index].core,
                                .lba = what == CSD_MODEL_ACTIVITY_READ ? of->event.address : 0,
                                .amount = amount,
                                .from = from,
                                .until = player->now};
  csd_model_charge(player, index, &use);
}

/* ---- beginning ---- */

static bool arrive(struct model_player *player, uint32_t index) {
  struct model_request *r = &player->requests[index];
  r->mark = r->from = player->now;
  if (player->on_host) {
    csd_model_host_works(player, 1);
    if (r->log->bare) {
      return model_at_once(r, NEXT);
    }
    return model_with_core(player, &player->cores, index, FIXED);
  }
  csd_model_controller_works(player, 1);
  if (r->log->bare) {
    return model_at_once(r, NEXT);
  }
  r->stage = COMMANDED;
  if (player->commands < player->profile->link_queue_depth) {
    player->commands++;
    return true;
  }
  csd_model_request_wait(player, &player->first_queued, &player->last_queued, index);
  return false;
}

static void release_command(struct model_player *player) {
  const uint32_t next = player->first_queued;
  if (next == MODEL_NONE) {
    player->commands--;
    return;
  }
  player->first_queued = player->requests[next].next_waiting;
  csd_model_schedule(player, player->now, MODEL_REQUEST_STEP, next);
}

static bool open_session(struct model_player *player, uint32_t index) {
  struct model_request *r = &player->requests[index];
  const struct csd_model_profile *p = player->profile;
  r->stage = OPENED;
  csd_model_schedule(
      player,
      csd_model_reserve(player, CSD_MODEL_RESOURCE_LINK, 0,
                        model_transfer(r->log->opened_bytes, p->link_bytes_per_s), &r->from),
      MODEL_REQUEST_STEP, index);
  return false;
}

static bool opened(struct model_player *player, uint32_t index) {
  struct model_request *r = &player->requests[index];
  const struct model_use use = {.resource = CSD_MODEL_RESOURCE_LINK,
                                .what = CSD_MODEL_ACTIVITY_COMMAND,
                                .amount = r->log->opened_bytes,
                                .from = r->from,
                                .until = player->now};
  csd_model_charge(player, index, &use);
  csd_model_spend(player, index, CSD_MODEL_PART_LINK, player->now);
  r->report.bytes_opened = r->log->opened_bytes;
  r->poll_base = player->now;
  r->callbacks++;
  return csd_model_grant(player, index);
}

static bool granted(struct model_player *player, uint32_t index) {
  csd_model_spend(player, index, CSD_MODEL_PART_QUEUE, player->now);
  return model_with_core(player, &player->cores, index, FIXED);
}

static bool begin_fixed(struct model_player *player, uint32_t index) {
  const struct csd_model_profile *p = player->profile;
  csd_model_has_core(player, index);
  player->requests[index].from = player->now;
  return model_then(
      player, index, FIXED_DONE,
      model_add(player->now, model_ns(player->on_host ? p->host_query_ns : p->session_open_ns)));
}

static bool end_fixed(struct model_player *player, uint32_t index) {
  struct model_request *r = &player->requests[index];
  csd_model_charge_core(player, &player->cores, index, r->from, CSD_MODEL_ACTIVITY_ALLOCATE, 0);
  csd_model_trace_request(player, index, r->from, CSD_MODEL_ACTIVITY_ALLOCATE, 0);
  csd_model_spend(player, index, CSD_MODEL_PART_FIXED, player->now);
  return model_at_once(r, NEXT);
}

/* ---- pages ---- */

static bool load(struct model_player *player, uint32_t index) {
  struct model_request *r = &player->requests[index];
  r->answered = false;
  r->from = r->mark;
  r->callbacks++;
  if (csd_model_fetch_load(player, index)) {
    r->slice_pages++;
    if (!csd_model_quantum_ends(player, index)) {
      return model_at_once(r, NEXT);
    }
    r->slice_pages = 0;
    r->scheduled = false;
    if (player->cores.first_waiting == MODEL_NONE) {
      return model_at_once(r, NEXT);
    }
    csd_model_core_release(player, &player->cores, index);
    return model_with_core(player, &player->cores, index, REGAINED);
  }
  r->slice_pages = 0;
  csd_model_core_release(player, &player->cores, index);
  if (player->on_host) {
    csd_model_controller_works(player, 1);
  }
  r->stage = LOADED;
  return false;
}

static bool loaded(struct model_player *player, uint32_t index) {
  struct model_request *r = &player->requests[index];
  csd_model_trace_request(player, index, r->from, CSD_MODEL_ACTIVITY_LOAD, r->event.bytes);
  if (player->on_host) {
    csd_model_controller_works(player, -1);
    r->controller_ps += player->now - r->mark;
  }
  csd_model_spend(player, index, CSD_MODEL_PART_IO, player->now);
  return model_at_once(r, NEXT);
}

static bool regained(struct model_player *player, uint32_t index) {
  csd_model_has_core(player, index);
  return model_at_once(&player->requests[index], NEXT);
}

static bool begin_host_read(struct model_player *player, uint32_t index) {
  csd_model_has_core(player, index);
  player->requests[index].from = player->now;
  return model_then(player, index, HOST_READ_DONE,
                    model_add(player->now, model_ns(player->profile->host_read_cpu_ns)));
}

static bool end_host_read(struct model_player *player, uint32_t index) {
  struct model_request *r = &player->requests[index];
  csd_model_charge_core(player, &player->cores, index, r->from, CSD_MODEL_ACTIVITY_READ,
                        r->event.bytes);
  csd_model_spend(player, index, CSD_MODEL_PART_IO, player->now);
  if (r->event.kind != CSD_MODEL_READ_AHEAD) {
    return load(player, index);
  }
  csd_model_fetch_ahead(player, index);
  return model_at_once(r, NEXT);
}

static bool read_pages(struct model_player *player, uint32_t index) {
  struct model_request *r = &player->requests[index];
  const bool is_load = r->event.kind != CSD_MODEL_READ_AHEAD;
  const bool known = r->event.kind != CSD_MODEL_ASK && csd_model_fetch_is_known(player, index);
  if (player->on_host && !known && (is_load || player->profile->host_read_ahead > 0)) {
    return model_with_core(player, &player->cores, index, HOST_READ);
  }
  if (is_load) {
    return load(player, index);
  }
  if (!known) {
    csd_model_fetch_ahead(player, index);
  }
  return model_at_once(r, NEXT);
}

/* ---- flash commands of the FTL ---- */

static bool command_flash(struct model_player *player, uint32_t index) {
  struct model_request *r = &player->requests[index];
  const struct csd_model_profile *p = player->profile;
  csd_model_core_release(player, &player->cores, index);
  r->answered = false;
  if (r->flash_count >= p->flash_writes_in_flight) {
    r->stage = COMMAND_ROOM;
    return false;
  }
  r->flash_count++;
  const uint32_t bytes = r->event.kind == CSD_MODEL_FLASH_ERASE ? 0 : p->flash_page_bytes;
  return model_then(
      player, index, COMMAND_PASSED,
      csd_model_flash_begin(player, r->event.kind, index, MODEL_NONE, r->event.address, 0, bytes));
}

void csd_model_request_flash_done(struct model_player *player, uint32_t index) {
  struct model_request *r = &player->requests[index];
  r->flash_count--;
  if (r->stage == COMMAND_ROOM || (r->stage == ENDING && r->flash_count == 0)) {
    csd_model_schedule(player, player->now, MODEL_REQUEST_STEP, index);
  }
}

/* ---- ending ---- */

static bool finish(struct model_player *player, uint32_t index) {
  struct model_request *r = &player->requests[index];
  const uint64_t ranked = r->report.part_ps[CSD_MODEL_PART_RANK];
  r->report.finish_ps = player->now;
  r->finished = true;
  player->unfinished--;
  csd_model_fetch_forget(player, index);
  const uint64_t elapsed = r->report.finish_ps - r->report.arrival_ps;
  if (player->on_host) {
    r->host_ps = elapsed;
    csd_model_host_works(player, -1);
  } else {
    r->host_ps = ranked + r->tasks_ps;
    r->controller_ps = elapsed - ranked;
    csd_model_controller_works(player, -1);
    if (model_has_session(player, r)) {
      csd_model_grant_end(player);
      release_command(player);
    }
  }
  return false;
}

static bool end(struct model_player *player, uint32_t index) {
  struct model_request *r = &player->requests[index];
  csd_model_core_release(player, &player->cores, index);
  r->stage = ENDING;
  if (r->flash_count > 0) {
    return false;
  }
  csd_model_spend(player, index, CSD_MODEL_PART_IO, player->now);
  if (!model_has_session(player, r) || r->answered) {
    return finish(player, index);
  }
  return csd_model_await_host(player, index, ANSWERED);
}

static bool answered(struct model_player *player, uint32_t index) {
  csd_model_trace_request(player, index, player->requests[index].mark, CSD_MODEL_ACTIVITY_WAIT, 0);
  csd_model_spend(player, index, CSD_MODEL_PART_LINK, player->now);
  return finish(player, index);
}

static bool event(struct model_player *player, uint32_t index) {
  if (model_is_worker(player, index)) {
    return csd_model_task_worked(player, index);
  }
  switch (player->requests[index].event.kind) {
    case CSD_MODEL_LOAD:
    case CSD_MODEL_ASK:
    case CSD_MODEL_READ_AHEAD: return read_pages(player, index);
    case CSD_MODEL_SEND: return csd_model_send(player, index);
    case CSD_MODEL_RANK: return csd_model_rank(player, index);
    case CSD_MODEL_FLASH_READ:
    case CSD_MODEL_FLASH_PROGRAM:
    case CSD_MODEL_FLASH_ERASE: return command_flash(player, index);
    case CSD_MODEL_TASK:
    case CSD_MODEL_TASK_REST: /* taken by csd_model_begin_tasks */
    case CSD_MODEL_END: break;
  }
  return end(player, index);
}

static bool commanded(struct model_player *player, uint32_t index) {
  csd_model_has_core(player, index);
  player->requests[index].report.link_commands++;
  return model_then(player, index, OPENING,
                    model_add(player->now, model_ns(player->profile->link_command_ns)));
}

static bool command_passed(struct model_player *player, uint32_t index) {
  csd_model_spend(player, index, CSD_MODEL_PART_IO, player->now);
  return model_at_once(&player->requests[index], NEXT);
}

/* Takes the step of the request's stage; true if another one follows at this time. */
static bool go_on(struct model_player *player, uint32_t index) {
  switch ((enum model_stage)player->requests[index].stage) {
    case ARRIVED: return arrive(player, index);
    case COMMANDED: return commanded(player, index);
    case OPENING: return open_session(player, index);
    case OPENED: return opened(player, index);
    case GRANTED: return granted(player, index);
    case FIXED: return begin_fixed(player, index);
    case FIXED_DONE: return end_fixed(player, index);
    case NEXT: return csd_model_next_event(player, index);
    case WORK: return csd_model_begin_work(player, index);
    case SWITCHED: return csd_model_switched(player, index);
    case PIECE: return csd_model_begin_piece(player, index);
    case WORKED: return csd_model_end_piece(player, index);
    case EVENT: return event(player, index);
    case HOST_READ: return begin_host_read(player, index);
    case HOST_READ_DONE: return end_host_read(player, index);
    case LOADED: return loaded(player, index);
    case REGAINED: return regained(player, index);
    case POLLED: return csd_model_polled(player, index);
    case CHUNK: return csd_model_send_chunk(player, index);
    case CHUNK_ASKED: return csd_model_move_chunk(player, index);
    case CHUNK_SENT: return csd_model_end_chunk(player, index);
    case RANK: return csd_model_begin_rank(player, index);
    case RANKED: return csd_model_end_rank(player, index);
    case COMMAND_ROOM: return command_flash(player, index);
    case COMMAND_PASSED: return command_passed(player, index);
    case ENDING: return end(player, index);
    case ANSWERED: return answered(player, index);
    case TASKS: break;
    case TASKS_DONE: return csd_model_end_tasks(player, index);
    case TAKE: return csd_model_take_task(player, index);
    case ASK_TASK: return csd_model_ask_task(player, index);
    case TASK_ASKED: return csd_model_task_asked(player, index);
  }
  return false;
}

void csd_model_request_step(struct model_player *player, uint32_t index) {
  while (player->failure == 0 && go_on(player, index)) {
    continue;
  }
}
