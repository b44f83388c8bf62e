/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/**
 * The best hits of dis-max nodes, synonyms, and disjunctions of these and of terms, without a look
 * at most of the other matches: block-max MaxScore over trees.
 */
#ifndef CSD_ROOT_TREES_H
#define CSD_ROOT_TREES_H

#include "core/root/root_way.h"

extern const struct csd_root_way csd_way_trees;

/** The same where several of the root's children must match. */
extern const struct csd_root_way csd_way_some_trees;

#endif
