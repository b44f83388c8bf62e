/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/*
 * The way of a request: it opens a session (on the device) or begins (on the host), then goes
 * through its log, event by event: first the work before the event, on a core, then the event. A
 * core is held from event to event and given up while the request waits for anything else.
 */
#include "model/model_player.h"

/* Work is done in pieces, so that others get at the DRAM bus in between: of this time, but no more
 * than so many. A request that nothing else goes on beside does it in one. */
#define PIECE_PS UINT64_C(10000000)
enum { MAX_PIECES = 1 << 16 };

/* What a step goes on with. */
enum stage {
  ARRIVED,
  COMMANDED, /* has a place in the command queue */
  OPENING,   /* the command is at the device */
  OPENED,    /* and its data */
  FIXED,     /* has a core for the fixed part */
  FIXED_DONE,
  NEXT,
  WORK, /* has a core for work */
  PIECE,
  WORKED,
  SWITCHED, /* the core went over to this request, for work */
  EVENT,
  HOST_READ, /* has a core for the system call */
  HOST_READ_DONE,
  LOADED,
  POLLED, /* the host has seen that there are results */
  CHUNK,
  CHUNK_ASKED,
  CHUNK_SENT,
  RANK, /* has a core for ranking */
  RANKED,
  COMMAND_ROOM, /* fewer flash commands of its own are under way */
  COMMAND_PASSED,
  ENDING, /* of its flash commands one more has ended */
  ANSWERED,
};

static bool then(struct model_player *player, uint32_t index, enum stage stage, uint64_t time) {
  player->requests[index].stage = (uint8_t)stage;
  model_schedule(player, time, MODEL_REQUEST_STEP, index);
  return false;
}

static bool at_once(struct model_request *r, enum stage stage) {
  r->stage = (uint8_t)stage;
  return true;
}

/* Goes on with `stage` when the request has a core. */
static bool with_core(struct model_player *player, struct model_cores *cores, uint32_t index,
                      enum stage stage) {
  struct model_request *r = &player->requests[index];
  r->stage = (uint8_t)stage;
  if (r->core != MODEL_NONE) {
    return true;
  }
  r->from = player->now;
  return model_core_take(player, cores, index);
}

/* A core that was waited for: accounts for that. */
static void has_core(struct model_player *player, uint32_t index) {
  const struct model_use use = {.resource = CSD_MODEL_RESOURCE_REQUEST,
                                .what = CSD_MODEL_ACTIVITY_QUEUE,
                                .from = player->requests[index].mark,
                                .until = player->now};
  model_trace(player, index, &use);
  model_spend(player, index, CSD_MODEL_PART_QUEUE, player->now);
}

static void trace_request(struct model_player *player, uint32_t index, uint64_t from,
                          enum csd_model_activity what, uint64_t amount) {
  const struct csd_model_event *event = &player->requests[index].event;
  const struct model_use use = {.resource = CSD_MODEL_RESOURCE_REQUEST,
                                .what = what,
                                .lba = what == CSD_MODEL_ACTIVITY_LOAD ? event->page : 0,
                                .amount = amount,
                                .from = from,
                                .until = player->now};
  model_trace(player, index, &use);
}

static void charge_core(struct model_player *player, const struct model_cores *cores,
                        uint32_t index, uint64_t from, enum csd_model_activity what,
                        uint64_t amount) {
  const struct model_use use = {.resource = (enum csd_model_resource)cores->resource,
                                .what = what,
                                .unit = player->requests[index].core,
                                .amount = amount,
                                .from = from,
                                .until = player->now};
  model_charge(player, index, &use);
}

static bool has_session(const struct model_player *player, const struct model_request *r) {
  return !player->on_host && !r->log->bare;
}

/* ---- beginning ---- */

static bool arrive(struct model_player *player, uint32_t index) {
  struct model_request *r = &player->requests[index];
  r->mark = r->from = player->now;
  if (player->on_host) {
    model_host_works(player, 1);
    if (r->log->bare) {
      return at_once(r, NEXT);
    }
    return with_core(player, &player->cores, index, FIXED);
  }
  model_controller_works(player, 1);
  if (r->log->bare) {
    return at_once(r, NEXT);
  }
  r->stage = COMMANDED;
  if (player->commands < player->profile->link_queue_depth) {
    player->commands++;
    return true;
  }
  model_request_wait(player, &player->first_queued, &player->last_queued, index);
  return false;
}

static void give_up_command(struct model_player *player) {
  const uint32_t next = player->first_queued;
  if (next == MODEL_NONE) {
    player->commands--;
    return;
  }
  player->first_queued = player->requests[next].next_waiting;
  model_schedule(player, player->now, MODEL_REQUEST_STEP, next);
}

static bool open_session(struct model_player *player, uint32_t index) {
  struct model_request *r = &player->requests[index];
  const struct csd_model_profile *p = player->profile;
  r->stage = OPENED;
  model_schedule(player,
                 model_reserve(player, CSD_MODEL_RESOURCE_LINK, 0,
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
  model_charge(player, index, &use);
  model_spend(player, index, CSD_MODEL_PART_LINK, player->now);
  r->report.bytes_opened = r->log->opened_bytes;
  r->poll_base = player->now;
  return with_core(player, &player->cores, index, FIXED);
}

static bool begin_fixed(struct model_player *player, uint32_t index) {
  const struct csd_model_profile *p = player->profile;
  has_core(player, index);
  player->requests[index].from = player->now;
  return then(
      player, index, FIXED_DONE,
      model_add(player->now, model_ns(player->on_host ? p->host_query_ns : p->session_open_ns)));
}

static bool end_fixed(struct model_player *player, uint32_t index) {
  struct model_request *r = &player->requests[index];
  charge_core(player, &player->cores, index, r->from, CSD_MODEL_ACTIVITY_ALLOCATE, 0);
  trace_request(player, index, r->from, CSD_MODEL_ACTIVITY_ALLOCATE, 0);
  model_spend(player, index, CSD_MODEL_PART_FIXED, player->now);
  return at_once(r, NEXT);
}

/* ---- work ---- */

static bool is_alone(const struct model_player *player, const struct model_request *r) {
  return player->run->count == 1 && r->ahead_count == 0 && r->flash_count == 0;
}

/* Time of an event's work on a core of this side. */
static void measure_work(struct model_player *player, struct model_request *r) {
  const struct csd_model_profile *p = player->profile;
  const bool host = player->on_host;
  const uint32_t *cycles = host ? p->host_millicycles : p->core_millicycles;
  const uint32_t *access_ps = host ? p->host_access_ps : p->access_ps;
  const uint32_t *access_bytes = host ? p->host_access_bytes : p->access_bytes;
  const uint64_t hz = host ? p->host_hz : p->core_hz;
  const uint64_t bandwidth = host ? p->host_dram_bytes_per_s : p->dram_bytes_per_s;
  model_wide millicycles = 0, sram_ps = 0, memory_ps = 0, bytes = 0;
  for (uint32_t i = 0; i < r->event.work_count; i++) {
    const uint32_t kind = csd_model_work_kind(r->event.work[i]);
    const uint64_t units = csd_model_work_units(r->event.work[i]);
    r->report.work[kind] = model_sum(r->report.work[kind], units);
    millicycles += (model_wide)units * cycles[kind];
    bytes += (model_wide)units * access_bytes[kind];
    *(kind == CSD_MODEL_WORK_SRAM_ACCESS ? &sram_ps : &memory_ps) +=
        (model_wide)units * access_ps[kind];
  }
  /* 24 kinds of less than 2^56 units at less than 2^27: below 2^88, x 10^9 below 2^118 */
  r->compute_ps =
      model_add(model_saturate(millicycles * UINT64_C(1000000000) / hz), model_saturate(sram_ps));
  r->bus_bytes = bytes < MODEL_NEVER ? (uint64_t)bytes : MODEL_NEVER;
  r->bus_ps = model_transfer(r->bus_bytes, bandwidth);
  r->memory_ps = model_later(model_saturate(memory_ps), r->bus_ps);
  const uint64_t time = model_add(r->compute_ps, r->memory_ps);
  uint64_t pieces = time / PIECE_PS + (time % PIECE_PS != 0);
  if (pieces > MAX_PIECES) {
    pieces = MAX_PIECES;
  }
  if (pieces > 1 && is_alone(player, r)) {
    pieces = 1;
  }
  r->pieces = pieces;
}

static bool next_event(struct model_player *player, uint32_t index) {
  struct model_request *r = &player->requests[index];
  csd_model_log_next(r->log, &r->at, &r->event);
  if (r->event.kind == CSD_MODEL_LOAD || r->event.kind == CSD_MODEL_READ_AHEAD) {
    r->event.page += model_first_lba(player->run, index);
  }
  measure_work(player, r);
  if (r->pieces == 0) {
    return at_once(r, EVENT);
  }
  r->answered = false;
  return with_core(player, &player->cores, index, WORK);
}

static bool begin_work(struct model_player *player, uint32_t index) {
  struct model_request *r = &player->requests[index];
  const struct model_cores *cores = &player->cores;
  const uint64_t switch_ps = player->on_host ? 0 : model_ns(player->profile->core_switch_ns);
  has_core(player, index);
  r->from = r->segment_from = r->slice_from = player->now;
  const uint32_t last = cores->last[r->core];
  if (switch_ps > 0 && last != MODEL_NONE && last != index) {
    player->cores.last[r->core] = index;
    return then(player, index, SWITCHED, model_add(player->now, switch_ps));
  }
  return at_once(r, PIECE);
}

static bool switched(struct model_player *player, uint32_t index) {
  struct model_request *r = &player->requests[index];
  charge_core(player, &player->cores, index, r->from, CSD_MODEL_ACTIVITY_QUEUE, 0);
  model_spend(player, index, CSD_MODEL_PART_FIXED, player->now);
  r->segment_from = player->now;
  return at_once(r, PIECE);
}

/* A piece of the work: its share of the bus first, as soon as that is free, then the rest. */
static bool begin_piece(struct model_player *player, uint32_t index) {
  struct model_request *r = &player->requests[index];
  const uint64_t memory = r->memory_ps / r->pieces;
  const uint64_t bus = r->bus_ps / r->pieces;
  uint64_t start = player->now;
  r->piece_compute = r->compute_ps / r->pieces;
  r->bus_from = r->bus_until = start;
  if (bus > 0) {
    r->bus_until = model_reserve(
        player, player->on_host ? CSD_MODEL_RESOURCE_HOST_DRAM : CSD_MODEL_RESOURCE_DRAM_BUS, 0,
        bus, &r->bus_from);
    start = r->bus_from;
  }
  r->memory_ps -= memory;
  r->bus_ps -= bus;
  r->compute_ps -= r->piece_compute;
  return then(player, index, WORKED, model_add(start, model_add(memory, r->piece_compute)));
}

static bool end_piece(struct model_player *player, uint32_t index) {
  struct model_request *r = &player->requests[index];
  struct model_cores *cores = &player->cores;
  const uint64_t bytes = r->bus_bytes / r->pieces;
  const struct model_use bus = {
      .resource = player->on_host ? CSD_MODEL_RESOURCE_HOST_DRAM : CSD_MODEL_RESOURCE_DRAM_BUS,
      .what = CSD_MODEL_ACTIVITY_TRANSFER,
      .amount = bytes,
      .from = r->bus_from,
      .until = r->bus_until};
  model_charge(player, index, &bus);
  model_spend(player, index, CSD_MODEL_PART_COMPUTE, r->mark + r->piece_compute);
  model_spend(player, index, CSD_MODEL_PART_DRAM, player->now);
  r->bus_bytes -= bytes;
  const bool done = --r->pieces == 0;
  const uint64_t slice = player->on_host ? 0 : model_ns(player->profile->core_slice_ns);
  const bool yields = !done && slice > 0 && cores->first_waiting != MODEL_NONE &&
                      player->now - r->slice_from >= slice;
  if (!done && !yields) {
    return at_once(r, PIECE);
  }
  charge_core(player, cores, index, r->segment_from, CSD_MODEL_ACTIVITY_COMPUTE, 0);
  trace_request(player, index, r->segment_from, CSD_MODEL_ACTIVITY_COMPUTE, 0);
  if (done) {
    return at_once(r, EVENT);
  }
  model_core_free(player, cores, index);
  return with_core(player, cores, index, WORK);
}

/* ---- pages ---- */

static bool load(struct model_player *player, uint32_t index) {
  struct model_request *r = &player->requests[index];
  r->answered = false;
  r->from = r->mark;
  if (model_fetch_load(player, index)) {
    return at_once(r, NEXT);
  }
  model_core_free(player, &player->cores, index);
  if (player->on_host) {
    model_controller_works(player, 1);
  }
  r->stage = LOADED;
  return false;
}

static bool loaded(struct model_player *player, uint32_t index) {
  struct model_request *r = &player->requests[index];
  trace_request(player, index, r->from, CSD_MODEL_ACTIVITY_LOAD, r->event.bytes);
  if (player->on_host) {
    model_controller_works(player, -1);
    r->controller_ps += player->now - r->mark;
  }
  model_spend(player, index, CSD_MODEL_PART_IO, player->now);
  return at_once(r, NEXT);
}

static bool begin_host_read(struct model_player *player, uint32_t index) {
  has_core(player, index);
  player->requests[index].from = player->now;
  return then(player, index, HOST_READ_DONE,
              model_add(player->now, model_ns(player->profile->host_read_cpu_ns)));
}

static bool end_host_read(struct model_player *player, uint32_t index) {
  struct model_request *r = &player->requests[index];
  charge_core(player, &player->cores, index, r->from, CSD_MODEL_ACTIVITY_READ, r->event.bytes);
  model_spend(player, index, CSD_MODEL_PART_IO, player->now);
  if (r->event.kind == CSD_MODEL_LOAD) {
    return load(player, index);
  }
  model_fetch_ahead(player, index);
  return at_once(r, NEXT);
}

static bool read_pages(struct model_player *player, uint32_t index) {
  struct model_request *r = &player->requests[index];
  const bool is_load = r->event.kind == CSD_MODEL_LOAD;
  const bool known = model_fetch_is_known(player, index);
  if (player->on_host && !known && (is_load || player->profile->host_read_ahead > 0)) {
    return with_core(player, &player->cores, index, HOST_READ);
  }
  if (is_load) {
    return load(player, index);
  }
  if (!known) {
    model_fetch_ahead(player, index);
  }
  return at_once(r, NEXT);
}

/* ---- results ---- */

/* Waits until the host looks, or is told. */
static bool await_host(struct model_player *player, uint32_t index, enum stage stage) {
  struct model_request *r = &player->requests[index];
  const struct csd_model_profile *p = player->profile;
  model_core_free(player, &player->cores, index);
  if (p->link_completion == CSD_MODEL_COMPLETION_INTERRUPT) {
    return then(player, index, stage, model_add(player->now, model_ns(p->link_completion_ns)));
  }
  const uint64_t interval = model_ns(p->link_poll_ns);
  const uint64_t passed = player->now - r->poll_base;
  const uint64_t polls = passed == 0 ? 1 : (passed + interval - 1) / interval;
  r->report.link_polls += polls - 1;
  r->poll_base += polls * interval;
  return then(player, index, stage, r->poll_base);
}

static bool send(struct model_player *player, uint32_t index) {
  struct model_request *r = &player->requests[index];
  if (!has_session(player, r)) {
    return at_once(r, NEXT);
  }
  r->bytes_left = r->event.bytes;
  r->report.bytes_sent = model_sum(r->report.bytes_sent, r->event.bytes);
  return await_host(player, index, POLLED);
}

static bool polled(struct model_player *player, uint32_t index) {
  struct model_request *r = &player->requests[index];
  trace_request(player, index, r->mark, CSD_MODEL_ACTIVITY_WAIT, 0);
  model_spend(player, index, CSD_MODEL_PART_LINK, player->now);
  r->segment_from = player->now;
  return at_once(r, CHUNK);
}

static bool send_chunk(struct model_player *player, uint32_t index) {
  struct model_request *r = &player->requests[index];
  if (r->bytes_left == 0) {
    trace_request(player, index, r->segment_from, CSD_MODEL_ACTIVITY_SEND, r->event.bytes);
    r->poll_base = player->now;
    r->answered = true;
    return at_once(r, NEXT);
  }
  r->report.link_commands++;
  return then(player, index, CHUNK_ASKED,
              model_add(player->now, model_ns(player->profile->send_chunk_ns)));
}

static uint64_t chunk_bytes(const struct model_player *player, const struct model_request *r) {
  const uint64_t most = player->profile->send_chunk_bytes;
  return r->bytes_left < most ? r->bytes_left : most;
}

static bool move_chunk(struct model_player *player, uint32_t index) {
  struct model_request *r = &player->requests[index];
  const uint64_t time = model_transfer(chunk_bytes(player, r), player->profile->link_bytes_per_s);
  return then(player, index, CHUNK_SENT,
              model_reserve(player, CSD_MODEL_RESOURCE_LINK, 1, time, &r->from));
}

static bool end_chunk(struct model_player *player, uint32_t index) {
  struct model_request *r = &player->requests[index];
  const uint64_t bytes = chunk_bytes(player, r);
  const struct model_use use = {.resource = CSD_MODEL_RESOURCE_LINK,
                                .what = CSD_MODEL_ACTIVITY_SEND,
                                .unit = 1,
                                .amount = bytes,
                                .from = r->from,
                                .until = player->now};
  model_charge(player, index, &use);
  model_spend(player, index, CSD_MODEL_PART_SEND, player->now);
  r->bytes_left -= bytes;
  return at_once(r, CHUNK);
}

/* ---- ranking by the host ---- */

static struct model_cores *host_cores(struct model_player *player) {
  return player->on_host ? &player->cores : &player->ranking;
}

static bool rank(struct model_player *player, uint32_t index) {
  if (!player->on_host) {
    model_core_free(player, &player->cores, index);
  }
  return with_core(player, host_cores(player), index, RANK);
}

static bool begin_rank(struct model_player *player, uint32_t index) {
  struct model_request *r = &player->requests[index];
  has_core(player, index);
  r->from = player->now;
  if (!player->on_host) {
    model_controller_works(player, -1);
    model_host_works(player, 1);
  }
  const model_wide time = (model_wide)r->event.bytes * player->profile->host_rank_ps;
  return then(player, index, RANKED, model_add(player->now, model_saturate(time)));
}

static bool end_rank(struct model_player *player, uint32_t index) {
  struct model_request *r = &player->requests[index];
  charge_core(player, host_cores(player), index, r->from, CSD_MODEL_ACTIVITY_RANK, r->event.bytes);
  trace_request(player, index, r->from, CSD_MODEL_ACTIVITY_RANK, r->event.bytes);
  model_spend(player, index, CSD_MODEL_PART_RANK, player->now);
  r->report.results_ranked = model_sum(r->report.results_ranked, r->event.bytes);
  if (!player->on_host) {
    model_core_free(player, &player->ranking, index);
    model_controller_works(player, 1);
    model_host_works(player, -1);
  }
  return at_once(r, NEXT);
}

/* ---- flash commands of the FTL ---- */

static bool command_flash(struct model_player *player, uint32_t index) {
  struct model_request *r = &player->requests[index];
  const struct csd_model_profile *p = player->profile;
  model_core_free(player, &player->cores, index);
  r->answered = false;
  if (r->flash_count >= p->flash_writes_in_flight) {
    r->stage = COMMAND_ROOM;
    return false;
  }
  r->flash_count++;
  const uint32_t bytes = r->event.kind == CSD_MODEL_FLASH_ERASE ? 0 : p->flash_page_bytes;
  return then(player, index, COMMAND_PASSED,
              model_flash_begin(player, r->event.kind, index, MODEL_NONE, r->event.page, 0, bytes));
}

void model_request_flash_done(struct model_player *player, uint32_t index) {
  struct model_request *r = &player->requests[index];
  r->flash_count--;
  if (r->stage == COMMAND_ROOM || (r->stage == ENDING && r->flash_count == 0)) {
    model_schedule(player, player->now, MODEL_REQUEST_STEP, index);
  }
}

/* ---- ending ---- */

static bool finish(struct model_player *player, uint32_t index) {
  struct model_request *r = &player->requests[index];
  const uint64_t ranked = r->report.part_ps[CSD_MODEL_PART_RANK];
  r->report.finish_ps = player->now;
  r->finished = true;
  player->unfinished--;
  model_fetch_forget(player, index);
  const uint64_t elapsed = r->report.finish_ps - r->report.arrival_ps;
  if (player->on_host) {
    r->host_ps = elapsed;
    model_host_works(player, -1);
  } else {
    r->host_ps = ranked;
    r->controller_ps = elapsed - ranked;
    model_controller_works(player, -1);
    if (has_session(player, r)) {
      give_up_command(player);
    }
  }
  return false;
}

static bool end(struct model_player *player, uint32_t index) {
  struct model_request *r = &player->requests[index];
  model_core_free(player, &player->cores, index);
  r->stage = ENDING;
  if (r->flash_count > 0) {
    return false;
  }
  model_spend(player, index, CSD_MODEL_PART_IO, player->now);
  if (!has_session(player, r) || r->answered) {
    return finish(player, index);
  }
  return await_host(player, index, ANSWERED);
}

static bool answered(struct model_player *player, uint32_t index) {
  trace_request(player, index, player->requests[index].mark, CSD_MODEL_ACTIVITY_WAIT, 0);
  model_spend(player, index, CSD_MODEL_PART_LINK, player->now);
  return finish(player, index);
}

static bool event(struct model_player *player, uint32_t index) {
  switch (player->requests[index].event.kind) {
    case CSD_MODEL_LOAD:
    case CSD_MODEL_READ_AHEAD: return read_pages(player, index);
    case CSD_MODEL_SEND: return send(player, index);
    case CSD_MODEL_RANK: return rank(player, index);
    case CSD_MODEL_FLASH_READ:
    case CSD_MODEL_FLASH_PROGRAM:
    case CSD_MODEL_FLASH_ERASE: return command_flash(player, index);
    case CSD_MODEL_END: break;
  }
  return end(player, index);
}

static bool commanded(struct model_player *player, uint32_t index) {
  has_core(player, index);
  player->requests[index].report.link_commands++;
  return then(player, index, OPENING,
              model_add(player->now, model_ns(player->profile->link_command_ns)));
}

static bool command_passed(struct model_player *player, uint32_t index) {
  model_spend(player, index, CSD_MODEL_PART_IO, player->now);
  return at_once(&player->requests[index], NEXT);
}

/* Does what the request is due to; true if there is more to do at this time. */
static bool go_on(struct model_player *player, uint32_t index) {
  switch ((enum stage)player->requests[index].stage) {
    case ARRIVED: return arrive(player, index);
    case COMMANDED: return commanded(player, index);
    case OPENING: return open_session(player, index);
    case OPENED: return opened(player, index);
    case FIXED: return begin_fixed(player, index);
    case FIXED_DONE: return end_fixed(player, index);
    case NEXT: return next_event(player, index);
    case WORK: return begin_work(player, index);
    case SWITCHED: return switched(player, index);
    case PIECE: return begin_piece(player, index);
    case WORKED: return end_piece(player, index);
    case EVENT: return event(player, index);
    case HOST_READ: return begin_host_read(player, index);
    case HOST_READ_DONE: return end_host_read(player, index);
    case LOADED: return loaded(player, index);
    case POLLED: return polled(player, index);
    case CHUNK: return send_chunk(player, index);
    case CHUNK_ASKED: return move_chunk(player, index);
    case CHUNK_SENT: return end_chunk(player, index);
    case RANK: return begin_rank(player, index);
    case RANKED: return end_rank(player, index);
    case COMMAND_ROOM: return command_flash(player, index);
    case COMMAND_PASSED: return command_passed(player, index);
    case ENDING: return end(player, index);
    case ANSWERED: return answered(player, index);
  }
  return false;
}

void model_request_step(struct model_player *player, uint32_t index) {
  while (player->failure == 0 && go_on(player, index)) {
    continue;
  }
}
