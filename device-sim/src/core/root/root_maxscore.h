/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/**
 * The best hits of a disjunction of terms, without a look at most of its other matches: block-max
 * MaxScore.
 */
#ifndef CSD_ROOT_MAXSCORE_H
#define CSD_ROOT_MAXSCORE_H

#include "core/root/root_way.h"

extern const struct csd_root_way csd_way_maxscore;

/** Terms from which on windows that end with blocks get too short. */
#define CSD_MANY_TERMS 7u

/** The same for many terms. */
extern const struct csd_root_way csd_way_many;

#endif
