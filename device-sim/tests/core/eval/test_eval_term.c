/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/* TERM nodes: batches, look-ups, bits, and bounds that no score may exceed. */
#include <stdlib.h>
#include <string.h>

#include "core/eval/eval_term.h"
#include "tests/core/eval/eval_world.h"

static void begin(struct eval_case *c, struct program_world *world, bool scored) {
  eval_plan_init(world, scored);
  test_plan_term(&program_plan, CSD_OCCUR_MUST, below(world, PROGRAM_LISTS),
                 (float)(1 + below(world, 8000)) / 1000.0f);
  eval_case_begin(c, world);
}

/* A scored term alone is the child of a BOOL. */
static struct csd_node *term_of(struct csd_eval *eval) {
  return eval->root->op->is_term ? eval->root : eval->root->required[0];
}

static int produce(struct csd_eval *eval, uint32_t from, uint32_t limit, struct csd_batch *batch) {
  struct csd_node *term = term_of(eval);
  return csd_term_produce(eval, term, from, limit, term->scored, batch);
}

static void produced(struct program_world *world) {
  struct eval_case c;
  begin(&c, world, below(world, 2) == 0);
  eval_case_compare(&c, produce, true);
  eval_case_end(&c);
}

static void probed(struct program_world *world) {
  struct eval_case c;
  begin(&c, world, below(world, 2) == 0);
  eval_case_probe(&c, term_of(c.eval));
  eval_case_end(&c);
}

/* Windows of bits, entered by csd_term_next. */
static void set(struct program_world *world) {
  struct eval_case c;
  begin(&c, world, false);
  struct csd_node *term = term_of(c.eval);
  const uint32_t window = 64 * (1 + below(world, 200));
  uint64_t *bits = malloc((window / 64 + 2) * sizeof *bits);
  uint32_t match = 0;
  for (uint32_t from = 0; from < world->max_doc && check_failures == 0;) {
    uint32_t start;
    REQUIRE(csd_term_next(term, from, &start) == 0);
    for (; match < c.match_count && c.matches[match].doc < start; match++) {
      CHECK_MSG(c.matches[match].doc < from, "seed %" PRIu64 ": a match at %u, before %u",
                world->seed, c.matches[match].doc, start);
    }
    if (start >= world->max_doc) {
      break;
    }
    const uint32_t base = start & ~63u;
    const uint32_t end = base + window < world->max_doc ? base + window : world->max_doc;
    memset(bits, 0, (window / 64 + 2) * sizeof *bits);
    REQUIRE(csd_term_set_bits(c.eval, term, start, end, base, bits) == 0);
    for (uint32_t doc = start; doc < end && check_failures == 0; doc++) {
      const bool is_set = (bits[(doc - base) / 64] >> (doc % 64) & 1) != 0;
      const bool wanted = world->freq[program_plan.nodes[0].list][doc] != 0;
      CHECK_MSG(is_set == wanted, "seed %" PRIu64 ": doc %u: %d", world->seed, doc, is_set);
    }
    from = end;
  }
  free(bits);
  eval_case_end(&c);
}

static void bounded(struct program_world *world) {
  struct eval_case c;
  begin(&c, world, true);
  struct csd_node *term = term_of(c.eval);
  for (uint32_t i = 0; i < c.match_count && check_failures == 0;) {
    const uint32_t doc = c.matches[i].doc;
    REQUIRE(csd_list_cursor_seek(term->cursor, doc) == 0);
    const uint32_t block_end = term->cursor->block_end;
    const uint32_t to = doc + 1 + below(world, 4 * (block_end - doc));
    const float range_bound = csd_term_range_bound(term, to);
    const float block_bound = csd_term_block_bound(term);
    for (uint32_t j = i; j < c.match_count && c.matches[j].doc < block_end; j++) {
      CHECK_MSG(c.matches[j].score <= block_bound, "seed %" PRIu64 ": doc %u scores %a, above %a",
                world->seed, c.matches[j].doc, (double)c.matches[j].score, (double)block_bound);
    }
    for (uint32_t j = i; j < c.match_count && c.matches[j].doc < to; j++) {
      const float score = c.matches[j].score;
      CHECK_MSG(score <= range_bound, "seed %" PRIu64 ": doc %u scores %a, above %a up to %u",
                world->seed, c.matches[j].doc, (double)score, (double)range_bound, to);
      CHECK((double)score <= term->bound * CSD_BOUND_SLACK);
    }
    while (i < c.match_count && c.matches[i].doc < block_end) {
      i++;
    }
    i += below(world, 2) * below(world, 2000);
  }
  eval_case_end(&c);
}

/* Whatever scores at least so much has an impact that is not below csd_term_min_impact. */
static void impacts_and_scores(void) {
  uint64_t random = 42;
  for (int i = 0; i < 200000 && check_failures == 0; i++) {
    const struct csd_node node = {.weight =
                                      (float)(1 + check_random_below(&random, 9000)) / 1000.0f};
    const float impact = (float)check_random_below(&random, 1u << 20) / 4096.0f;
    const float score = csd_term_impact_score(&node, impact);
    CHECK_MSG(csd_term_min_impact(&node, score) <= impact, "weight %a, impact %a",
              (double)node.weight, (double)impact);
  }
}

static void batches(void) { eval_worlds(7000, produced); }
static void probes(void) { eval_worlds(7100, probed); }
static void bits(void) { eval_worlds(7200, set); }
static void bounds(void) { eval_worlds(7300, bounded); }

int main(void) {
  RUN(batches);
  RUN(probes);
  RUN(bits);
  RUN(bounds);
  RUN(impacts_and_scores);
  return check_result();
}
