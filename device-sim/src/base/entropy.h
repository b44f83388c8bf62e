/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/** Random bytes of the system, that nobody foresees. */
#ifndef CSD_ENTROPY_H
#define CSD_ENTROPY_H

#include <stdbool.h>
#include <stddef.h>

/** Fills memory; does not wait. @return false if the system has none (yet) */
bool csd_draw_entropy(void *memory, size_t bytes);

#endif
