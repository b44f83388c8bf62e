/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
#include "core/program/equal_scores.h"

#include "core/compile/score_units.h"

/* Docs of the first step. */
#define FIRST_WINDOW 512u

/* What a subtree may score. */
struct part {
  bool flat;   /* one score only */
  double most; /* the greatest one */
  int unit;    /* every score is a multiple of 2 to this power */
};

static struct part part_of_weight(float weight) {
  return (struct part){.flat = true, .most = (double)weight, .unit = csd_unit_of(weight)};
}

/* Whether a TERM scores by tables with one score, whatever the posting, and which. */
static bool has_one_score(const struct csd_node *node, float *score) {
  const uint32_t entries = node->is_linear ? 0 : node->tables * CSD_NORM_TABLE_ENTRIES;
  for (uint32_t i = 1; i < entries; i++) {
    if (node->table[i] != node->table[0]) {
      return false;
    }
  }
  *score = entries > 0 ? node->table[0] + 0.0f : 0.0f;
  return entries > 0;
}

static bool find_part(const struct csd_node *node, struct part *part);

/* Adds up what `count` children may score; those that are not scored add nothing. */
static bool add_children(struct csd_node *const *children, uint32_t count, struct part *sum) {
  for (uint32_t i = 0; i < count; i++) {
    struct part child;
    if (!children[i]->scored) {
      continue;
    }
    if (!find_part(children[i], &child)) {
      return false;
    }
    sum->flat &= child.flat;
    sum->most += child.most;
    sum->unit = child.unit < sum->unit ? child.unit : sum->unit;
  }
  return csd_sums_are_exact(sum->most, sum->unit, CSD_DOUBLE_BITS);
}

/* Rounding to float is monotone, and so is an addition of floats: the sum of the greatest parts is
   the greatest sum. Rounded, it is a multiple of no smaller unit. */
static bool find_bool_part(const struct csd_node *node, struct part *part) {
  struct part must = part_of_weight(0.0f);
  struct part should = must;
  if (!add_children(node->required, node->required_count, &must) ||
      !add_children(node->optional, node->optional_count, &should)) {
    return false;
  }
  const bool sure =
      node->required_count > 0 ? node->optional_count == 0 : node->optional_count == 1;
  const float most = (float)must.most + (float)should.most;
  *part = (struct part){.flat = sure && must.flat && should.flat,
                        .most = (double)most,
                        .unit = must.unit < should.unit ? must.unit : should.unit};
  return true;
}

/* Returns false if the node's scores are no sums of constants. It recurses as deep as the plan. */
static bool find_part(const struct csd_node *node, struct part *part) {
  float score = node->weight;
  if (csd_is_plain_bool(node)) {
    return find_bool_part(node, part);
  }
  if (!node->op->one_score && !(node->op->is_term && has_one_score(node, &score))) {
    return false;
  }
  *part = part_of_weight(score);
  return true;
}

void csd_equal_scores_init(struct csd_equal_scores *equal, const struct csd_node *root) {
  struct part part;
  equal->known = root->scored && find_part(root, &part);
  if (equal->known) {
    equal->flat = part.flat;
    equal->exact = csd_sums_are_exact(part.most, part.unit, CSD_FLOAT_BITS);
    equal->top = (float)part.most;
    equal->window = FIRST_WINDOW;
  }
}

uint32_t csd_equal_scores_limit(struct csd_equal_scores *equal, uint32_t from, uint32_t limit) {
  const uint32_t window = equal->window;
  equal->window = window < UINT32_MAX / 2u ? 2u * window : window;
  return limit - from < window ? limit : from + window;
}
