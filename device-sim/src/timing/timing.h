/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/**
 * The timing model of a device (csd_model.h). It keeps the profile that is set, the place of every
 * LBA on the modelled flash, and a record of each session's last program. Without a profile it
 * keeps nothing and costs nothing.
 */
#ifndef CSD_TIMING_H
#define CSD_TIMING_H

#include <pthread.h>
#include <stdatomic.h>

#include "core/lists/page_source.h"
#include "csd/csd_model.h"
#include "timing/record.h"

/** A profile that is set, with the modelled flash under it. */
struct csd_timing;

/** The record of a session's last program, and what was played of it. */
struct csd_modelled;

/** Where a device keeps its profile. */
struct csd_timing_slot {
  pthread_mutex_t lock;
  _Atomic(struct csd_timing *) current; /* NULL: no profile. Set under the lock */
};

/** A slot without a profile. */
void csd_timing_open(struct csd_timing_slot *slot);

/** Ends the slot. The caller has forgotten the records of all sessions before. */
void csd_timing_close(struct csd_timing_slot *slot);

/** Limit of the trace records of a program. */
#define CSD_TIMING_MAX_TRACE (1u << 22)

/**
 * Sets the profile of all programs that begin from now on. Its flash starts as if all LBAs had been
 * written once, in their order.
 *
 * @param profile        checked here
 * @param trace_records  to keep of a program
 * @param flags          of enum csd_model_flag
 * @param lba_count      LBAs of the device
 * @param stored_lbas    LBAs up to the end of what it holds now
 * @return 0, or a negated status: those of csd_profile_check, INVALID_FIELD
 *         (too many trace records), NO_MEMORY
 */
int csd_timing_set(struct csd_timing_slot *slot, const struct csd_model_profile *profile,
                   uint32_t trace_records, uint32_t flags, uint64_t lba_count,
                   uint64_t stored_lbas);

/** Takes the profile away; does nothing if none is set. */
void csd_timing_clear(struct csd_timing_slot *slot);

/** Tells the model that LBAs were written; does nothing without a profile. */
void csd_timing_written(struct csd_timing_slot *slot, uint64_t lba, uint64_t count);

/** Tells the model that LBAs were trimmed; does nothing without a profile. */
void csd_timing_trimmed(struct csd_timing_slot *slot, uint64_t lba, uint64_t count);

/**
 * Reports what the writes cost: those since the profile was set, or since the first write after the
 * last report.
 *
 * @param what  DEVICE_REPORT or HOST_REPORT of enum csd_model_data
 * @return 0, or a negated status: INVALID_FIELD (none, or no profile), NO_MEMORY, OUT_OF_RANGE
 *         (LBAs beyond the modelled flash)
 */
int csd_timing_writes(struct csd_timing_slot *slot, uint32_t what, struct csd_model_report *report);

/**
 * Starts the record of a program and discards that of the session's program before. The caller has
 * acquired the session. Returns NULL if no profile is set or there is no memory for a record.
 *
 * @param modelled  the session's record; made here if it is NULL
 * @param inner  what the program gets without a record; stays until the program ends
 */
struct csd_recorder *csd_timing_start(struct csd_timing_slot *slot, struct csd_modelled **modelled,
                                      const struct csd_page_source *inner, uint32_t plan_bytes);

/** Ends the record of a program that has ended; `result` is the header of its result page. */
void csd_timing_finish(struct csd_modelled *modelled, const struct csd_result_header *result);

/**
 * Returns what the model says about the session's last program. The caller has acquired the
 * session.
 *
 * @param modelled  the session's record; NULL: none
 * @param session   its number, for the text of a failure
 * @param what      an enum csd_model_data
 * @param bytes     set to the data, which stay until the session's next command
 * @param count     set to their length in bytes
 * @return 0, or a negated status: INVALID_FIELD (no such data, or that program was not modelled),
 *         NO_MEMORY (it did more than a record has room for)
 */
int csd_timing_data(struct csd_modelled *modelled, uint32_t session, uint32_t what,
                    const void **bytes, uint32_t *count);

/** Frees a session's record, if there is one, and sets *modelled to NULL. */
void csd_timing_forget(struct csd_modelled **modelled);

#endif
