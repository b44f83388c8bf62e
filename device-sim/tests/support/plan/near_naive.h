/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/**
 * The frequency of terms near each other in one doc, from what spans and intervals are: of no
 * iterator that moves but where two terms stand on one position, which spans tell apart by it.
 */
#ifndef CSD_NEAR_NAIVE_H
#define CSD_NEAR_NAIVE_H

#include <stdint.h>

#include "tests/support/plan/phrase_naive.h"

/**
 * @param op      of the plan's node
 * @param places  ascending positions of each term, at least one
 * @param limit   of gaps
 */
float naive_near(unsigned op, const struct naive_place *places, uint32_t n, uint32_t limit);

#endif
