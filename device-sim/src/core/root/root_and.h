/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/**
 * All matches of a conjunction of terms with their scores, many posting blocks in one batch. It
 * gathers freqs and norms as it finds matches, and scores all of them together; but a batch of
 * non-competitive docs may lack scores.
 */
#ifndef CSD_ROOT_AND_H
#define CSD_ROOT_AND_H

#include "core/root/root_way.h"

extern const struct csd_root_way csd_way_and;

#endif
