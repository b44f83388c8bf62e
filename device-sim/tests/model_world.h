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

#endif
