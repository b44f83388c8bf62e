/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
#include "core/plan/arena.h"

void *csd_arena_take(struct csd_arena *arena, size_t bytes) {
  const size_t padding = -(uintptr_t)arena->next & 63u;
  if (arena->left < padding || arena->left - padding < bytes) {
    return NULL;
  }
  uint8_t *taken = arena->next + padding;
  arena->next = taken + bytes;
  arena->left -= padding + bytes;
  return taken;
}
