/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/**
 * PHRASE and MULTI_PHRASE nodes, and those of spans and intervals: docs that all places have, whose
 * positions are then compared.
 * Candidates come from the place with the fewest postings, or from the node above.
 */
#ifndef CSD_EVAL_PHRASE_H
#define CSD_EVAL_PHRASE_H

#include "core/eval/eval.h"
#include "core/phrase/phrase.h"
#include "core/plan/arena.h"

struct csd_phrase_scratch;

/**
 * Takes the working memory that the phrases of a plan share.
 *
 * @param terms        most terms of a phrase
 * @param multi_terms  most terms of a node but PHRASE; 0: there is none
 * @return NULL if the grant is used up
 */
struct csd_phrase_scratch *csd_phrase_scratch_make(struct csd_arena *arena, uint32_t terms,
                                                   uint32_t multi_terms);

/** The docs of node->phrase. */
extern const struct csd_operator csd_op_phrase;

int csd_phrase_produce(struct csd_eval *eval, struct csd_node *node, uint32_t from, uint32_t limit,
                       bool scored, struct csd_batch *batch);
int csd_phrase_probe(struct csd_eval *eval, struct csd_node *node, const uint32_t *docs, uint32_t n,
                     bool scored, struct csd_hits *hits);

/** Whether a phrase's frequency is a whole number, and bounds of its scores are never rounded. */
bool csd_phrase_is_exact(const struct csd_phrase *phrase);

/** Upper bound of the node's scores: no doc has more occurrences than its terms' positions allow.
 */
double csd_phrase_bound(const struct csd_node *node);

/** Takes the lists to `from`; raises *start, which is `from`, to the first doc that may match. */
int csd_phrase_approach(struct csd_node *node, uint32_t from, uint32_t *start);

/**
 * Bound of the scores of docs from where the lists were taken up to `end`.
 *
 * @return false if no doc there matches
 */
bool csd_phrase_range_bound(const struct csd_node *node, uint32_t end, double *bound);

#endif
