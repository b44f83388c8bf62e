/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
#include "controller/id_set.h"

#include <stdlib.h>

enum { FIRST_ROOM = 16 };

static uint32_t home(const struct tgt_id_set *set, uint32_t id) {
  return (id * 0x9E3779B1u >> 7) & (set->room - 1);
}

/* Slot of a number, or the free one where it would go. */
static uint32_t find(const struct tgt_id_set *set, uint32_t id) {
  uint32_t at = home(set, id);
  while (set->slots[at].id != 0 && set->slots[at].id != id) {
    at = (at + 1) & (set->room - 1);
  }
  return at;
}

static bool grow(struct tgt_id_set *set) {
  const struct tgt_id_set old = *set;
  const uint32_t room = old.room == 0 ? FIRST_ROOM : old.room * 2;
  struct tgt_id_slot *slots = calloc(room, sizeof *slots);
  if (slots == NULL) {
    return false;
  }
  set->slots = slots;
  set->room = room;
  for (uint32_t i = 0; i < old.room; i++) {
    if (old.slots[i].id != 0) {
      slots[find(set, old.slots[i].id)] = old.slots[i];
    }
  }
  free(old.slots);
  return true;
}

bool tgt_id_set_has(const struct tgt_id_set *set, uint32_t id) {
  return id != 0 && set->count > 0 && set->slots[find(set, id)].id == id;
}

bool tgt_id_set_use(struct tgt_id_set *set, uint32_t id, uint32_t now_s) {
  if (!tgt_id_set_has(set, id)) {
    return false;
  }
  set->slots[find(set, id)].used_s = now_s;
  return true;
}

uint32_t tgt_id_set_oldest(const struct tgt_id_set *set, uint32_t before_s) {
  const struct tgt_id_slot *oldest = NULL;
  for (uint32_t i = 0; i < set->room; i++) {
    const struct tgt_id_slot *slot = &set->slots[i];
    if (slot->id == 0 || slot->used_s >= before_s) {
      continue;
    }
    if (oldest == NULL || slot->used_s < oldest->used_s) {
      oldest = slot;
    }
  }
  return oldest == NULL ? 0 : oldest->id;
}

bool tgt_id_set_add(struct tgt_id_set *set, uint32_t id, uint32_t bytes, uint32_t now_s) {
  if (id == 0) {
    return false;
  }
  if (tgt_id_set_use(set, id, now_s)) {
    return true;
  }
  if ((set->count + 1) * 2 > set->room && !grow(set)) {
    return false;
  }
  set->slots[find(set, id)] = (struct tgt_id_slot){.id = id, .used_s = now_s, .bytes = bytes};
  set->count++;
  set->bytes += bytes;
  return true;
}

uint32_t tgt_id_set_remove(struct tgt_id_set *set, uint32_t id) {
  if (!tgt_id_set_has(set, id)) {
    return 0;
  }
  uint32_t gap = find(set, id);
  const uint32_t bytes = set->slots[gap].bytes;
  set->slots[gap].id = 0;
  set->count--;
  set->bytes -= bytes;
  /* What stands behind the gap and was displaced by it moves up. */
  for (uint32_t at = (gap + 1) & (set->room - 1); set->slots[at].id != 0;
       at = (at + 1) & (set->room - 1)) {
    const struct tgt_id_slot moved = set->slots[at];
    set->slots[at].id = 0;
    set->slots[find(set, moved.id)] = moved;
  }
  return bytes;
}

uint32_t tgt_id_set_take(struct tgt_id_set *set) {
  for (uint32_t i = 0; i < set->room; i++) {
    const uint32_t id = set->slots[i].id;
    if (id != 0) {
      tgt_id_set_remove(set, id);
      return id;
    }
  }
  return 0;
}

void tgt_id_set_free(struct tgt_id_set *set) {
  free(set->slots);
  *set = (struct tgt_id_set){0};
}
