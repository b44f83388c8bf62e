/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/**
 * Evaluation of a compiled plan, one batch of docs at a time. Every node can do two things:
 *
 *   produce  return its next matches from a given doc on, in a batch of bounded size
 *   probe    tell which docs of an ascending array it matches
 *
 * Both return scores if the caller wants them. A run uses each node in only one of the two ways,
 * but for the children of a disjunction at the root, which may change it from one window of docs to
 * the next. The docs that it asks for never go back, so cursors only move forward.
 *
 * Buffers belong to a depth of the tree, not to a node: a batch is valid until the next call for
 * any node at the same depth or deeper.
 */
#ifndef CSD_EVAL_H
#define CSD_EVAL_H

#include <float.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "core/columns/column_cursor.h"
#include "core/kernels/kernels.h"
#include "core/lists/list_cursor.h"
#include "core/positions/position_cursor.h"
#include "csd/csd_wire.h"

/** Docs of a disjunction's window; no batch of docs has more. A multiple of 64. */
#define CSD_WINDOW_DOCS 4096u
#define CSD_WINDOW_WORDS (CSD_WINDOW_DOCS / 64u)
/** Words of an array for a window's bits; the kernel or_bitmap needs two more than the window. */
#define CSD_BITS_ROOM (CSD_WINDOW_WORDS + 2u)

/**
 * Factor of a sum of bounds before it is compared with the minimum competitive score. It exceeds
 * what rounding can take from a sum, whatever the order of its terms.
 */
#define CSD_BOUND_SLACK 1.000001

/** Entries of an array that receives docs from the kernel list_bits. */
#define CSD_DOC_LIST (CSD_WINDOW_DOCS + CSD_LIST_BITS_SLACK)

/** Working memory of a BOOL: its current docs, and their sums, scores and counts. */
struct csd_frame {
  double must[CSD_WINDOW_DOCS + CSD_MERGE_SUMS_SLACK]; /* sum of the required children's scores */
  double should[CSD_WINDOW_DOCS];                      /* sum of the optional children's scores */
  uint32_t merge_docs[CSD_WINDOW_DOCS];                /* docs of a term that is being merged */
  uint32_t docs[CSD_DOC_LIST];
  uint32_t other_docs[CSD_DOC_LIST];
  float scores[CSD_WINDOW_DOCS];
  float hit_scores[CSD_WINDOW_DOCS];
  uint16_t origin[CSD_WINDOW_DOCS]; /* index in the batch that the docs came in */
  uint16_t should_count[CSD_WINDOW_DOCS];
  uint16_t hit_index[CSD_WINDOW_DOCS + 64];
};

/** Working memory that the leaves of a plan but TERMs share: a window of docs. */
struct csd_column_window {
  uint32_t docs[CSD_DOC_LIST];
  uint64_t bits[CSD_BITS_ROOM];
};

/** Working memory of a disjunction that produces: bits and sums for a window of docs. */
struct csd_window {
  uint32_t clear_to; /* sum and count are zero between calls, up to this doc of the window */
  double sum[CSD_WINDOW_DOCS];
  uint16_t count[CSD_WINDOW_DOCS];
  uint64_t bits[CSD_BITS_ROOM];
  uint64_t prohibited[CSD_BITS_ROOM];
};

struct csd_batch;
struct csd_hits;
struct csd_eval;
struct csd_node;
struct csd_reads;
struct csd_bool_scores; /* eval_bool.h */

/**
 * What a compiled operator does: one row for each, in the file that implements it. Several
 * operators of plans may be compiled into one of these. csd_eval_produce and the other functions of
 * the same names call them.
 */
struct csd_operator {
  const char *name;
  bool is_term; /* its docs are those of one posting list, node->cursor */
  bool is_leaf; /* its docs are those of one list or column, or of many lists as one */
  bool is_bool; /* its docs are those of `required`, `optional` and `prohibited` */
  bool is_sum;  /* a BOOL whose score is the sum of its children's */
  const struct csd_bool_scores *scores; /* of a BOOL: how the optional children make its score */
  bool matches_all;                     /* every doc matches */
  bool one_score; /* every match scores node->weight, which produce and probe leave out */
  int (*produce)(struct csd_eval *eval, struct csd_node *node, uint32_t from, uint32_t limit,
                 bool scored, struct csd_batch *batch);
  int (*probe)(struct csd_eval *eval, struct csd_node *node, const uint32_t *docs, uint32_t n,
               bool scored, struct csd_hits *hits);
  /** NULL: any doc may match. */
  int (*next)(const struct csd_node *node, uint32_t from, uint32_t limit, uint32_t *next);
  /** NULL: what it produces is turned into bits. */
  int (*add_bits)(struct csd_eval *eval, struct csd_node *node, uint32_t from, uint32_t end,
                  uint32_t base, uint64_t *bits);
  /** NULL: nothing is known. */
  uint64_t (*min_count)(const struct csd_node *node, bool *exact);
  void (*rewind)(struct csd_node *node); /* NULL: it has no cursor */
  void (*close)(struct csd_node *node);  /* likewise */
  void (*add_reads)(const struct csd_node *node, struct csd_reads *reads); /* likewise */
};

/** What the lists and columns of a plan have, and what was read of it. */
struct csd_reads {
  uint64_t blocks;        /* posting blocks that there are */
  uint64_t pages_skipped; /* of lists of several pages, and of columns: those that were not read */
};

/** Adds a list to `reads`. Of a list of one page it is not told whether that was read: other lists
    may share it. */
static inline void csd_list_add_reads(const struct csd_list_cursor *list, struct csd_reads *reads) {
  const struct csd_page_run *run = &list->run;
  reads->blocks += list->block_total;
  reads->pages_skipped +=
      run->page_count > 1 && run->page_count > run->pinned ? run->page_count - run->pinned : 0;
}

/** A way of producing a node that is either scored or not. */
typedef int csd_produce_fn(struct csd_eval *eval, struct csd_node *node, uint32_t from,
                           uint32_t limit, struct csd_batch *batch);

struct csd_node {
  const struct csd_operator *op;
  csd_produce_fn *produce_scored;   /* BOOL: the best way of it, if scored; NULL: op->produce */
  csd_produce_fn *produce_unscored; /* BOOL: likewise, if not scored */
  uint8_t occur;
  bool scored;         /* its score counts in the node above */
  bool has_impacts;    /* TERM, PHRASE: impacts bound its scores */
  bool follows;        /* SHOULD of a BOOL that produces: is looked up in what the others match */
  bool may_follow;     /* likewise, as long as scores do not say otherwise */
  bool is_feature;     /* TERM: FEATURE_TERM in the plan */
  bool is_linear;      /* TERM: LINEAR_TERM in the plan; no score is above `weight` */
  bool is_flat;        /* TERM: every posting scores `weight`; has a table, too */
  float followed_at;   /* BOOL: the minimum competitive score that followers were chosen for */
  uint32_t min_should; /* BOOL: SHOULD children that must match; at least 1 if none is required */
  float weight;
  float factor;        /* LINEAR_TERM: of the values */
  const float *table;  /* TERM, PHRASE and SYNONYM: the norm table of its field, or see `tables` */
  uint32_t tables;     /* TERM: TABLE_TERM or FEATURE_TERM, with so many tables of scores; else 0;
                          LINEAR_TERM: 1, as if it had one */
  uint16_t first_high; /* FEATURE_TERM: the high byte of the frequencies of its first table */
  uint16_t most_freq;  /* LINEAR_TERM: higher frequencies count as this one */
  uint64_t cost;       /* about how many docs it may match */
  double bound;        /* no score is above it; 0 if not scored */
  bool exact_bound;    /* not even by rounding, so that it needs no CSD_BOUND_SLACK */
  bool exact_sums;     /* BOOL: sums of scores, and of bounds, are exact before they are cast */
  int unit;            /* every score is a multiple of 2 to this power; void unless exact_bound */
  struct csd_list_cursor *cursor;   /* TERM */
  struct csd_column_cursor *column; /* COLUMN_RANGE */
  struct csd_term_set *terms;       /* TERM_SET */
  struct csd_phrase *phrase;        /* PHRASE */
  float block_bound;                /* TERM: bound of the block that ends at block_bound_end */
  uint32_t block_bound_end;
  struct csd_node **required; /* MUST and FILTER, least cost first; CONST: its child */
  struct csd_node **optional; /* SHOULD, greatest bound first */
  struct csd_node **prohibited;
  double *optional_rest; /* [i]: sum of the bounds of optional[i + 1 ..]; if scored */
  uint32_t required_count;
  uint32_t optional_count;
  uint32_t prohibited_count;
  struct csd_frame *frame;
  struct csd_window *window;
  float *greatest;          /* DIS_MAX: a score for each doc of the window, zero between calls */
  uint8_t *norms;           /* SYNONYM: the norm of each doc of the window that matches */
  const uint8_t *doc_norms; /* COMBINED: the norm of each doc; NULL: those of the postings count */
};

/** Where the scores of a batch are. */
enum csd_scoring {
  CSD_SCORING_NONE,     /**< there are none */
  CSD_SCORING_ARRAY,    /**< in `scores` */
  CSD_SCORING_CONSTANT, /**< each is `constant` */
};

/** All matches of a node in [from, upto), as docs or as bits. */
struct csd_batch {
  uint32_t upto;
  uint32_t n;
  const uint32_t *docs;
  const float *scores;
  float constant;
  enum csd_scoring scoring;
  bool repeats; /* docs of other batches may come again; the greatest of their scores counts */
  const uint64_t *bits; /* if not NULL: instead of docs, zero outside [from, upto); not scored */
  uint32_t bits_base;   /* doc of bit 0, a multiple of 64 */
};

/** Which docs of an array a node matches. The caller provides the arrays. */
struct csd_hits {
  uint32_t n;
  uint16_t *index; /* indices of the docs, ascending; has room for 64 more than there are docs */
  float *scores;
};

/** How the root's matches are ranked, and which of them are not competitive. */
struct csd_ranking {
  float min_score;     /* the minimum competitive score: only hits above it count; -inf: all do */
  uint32_t ties_below; /* docs below this one count with a score equal to min_score, too */
  bool full;           /* there are k hits, and min_score is the worst one's */
  bool active;         /* hits are ranked; else every match counts */
  bool may_skip;       /* non-competitive matches need not be counted either */
  bool has_skipped;    /* set when some were not counted */
  uint8_t way;         /* csd_way that the root has been produced in so far */
  bool exact;          /* sums of scores and of bounds are, in any order; then they are cast */
};

struct csd_term_set;       /* eval_term_set.h */
struct csd_phrase_scratch; /* eval_phrase.h */
struct csd_root_way;       /* root_way.h */
struct csd_bits;           /* eval_bits.h */
struct csd_filters;        /* filters.h */

/** A compiled plan that is being evaluated. */
struct csd_eval {
  const struct csd_kernels *kernels;
  struct csd_work work;
  struct csd_node *root;
  struct csd_ranking ranking;
  double optional_bound; /* of the root's optional children, for the batch being produced */
  double rest_bound;     /* of all the root's children but the first required one, likewise */
  const struct csd_root_way *way; /* to produce the root, scored; NULL: as any node */
  void *way_state;                /* what it keeps from call to call */
  struct csd_filters *filters;    /* NULL: none was taken out of the root */
  struct csd_column_cursor *gate; /* of a filter: other docs are dropped; NULL: none has a column */
  struct csd_node *nodes;         /* of the plan, with cursors of their own; in no order */
  uint32_t node_count;
  struct csd_phrase_scratch *phrases;      /* NULL: there are none */
  bool bits_wanted;                        /* the root may produce bits */
  struct csd_bits *wide;                   /* NULL: csd_bits_produce does not suit the root */
  uint32_t *all_docs;                      /* CSD_WINDOW_DOCS, if the plan has ALL */
  struct csd_column_window *column_window; /* NULL: there are neither columns nor sets */
  uint32_t term_freqs[CSD_BLOCK_POSTINGS];
  uint8_t term_norms[CSD_BLOCK_POSTINGS];
  uint8_t term_positions[CSD_BLOCK_POSTINGS + 64];
  float term_scores[CSD_BLOCK_POSTINGS];
  uint32_t kept_docs[CSD_BLOCK_POSTINGS + CSD_ABOVE_SLACK];
  float kept_scores[CSD_BLOCK_POSTINGS + CSD_ABOVE_SLACK];
  uint8_t intersect_map[CSD_INTERSECT_MAP_BYTES];
};

/** Factor of a sum of bounds that no sum of the scores exceeds. */
static inline double csd_bound_slack(const struct csd_ranking *ranking) {
  return ranking->exact ? 1.0 : CSD_BOUND_SLACK;
}

/** Whether no score up to `bound` is competitive, which is never below a score by rounding. */
static inline bool csd_exactly_non_competitive(const struct csd_ranking *ranking, double bound) {
  return ranking->active && bound <= (double)ranking->min_score;
}

/** Whether no score up to `bound` is competitive, which is a sum and may be rounded. */
static inline bool csd_non_competitive(const struct csd_ranking *ranking, double bound) {
  const double most = ranking->exact ? (double)(float)bound : bound * CSD_BOUND_SLACK;
  return csd_exactly_non_competitive(ranking, most);
}

/**
 * The greatest sum of scores that is non-competitive once multiplied by csd_bound_slack. One that
 * is exact is cast to the minimum competitive score up to the middle between that and the next
 * float; the middle itself becomes the one of them that is even.
 */
static inline double csd_most_non_competitive(const struct csd_ranking *ranking) {
  const float least = ranking->min_score + 0.0f;
  if (!ranking->exact || !(least >= 0.0f && least < FLT_MAX)) {
    return (double)least;
  }
  uint32_t bits;
  float next;
  memcpy(&bits, &least, sizeof bits);
  const uint32_t next_bits = bits + 1u;
  memcpy(&next, &next_bits, sizeof next);
  double most = ((double)least + (double)next) / 2.0;
  uint64_t most_bits;
  memcpy(&most_bits, &most, sizeof most_bits);
  most_bits -= bits & 1u;
  memcpy(&most, &most_bits, sizeof most);
  return most;
}

/** Whether the node is a BOOL whose score is the sum of its children's, or that is not scored. */
static inline bool csd_is_plain_bool(const struct csd_node *node) { return node->op->is_sum; }

/** Whether all of `count` nodes are TERMs. */
static inline bool csd_all_terms(struct csd_node *const *nodes, uint32_t count) {
  for (uint32_t i = 0; i < count; i++) {
    if (!nodes[i]->op->is_term) {
      return false;
    }
  }
  return true;
}

/** Sum of the costs of `count` nodes. */
static inline uint64_t csd_sum_of_costs(struct csd_node *const *nodes, uint32_t count) {
  uint64_t sum = 0;
  for (uint32_t i = 0; i < count; i++) {
    sum += nodes[i]->cost;
  }
  return sum;
}

/** Whether `a` is to come before `b`. */
typedef bool (*csd_node_order)(const struct csd_node *a, const struct csd_node *b);

/** Sorts `count` nodes. */
void csd_sort_nodes(struct csd_node **nodes, uint32_t count, csd_node_order is_before);

/** Puts the cursors of all lists and columns back before their first pages. */
void csd_eval_rewind(struct csd_eval *eval);

/** Releases the pages that the cursors of all lists and columns hold. */
void csd_eval_close(struct csd_eval *eval);

/** Adds up what all lists and columns have, and what was read of it. */
struct csd_reads csd_eval_reads(const struct csd_eval *eval);

/**
 * Produces the node's matches in [from, batch->upto), ascending. `from` is below `limit`;
 * batch->upto is set to something above `from` and at most `limit`. The batch may be empty.
 *
 * @return 0, or a negated status
 */
int csd_eval_produce(struct csd_eval *eval, struct csd_node *node, uint32_t from, uint32_t limit,
                     bool scored, struct csd_batch *batch);

/**
 * Finds which of `n` ascending docs the node matches; n is at most CSD_WINDOW_DOCS.
 *
 * @return 0, or a negated status
 */
int csd_eval_probe(struct csd_eval *eval, struct csd_node *node, const uint32_t *docs, uint32_t n,
                   bool scored, struct csd_hits *hits);

/** Sets *next so that no match is in [from, *next); `limit` or more: none is below it. */
static inline int csd_eval_next(const struct csd_node *node, uint32_t from, uint32_t limit,
                                uint32_t *next) {
  *next = from;
  return node->op->next != NULL ? node->op->next(node, from, limit, next) : 0;
}

/**
 * How many docs match at least, by the lengths of the lists, if all docs are asked for.
 *
 * @param exact  set to whether it is the number itself, if all docs are live
 */
static inline uint64_t csd_min_count(const struct csd_node *node, bool *exact) {
  *exact = false;
  return node->op->min_count != NULL ? node->op->min_count(node, exact) : 0;
}

#endif
