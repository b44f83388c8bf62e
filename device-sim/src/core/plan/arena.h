/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/** Allocates the memory of a grant from front to back. Nothing is freed. */
#ifndef CSD_ARENA_H
#define CSD_ARENA_H

#include <stddef.h>
#include <stdint.h>

struct csd_arena {
  uint8_t *next;
  size_t left; /* bytes */
};

/** Returns `bytes` bytes on a 64-byte boundary, not cleared; NULL if the grant is used up. */
void *csd_arena_take(struct csd_arena *arena, size_t bytes);

#endif
