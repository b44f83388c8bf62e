/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/**
 * Terms near each other in one doc, as Lucene's spans and intervals of terms find them: which of
 * all the ways they do, in which order, and with the frequency that it adds up of them.
 */
#ifndef CSD_PHRASE_NEAR_H
#define CSD_PHRASE_NEAR_H

#include "core/phrase/phrase_slop.h"

/**
 * Finds the spans or intervals in a doc, whose positions the readers of all places are set up for.
 *
 * @param near  which of the operators, not 0
 * @param all   false: the first one is enough
 * @param freq  set to the sum of their weights; 0: there is none
 * @return 0, or a negated status
 */
int csd_near_match(struct csd_slop *slop, unsigned near, bool all, float *freq);

#endif
