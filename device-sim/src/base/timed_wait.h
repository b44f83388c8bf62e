/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/** Waiting for a time, or for a condition so long at most, whatever happens to the time of day. */
#ifndef CSD_TIMED_WAIT_H
#define CSD_TIMED_WAIT_H

#include <pthread.h>
#include <stdint.h>
#include <time.h>

/** Makes a condition for csd_timed_wait(); pthread_cond_destroy() ends it. */
void csd_timed_init(pthread_cond_t *event);

/** Waits for an event, `nanos` (less than a second) at most. The caller holds the lock. */
void csd_timed_wait(pthread_cond_t *event, pthread_mutex_t *lock, uint32_t nanos);

/** Returns the nanoseconds of a clock. */
uint64_t csd_clock_ns(clockid_t clock);

/** Waits until CLOCK_MONOTONIC has come to a time, awake at the end: none is woken in time. */
void csd_wait_until(uint64_t ns);

#endif
