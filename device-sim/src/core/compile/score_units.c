/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
#include "core/compile/score_units.h"

#include <string.h>

/* Parts of a float. */
#define FRACTION_BITS (CSD_FLOAT_BITS - 1)
#define FRACTION ((1u << FRACTION_BITS) - 1u)

/* The exponent of the last bit of a number's significand, which is *significand. */
static int last_bit(float number, uint32_t *significand) {
  uint32_t bits;
  memcpy(&bits, &number, sizeof bits);
  const int exponent = (int)(bits >> FRACTION_BITS & 0xFFu);
  *significand = (bits & FRACTION) | (exponent > 0 ? FRACTION + 1u : 0u);
  return (exponent > 0 ? exponent : 1) - 126 - CSD_FLOAT_BITS;
}

int csd_unit_of(float number) {
  uint32_t significand;
  const int unit = last_bit(number, &significand);
  return significand == 0 ? INT32_MAX : unit + __builtin_ctz(significand);
}

/*
 * With q for the rounded quotient, which is at most the weight: if q is at least half the weight,
 * the difference is exact, and a multiple of the last bit of weight / 2, as both are. If q is less,
 * the difference is at least weight / 2, and so ends no later than with that bit.
 */
int csd_impact_unit(float weight) {
  uint32_t significand;
  const int unit = last_bit(weight, &significand) - 1;
  const int least = 1 - 126 - CSD_FLOAT_BITS; /* of all floats */
  return significand == 0 ? INT32_MAX : unit > least ? unit : least;
}

bool csd_sums_are_exact(double most, int unit, int significant) {
  uint64_t bits;
  memcpy(&bits, &most, sizeof bits);
  const int exponent = (int)(bits >> 52) - 1023;
  return most == 0.0 || exponent - unit < significant;
}

void csd_know_constant(struct csd_node *node) {
  if (node->scored) {
    node->exact_bound = true;
    node->unit = csd_unit_of(node->weight);
  }
}

/* What the scored ones of some children add up to. */
struct sum {
  double bound;
  uint32_t count;
  int unit;
  bool known; /* all bounds are exact */
};

static struct sum add_up(struct csd_node *const *children, uint32_t count) {
  struct sum sum = {.unit = INT32_MAX, .known = true};
  for (uint32_t i = 0; i < count; i++) {
    const struct csd_node *child = children[i];
    if (child->scored) {
      sum.known &= child->exact_bound;
      sum.bound += child->bound;
      sum.unit = child->unit < sum.unit ? child->unit : sum.unit;
      sum.count++;
    }
  }
  return sum;
}

static bool is_exact(const struct sum *sum) {
  return csd_sums_are_exact(sum->bound, sum->unit, CSD_DOUBLE_BITS);
}

void csd_know_sums(struct csd_node *node) {
  if (!node->scored || !csd_is_plain_bool(node)) {
    return;
  }
  const struct sum must = add_up(node->required, node->required_count);
  const struct sum should = add_up(node->optional, node->optional_count);
  if (!must.known || !should.known) {
    return;
  }
  node->exact_sums = is_exact(&must) && is_exact(&should);
  /* Of two scores, rounded sums do not depend on the order, either. */
  node->exact_bound =
      (is_exact(&must) || must.count <= 2) && (is_exact(&should) || should.count <= 2);
  if (node->exact_bound) {
    /* As scores are made. Each step is monotone, and rounding leaves multiples of the unit. */
    node->bound = (double)((float)must.bound + (float)should.bound);
    node->unit = must.unit < should.unit ? must.unit : should.unit;
  }
}

static uint32_t count_scored(struct csd_node *const *children, uint32_t count) {
  uint32_t scored = 0;
  for (uint32_t i = 0; i < count; i++) {
    scored += children[i]->scored;
  }
  return scored;
}

bool csd_rounds_once(const struct csd_node *node) {
  const uint32_t must = count_scored(node->required, node->required_count);
  const uint32_t should = count_scored(node->optional, node->optional_count);
  return must == 0 || should == 0 || (must == 1 && should == 1);
}
