/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/** The ways to produce a scored root, each in a file of its name. */
#ifndef CSD_ROOT_WAYS_H
#define CSD_ROOT_WAYS_H

#include "core/root/root_way.h"

/** All matches of a conjunction of terms with their scores, many posting blocks in one batch. It
 *  gathers freqs and norms as it finds matches, and scores all of them together; but a batch of
 *  non-competitive docs may lack scores. */
extern const struct csd_root_way csd_way_and;

/** The best hits of optional terms beside a constant that every doc scores, the base. A doc with
 *  none of the terms scores the base alone; once that is not competitive, only docs with one of the
 *  terms are looked at. */
extern const struct csd_root_way csd_way_base;

/** The best hits of one scored term, less prohibited children. Visits the posting blocks with the
 *  greatest bounds first; most others then need no visit. */
extern const struct csd_root_way csd_way_best;

/** The best hits of one scored term and optional children: whole posting blocks of the term are
 *  left out by what bounds all of them. */
extern const struct csd_root_way csd_way_lead;

/** The best hits of a disjunction of terms, without a look at most of its other matches: block-max
 *  MaxScore. */
extern const struct csd_root_way csd_way_maxscore;

/** Terms from which on windows that end with blocks get too short. */
#define CSD_MANY_TERMS 7u

/** The same for many terms, and for features. */
extern const struct csd_root_way csd_way_many;

/** The best hits of a disjunction of terms, phrases and Booleans, with few of their positions read.
 */
extern const struct csd_root_way csd_way_mixed;

/** The best hits of a disjunction of frequent terms and of rare ones: the docs of these come first.
 */
extern const struct csd_root_way csd_way_rare;

/** The best hits of a SYNONYM, without a look at most of its other matches. */
extern const struct csd_root_way csd_way_synonym;

/** The best hits of dis-max nodes, synonyms, and disjunctions of these and of terms, without a look
 *  at most of the other matches: block-max MaxScore over trees. */
extern const struct csd_root_way csd_way_trees;

/** The same where several of the root's children must match. */
extern const struct csd_root_way csd_way_some_trees;

#endif
