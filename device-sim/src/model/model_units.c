/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "model/model_player.h"

enum { FIRST_ENTRIES = 256 };

/* ---- opening ---- */

static void count_units(struct model_player *player) {
  const struct csd_model_profile *p = player->profile;
  uint32_t *count = player->unit_count;
  count[CSD_MODEL_RESOURCE_LINK] = 2;
  count[CSD_MODEL_RESOURCE_FIRMWARE] = p->firmware_count;
  count[CSD_MODEL_RESOURCE_CORE] = p->core_count;
  count[CSD_MODEL_RESOURCE_DRAM_BUS] = 1;
  count[CSD_MODEL_RESOURCE_CHANNEL] = p->flash_channels;
  count[CSD_MODEL_RESOURCE_ECC] = p->flash_channels;
  count[CSD_MODEL_RESOURCE_PLANE] =
      p->flash_channels * p->flash_ways * p->flash_dies * p->flash_planes;
  count[CSD_MODEL_RESOURCE_HOST_CORE] = p->host_core_count;
  count[CSD_MODEL_RESOURCE_HOST_DRAM] = 1;
  count[CSD_MODEL_RESOURCE_REQUEST] = 0;
}

static bool open_cores(struct model_cores *cores, uint32_t resource, uint32_t count) {
  *cores = (struct model_cores){.resource = resource,
                                .count = count,
                                .user = malloc(count * sizeof(uint32_t)),
                                .last = malloc(count * sizeof(uint32_t)),
                                .first_waiting = MODEL_NONE,
                                .last_waiting = MODEL_NONE};
  if (cores->user == NULL || cores->last == NULL) {
    return false;
  }
  memset(cores->user, 0xFF, count * sizeof(uint32_t));
  memset(cores->last, 0xFF, count * sizeof(uint32_t));
  return true;
}

static bool open_flash(struct model_player *player) {
  const uint32_t planes = player->unit_count[CSD_MODEL_RESOURCE_PLANE];
  player->dies = malloc(planes * sizeof *player->dies);
  player->registers = malloc(planes * sizeof *player->registers);
  const uint32_t channels = player->unit_count[CSD_MODEL_RESOURCE_CHANNEL];
  player->channels = malloc(channels * sizeof *player->channels);
  if (player->dies == NULL || player->registers == NULL || player->channels == NULL) {
    return false;
  }
  for (uint32_t i = 0; i < channels; i++) {
    player->channels[i] =
        (struct model_channel){.waiting = {{.first = MODEL_NONE, .last = MODEL_NONE},
                                           {.first = MODEL_NONE, .last = MODEL_NONE}}};
  }
  memset(player->registers, 0xFF, planes * sizeof *player->registers);
  for (uint32_t i = 0; i < planes; i++) {
    player->dies[i] = (struct model_die){.first_waiting = MODEL_NONE, .last_waiting = MODEL_NONE};
  }
  return true;
}

int csd_model_units_open(struct model_player *player) {
  count_units(player);
  bool done = true;
  for (uint32_t i = 0; i < MODEL_RESOURCES && done; i++) {
    if (player->unit_count[i] == 0) {
      continue;
    }
    player->units[i] = calloc(player->unit_count[i], sizeof(struct model_unit));
    done = player->units[i] != NULL;
  }
  const uint32_t here = player->on_host ? CSD_MODEL_RESOURCE_HOST_CORE : CSD_MODEL_RESOURCE_CORE;
  done = done && open_cores(&player->cores, here, player->unit_count[here]) &&
         open_cores(&player->ranking, CSD_MODEL_RESOURCE_HOST_CORE,
                    player->unit_count[CSD_MODEL_RESOURCE_HOST_CORE]) &&
         open_flash(player);
  player->heap_room = FIRST_ENTRIES;
  player->heap = malloc(FIRST_ENTRIES * sizeof *player->heap);
  player->first_queued = player->last_queued = MODEL_NONE;
  player->flash_free = player->fetch_free = MODEL_NONE;
  if (done && player->heap != NULL) {
    return 0;
  }
  return csd_fail(CSD_STATUS_NO_MEMORY, "model: no memory for %u planes",
                  player->unit_count[CSD_MODEL_RESOURCE_PLANE]);
}

void csd_model_units_close(struct model_player *player) {
  for (uint32_t i = 0; i < MODEL_RESOURCES; i++) {
    free(player->units[i]);
  }
  free(player->cores.user);
  free(player->cores.last);
  free(player->ranking.user);
  free(player->ranking.last);
  free(player->dies);
  free(player->channels);
  free(player->registers);
  free(player->flash);
  free(player->fetches);
  free(player->heap);
}

/* ---- the heap of steps ---- */

static bool is_before(const struct model_entry *a, const struct model_entry *b) {
  return a->time < b->time || (a->time == b->time && a->order < b->order);
}

void csd_model_schedule(struct model_player *player, uint64_t time, enum model_subject subject,
                        uint32_t index) {
  if (player->failure < 0) {
    return;
  }
  if (time > CSD_MODEL_MAX_PS) {
    player->failure = csd_fail(CSD_STATUS_INVALID_ARGUMENT,
                               "model: the requests take longer than %llu s of simulated time",
                               (unsigned long long)(CSD_MODEL_MAX_PS / UINT64_C(1000000000000)));
    return;
  }
  if (player->heap_count == player->heap_room) {
    struct model_entry *grown =
        realloc(player->heap, 2 * (size_t)player->heap_room * sizeof *player->heap);
    if (grown == NULL) {
      player->failure = csd_fail(CSD_STATUS_NO_MEMORY, "model: no memory for %u steps under way",
                                 2 * player->heap_room);
      return;
    }
    player->heap = grown;
    player->heap_room *= 2;
  }
  const struct model_entry entry = {
      .time = time, .order = player->order++, .subject = subject, .index = index};
  uint32_t hole = player->heap_count++;
  while (hole > 0 && is_before(&entry, &player->heap[(hole - 1) / 2])) {
    player->heap[hole] = player->heap[(hole - 1) / 2];
    hole = (hole - 1) / 2;
  }
  player->heap[hole] = entry;
}

bool csd_model_take(struct model_player *player, struct model_entry *entry) {
  if (player->heap_count == 0) {
    return false;
  }
  *entry = player->heap[0];
  const struct model_entry last = player->heap[--player->heap_count];
  const uint32_t count = player->heap_count;
  uint32_t hole = 0;
  for (uint32_t child = 1; child < count; child = 2 * hole + 1) {
    if (child + 1 < count && is_before(&player->heap[child + 1], &player->heap[child])) {
      child++;
    }
    if (!is_before(&player->heap[child], &last)) {
      break;
    }
    player->heap[hole] = player->heap[child];
    hole = child;
  }
  player->heap[hole] = last;
  return true;
}

/* ---- units that serve in the order of arrival ---- */

uint64_t csd_model_reserve(struct model_player *player, enum csd_model_resource resource,
                           uint32_t unit, uint64_t duration, uint64_t *from) {
  struct model_unit *u = &player->units[resource][unit];
  *from = model_later(player->now, u->free);
  u->free = model_add(*from, duration);
  return u->free;
}

uint32_t csd_model_first_free(const struct model_player *player, enum csd_model_resource resource) {
  const struct model_unit *units = player->units[resource];
  uint32_t best = 0;
  for (uint32_t i = 1; i < player->unit_count[resource]; i++) {
    if (units[i].free < units[best].free) {
      best = i;
    }
  }
  return best;
}

/* ---- cores ---- */

/* Chooses a free core: the one on which the request ran last, else one that was never used, else
 * the first. */
static uint32_t best_core(const struct model_cores *cores, uint32_t request) {
  uint32_t best = MODEL_NONE;
  for (uint32_t i = 0; i < cores->count; i++) {
    if (cores->user[i] != MODEL_NONE) {
      continue;
    }
    if (cores->last[i] == request) {
      return i;
    }
    if (best == MODEL_NONE || (cores->last[best] != MODEL_NONE && cores->last[i] == MODEL_NONE)) {
      best = i;
    }
  }
  return best;
}

void csd_model_request_wait(struct model_player *player, uint32_t *first, uint32_t *last,
                            uint32_t request) {
  player->requests[request].next_waiting = MODEL_NONE;
  if (*first == MODEL_NONE) {
    *first = request;
  } else {
    player->requests[*last].next_waiting = request;
  }
  *last = request;
}

bool csd_model_core_acquire(struct model_player *player, struct model_cores *cores,
                            uint32_t request) {
  struct model_request *r = &player->requests[request];
  const uint32_t core = best_core(cores, request);
  if (core != MODEL_NONE) {
    cores->user[core] = request;
    r->core = core;
    return true;
  }
  csd_model_request_wait(player, &cores->first_waiting, &cores->last_waiting, request);
  return false;
}

void csd_model_core_release(struct model_player *player, struct model_cores *cores,
                            uint32_t request) {
  struct model_request *r = &player->requests[request];
  if (r->core == MODEL_NONE) {
    return;
  }
  const uint32_t core = r->core;
  r->core = MODEL_NONE;
  r->scheduled = false;
  cores->user[core] = MODEL_NONE;
  cores->last[core] = request;
  const uint32_t next = cores->first_waiting;
  if (next == MODEL_NONE) {
    return;
  }
  cores->first_waiting = player->requests[next].next_waiting;
  cores->user[core] = next;
  player->requests[next].core = core;
  csd_model_schedule(player, player->now, MODEL_REQUEST_STEP, next);
}
