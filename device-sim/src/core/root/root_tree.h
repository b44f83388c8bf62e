/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/**
 * Trees of terms, synonyms, dis-max nodes and disjunctions: where their posting blocks end, and
 * what bounds their scores up to there.
 */
#ifndef CSD_ROOT_TREE_H
#define CSD_ROOT_TREE_H

#include "core/eval/eval.h"

/** Whether the node is a term, or a disjunction of such nodes whose impacts bound its scores. */
bool csd_is_tree(const struct csd_node *node);

/**
 * Seeks every term of a tree to `from`; lowers *start to the first doc that may match, *end to the
 * end of the block that ends first.
 *
 * @return 0, or a negated status
 */
int csd_tree_seek(struct csd_node *node, uint32_t from, uint32_t *start, uint32_t *end);

/** Bound of the scores of a tree from where its terms are up to `end`. */
double csd_tree_bound(struct csd_node *node, uint32_t end);

/** The greatest impact of a term from where it is up to `end`. */
float csd_tree_impact(const struct csd_node *term, uint32_t end);

/** Bound of a SYNONYM's scores, of what its terms' impacts times their factors add up to. */
double csd_tree_synonym_bound(const struct csd_node *node, double impact);

/** The end of a window of `docs` docs from `start` on, if `end` is before it; else `end`. */
static inline uint32_t csd_tree_docs_end(uint32_t docs, uint32_t start, uint32_t end,
                                         uint32_t limit) {
  if (end - start >= docs) {
    return end;
  }
  return limit - start < docs ? limit : start + docs;
}

/** Lets windows grow, since one was competitive: from a block's docs to CSD_WINDOW_DOCS. */
static inline void csd_tree_docs_grow(uint32_t *docs) {
  *docs = *docs == 0 ? CSD_BLOCK_POSTINGS : *docs < CSD_WINDOW_DOCS ? 2u * *docs : *docs;
}

#endif
