/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/**
 * Sums without rounding. Scores are floats, so that each is a multiple of some power of two, and a
 * sum of few of them has room in a double. Such sums are the same in any order, and those of bounds
 * are never below those of scores.
 */
#ifndef CSD_SCORE_UNITS_H
#define CSD_SCORE_UNITS_H

#include <stdbool.h>
#include <stdint.h>

#include "core/eval/eval.h"

/** Significant bits of a float and of a double. */
#define CSD_FLOAT_BITS 24
#define CSD_DOUBLE_BITS 53

/** The greatest power of two, as its exponent, that a number is a multiple of; INT32_MAX for 0. */
int csd_unit_of(float number);

/**
 * A power of two that each score weight - weight / (1 + x) is a multiple of, x being from 0 to
 * infinity and each step rounded to float.
 */
int csd_impact_unit(float weight);

/** Whether all sums up to `most` of multiples of 2 to the power `unit` are exact, in any order, in
 * numbers of so many significant bits. */
bool csd_sums_are_exact(double most, int unit, int significant);

/** Sets exact_bound and unit of a node without children whose bound is `weight`, a score. */
void csd_know_constant(struct csd_node *node);

/**
 * Sets exact_bound, unit and exact_sums of a BOOL whose children are there, and its bound if that
 * is exact.
 */
void csd_know_sums(struct csd_node *node);

/** Whether a node's scores are rounded once: casts of two sums would be added. */
bool csd_rounds_once(const struct csd_node *node);

#endif
