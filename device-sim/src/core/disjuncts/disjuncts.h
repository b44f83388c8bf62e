/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/**
 * The best hits of a DIS_MAX: one disjunct after the other is produced as if it were the root, in
 * the way that suits it, down to the score at which its docs can still be competitive. Unless docs
 * must come complete, one may come with the score of one disjunct, and then, if another one is
 * greater, with that.
 */
#ifndef CSD_DISJUNCTS_H
#define CSD_DISJUNCTS_H

#include "core/root/root_way.h"

extern const struct csd_root_way csd_way_disjuncts;

#endif
