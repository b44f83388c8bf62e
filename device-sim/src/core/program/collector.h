/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/** Makes the result page from the root's batches. */
#ifndef CSD_COLLECTOR_H
#define CSD_COLLECTOR_H

#include <stdbool.h>
#include <stdint.h>

#include "core/eval/eval.h"
#include "core/plan/arena.h"
#include "core/plan/plan.h"
#include "core/plan/topk.h"

struct csd_collector {
  uint8_t mode;
  bool has_after;
  float after_score;
  int32_t after_doc;
  bool counts;               /* TOP_K: matches are counted, not only ranked */
  const uint64_t *live_docs; /* NULL: all are live */
  uint8_t *result;
  uint32_t capacity;    /* bytes of the result page */
  uint32_t entry_limit; /* entries that it has room for; no limit for COUNT */
  uint32_t entries;
  uint64_t compared; /* TOP_K: hits compared with the worst of the top k */
  uint64_t offered;  /* and those that were better */
  uint64_t count;    /* matches */
  bool full;         /* the page has no room for further entries */
  struct csd_topk topk;
  struct csd_ranking *ranking;
  const struct csd_kernels *kernels;
  uint32_t live_list[CSD_DOC_LIST]; /* scratch */
  float live_scores[CSD_WINDOW_DOCS];
};

/** @param ranking  set to what the plan's flags say, and raised as hits come in */
void csd_collector_open(struct csd_collector *collector, const struct csd_plan *plan,
                        uint8_t *result, uint32_t capacity, const uint64_t *live_docs,
                        const struct csd_kernels *kernels, struct csd_ranking *ranking);

/**
 * For TOP_K: takes the memory of the k best hits, when the program has taken its own.
 *
 * @return whether the arena had it
 */
bool csd_collector_take_memory(struct csd_collector *collector, struct csd_arena *arena,
                               uint32_t k);

/**
 * Takes the matches of one batch.
 *
 * @return the doc up to which, exclusively, everything is in the result: batch->upto, or less if
 *         the page is full
 */
uint32_t csd_collector_take(struct csd_collector *collector, const struct csd_batch *batch);

/** Brings the entries into their final place and writes the header. */
void csd_collector_close(struct csd_collector *collector, uint64_t match_count, uint32_t next_doc,
                         unsigned flags, const struct csd_work *work);

#endif
