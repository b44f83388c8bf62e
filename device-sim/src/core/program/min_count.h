/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/** What the lengths of the lists tell of the number of matches. */
#ifndef CSD_MIN_COUNT_H
#define CSD_MIN_COUNT_H

#include <stdint.h>

#include "core/eval/eval.h"

/** How many docs match at least, by the lengths of the lists, if all docs are asked for. */
uint64_t csd_min_count(const struct csd_node *root);

#endif
