/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/** The best hits of a disjunction of terms, phrases and Booleans, with few of their positions read.
 */
#ifndef CSD_ROOT_MIXED_H
#define CSD_ROOT_MIXED_H

#include "core/root/root_way.h"

extern const struct csd_root_way csd_way_mixed;

#endif
