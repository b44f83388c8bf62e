/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/** Matches of phrases in one doc, found in the plainest way, from all its positions. */
#ifndef CSD_PHRASE_NAIVE_H
#define CSD_PHRASE_NAIVE_H

#include <stdbool.h>
#include <stdint.h>

#define NAIVE_MAX_PLACES 12u

/** A place of a phrase in a doc. */
struct naive_place {
  const uint32_t *positions; /* ascending, those of all its terms */
  uint32_t count;
  uint32_t place;
};

/** How many positions of the first place all others have, too. */
uint32_t naive_occurrences(const struct naive_place *places, uint32_t n);

/**
 * The sum of the weights of a phrase's matches, as Lucene takes and adds them.
 *
 * @param repeats  whether two places, which then are all, have the same term
 */
float naive_sloppy(const struct naive_place *places, uint32_t n, uint32_t slop, bool repeats);

#endif
