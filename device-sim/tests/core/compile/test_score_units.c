/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/*
 * Bounds that are as exact as scores: what is claimed of single scores and sums, and programs over
 * lists whose docs score the same, or differ in the last bits, against the brute-force evaluator.
 */
#include <math.h>
#include <string.h>

#include "core/compile/score_units.h"
#include "core/eval/bool/eval_bool.h"
#include "core/eval/eval_term.h"
#include "tests/core/program/program_world.h"

static float float_of(uint32_t bits) {
  float number;
  memcpy(&number, &bits, sizeof number);
  return number;
}

/* A float that is not negative, with an exponent from `low` to below `high` as its bits have it. */
static float random_float(uint64_t *random, uint32_t low, uint32_t high) {
  const uint32_t fraction = (uint32_t)check_random(random) & 0x7FFFFFu;
  return float_of((low + check_random_below(random, high - low)) << 23 | fraction);
}

static bool is_multiple(double number, int unit) {
  const double units = ldexp(number, -unit);
  return units == floor(units);
}

static void scores_are_multiples(void) {
  uint64_t random = 41;
  for (uint32_t i = 0; i < 300000; i++) {
    const float weight = random_float(&random, 0, i % 2 == 0 ? 20 : 250);
    const float x = i % 1000 == 0 ? INFINITY : random_float(&random, 0, i % 3 == 0 ? 254 : 135);
    const volatile float divisor = 1.0f + x;
    const volatile float quotient = weight / divisor;
    const volatile float score = weight - quotient;
    const int unit = csd_impact_unit(weight);
    CHECK_MSG(is_multiple((double)score, unit), "%a of %a at %a, unit %d", (double)score,
              (double)weight, (double)x, unit);
    CHECK(weight == 0.0f || (is_multiple((double)weight, csd_unit_of(weight)) &&
                             !is_multiple((double)weight, csd_unit_of(weight) + 1)));
  }
  CHECK_EQ(INT32_MAX, csd_unit_of(0.0f));
  CHECK_EQ(INT32_MAX, csd_impact_unit(0.0f));
  CHECK_EQ(-149, csd_impact_unit(0x1p-149f));
  CHECK_EQ(-24, csd_impact_unit(1.5f));
  CHECK_EQ(-1, csd_unit_of(1.5f));
}

/* What the kept sums become is what counts: they are compared as doubles, and then cast. */
static void the_middle_is_the_limit(void) {
  uint64_t random = 43;
  for (uint32_t i = 0; i < 100000; i++) {
    const float least = i == 0 ? 0.0f : random_float(&random, 0, 255);
    const struct csd_ranking ranking = {.min_score = least, .active = true, .exact = true};
    const double most = csd_most_non_competitive(&ranking);
    if (least == FLT_MAX) {
      continue;
    }
    CHECK_MSG((float)most <= least, "%a for %a", most, (double)least);
    CHECK_MSG((float)nextafter(most, INFINITY) > least, "above %a for %a", most, (double)least);
    CHECK(csd_non_competitive(&ranking, most));
    CHECK(!csd_non_competitive(&ranking, nextafter(most, INFINITY)));
  }
  struct csd_ranking ranking = {.min_score = -INFINITY, .active = true, .exact = true};
  CHECK(csd_most_non_competitive(&ranking) == -INFINITY);
  ranking.min_score = FLT_MAX;
  CHECK(csd_most_non_competitive(&ranking) == FLT_MAX);
  ranking = (struct csd_ranking){.min_score = 1.0f, .active = true, .exact = false};
  CHECK(csd_most_non_competitive(&ranking) == 1.0);
}

/* A BOOL over terms with these weights as bounds: the first `required` MUST, the others SHOULD. */
static struct csd_node bool_of(struct csd_node *terms, const float *weights, uint32_t required,
                               uint32_t optional, struct csd_node **pointers) {
  for (uint32_t i = 0; i < required + optional; i++) {
    terms[i] = (struct csd_node){.op = &csd_op_term,
                                 .scored = true,
                                 .exact_bound = true,
                                 .unit = csd_impact_unit(weights[i]),
                                 .bound = (double)weights[i]};
    pointers[i] = &terms[i];
  }
  struct csd_node node = {.op = &csd_op_bool,
                          .scored = true,
                          .bound = 1e30,
                          .required = pointers,
                          .required_count = required,
                          .optional = pointers + required,
                          .optional_count = optional};
  csd_know_sums(&node);
  return node;
}

static void sums_of_near_weights_are_exact(void) {
  static const float near[] = {1.1f, 2.3f, 0.7f, 3.1f};
  struct csd_node terms[4];
  struct csd_node *pointers[4];
  struct csd_node node = bool_of(terms, near, 3, 0, pointers);
  const double three = (double)1.1f + (double)2.3f + (double)0.7f;
  CHECK(node.exact_bound && node.exact_sums && node.bound == (double)(float)three);
  CHECK(node.unit == csd_impact_unit(0.7f) && csd_rounds_once(&node));
  node = bool_of(terms, near, 1, 3, pointers);
  CHECK(node.exact_bound && node.exact_sums && !csd_rounds_once(&node));
  CHECK(node.bound == (double)(1.1f + (float)((double)2.3f + (double)0.7f + (double)3.1f)));
  CHECK(csd_rounds_once(&(struct csd_node){.required_count = 0, .optional_count = 0}));
  node = bool_of(terms, near, 1, 1, pointers);
  CHECK(csd_rounds_once(&node));
  terms[0].exact_bound = false;
  node.exact_bound = node.exact_sums = false;
  csd_know_sums(&node);
  CHECK(!node.exact_bound && !node.exact_sums);
  terms[0].scored = false; /* its bound matters no more */
  csd_know_sums(&node);
  CHECK(node.exact_bound && node.exact_sums && node.bound == (double)2.3f);
}

static void sums_of_far_weights_are_not(void) {
  static const float far[] = {1e-9f, 3e7f, 1.0f};
  struct csd_node terms[4];
  struct csd_node *pointers[4];
  const struct csd_node three = bool_of(terms, far, 3, 0, pointers);
  CHECK(!three.exact_bound && !three.exact_sums && three.bound == 1e30);
  const struct csd_node two = bool_of(terms, far, 0, 2, pointers);
  CHECK(two.exact_bound && !two.exact_sums && two.bound == (double)(float)(3e7 + (double)1e-9f));
}

/* Any plan of the best hits; its norms make scores differ in the last bits alone, or not at all. */
static void plan_even(struct program_world *world) {
  static void (*const plans[])(struct program_world *) = {
      program_plan_ranking, program_plan_required, program_plan_base,
      program_plan_dis_max, program_plan_phrases,  program_plan_random};
  plans[below(world, 6)](world);
  for (uint32_t t = 0; t < program_plan.header.table_count; t++) {
    const float most = (float)(1 + below(world, 400)) / 100.0f;
    const uint32_t step = 1 + below(world, 6);
    uint32_t bits;
    memcpy(&bits, &most, sizeof bits);
    for (uint32_t norm = 0; norm < CSD_NORM_TABLE_ENTRIES; norm++) {
      program_plan.tables[t][norm] = float_of(bits - norm * step);
    }
  }
}

static void even_worlds(void) {
  for (uint64_t seed = 8001; seed <= 8030 && check_failures == 0; seed++) {
    program_world_run_even(seed, 3000, 60, plan_even);
  }
  for (uint64_t seed = 8101; seed <= 8116 && check_failures == 0; seed++) {
    program_world_run_even(seed, 60000, 40, plan_even);
  }
}

int main(void) {
  program_buffers_take();
  RUN(scores_are_multiples);
  RUN(the_middle_is_the_limit);
  RUN(sums_of_near_weights_are_exact);
  RUN(sums_of_far_weights_are_not);
  RUN(even_worlds);
  program_buffers_free();
  return check_result();
}
