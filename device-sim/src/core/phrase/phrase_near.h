/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/**
 * Terms near each other in one doc, as Lucene's spans and intervals of terms find them: which of
 * all the ways they do, in which order, and with the frequency that it adds up of them.
 */
#ifndef CSD_PHRASE_NEAR_H
#define CSD_PHRASE_NEAR_H

#include "core/phrase/phrase_slop.h"

/** One kind of spans or intervals. */
struct csd_near {
  bool ordered;     /* the terms stand in the order of the plan */
  bool is_interval; /* scores depend on nothing but the frequency */

  /**
   * Finds those in a doc, whose positions the readers of all places are set up for.
   *
   * @param all   false: the first one is enough
   * @param freq  0; set to the sum of their weights
   * @return 0, or a negated status
   */
  int (*match)(struct csd_slop *slop, bool all, float *freq);
};

/** The kind of an operator of plans; NULL: the operator is none of spans or intervals. */
const struct csd_near *csd_near_of(unsigned op);

#endif
