/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/** What a sorter (sorter.h) knows, for the files that it is made of. */
#ifndef CSD_SORTER_STATE_H
#define CSD_SORTER_STATE_H

#include <stdbool.h>
#include <stdint.h>

#include "core/eval/eval.h"
#include "core/plan/plan.h"
#include "core/sort/sort_distance.h"
#include "core/sort/sort_heap.h"
#include "core/sort/sort_key.h"

/** A sort key at work. */
struct csd_sorter_key {
  uint8_t kind;
  uint8_t transform;
  bool max;      /* COLUMN: the greatest of several values */
  uint64_t flip; /* all ones with REVERSE, else 0 */
  uint64_t missing;
  struct csd_geo_centre centre; /* of DISTANCE */
  struct csd_column_cursor column;
};

/** The key of a value of a key's column. */
static inline uint64_t csd_sorter_key_of(const struct csd_sorter_key *key, int64_t value) {
  return key->transform == CSD_SORT_TRANSFORM_DISTANCE
             ? csd_sort_key_of_point(&key->centre, value)
             : csd_sort_key_of_value(key->transform, value);
}

/** Which docs, from here on, can be among the best. */
enum csd_sorter_filter {
  CSD_SORTER_EVERY,   /**< any */
  CSD_SORTER_VALUES,  /**< those with a value that the lead's cursor wants; see missing_wanted */
  CSD_SORTER_DOCS,    /**< those from first_doc to last_doc */
  CSD_SORTER_NOTHING, /**< none */
};

/** Matches from which on it pays to look at the most promising docs first; fewer are all taken. */
#define CSD_SORTER_SEED_PAYS_FROM 160u

/** Docs of an array of bits for a part of a page. */
#define CSD_SORTER_CHUNK 4096u

struct csd_sorter {
  const struct csd_kernels *kernels;
  struct csd_work *work;
  const uint64_t *live_docs; /* NULL: all are live */
  uint8_t *result;
  bool scores; /* a key is SCORE */
  bool counts; /* matches are counted */
  uint64_t count;
  uint64_t compared; /* hits compared with the bound */
  uint64_t taken;    /* and those that were better */

  uint32_t key_count;
  uint32_t lead;     /* key_count: all keys are CONSTANT */
  bool lead_ascends; /* it is of a column, and rises strictly with its values */
  uint64_t flips[CSD_MAX_SORT_KEYS];
  struct csd_sort_heap heap;

  bool non_competitive; /* no hit can enter */
  bool has_after;
  uint64_t after[CSD_MAX_SORT_KEYS];
  int32_t after_doc;
  bool has_bound;
  uint64_t bound[CSD_MAX_SORT_KEYS];
  uint32_t bound_doc; /* of equal keys, docs below it are better */

  /* The filter, and what it was made for. */
  enum csd_sorter_filter filter;
  bool stale;  /* the bound has changed */
  bool strict; /* docs with the very bound are no better */
  struct csd_value_range wanted;
  bool missing_wanted; /* VALUES: those without a value, too */
  uint32_t first_doc;
  uint32_t last_doc;

  /* Docs that are offered before the others: sorter_seed.c. */
  bool seeding;
  uint32_t seed_from;
  uint32_t seed_limit;
  uint64_t count_threshold;

  uint32_t chunk; /* docs to look at before the filter is made anew */

  /* From here on nothing is zero before it is used: these are most of the sorter's bytes. */
  struct csd_sorter_key keys[CSD_MAX_SORT_KEYS];
  uint64_t bits[CSD_SORTER_CHUNK / 64u + 2u];
  uint64_t found[CSD_SORTER_CHUNK / 64u + 2u];
  uint32_t docs[CSD_SORTER_CHUNK + CSD_LIST_BITS_SLACK];
  uint32_t live_list[CSD_WINDOW_DOCS];
  float live_scores[CSD_WINDOW_DOCS];
};

/** The score of a batch's doc. */
static inline float csd_batch_score(const struct csd_batch *batch, uint32_t i) {
  return batch->scoring == CSD_SCORING_ARRAY ? batch->scores[i] : batch->constant;
}

/** Whether a doc has been offered already. */
static inline bool csd_sorter_is_done(const struct csd_sorter *sorter, uint32_t doc) {
  return !sorter->seeding && doc >= sorter->seed_from && doc < sorter->seed_limit;
}

/** With the filter VALUES: whether no doc of the page that the lead's cursor is at can be good. */
static inline bool csd_sorter_passes_by(const struct csd_sorter *sorter,
                                        const struct csd_column_cursor *column) {
  return column->verdict == CSD_COLUMN_NO_DOC && (column->all_docs || !sorter->missing_wanted);
}

/** With the filter VALUES: whether what a doc from `at` on has in the lead's column decides. */
static inline bool csd_sorter_finds_values(const struct csd_sorter *sorter, uint32_t at) {
  const struct csd_column_cursor *column = &sorter->keys[sorter->lead].column;
  return sorter->filter == CSD_SORTER_VALUES && at >= column->start &&
         (column->all_docs || !sorter->missing_wanted);
}

#endif
