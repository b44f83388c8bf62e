/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/** The memory of a grant, handed out from front to back; nothing is returned. */
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
