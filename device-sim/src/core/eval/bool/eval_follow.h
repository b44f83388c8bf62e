/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/**
 * Disjunctions of which several children have to match: some list their docs, and others follow,
 * that is, are looked up in these. A doc that no lister matches must be none, either by the number
 * of its children or since it is not competitive.
 */
#ifndef CSD_EVAL_FOLLOW_H
#define CSD_EVAL_FOLLOW_H

#include "core/eval/eval.h"

/** Followers are looked for one by one. */
#define CSD_MAX_FOLLOWERS 32u

/**
 * Chooses which of the children of a disjunction follow, by the numbers of their docs: as many as
 * it takes least work with, but fewer than have to match.
 */
void csd_follow_choose(struct csd_node *node, uint32_t max_doc);

/**
 * Whether docs of the node may be left out as non-competitive before all children are known: it is
 * the root, and its children are terms, which may list docs in one window and follow in the next.
 */
bool csd_follow_may_drop(const struct csd_eval *eval, const struct csd_node *node, bool scored);

/**
 * Lets those follow instead that are non-competitive together, without any of the others, if this
 * leaves fewer docs to be listed; sets has_skipped if docs may match these alone. For nodes that
 * csd_follow_may_drop tells of.
 */
void csd_follow_by_scores(struct csd_eval *eval, struct csd_node *node);

/**
 * Looks the frame's first `n` docs up in the children that follow; `must` and should_count have
 * what the others come to.
 *
 * @param drops  csd_follow_may_drop
 * @return how many docs are left, which enough children match; or a negated status
 */
int csd_follow_add(struct csd_eval *eval, struct csd_node *node, uint32_t n, bool scored,
                   bool drops);

#endif
