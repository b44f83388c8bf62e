/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/** Docs of a batch that are live. */
#ifndef CSD_SORTER_TAKE_H
#define CSD_SORTER_TAKE_H

#include "core/sort/sorter_state.h"

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

#endif
