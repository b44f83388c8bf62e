/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/**
 * How functions of the engine fail. One that can fail returns int: 0 or a count if it succeeds, a
 * negated enum csd_status if it fails. Its caller checks `status < 0`. A failure can also write
 * what failed, and where, into the calling thread's error trail (csd_last_error). Nothing is
 * allocated.
 */
#ifndef CSD_STATUS_H
#define CSD_STATUS_H

#include "csd/csd.h"

/** Replaces the trail by a printf-style text; returns -status. */
int csd_fail(enum csd_status status, const char *format, ...) __attribute__((format(printf, 2, 3)));

/** Empties the trail. Call it before code that may fail with a status alone. */
void csd_trail_clear(void);

/** Adds an outer cause to the trail ("...: inner; outer"); returns `result` unchanged. */
int csd_fail_in(int result, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
