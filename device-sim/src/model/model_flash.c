/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/*
 * The stages of a flash command:
 *   read      controller, die, command on the channel, tR, register to channel, error correction,
 *             device DRAM
 *   program   controller, DRAM, die, command and data on the channel, tPROG
 *   erase     controller, die, command on the channel, tBERS
 * A stage begins when the one before has ended for all bytes. A read holds its die until the
 * register has been read out; if the register has the flash page already, it needs neither command
 * nor tR. On a channel the commands of reads and erases, which are short, go before waiting
 * transfers, unless the profile's policy says otherwise: else a die would be idle during all
 * transfers of its neighbours.
 */
#include <stdlib.h>

#include "base/status.h"
#include "model/model_player.h"

enum { FIRST_COMMANDS = 64 };

/* The stage that ends with the next step. */
enum stage {
  IN_CONTROLLER,
  IN_SOURCE, /* the data of a program are read from DRAM */
  IN_COMMAND,
  IN_ARRAY,
  IN_TRANSFER,
  IN_CORRECTION,
  IN_DRAM,
};

static uint32_t planes_a_channel(const struct csd_model_profile *p) {
  return p->flash_ways * p->flash_dies * p->flash_planes;
}

static uint32_t channel_of(const struct model_player *player, const struct model_flash *flash) {
  return flash->plane / planes_a_channel(player->profile);
}

static struct model_die *die_of(struct model_player *player, uint32_t plane) {
  const struct csd_model_profile *p = player->profile;
  uint32_t planes = p->flash_independent_planes != 0 ? 1 : p->flash_planes;
  if ((p->flash_policy & CSD_MODEL_FLASH_POLICY_CHIP_ALONE) != 0) {
    planes = p->flash_dies * p->flash_planes;
  }
  return &player->dies[plane / planes];
}

static uint32_t plane_of(const struct csd_model_profile *p, uint8_t kind, uint32_t address) {
  if (kind == CSD_MODEL_FLASH_ERASE) {
    return address / p->flash_plane_blocks;
  }
  return (uint32_t)(address / ((uint64_t)p->flash_plane_blocks * p->flash_block_pages));
}

static uint32_t allocate(struct model_player *player) {
  if (player->flash_free != MODEL_NONE) {
    const uint32_t index = player->flash_free;
    player->flash_free = player->flash[index].next;
    return index;
  }
  if (player->flash_used == player->flash_room) {
    const uint32_t room = player->flash_room == 0 ? FIRST_COMMANDS : 2 * player->flash_room;
    struct model_flash *grown = realloc(player->flash, room * sizeof *player->flash);
    if (grown == NULL) {
      player->failure =
          csd_fail(CSD_STATUS_NO_MEMORY, "model: no memory for %u flash commands", room);
      return MODEL_NONE;
    }
    player->flash = grown;
    player->flash_room = room;
  }
  return player->flash_used++;
}

static void then(struct model_player *player, uint32_t index, enum stage stage, uint64_t time) {
  player->flash[index].stage = (uint8_t)stage;
  csd_model_schedule(player, time, MODEL_FLASH_STEP, index);
}

uint64_t csd_model_flash_begin(struct model_player *player, enum csd_model_event_kind kind,
                               uint32_t request, uint32_t fetch, uint32_t address, uint32_t lba,
                               uint32_t bytes) {
  const struct csd_model_profile *p = player->profile;
  const uint32_t index = allocate(player);
  if (index == MODEL_NONE) {
    return player->now;
  }
  struct model_flash *flash = &player->flash[index];
  *flash = (struct model_flash){.kind = (uint8_t)kind,
                                .request = request,
                                .fetch = fetch,
                                .address = address,
                                .plane = plane_of(p, (uint8_t)kind, address),
                                .lba = lba,
                                .bytes = bytes,
                                .next = MODEL_NONE,
                                .unit = csd_model_first_free(player, CSD_MODEL_RESOURCE_FIRMWARE)};
  const uint32_t ns = kind == CSD_MODEL_FLASH_READ ? p->firmware_read_ns : p->firmware_write_ns;
  const uint64_t passed = csd_model_reserve(player, CSD_MODEL_RESOURCE_FIRMWARE, flash->unit,
                                            model_ns(ns), &flash->from);
  then(player, index, IN_CONTROLLER, passed);
  return passed;
}

static uint64_t array_ns(const struct csd_model_profile *p, const struct model_flash *flash) {
  const uint32_t type = flash->address % p->flash_block_pages % p->flash_page_types;
  switch (flash->kind) {
    case CSD_MODEL_FLASH_READ: return p->flash_read_ns[type];
    case CSD_MODEL_FLASH_PROGRAM: return p->flash_program_ns[type];
    default: return p->flash_erase_ns;
  }
}

static void use_channel(struct model_player *player, uint32_t index) {
  struct model_flash *flash = &player->flash[index];
  flash->from = player->now;
  csd_model_schedule(player, model_add(player->now, flash->channel_ps), MODEL_FLASH_STEP, index);
}

/* Acquires the channel for `stage` as soon as it is free. */
static void acquire_channel(struct model_player *player, uint32_t index, enum stage stage,
                            uint64_t duration, bool is_short) {
  struct model_flash *flash = &player->flash[index];
  struct model_channel *channel = &player->channels[channel_of(player, flash)];
  flash->stage = (uint8_t)stage;
  flash->channel_ps = duration;
  if (!channel->busy) {
    channel->busy = true;
    use_channel(player, index);
    return;
  }
  const bool first =
      is_short == ((player->profile->flash_policy & CSD_MODEL_FLASH_POLICY_TRANSFERS_FIRST) == 0);
  const uint32_t line = first ? 0 : 1;
  flash->next = MODEL_NONE;
  if (channel->waiting[line].first == MODEL_NONE) {
    channel->waiting[line].first = index;
  } else {
    player->flash[channel->waiting[line].last].next = index;
  }
  channel->waiting[line].last = index;
}

/* Releases a channel. Call it after all acquire_channel() of this time. */
static void release_channel(struct model_player *player, uint32_t number) {
  struct model_channel *channel = &player->channels[number];
  for (uint32_t line = 0; line < 2; line++) {
    const uint32_t next = channel->waiting[line].first;
    if (next == MODEL_NONE) {
      continue;
    }
    channel->waiting[line].first = player->flash[next].next;
    use_channel(player, next);
    return;
  }
  channel->busy = false;
}

static void transfer(struct model_player *player, uint32_t index) {
  acquire_channel(player, index, IN_TRANSFER,
                  model_transfer(player->flash[index].bytes, player->profile->channel_bytes_per_s),
                  false);
}

/* Starts a command that holds its die. */
static void start(struct model_player *player, uint32_t index) {
  const struct csd_model_profile *p = player->profile;
  struct model_flash *flash = &player->flash[index];
  uint64_t duration = model_ns(p->flash_command_ns);
  if (flash->kind == CSD_MODEL_FLASH_READ && player->registers[flash->plane] == flash->address) {
    player->requests[flash->request].report.register_reads++;
    transfer(player, index);
    return;
  }
  if (flash->kind == CSD_MODEL_FLASH_PROGRAM) {
    duration = model_add(duration, model_transfer(flash->bytes, p->channel_bytes_per_s));
  }
  acquire_channel(player, index, IN_COMMAND, duration, flash->kind != CSD_MODEL_FLASH_PROGRAM);
}

static void acquire_die(struct model_player *player, uint32_t index) {
  struct model_flash *flash = &player->flash[index];
  struct model_die *die = die_of(player, flash->plane);
  if (!die->busy) {
    die->busy = true;
    start(player, index);
    return;
  }
  flash->next = MODEL_NONE;
  if (die->first_waiting == MODEL_NONE) {
    die->first_waiting = index;
  } else {
    player->flash[die->last_waiting].next = index;
  }
  die->last_waiting = index;
}

static void release_die(struct model_player *player, uint32_t plane) {
  struct model_die *die = die_of(player, plane);
  const uint32_t next = die->first_waiting;
  if (next == MODEL_NONE) {
    die->busy = false;
    return;
  }
  die->first_waiting = player->flash[next].next;
  start(player, next);
}

static void end(struct model_player *player, uint32_t index) {
  const struct model_flash flash = player->flash[index];
  player->flash[index].next = player->flash_free;
  player->flash_free = index;
  if (flash.fetch != MODEL_NONE) {
    csd_model_fetch_flash_done(player, flash.fetch);
    return;
  }
  csd_model_request_flash_done(player, flash.request);
}

static void charge(struct model_player *player, const struct model_flash *flash,
                   enum csd_model_resource resource, uint32_t unit, enum csd_model_activity what,
                   uint32_t bytes) {
  const struct model_use use = {.resource = resource,
                                .what = what,
                                .unit = unit,
                                .lba = flash->lba,
                                .amount = bytes,
                                .from = flash->from,
                                .until = player->now};
  csd_model_charge(player, flash->request, &use);
}

static void dram(struct model_player *player, uint32_t index, enum stage stage) {
  struct model_flash *flash = &player->flash[index];
  then(player, index, stage,
       csd_model_reserve(player, CSD_MODEL_RESOURCE_DRAM_BUS, 0,
                         model_transfer(flash->bytes, player->profile->dram_bytes_per_s),
                         &flash->from));
}

static void array_begins(struct model_player *player, uint32_t index) {
  struct model_flash *flash = &player->flash[index];
  flash->from = player->now;
  player->registers[flash->plane] = MODEL_NONE;
  then(player, index, IN_ARRAY, model_add(player->now, model_ns(array_ns(player->profile, flash))));
}

static void array_ended(struct model_player *player, uint32_t index) {
  static const uint8_t what[] = {[CSD_MODEL_FLASH_READ] = CSD_MODEL_ACTIVITY_SENSE,
                                 [CSD_MODEL_FLASH_PROGRAM] = CSD_MODEL_ACTIVITY_PROGRAM,
                                 [CSD_MODEL_FLASH_ERASE] = CSD_MODEL_ACTIVITY_ERASE};
  const struct model_flash flash = player->flash[index];
  struct csd_model_report *report = &player->requests[flash.request].report;
  charge(player, &flash, CSD_MODEL_RESOURCE_PLANE, flash.plane, what[flash.kind], 0);
  switch (flash.kind) {
    case CSD_MODEL_FLASH_READ:
      report->flash_reads++;
      player->registers[flash.plane] = flash.address;
      transfer(player, index);
      return;
    case CSD_MODEL_FLASH_PROGRAM: report->flash_programs++; break;
    default: report->flash_erases++;
  }
  release_die(player, flash.plane);
  end(player, index);
}

static void correct(struct model_player *player, uint32_t index) {
  const struct csd_model_profile *p = player->profile;
  struct model_flash *flash = &player->flash[index];
  const uint64_t steps = (flash->bytes + (uint64_t)p->ecc_step_bytes - 1) / p->ecc_step_bytes;
  then(player, index, IN_CORRECTION,
       csd_model_reserve(player, CSD_MODEL_RESOURCE_ECC, channel_of(player, flash),
                         model_ns(steps * p->ecc_step_ns), &flash->from));
}

void csd_model_flash_step(struct model_player *player, uint32_t index) {
  const struct model_flash flash = player->flash[index];
  const uint32_t channel = channel_of(player, &flash);
  const bool programs = flash.kind == CSD_MODEL_FLASH_PROGRAM;
  switch ((enum stage)flash.stage) {
    case IN_CONTROLLER:
      charge(player, &flash, CSD_MODEL_RESOURCE_FIRMWARE, flash.unit, CSD_MODEL_ACTIVITY_COMMAND,
             0);
      if (programs) {
        dram(player, index, IN_SOURCE);
      } else {
        acquire_die(player, index);
      }
      break;
    case IN_SOURCE:
      charge(player, &flash, CSD_MODEL_RESOURCE_DRAM_BUS, 0, CSD_MODEL_ACTIVITY_TRANSFER,
             flash.bytes);
      acquire_die(player, index);
      break;
    case IN_COMMAND:
      charge(player, &flash, CSD_MODEL_RESOURCE_CHANNEL, channel,
             programs ? CSD_MODEL_ACTIVITY_TRANSFER : CSD_MODEL_ACTIVITY_COMMAND,
             programs ? flash.bytes : 0);
      array_begins(player, index);
      release_channel(player, channel);
      break;
    case IN_ARRAY: array_ended(player, index); break;
    case IN_TRANSFER:
      charge(player, &flash, CSD_MODEL_RESOURCE_CHANNEL, channel, CSD_MODEL_ACTIVITY_TRANSFER,
             flash.bytes);
      correct(player, index);
      release_die(player, flash.plane); /* first, as its next command wants the channel */
      release_channel(player, channel);
      break;
    case IN_CORRECTION:
      charge(player, &flash, CSD_MODEL_RESOURCE_ECC, channel, CSD_MODEL_ACTIVITY_CORRECT,
             flash.bytes);
      dram(player, index, IN_DRAM);
      break;
    case IN_DRAM:
      charge(player, &flash, CSD_MODEL_RESOURCE_DRAM_BUS, 0, CSD_MODEL_ACTIVITY_TRANSFER,
             flash.bytes);
      player->requests[flash.request].report.bytes_read += flash.bytes;
      end(player, index);
      break;
  }
}
