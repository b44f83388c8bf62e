/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/** Profiles and logs for the tests of the model. */
#ifndef MODEL_WORLD_H
#define MODEL_WORLD_H

#include "csd/csd_model.h"

/**
 * A valid profile of round numbers: 4 channels x 2 ways x 1 die x 2 planes of 8 KB pages;
 * everything costs something, and no two things the same.
 */
struct csd_model_profile model_profile(void);

/** A log that grows. */
struct csd_model_log model_log(void);

/** A work array with one kind in it. */
const uint64_t *model_work(enum csd_model_work kind, uint64_t units);

/** Adds an event that must be taken. */
void model_event(struct csd_model_log *log, enum csd_model_event_kind kind, uint32_t page,
                 uint64_t bytes, const uint64_t *work);

/** Plays one log, which must work, and checks what must hold of any report. */
struct csd_model_report model_play_one(const struct csd_model_profile *profile,
                                       enum csd_model_side side, const struct csd_model_log *log);

/**
 * What must hold of any report: parts of a request add up, no unit is used for longer than there
 * was time, energy is what power, use and counts make it.
 */
void model_check_report(const struct csd_model_profile *profile,
                        const struct csd_model_report *report, bool of_one_request);

/** Sum of the parts. */
uint64_t model_parts(const struct csd_model_report *report);

#endif
