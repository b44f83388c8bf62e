/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/** Counts that the lengths of the lists shorten. */
#ifndef CSD_REST_COUNT_H
#define CSD_REST_COUNT_H

#include <stdbool.h>
#include <stdint.h>

#include "core/eval/eval.h"

/** A conjunction that is counted instead of what was asked for. */
struct csd_rest_count {
  struct csd_node conjunction;
  struct csd_node *conjoined[2];
};

/**
 * For counts over all docs: finds a conjunction that needs fewer postings than the root. The number
 * of the root's matches is *known_count less the conjunction's.
 *
 * @return the conjunction, in `rest`; NULL if there is none
 */
struct csd_node *csd_rest_count(struct csd_rest_count *rest, const struct csd_node *root,
                                uint64_t *known_count);

#endif
