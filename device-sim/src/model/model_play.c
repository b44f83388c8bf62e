/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
#include <stdlib.h>

#include "base/status.h"
#include "model/model_player.h"

enum { MAX_LOAD_BYTES = 1 << 24, MAX_SLOTS = 4096, PPM = 1000000 };

static int refuse_event(uint32_t log, uint64_t number, const char *what, uint64_t value) {
  return csd_fail(CSD_STATUS_INVALID_ARGUMENT, "model: event %llu of log %u: %s %llu",
                  (unsigned long long)number, log, what, (unsigned long long)value);
}

/* Checks that what an event names exists; the player relies on it. */
static int check_event(const struct csd_model_run *run, const struct csd_model_event *event,
                       uint32_t log, uint64_t number, uint64_t pages) {
  const struct csd_model_profile *p = run->profile;
  switch (event->kind) {
    case CSD_MODEL_ASK:
    case CSD_MODEL_LOAD:
    case CSD_MODEL_READ_AHEAD:
    case CSD_MODEL_TASK: {
      if ((event->kind == CSD_MODEL_ASK || event->kind == CSD_MODEL_TASK) && event->bytes == 0) {
        return 0; /* a command without a page */
      }
      if (event->bytes == 0 || event->bytes > MAX_LOAD_BYTES) {
        return refuse_event(log, number, "loads 1 to 16777216 bytes, not", event->bytes);
      }
      const uint64_t first = event->address + (uint64_t)model_first_lba(run, log);
      const uint64_t last = first + (event->bytes - 1) / CSD_LBA_BYTES;
      const uint64_t lbas = pages * (p->flash_page_bytes / CSD_LBA_BYTES);
      if (last > UINT32_MAX || (run->place == NULL && last >= lbas)) {
        return refuse_event(log, number, "loads what is not on the device, LBA", last);
      }
      return 0;
    }
    case CSD_MODEL_TASK_REST:
      return event->bytes <= MAX_LOAD_BYTES
                 ? 0
                 : refuse_event(log, number, "leaves at most 16777216 bytes, not", event->bytes);
    case CSD_MODEL_FLASH_READ:
    case CSD_MODEL_FLASH_PROGRAM:
      return event->address < pages ? 0
                                    : refuse_event(log, number, "no flash page", event->address);
    case CSD_MODEL_FLASH_ERASE:
      return event->address < pages / p->flash_block_pages
                 ? 0
                 : refuse_event(log, number, "no flash block", event->address);
    default: return 0;
  }
}

/* A task needs a division; a rest follows its task. */
static int check_task(const struct csd_model_run *run, enum csd_model_event_kind kind,
                      enum csd_model_event_kind before, uint32_t log, uint64_t number) {
  if (kind == CSD_MODEL_TASK && run->split == NULL) {
    return csd_fail(CSD_STATUS_INVALID_ARGUMENT,
                    "model: event %llu of log %u is a task, and the run does not divide tasks",
                    (unsigned long long)number, log);
  }
  if (kind == CSD_MODEL_TASK_REST && before != CSD_MODEL_TASK) {
    return csd_fail(CSD_STATUS_INVALID_ARGUMENT,
                    "model: event %llu of log %u is the rest of no task",
                    (unsigned long long)number, log);
  }
  return 0;
}

static int check_log(const struct csd_model_run *run, uint32_t index, uint64_t pages) {
  const struct csd_model_log *log = run->logs[index];
  if (log->failure < 0 || !log->ended) {
    return csd_fail(CSD_STATUS_INVALID_ARGUMENT, "model: log %u %s", index,
                    log->failure < 0 ? "is not complete: adding an event failed" : "has no end");
  }
  struct csd_model_event event;
  uint64_t number = 0;
  enum csd_model_event_kind before = CSD_MODEL_END;
  for (size_t at = 0; csd_model_log_next(log, &at, &event); number++) {
    int status = check_event(run, &event, index, number, pages);
    if (status == 0) {
      status = check_task(run, event.kind, before, index, number);
    }
    if (status < 0) {
      return status;
    }
    before = event.kind;
  }
  return 0;
}

static int check_split(const struct csd_model_run *run) {
  const struct csd_model_split *split = run->split;
  if (split == NULL) {
    return 0;
  }
  if (run->side != CSD_MODEL_SIDE_DEVICE) {
    return csd_fail(CSD_STATUS_INVALID_ARGUMENT, "model: tasks are played on the device's side");
  }
  if (split->slots == 0 || split->slots > MAX_SLOTS) {
    return csd_fail(CSD_STATUS_INVALID_ARGUMENT, "model: a task queue of %u places, not 1 to %u",
                    split->slots, (unsigned)MAX_SLOTS);
  }
  if (split->marked_ppm > PPM) {
    return csd_fail(CSD_STATUS_INVALID_ARGUMENT, "model: %u of a million tasks are marked",
                    split->marked_ppm);
  }
  return 0;
}

static int check_grant(const char *what, uint32_t session, uint32_t all) {
  if (all == 0 || (session > 0 && session <= all)) {
    return 0;
  }
  return csd_fail(CSD_STATUS_INVALID_ARGUMENT, "model: %u %s a session, not 1 to %u", session, what,
                  all);
}

static int check_runtime(const struct csd_model_runtime *runtime) {
  if (runtime == NULL) {
    return 0;
  }
  const int status = check_grant("pages", runtime->session_pages, runtime->memory_pages);
  if (status < 0) {
    return status;
  }
  if (runtime->poll_min_ps > runtime->poll_max_ps) {
    return csd_fail(CSD_STATUS_INVALID_ARGUMENT, "model: polls after %llu to %llu ps",
                    (unsigned long long)runtime->poll_min_ps,
                    (unsigned long long)runtime->poll_max_ps);
  }
  return check_grant("bytes of SRAM", runtime->session_sram_bytes, runtime->sram_bytes);
}

static int check(const struct csd_model_run *run, uint64_t *pages) {
  const struct csd_model_profile *p = run->profile;
  int status = csd_profile_check(p);
  if (status < 0) {
    return status;
  }
  if (run->side != CSD_MODEL_SIDE_DEVICE && run->side != CSD_MODEL_SIDE_HOST) {
    return csd_fail(CSD_STATUS_INVALID_ARGUMENT, "model: no side %u", (unsigned)run->side);
  }
  status = check_runtime(run->runtime);
  if (status == 0) {
    status = check_split(run);
  }
  if (status < 0) {
    return status;
  }
  if (run->count == 0 || run->count > CSD_MODEL_MAX_LOGS) {
    return csd_fail(CSD_STATUS_INVALID_ARGUMENT, "model: %u logs, not 1 to %u", run->count,
                    CSD_MODEL_MAX_LOGS);
  }
  *pages = (uint64_t)p->flash_channels * p->flash_ways * p->flash_dies * p->flash_planes *
           p->flash_plane_blocks * p->flash_block_pages;
  for (uint32_t i = 0; i < run->count && status == 0; i++) {
    status = check_log(run, i, *pages);
    if (status == 0 && run->arrivals_ps != NULL && run->arrivals_ps[i] > CSD_MODEL_MAX_PS) {
      status = csd_fail(CSD_STATUS_INVALID_ARGUMENT, "model: log %u arrives at %llu ps", i,
                        (unsigned long long)run->arrivals_ps[i]);
    }
  }
  return status;
}

static void set_up(struct model_player *player) {
  const struct csd_model_run *run = player->run;
  player->unfinished = run->count;
  player->free_pages = run->runtime != NULL ? run->runtime->memory_pages : 0;
  player->free_sram = run->runtime != NULL ? run->runtime->sram_bytes : 0;
  player->first_ungranted = player->last_ungranted = MODEL_NONE;
  for (uint32_t i = 0; i < run->count; i++) {
    const uint64_t arrival = run->arrivals_ps != NULL ? run->arrivals_ps[i] : 0;
    player->requests[i] = (struct model_request){.log = run->logs[i],
                                                 .report.arrival_ps = arrival,
                                                 .works_on_host = player->on_host,
                                                 .of = i,
                                                 .at_host = {MODEL_NONE, MODEL_NONE},
                                                 .core = MODEL_NONE,
                                                 .waits_for = MODEL_NONE,
                                                 .first_ahead = MODEL_NONE,
                                                 .last_ahead = MODEL_NONE,
                                                 .first_pending = MODEL_NONE,
                                                 .last_pending = MODEL_NONE};
    csd_model_schedule(player, arrival, MODEL_REQUEST_STEP, i);
  }
  csd_model_workers_open(player);
}

static int play(struct model_player *player) {
  struct model_entry entry;
  set_up(player);
  while (player->failure == 0 && player->unfinished > 0) {
    if (!csd_model_take(player, &entry)) {
      return csd_fail(CSD_STATUS_INTERNAL, "model: %u requests wait for nothing",
                      player->unfinished);
    }
    player->now = entry.time;
    switch ((enum model_subject)entry.subject) {
      case MODEL_REQUEST_STEP: csd_model_request_step(player, entry.index); break;
      case MODEL_FETCH_STEP: csd_model_fetch_step(player, entry.index); break;
      case MODEL_FLASH_STEP: csd_model_flash_step(player, entry.index); break;
    }
  }
  if (player->failure == 0) {
    csd_model_account_end(player);
  }
  return player->failure;
}

int csd_model_play(const struct csd_model_run *run) {
  uint64_t pages = 0;
  int status = check(run, &pages);
  if (status < 0) {
    return status;
  }
  if (run->trace != NULL) {
    run->trace->count = run->trace->lost = 0;
  }
  struct model_player player = {.profile = run->profile,
                                .run = run,
                                .on_host = run->side == CSD_MODEL_SIDE_HOST,
                                .flash_pages = (uint32_t)pages};
  player.requests =
      malloc(((size_t)run->count + csd_model_worker_count(run)) * sizeof *player.requests);
  status = csd_model_units_open(&player);
  if (status == 0 && player.requests == NULL) {
    status = csd_fail(CSD_STATUS_NO_MEMORY, "model: no memory for %u requests", run->count);
  }
  if (status == 0) {
    status = csd_model_line_open(&player);
  }
  if (status == 0) {
    status = play(&player);
  }
  free(player.requests);
  csd_model_line_close(&player);
  csd_model_units_close(&player);
  return status;
}
