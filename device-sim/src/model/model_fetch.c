/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/*
 * How LBAs come to a request. On the device, flash commands bring them to its DRAM, and a DMA
 * engine, if there is one, from there to the program's memory. On the host, the stages are: a place
 * in the command queue, the command, the flash commands, the link, the completion, host DRAM.
 */
#include <stdlib.h>

#include "base/status.h"
#include "model/model_player.h"

enum { FIRST_FETCHES = 64, MAX_UNCLAIMED = 4096 };

/* The stage that ends with the next step. */
enum stage { IN_LINE, IN_COMMAND, IN_FLASH, IN_COPY, IN_LINK, IN_COMPLETION, IN_HOST_DRAM };

static struct model_fetch *fetch_at(struct model_player *player, uint32_t index) {
  return &player->fetches[index];
}

static uint32_t allocate(struct model_player *player) {
  if (player->fetch_free != MODEL_NONE) {
    const uint32_t index = player->fetch_free;
    player->fetch_free = fetch_at(player, index)->next;
    return index;
  }
  if (player->fetch_used == player->fetch_room) {
    const uint32_t room = player->fetch_room == 0 ? FIRST_FETCHES : 2 * player->fetch_room;
    struct model_fetch *grown = realloc(player->fetches, room * sizeof *player->fetches);
    if (grown == NULL) {
      player->failure = csd_fail(CSD_STATUS_NO_MEMORY, "model: no memory for %u fetches", room);
      return MODEL_NONE;
    }
    player->fetches = grown;
    player->fetch_room = room;
  }
  return player->fetch_used++;
}

static void release(struct model_player *player, uint32_t index) {
  fetch_at(player, index)->next = player->fetch_free;
  player->fetch_free = index;
}

static void then(struct model_player *player, uint32_t index, enum stage stage, uint64_t time) {
  fetch_at(player, index)->stage = (uint8_t)stage;
  csd_model_schedule(player, time, MODEL_FETCH_STEP, index);
}

/* ---- flash ---- */

uint32_t csd_model_striped(const struct csd_model_profile *p, uint32_t lba) {
  uint32_t left = lba / (p->flash_page_bytes / CSD_LBA_BYTES);
  const uint32_t channel = left % p->flash_channels;
  left /= p->flash_channels;
  const uint32_t way = left % p->flash_ways;
  left /= p->flash_ways;
  const uint32_t die = left % p->flash_dies;
  left /= p->flash_dies;
  const uint32_t plane = left % p->flash_planes;
  left /= p->flash_planes;
  const uint64_t pages = (uint64_t)p->flash_plane_blocks * p->flash_block_pages;
  if (left >= pages) {
    return CSD_MODEL_NOWHERE;
  }
  const uint32_t unit =
      ((channel * p->flash_ways + way) * p->flash_dies + die) * p->flash_planes + plane;
  return (uint32_t)(unit * pages + left);
}

static uint32_t address_of(const struct model_player *player, uint32_t lba) {
  const struct csd_model_place *place = player->run->place;
  if (place != NULL) {
    return place->find(place->context, lba);
  }
  return csd_model_striped(player->profile, lba);
}

/* Begins one flash command for each run of LBAs in one flash page. LBAs that were never written
 * cost none. */
static void read_flash(struct model_player *player, uint32_t index) {
  const struct model_fetch fetch = *fetch_at(player, index);
  const uint32_t count = (fetch.bytes + CSD_LBA_BYTES - 1) / CSD_LBA_BYTES;
  /* Counts one too many, so that the fetch cannot end before all commands have begun. */
  fetch_at(player, index)->flash_left = 1;
  fetch_at(player, index)->stage = IN_FLASH;
  for (uint32_t i = 0; i < count;) {
    const uint32_t address = address_of(player, fetch.lba + i);
    uint32_t run = 1;
    while (i + run < count && address_of(player, fetch.lba + i + run) == address) {
      run++;
    }
    const uint32_t from = i * CSD_LBA_BYTES;
    const uint32_t to = i + run == count ? fetch.bytes : (i + run) * CSD_LBA_BYTES;
    if (address != CSD_MODEL_NOWHERE && address >= player->flash_pages) {
      player->failure =
          csd_fail(CSD_STATUS_OUT_OF_RANGE, "model: LBA %u is at flash page %u, the device has %u",
                   fetch.lba + i, address, player->flash_pages);
    } else if (address != CSD_MODEL_NOWHERE) {
      fetch_at(player, index)->flash_left++;
      csd_model_flash_begin(player, CSD_MODEL_FLASH_READ, fetch.request, index, address,
                            fetch.lba + i, to - from);
    }
    i += run;
  }
  csd_model_fetch_flash_done(player, index);
}

/* ---- the host's command queue ---- */

static void send_command(struct model_player *player, uint32_t index) {
  const struct csd_model_profile *p = player->profile;
  player->commands++;
  player->requests[fetch_at(player, index)->request].report.link_commands++;
  then(player, index, IN_COMMAND,
       model_add(player->now,
                 model_add(model_ns(p->host_read_wait_ns), model_ns(p->link_command_ns))));
}

static void queue_command(struct model_player *player, uint32_t index) {
  if (player->commands < player->profile->link_queue_depth) {
    send_command(player, index);
    return;
  }
  fetch_at(player, index)->stage = IN_LINE;
  fetch_at(player, index)->next_queued = MODEL_NONE;
  if (player->first_queued == MODEL_NONE) {
    player->first_queued = index;
  } else {
    fetch_at(player, player->last_queued)->next_queued = index;
  }
  player->last_queued = index;
}

static void end_command(struct model_player *player) {
  player->commands--;
  const uint32_t next = player->first_queued;
  if (next == MODEL_NONE) {
    return;
  }
  player->first_queued = fetch_at(player, next)->next_queued;
  send_command(player, next);
}

/* ---- fetches ---- */

static uint32_t make(struct model_player *player, uint32_t request, bool ahead) {
  const struct csd_model_event *event = &player->requests[request].event;
  const uint32_t index = allocate(player);
  if (index == MODEL_NONE) {
    return index;
  }
  *fetch_at(player, index) = (struct model_fetch){.ahead = ahead,
                                                  .asks = event->kind == CSD_MODEL_ASK,
                                                  .request = request,
                                                  .lba = event->address,
                                                  .bytes = (uint32_t)event->bytes,
                                                  .next = MODEL_NONE};
  return index;
}

uint32_t csd_model_fetch_task(struct model_player *player, const struct model_fetch *task) {
  const struct csd_model_profile *p = player->profile;
  const uint32_t index = allocate(player);
  if (index == MODEL_NONE) {
    return index;
  }
  *fetch_at(player, index) = *task;
  player->requests[task->request].report.link_commands++;
  player->requests[task->request].report.page_loads++;
  then(player, index, IN_COMMAND,
       model_add(player->now,
                 model_add(model_ns(p->host_read_wait_ns), model_ns(p->link_command_ns))));
  return index;
}

static void begin(struct model_player *player, uint32_t index) {
  player->requests[fetch_at(player, index)->request].held++;
  if (player->on_host) {
    queue_command(player, index);
  } else {
    read_flash(player, index);
  }
}

/* Takes the fetch of `lba` out of a list; MODEL_NONE if there is none. */
static uint32_t unlink_fetch(struct model_player *player, uint32_t *first, uint32_t *last,
                             uint32_t lba, uint32_t bytes) {
  uint32_t before = MODEL_NONE;
  uint32_t index = *first;
  while (index != MODEL_NONE &&
         (fetch_at(player, index)->lba != lba || fetch_at(player, index)->bytes < bytes)) {
    before = index;
    index = fetch_at(player, index)->next;
  }
  if (index == MODEL_NONE) {
    return index;
  }
  const uint32_t next = fetch_at(player, index)->next;
  if (before == MODEL_NONE) {
    *first = next;
  } else {
    fetch_at(player, before)->next = next;
  }
  if (*last == index) {
    *last = before;
  }
  fetch_at(player, index)->next = MODEL_NONE;
  return index;
}

static void append(struct model_player *player, uint32_t *first, uint32_t *last, uint32_t index) {
  fetch_at(player, index)->next = MODEL_NONE;
  if (*first == MODEL_NONE) {
    *first = index;
  } else {
    fetch_at(player, *last)->next = index;
  }
  *last = index;
}

static void begin_ahead(struct model_player *player, uint32_t request, uint32_t index) {
  struct model_request *r = &player->requests[request];
  r->ahead_count++;
  append(player, &r->first_ahead, &r->last_ahead, index);
  begin(player, index);
}

/* Begins waiting fetches ahead, as many as the profile allows. */
static void go_on_ahead(struct model_player *player, uint32_t request) {
  struct model_request *r = &player->requests[request];
  const struct csd_model_profile *p = player->profile;
  const uint32_t most = player->on_host ? p->host_read_ahead : p->program_read_ahead;
  while (r->first_pending != MODEL_NONE && r->ahead_count < most &&
         csd_model_may_hold(player, request)) {
    const uint32_t index = r->first_pending;
    r->first_pending = fetch_at(player, index)->next;
    if (r->first_pending == MODEL_NONE) {
      r->last_pending = MODEL_NONE;
    }
    begin_ahead(player, request, index);
  }
}

static bool is_in(const struct model_player *player, uint32_t first,
                  const struct csd_model_event *event) {
  uint32_t i = first;
  while (i != MODEL_NONE &&
         (player->fetches[i].lba != event->address || player->fetches[i].bytes < event->bytes)) {
    i = player->fetches[i].next;
  }
  return i != MODEL_NONE;
}

bool csd_model_fetch_is_known(const struct model_player *player, uint32_t request) {
  const struct model_request *r = &player->requests[request];
  return is_in(player, r->first_ahead, &r->event) || is_in(player, r->first_pending, &r->event);
}

/* The request is done with the page that it worked on, and goes on to the next. */
static void turn_page(struct model_player *player, uint32_t request) {
  struct model_request *r = &player->requests[request];
  r->held -= r->has_page ? 1 : 0;
  r->has_page = true;
}

static void ask(struct model_player *player, uint32_t request) {
  const uint32_t index = make(player, request, false);
  if (index != MODEL_NONE) {
    player->requests[request].waits_for = index;
    begin(player, index);
  }
}

bool csd_model_fetch_load(struct model_player *player, uint32_t request) {
  struct model_request *r = &player->requests[request];
  const uint32_t lba = r->event.address;
  const uint32_t bytes = (uint32_t)r->event.bytes;
  turn_page(player, request);
  if (r->event.kind == CSD_MODEL_ASK) {
    ask(player, request);
    return false;
  }
  uint32_t index = unlink_fetch(player, &r->first_ahead, &r->last_ahead, lba, bytes);
  r->report.page_loads++;
  if (index != MODEL_NONE) {
    r->report.ahead_loads++;
    if (fetch_at(player, index)->arrived) {
      release(player, index);
      go_on_ahead(player, request); /* the page before is free */
      return true;
    }
    fetch_at(player, index)->ahead = false;
    r->ahead_count--;
    r->waits_for = index;
    go_on_ahead(player, request); /* it is no fetch ahead any more */
    return false;
  }
  index = unlink_fetch(player, &r->first_pending, &r->last_pending, lba, bytes);
  if (index == MODEL_NONE) {
    index = make(player, request, false);
  }
  if (index == MODEL_NONE) {
    return false;
  }
  fetch_at(player, index)->ahead = false;
  r->waits_for = index;
  begin(player, index);
  return false;
}

void csd_model_fetch_ahead(struct model_player *player, uint32_t request) {
  struct model_request *r = &player->requests[request];
  const struct csd_model_profile *p = player->profile;
  const uint32_t most = player->on_host ? p->host_read_ahead : p->program_read_ahead;
  if (most == 0) {
    return;
  }
  const uint32_t index = make(player, request, true);
  if (index == MODEL_NONE) {
    return;
  }
  if (r->ahead_count < most && r->first_pending == MODEL_NONE &&
      csd_model_may_hold(player, request)) {
    begin_ahead(player, request, index);
  } else {
    append(player, &r->first_pending, &r->last_pending, index);
  }
}

void csd_model_fetch_forget(struct model_player *player, uint32_t request) {
  struct model_request *r = &player->requests[request];
  while (r->first_pending != MODEL_NONE) {
    const uint32_t index = r->first_pending;
    r->first_pending = fetch_at(player, index)->next;
    release(player, index);
  }
  r->last_pending = MODEL_NONE;
}

/* Forgets the oldest fetch ahead if there are more than MAX_UNCLAIMED. */
static void forget_oldest(struct model_player *player, struct model_request *r) {
  uint32_t count = 0;
  for (uint32_t i = r->first_ahead; i != MODEL_NONE; i = fetch_at(player, i)->next) {
    count++;
  }
  const uint32_t oldest = r->first_ahead;
  if (count <= MAX_UNCLAIMED || !fetch_at(player, oldest)->arrived) {
    return;
  }
  r->first_ahead = fetch_at(player, oldest)->next;
  if (r->first_ahead == MODEL_NONE) {
    r->last_ahead = MODEL_NONE;
  }
  r->held--;
  release(player, oldest);
}

static void arrived(struct model_player *player, uint32_t index) {
  struct model_fetch *fetch = fetch_at(player, index);
  struct model_request *r = &player->requests[fetch->request];
  fetch->arrived = true;
  if (!fetch->ahead) {
    r->waits_for = MODEL_NONE;
    csd_model_schedule(player, player->now, MODEL_REQUEST_STEP, fetch->request);
    release(player, index);
    return;
  }
  r->ahead_count--;
  forget_oldest(player, r);
}

static void complete(struct model_player *player, uint32_t index) {
  if (fetch_at(player, index)->is_task) {
    csd_model_task_came(player, index);
    return;
  }
  const uint32_t request = fetch_at(player, index)->request;
  arrived(player, index);
  go_on_ahead(player, request);
}

void csd_model_fetch_release(struct model_player *player, uint32_t index) {
  release(player, index);
}

void csd_model_fetch_answer(struct model_player *player, uint32_t index) {
  const struct csd_model_profile *p = player->profile;
  struct model_fetch *fetch = fetch_at(player, index);
  if (fetch->bytes == 0) {
    then(player, index, IN_COMPLETION, model_add(player->now, model_ns(p->link_completion_ns)));
    return;
  }
  then(player, index, IN_LINK,
       csd_model_reserve(player, CSD_MODEL_RESOURCE_LINK, 1,
                         model_transfer(fetch->bytes, p->link_bytes_per_s), &fetch->from));
}

void csd_model_fetch_flash_done(struct model_player *player, uint32_t index) {
  const struct csd_model_profile *p = player->profile;
  struct model_fetch *fetch = fetch_at(player, index);
  if (--fetch->flash_left > 0) {
    return;
  }
  if (fetch->is_task) {
    csd_model_task_read(player, index);
    return;
  }
  if (!player->on_host && p->copy_bytes_per_s > 0) {
    then(player, index, IN_COPY,
         csd_model_reserve(player, CSD_MODEL_RESOURCE_DRAM_BUS, 0,
                           model_transfer(fetch->bytes, p->copy_bytes_per_s), &fetch->from));
    return;
  }
  if (!player->on_host) {
    complete(player, index);
    return;
  }
  if (fetch->asks) {
    then(player, index, IN_COMPLETION, model_add(player->now, model_ns(p->link_completion_ns)));
    return;
  }
  csd_model_fetch_answer(player, index);
}

static void charge(struct model_player *player, const struct model_fetch *fetch,
                   enum csd_model_resource resource, uint32_t unit) {
  const struct model_use use = {.resource = resource,
                                .what = CSD_MODEL_ACTIVITY_TRANSFER,
                                .unit = unit,
                                .lba = fetch->lba,
                                .amount = fetch->bytes,
                                .from = fetch->from,
                                .until = player->now};
  csd_model_charge(player, fetch->request, &use);
}

void csd_model_fetch_step(struct model_player *player, uint32_t index) {
  const struct csd_model_profile *p = player->profile;
  const struct model_fetch fetch = *fetch_at(player, index);
  switch ((enum stage)fetch.stage) {
    case IN_COMMAND: read_flash(player, index); break;
    case IN_COPY:
      charge(player, &fetch, CSD_MODEL_RESOURCE_DRAM_BUS, 0);
      complete(player, index);
      break;
    case IN_LINK:
      charge(player, &fetch, CSD_MODEL_RESOURCE_LINK, 1);
      then(player, index, IN_COMPLETION, model_add(player->now, model_ns(p->link_completion_ns)));
      break;
    case IN_COMPLETION:
      if (!fetch.is_task) {
        end_command(player);
      }
      then(player, index, IN_HOST_DRAM,
           csd_model_reserve(player, CSD_MODEL_RESOURCE_HOST_DRAM, 0,
                             fetch.asks ? 0 : model_transfer(fetch.bytes, p->host_dram_bytes_per_s),
                             &fetch_at(player, index)->from));
      break;
    case IN_HOST_DRAM:
      charge(player, &fetch, CSD_MODEL_RESOURCE_HOST_DRAM, 0);
      complete(player, index);
      break;
    case IN_LINE:
    case IN_FLASH: break; /* these have no steps of their own */
  }
}
