/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/**
 * Matches of a phrase whose terms may move, in one doc: as Lucene's SloppyPhraseMatcher finds them,
 * which is not all that there are, and with the frequency that it adds up in their order.
 */
#ifndef CSD_PHRASE_SLOP_H
#define CSD_PHRASE_SLOP_H

#include "core/phrase/place_reader.h"
#include "core/plan/arena.h"

/** A place, and where in the doc it stands. */
struct csd_slop_place {
  struct csd_place_reader reader;
  int32_t position; /* less the place */
  uint32_t place;
  uint32_t number;   /* in the order of the plan */
  uint32_t in_group; /* which of the group's places it is */
  bool repeats;
  bool moved; /* while a collision is being resolved: it moved in the queue */
};

struct csd_slop {
  struct csd_slop_place *places; /* in the order of the plan */
  struct csd_slop_place **queue; /* a heap: the least one at 1 */
  struct csd_slop_place **group; /* those of REPEAT, by place */
  struct csd_slop_place **taken; /* out of the queue for a while */
  uint32_t place_count;
  uint32_t queued;
  uint32_t group_count;
  int32_t slop;
  int32_t end; /* the greatest position of a place so far */
};

/** Takes the memory for phrases of up to so many places; false if the grant is used up. */
bool csd_slop_take(struct csd_slop *slop, struct csd_arena *arena, uint32_t places);

/** Makes it that of a phrase. */
void csd_slop_begin(struct csd_slop *slop, const struct csd_phrase *phrase);

/**
 * Finds the matches in a doc, whose positions the readers of all places are set up for.
 *
 * @param all   false: the first one is enough
 * @param freq  set to the sum of their weights, 1 / (1 + length); 0: there is none
 * @return 0, or a negated status
 */
int csd_slop_match(struct csd_slop *slop, bool all, float *freq);

#endif
