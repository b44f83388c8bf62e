/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/**
 * The root's matches as bits, in wide windows: for flat Boolean queries, not scored, whose lists
 * are gone through from end to end.
 */
#ifndef CSD_EVAL_BITS_H
#define CSD_EVAL_BITS_H

#include "core/eval/compile.h"
#include "core/eval/eval.h"

/** Most docs of a wide window: 8 KiB of bits. A multiple of 64. */
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

#endif
