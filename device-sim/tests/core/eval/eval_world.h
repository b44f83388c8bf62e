/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/**
 * The ways of evaluating a node, each alone: a compiled plan over a random index, and batches that
 * are compared with brute force. Unlike whole programs, this chooses the way itself and sees every
 * batch.
 */
#ifndef CSD_EVAL_WORLD_H
#define CSD_EVAL_WORLD_H

#include "core/eval/eval.h"
#include "core/plan/arena.h"
#include "core/root/root_way.h"
#include "tests/core/program/program_world.h"

/** One way: calls a produce function for the root of a plan. */
typedef int (*eval_way)(struct csd_eval *eval, uint32_t from, uint32_t limit,
                        struct csd_batch *batch);

/** A compiled plan. */
struct eval_case {
  struct program_world *world;
  struct csd_arena arena; /* what the plan has left of the grant */
  struct csd_eval *eval;
  bool scored;
  const struct program_hit *matches; /* in all docs, ascending */
  uint32_t match_count;
};

/** Begins program_plan with nothing in it but the world's lists; `scored` chooses its mode. */
void eval_plan_init(struct program_world *world, bool scored);

/** Adds a flat BOOL of random terms to program_plan. */
void eval_plan_flat(struct program_world *world, uint32_t must, uint32_t should, uint32_t must_not,
                    uint32_t min_should);

/** Compiles program_plan. Ends the test if that fails. */
void eval_case_begin(struct eval_case *c, struct program_world *world);

/** Releases its pages; checks that none is left pinned. */
void eval_case_end(struct eval_case *c);

/** Has it produce its root, of which so many best hits are wanted, in a way that must apply. */
void eval_case_take(struct eval_case *c, const struct csd_root_way *way, uint32_t k);

/** Sets a minimum competitive score that cuts through the matches. */
void eval_case_rank(struct eval_case *c);

/**
 * Produces all batches of a random range of docs. Checks that each is inside its range, and that
 * the matches are those of brute force, to the bits of their scores. Matches at or below the
 * minimum competitive score may be missing. Of a doc that comes again, where batches say that docs
 * may, the greatest score counts. If docs ascend, limits may vary from call to call, and
 * cursors may be put back, before the first batch too: what is kept from call to call has to bear
 * it.
 *
 * @param in_order  docs ascend from batch to batch, and each batch gets on
 */
void eval_case_compare(struct eval_case *c, eval_way way, bool in_order);

/** Looks up random ascending docs by `node`, which must match as the whole plan does. */
void eval_case_probe(struct eval_case *c, struct csd_node *node);

/** Runs `test` over some worlds, small and large. */
void eval_worlds(uint64_t first_seed, void (*test)(struct program_world *world));

#endif
