/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/**
 * The best hits of one scored term, less prohibited children. Visits the posting blocks with the
 * greatest bounds first; most others then need no visit.
 */
#ifndef CSD_ROOT_BEST_H
#define CSD_ROOT_BEST_H

#include "core/root/root_way.h"

extern const struct csd_root_way csd_way_best;

#endif
