/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
#include "core/program/rank_ways.h"

#include "core/disjuncts/disjuncts.h"
#include "core/root/root_ways.h"

/* The first one that applies is taken. */
static const struct csd_root_way *const ways[] = {
    &csd_way_disjuncts, &csd_way_best,       &csd_way_base,     &csd_way_mixed,
    &csd_way_rare,      &csd_way_many,       &csd_way_maxscore, &csd_way_synonym,
    &csd_way_trees,     &csd_way_some_trees, &csd_way_lead,     &csd_way_and,
};

int csd_rank_ways_choose(struct csd_arena *arena, struct csd_eval *eval,
                         const struct csd_wanted *wanted) {
  struct csd_root_part part = {.node = eval->root};
  const int status = csd_root_part_make(&part, ways, sizeof ways / sizeof ways[0], arena, wanted);
  eval->way = part.way;
  eval->way_state = part.state;
  return status;
}
