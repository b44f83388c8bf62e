/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/** Cores that are slower than those of the machine: a program's thread waits after its work. */
#ifndef CSD_SLOW_H
#define CSD_SLOW_H

#include <stdint.h>

struct csd_queue;

/** Returns the moment of a program's work at which it begins; of no meaning if no core is slow. */
uint64_t csd_slow_begin(const struct csd_queue *queue);

/**
 * Waits for as long as slow cores take longer for the work of the calling thread.
 *
 * @param began  what csd_slow_begin() has returned to this thread
 */
void csd_slow_end(struct csd_queue *queue, uint64_t began);

#endif
