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

#include "core/plan/arena.h"
#include "core/sort/sorter_state.h"

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

#endif
