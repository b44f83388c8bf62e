/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/** Checks an untrusted plan, so that whatever reads it afterwards need not. */
#ifndef CSD_PLAN_CHECK_H
#define CSD_PLAN_CHECK_H

#include <stddef.h>
#include <stdint.h>

#include "core/plan/plan.h"

/**
 * Checks every byte of a plan.
 *
 * @param bytes         the plan; `plan` keeps pointers into it
 * @param result_bytes  room for the result page
 * @return 0, or a negated status: PLAN_TRUNCATED, PLAN_MALFORMED, PLAN_TOO_LARGE,
 *         UNSUPPORTED_VERSION; INVALID_ARGUMENT if the result page cannot hold one entry
 */
int csd_plan_check(const uint8_t *bytes, size_t plan_bytes, size_t result_bytes,
                   struct csd_plan *plan);

#endif
