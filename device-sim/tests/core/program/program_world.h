/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/**
 * Random indexes, once as pages and once as plain arrays, and programs over them that are compared
 * with a brute-force evaluator, which looks at one doc at a time and knows nothing of pages, blocks
 * or pruning. All of it for one thread.
 */
#ifndef CSD_PROGRAM_WORLD_H
#define CSD_PROGRAM_WORLD_H

#include <stdbool.h>
#include <stdint.h>

#include "core/program/program.h"
#include "tests/support/check.h"
#include "tests/support/page/column_builder.h"
#include "tests/support/plan/plan_support.h"

#define PROGRAM_LISTS 12
#define PROGRAM_COLUMNS 8
#define PROGRAM_GRANT_BYTES (8u << 20)
#define PROGRAM_RESULT_BYTES (1u << 20)

/** Worlds of so many docs have rare terms only; none has more. */
#define PROGRAM_SPARSE_FROM 1000000u

/** An index of a few lists. */
struct program_world {
  uint64_t random;
  uint64_t seed;
  uint32_t max_doc;
  bool even;                     /* nearly all frequencies are 1, and norms few */
  uint32_t *freq[PROGRAM_LISTS]; /* by doc; 0: not in the list */
  uint8_t *norm;                 /* by doc */
  uint32_t count[PROGRAM_LISTS];
  struct csd_list_ref ref[PROGRAM_LISTS];
  struct csd_list_ref position_ref[PROGRAM_LISTS]; /* of the lists that are positioned */
  uint8_t positioned[PROGRAM_LISTS];               /* which these are */
  uint32_t positioned_count;
  struct test_column column[PROGRAM_COLUMNS];
  struct csd_column_ref column_ref[PROGRAM_COLUMNS];
  struct page_builder builder;
  struct array_source source;
  uint64_t *live;
  uint64_t *set;   /* of DOC_SETs */
  uint64_t *norms; /* of COMBINEDs: a byte for each doc, none below its own norm */
};

/** A doc that matches, with its score. */
struct program_hit {
  uint32_t doc;
  float score;
};

/** The plan at work, and buffers for it: taken by program_buffers_take. */
extern struct test_plan program_plan;
extern uint8_t *program_grant;
extern uint8_t *program_result;
extern uint8_t *program_bytes; /**< room for any plan's bytes */

void program_buffers_take(void);
void program_buffers_free(void);

/** A random number below `bound`. */
static inline uint32_t below(struct program_world *world, uint32_t bound) {
  return check_random_below(&world->random, bound);
}

/** Makes an index of up to `max_doc` docs. */
void program_world_make(struct program_world *world, uint64_t seed, uint32_t max_doc);
void program_world_free(struct program_world *world);

/**
 * Returns all matches of program_plan by brute force, ascending by doc; scores as far as the plan
 * has any. Valid until the next call.
 */
const struct program_hit *program_world_matches(const struct program_world *world, uint32_t *count);

/** Begins a program: the first `bytes` bytes of program_bytes, with the buffers. */
int program_begin(struct program_world *world, size_t bytes, struct csd_program **program);

/**
 * Returns how many of so many plans are to be run: all of them, or with CSD_TEST_SHARE=N in the
 * environment every Nth, for builds and kernels that take long.
 */
uint32_t program_share(uint32_t plans);

/**
 * Makes an index and compares what so many plans give; stops at the first failure. With
 * CSD_TEST_SHARE=N about every Nth plan is run, over every Nth index of a kind.
 */
void program_world_run(uint64_t seed, uint32_t max_doc, uint32_t plans,
                       void (*make_plan)(struct program_world *));

/** The same for an index of even lists: one norm if the seed is even, else 1 to 8. */
void program_world_run_even(uint64_t seed, uint32_t max_doc, uint32_t plans,
                            void (*make_plan)(struct program_world *));

/** Runs program_plan once, into program_result; false, with a failure, if it does not end well. */
bool program_world_result(struct program_world *world, struct csd_result_header *header);

/** Checks the count of a result of which so many docs match: it may be a lower bound. */
void program_world_check_count(const struct program_world *world,
                               const struct csd_result_header *header, uint32_t count);

/* ---- program_sorts.c ---- */

/** Makes any plan with columns of mode TOP_K_BY_COLUMN. */
void program_plan_sorted(struct program_world *world);

/** Likewise; sorts mostly by a column whose values rise with the docs, if there is one. */
void program_plan_sorted_by_order(struct program_world *world);

/** Chooses after and bottom keys for program_plan, and compares its result with the matches. */
void program_sort_compare(struct program_world *world, const struct program_hit *matches,
                          uint32_t match_count);

/* ---- program_columns.c ---- */

/** Makes the columns of a world whose lists are made, and puts their pages behind those. */
void program_columns_make(struct program_world *world);
void program_columns_free(struct program_world *world);

/** Whether a doc has a value from `lo` to `hi`. */
bool program_column_matches(const struct test_column *column, uint32_t doc, int64_t lo, int64_t hi);

/** Whether a doc has a value in one of some ranges, which ascend. */
bool program_column_has(const struct test_column *column, uint32_t doc,
                        const struct csd_value_range *ranges, uint32_t count);

/** The values of a doc in a column, ascending; sets *count, which is 0 if there are none. */
const int64_t *program_column_values(const struct test_column *column, uint32_t doc,
                                     uint32_t *count);

/** Appends the world's columns to program_plan, if it has none. */
void program_columns_add(struct program_world *world);

/** Appends a node with a random column and range to program_plan, and the column if need be. */
void program_column_node(struct program_world *world, unsigned occur, float weight);

/* ---- program_areas.c ---- */

enum {
  PROGRAM_RING_POINTS = 22, /* of a ring, at most */
  PROGRAM_AREA_ENTRIES = 80 /* of a random area, at most */
};

/** Appends a node with a random area over column `c`, which is there, to program_plan. */
void program_area_node(struct program_world *world, uint32_t c, unsigned occur, float weight);

/** Whether a doc has a point in the area of a node of program_plan. */
bool program_area_has(const struct program_world *world, uint32_t doc,
                      const struct csd_plan_node *node);

/** Appends a random geo_point to program_plan; returns its number. */
uint32_t program_origin_add(struct program_world *world);

/** The least key of the distances of some points from a geo_point; infinity if there are none. */
double program_nearest(uint32_t origin, const int64_t *values, uint32_t count);

/* ---- program_positions.c ---- */

/** Makes positions of a world's lists, where they are not too many, and puts their pages behind. */
void program_positions_make(struct program_world *world);

/** Appends a node with a random phrase to program_plan, and its lists; false if there is none. */
bool program_phrase_node(struct program_world *world, unsigned occur, float weight);

/** The frequency of a phrase in a doc: 0 if the doc does not match. */
float program_phrase_frequency(const struct program_world *world, const struct csd_plan_node *node,
                               uint32_t doc);

/* ---- program_score_tables.c ---- */

/** Makes most TERMs of program_plan TABLE_TERMs, as far as it has room for their tables. */
void program_score_tables(struct program_world *world);

/* ---- program_aggregates.c ---- */

/** Turns program_plan into one of mode AGGREGATE, with a few aggregates of all kinds. */
void program_aggregates_add(struct program_world *world);

/** Runs program_plan until all its aggregates are complete, and compares them. */
void program_aggregates_compare(struct program_world *world, const struct program_hit *matches,
                                uint32_t count);

/* ---- program_plans.c ---- */

/** Turns program_plan into one of up to 40 best hits: of all docs or of some, by any threshold. */
void program_plan_top_k(struct program_world *world);

/* ---- each of these makes program_plan ---- */

/** Any query with columns, in mode AGGREGATE. */
void program_plan_aggregates(struct program_world *world);

/** Any plan with phrases. */
void program_plan_phrases(struct program_world *world);

/** A phrase alone, in any mode. */
void program_plan_phrase(struct program_world *world);

/** Any plan with columns. */
void program_plan_columns(struct program_world *world);

/** Any plan. */
void program_plan_random(struct program_world *world);

/** The best hits of a few terms in all docs: the lists' lengths may tell something of the count. */
void program_plan_ranking(struct program_world *world);

/** The best hits of a DIS_MAX of terms, of Booleans of terms, and of anything. */
void program_plan_dis_max(struct program_world *world);

/** The best hits of one term or several, less others. */
void program_plan_required(struct program_world *world);

/** The best hits of optional terms beside a score that every doc has. */
void program_plan_base(struct program_world *world);

/** The best hits by scores that are sums of constants. */
void program_plan_equal(struct program_world *world);

#endif
