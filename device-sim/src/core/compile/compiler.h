/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/**
 * The compiler of one plan. The functions that make the nodes of an operator are in the file of its
 * kind; compile.c has the table of them.
 */
#ifndef CSD_COMPILER_H
#define CSD_COMPILER_H

#include "core/eval/eval.h"
#include "core/lists/page_source.h"
#include "core/plan/arena.h"
#include "core/plan/plan.h"

/** What the compiler of one plan works on. */
struct csd_compiler {
  struct csd_arena *arena;
  const struct csd_plan *plan;
  const struct csd_page_source *source;
  bool splits;
  struct csd_eval *eval; /* eval->nodes are those that are made so far */
  struct csd_extent *extents;
  const float *tables;
  struct csd_list_cursor *cursors; /* of these: those that no node has yet */
  struct csd_position_cursor *positions;
  struct csd_column_cursor *columns;
  uint32_t next_node;                           /* of the plan */
  struct csd_frame *frames[CSD_MAX_PLAN_DEPTH]; /* by depth, made when first needed */
  struct csd_window *windows[CSD_MAX_PLAN_DEPTH];
  float *greatest[CSD_MAX_PLAN_DEPTH];
  uint8_t *norms[CSD_MAX_PLAN_DEPTH];
  float *flat_table; /* the latest one; NULL: none yet */
  float *ones;       /* NULL: not yet */
  int failure;       /* why there is no tree; the grant unless a part says otherwise */
};

/**
 * Makes a node of the plan's next one, of which `occur`, `weight` and `scored` are set: sets its
 * operator and what that needs, and makes everything below it.
 *
 * @param depth  of the node; the root is at 0
 * @return false if the grant is used up, or what compiler->failure says
 */
typedef bool csd_compile_fn(struct csd_compiler *compiler, struct csd_node *node,
                            const struct csd_plan_node *planned, uint32_t depth);

/**
 * Makes the next node of the plan and everything below it; NULL: see csd_compile_fn. It recurses as
 * deep as the plan, whose depth the check has limited.
 */
struct csd_node *csd_compile_node(struct csd_compiler *compiler, uint32_t depth, bool scored);

/** Gives a BOOL its frame; false if the grant is used up. */
bool csd_compile_frame(struct csd_compiler *compiler, struct csd_node *node, uint32_t depth);

/* ---- compile_bool.c ---- */

csd_compile_fn csd_compile_bool;
csd_compile_fn csd_compile_dis_max;
csd_compile_fn csd_compile_synonym;
csd_compile_fn csd_compile_combined;

/* ---- compile_column.c ---- */

csd_compile_fn csd_compile_column_range;
csd_compile_fn csd_compile_column_in;
csd_compile_fn csd_compile_area;

/* ---- compile_phrase.c ---- */

csd_compile_fn csd_compile_phrase;
csd_compile_fn csd_compile_multi_phrase;
csd_compile_fn csd_compile_near;

/* ---- compile_set.c ---- */

csd_compile_fn csd_compile_doc_set;
csd_compile_fn csd_compile_join;

/** The terms of the BOOL or JOIN at a plan's place if it is a set unless it is scored; 0 if it is
 * none. */
uint32_t csd_terms_of_set(const struct csd_plan *plan, uint32_t at);

/**
 * Makes `node` the set at a plan's place.
 *
 * @param terms  how many it has, from csd_terms_of_set
 * @return false if the grant is used up
 */
bool csd_compile_set(struct csd_compiler *compiler, struct csd_node *node, uint32_t at,
                     uint32_t terms);

/* ---- compile_term.c ---- */

csd_compile_fn csd_compile_term;
csd_compile_fn csd_compile_table_term;
csd_compile_fn csd_compile_feature_term;
csd_compile_fn csd_compile_linear_term;

/** Prefetches the first page of every list, all at once. */
void csd_compile_prefetch(const struct csd_plan *plan, const struct csd_page_source *source);

/** Returns a table of norms or scores of the plan. */
static inline const float *csd_compile_table(const struct csd_compiler *compiler, uint32_t table) {
  return compiler->tables + (size_t)CSD_NORM_TABLE_ENTRIES * table;
}

/**
 * Makes a CONST over a TERM a term that scores the constant: there are faster ways to rank terms.
 *
 * @param planned  the TERM
 * @return false if the grant is used up
 */
bool csd_compile_flat_term(struct csd_compiler *compiler, struct csd_node *node,
                           const struct csd_plan_node *planned);

#endif
