/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/** The root's matches as bits, in wide windows: for flat unscored queries that read whole lists. */
#ifndef CSD_EVAL_BITS_H
#define CSD_EVAL_BITS_H

#include "core/eval/eval.h"
#include "core/plan/arena.h"

/** Limit of the docs of a wide window: 8 KiB of bits. A multiple of 64. */
#define CSD_WIDE_DOCS 65536u

/**
 * Whether csd_bits_produce can produce the root, and is a good way to if it is not scored.
 *
 * @param counted  whether the matches are only counted, not listed
 */
bool csd_bits_pay(const struct csd_node *root, bool counted, uint32_t max_doc);

/** Makes working memory for windows of so many docs, a multiple of 64; NULL: no room. */
struct csd_bits *csd_bits_make(struct csd_arena *arena, uint32_t docs);

/** Produces the root's matches as bits, up to a window of them; otherwise as csd_eval_produce. */
int csd_bits_produce(struct csd_eval *eval, uint32_t from, uint32_t limit, struct csd_batch *batch);

/** As csd_eval_produce, of a node that sets no bits outside the range it is asked for. */
int csd_bits_window_produce(struct csd_eval *eval, struct csd_node *node, uint32_t from,
                            uint32_t limit, bool scored, struct csd_batch *batch);

/** Sets the bits of a node's matches in [from, end), as csd_term_set_bits. */
int csd_bits_add(struct csd_eval *eval, struct csd_node *node, uint32_t from, uint32_t end,
                 uint32_t base, uint64_t *bits);

/** Clears the bits of docs outside [from, end), of a word for every 64 docs from `base` on. */
void csd_bits_trim(uint64_t *bits, uint32_t base, uint32_t from, uint32_t end);

#endif
