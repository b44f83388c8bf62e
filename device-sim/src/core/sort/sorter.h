/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/**
 * Finds the k best matches by sort keys, and makes the result page. It takes the root's batches,
 * whose docs ascend.
 *
 * Keys are kept flipped: those of a key with REVERSE are inverted, so that lower ones are better.
 * The bound is what a hit has to be better than: the worst of k hits, or the plan's bottom keys.
 * The first key that is no CONSTANT is the lead. It rules out most docs: those whose lead lies
 * outside the window, from the plan's after key to the bound. If the lead is of a column, that is a
 * range of stored values, for which whole pages are passed by and packed values are compared many
 * at once; what remains is compared with the bound hit by hit.
 */
#ifndef CSD_SORTER_H
#define CSD_SORTER_H

#include <stdbool.h>
#include <stdint.h>

#include "core/eval/eval.h"
#include "core/plan/arena.h"
#include "core/plan/plan_check.h"
#include "core/sort/sort_heap.h"

/** A sort key at work. */
struct csd_sorter_key {
  uint8_t kind;
  uint8_t transform;
  bool max;      /* COLUMN: the greatest of several values */
  uint64_t flip; /* all ones with REVERSE, else 0 */
  uint64_t missing;
  struct csd_column_cursor column;
};

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

/**
 * Makes a sorter for a plan of mode TOP_K_BY_COLUMN.
 *
 * @param eval    whose kernels and work are its own, too
 * @param result  where the result page goes; has room for k hits
 * @return NULL if the grant is used up
 */
struct csd_sorter *csd_sorter_make(struct csd_arena *arena, const struct csd_plan *plan,
                                   const struct csd_page_source *source, struct csd_eval *eval,
                                   const uint64_t *live_docs, uint8_t *result);

/** Unpins what the cursors hold. */
void csd_sorter_end(struct csd_sorter *sorter);

/** Puts the cursors back before the first doc; the docs of the seed have been offered. */
void csd_sorter_rewind(struct csd_sorter *sorter);

/**
 * Takes the matches of one batch: counts them, and keeps the best.
 *
 * @return 0, or a negated status: of a pin, LIST_CORRUPT
 */
int csd_sorter_take(struct csd_sorter *sorter, const struct csd_batch *batch);

/** Brings the hits into order and writes the header. */
void csd_sorter_close(struct csd_sorter *sorter, uint64_t match_count, uint32_t next_doc,
                      unsigned flags);

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

/* ---- sorter_step.c ---- */

/**
 * Produces the root's next matches and takes them. If docs that cannot be among the best need not
 * be counted (eval->ranking.may_skip), it leaves them out and sets has_skipped.
 *
 * @param next  the first doc; set to the first one that has not been looked at
 * @return 0, or a negated status
 */
int csd_sorter_step(struct csd_sorter *sorter, struct csd_eval *eval, uint32_t limit,
                    uint32_t *next);

/* ---- sorter_filter.c ---- */

/** Makes the filter anew if need be, for docs from `doc` on. */
void csd_sorter_refresh(struct csd_sorter *sorter, uint32_t doc);

/* ---- sorter_offer.c ---- */

/** Offers a doc; docs ascend. @return 0, or a negated status */
int csd_sorter_offer(struct csd_sorter *sorter, uint32_t doc, float score);

/** The same for a doc whose value in the lead's column is known. */
int csd_sorter_offer_value(struct csd_sorter *sorter, uint32_t doc, float score, int64_t value);

/* ---- sorter_values.c ---- */

/** With the filter VALUES: whether what a doc from `at` on has in the lead's column decides. */
static inline bool csd_sorter_finds_values(const struct csd_sorter *sorter, uint32_t at) {
  const struct csd_column_cursor *column = &sorter->keys[sorter->lead].column;
  return sorter->filter == CSD_SORTER_VALUES && at >= column->start &&
         (column->all_docs || !sorter->missing_wanted);
}

/**
 * Offers docs of the page that the lead's cursor is at: those that have a wanted value, if their
 * values can be looked up at once, else all.
 *
 * @param docs   `n` of them, ascending
 * @param batch  whose docs they are, from number `first` on; NULL: there are no scores
 * @return 0, or a negated status
 */
int csd_sorter_offer_wanted(struct csd_sorter *sorter, const uint32_t *docs, uint32_t n,
                            const struct csd_batch *batch, uint32_t first);

/* ---- sorter_few.c ---- */

/** Whether there have been few docs with those of a batch, and each doc of the segment has one
 * value in the lead's column. */
bool csd_sorter_takes_few(const struct csd_sorter *sorter, const struct csd_batch *batch);

/**
 * Takes docs, which are live, of such a batch.
 *
 * @return how many, the first ones; the others have to be taken like those of any batch; or a
 *         negated status
 */
int csd_sorter_take_few(struct csd_sorter *sorter, const struct csd_batch *batch);

/* ---- sorter_take.c ---- */

/** Takes docs, which are live. @return 0, or a negated status */
int csd_sorter_take_docs(struct csd_sorter *sorter, const struct csd_batch *batch);

/**
 * Takes docs as bits, which are live.
 *
 * @param base  doc of bit 0, a multiple of 64
 * @return 0, or a negated status
 */
int csd_sorter_take_bits(struct csd_sorter *sorter, const uint64_t *words, uint32_t base,
                         uint32_t upto);

/* ---- sorter_seed.c ---- */

/**
 * Looks in the page index for pages of the lead's column whose docs are better than most others,
 * so that it pays to look at them first.
 *
 * @param matches  about how many docs match
 * @return whether there are any; if so, seed_from and seed_limit are set, and all that is taken
 *         until csd_sorter_rewind is of these docs
 */
bool csd_sorter_choose_seed(struct csd_sorter *sorter, const struct csd_plan_header *header,
                            uint64_t matches);

#endif
