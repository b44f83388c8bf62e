/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/**
 * The plan interpreter: checks a plan, lays its working memory out in a session's grant and runs it
 * in steps. Reads no clock, allocates nothing, keeps no global state.
 */
#ifndef CSD_PROGRAM_H
#define CSD_PROGRAM_H

#include <stddef.h>
#include <stdint.h>

#include "core/lists/page_source.h"

struct csd_program; /* lives inside the grant */
struct csd_work;

/**
 * Checks a plan in full and prepares it to run. Nothing of `plan` is trusted.
 *
 * @param grant        working memory, 64-byte aligned; holds the program, its cursors and buffers
 * @param grant_bytes  its size
 * @param plan         the plan; stays readable and unchanged until csd_program_end
 * @param plan_bytes   its size
 * @param result       where the result page goes, 8-byte aligned
 * @param result_bytes its size; the page is bounded by this and by the plan's max_result_bytes
 * @param source       page source, valid until csd_program_end
 * @param program      set to the program
 * @return 0, or a negated status: PLAN_*, UNSUPPORTED_VERSION, INSUFFICIENT_GRANT, NO_RESOURCE
 */
int csd_program_begin(void *grant, size_t grant_bytes, const uint8_t *plan, size_t plan_bytes,
                      uint8_t *result, size_t result_bytes, const struct csd_page_source *source,
                      struct csd_program **program);

/**
 * Runs for a while.
 *
 * @param budget  postings to work off, about, before returning
 * @return 1 if there is more to do, 0 if the result page is complete, or a negated status
 */
int csd_program_step(struct csd_program *program, uint64_t budget);

/** What the program has done so far; valid as long as the program. */
const struct csd_work *csd_program_work(const struct csd_program *program);

/** Unpins whatever the program holds. The result page stays. Call once, also after an error. */
void csd_program_end(struct csd_program *program);

#endif
