/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/** Lists for the classic programs, answers found the naive way, and runs of requests. */
#ifndef CLASSIC_WORLD_H
#define CLASSIC_WORLD_H

#include "csd/csd_classic.h"

/** Lists and the memory they stand in. */
struct classic_world {
  struct csd_classic_list lists[CSD_CLASSIC_MAX_LISTS];
  uint32_t list_count;
  struct csd_classic_entry *entries;
};

/** Of one run. */
struct classic_run {
  int count; /* of results, or the negated status */
  struct csd_classic_result *results;
  struct csd_classic_counts counts;
};

/** The lists of a workload; exits the program if it is refused. */
struct classic_world classic_world_of(const struct csd_classic_workload *workload);

/** Room for `list_count` lists of at most `longest` entries, to be filled by the caller. */
struct classic_world classic_world_room(uint32_t list_count, uint32_t longest);

void classic_world_free(struct classic_world *world);

struct csd_classic_request classic_request(const struct classic_world *world,
                                           enum csd_classic_operation operation, bool ranked);

/**
 * Runs a request in `memory_bytes` of device DRAM (0: as much as it takes to hold everything),
 * allocated to the byte so that a sanitizer sees any access beyond. Free the results.
 */
struct classic_run classic_run_in(const struct csd_classic_request *request, size_t memory_bytes,
                                  void (*event)(void *, const struct csd_classic_event *),
                                  void *context);

/** The answer, from counting in how many lists each document is. Free the results. */
struct classic_run classic_naive(const struct csd_classic_request *request);

/** Whether two runs have the same results, to the byte. */
bool classic_same_results(const struct classic_run *a, const struct classic_run *b);

/** Fills list `number` of a room with these documents; scores are document + 1000 x list. */
void classic_fill(struct classic_world *world, uint32_t number, const uint32_t *docs,
                  uint32_t count);

#endif
