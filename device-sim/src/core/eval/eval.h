/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/**
 * Evaluation of a compiled plan, a batch of docs at a time. Every node can do two things:
 *
 *   produce  give its matches from a doc on, a bounded batch, ascending
 *   probe    tell which docs of an ascending batch it matches
 *
 * both with scores if wanted. Docs asked for never go back, so that cursors only move forward. A
 * node is used in one of the two ways for a whole run. Buffers belong to the depth of the tree,
 * not to the node: a batch is valid until the next call for any node at its depth or deeper.
 */
#ifndef CSD_EVAL_H
#define CSD_EVAL_H

#include <stdbool.h>
#include <stdint.h>

#include "core/kernels/kernels.h"
#include "core/lists/list_cursor.h"
#include "csd/csd_wire.h"

/** Docs of a disjunction's window; no batch holds more. A multiple of 64. */
#define CSD_WINDOW_DOCS 4096u
#define CSD_WINDOW_WORDS (CSD_WINDOW_DOCS / 64u)
/** Words of an array for a window's bits; or_bitmap needs some more than the window has. */
#define CSD_BITS_ROOM (CSD_WINDOW_WORDS + 2u)

/**
 * What a bound is multiplied with before it is compared with the least score that counts: more
 * than rounding of sums in any order can take away.
 */
#define CSD_BOUND_SLACK 1.000001

/** Entries of an array of docs that list_bits writes. */
#define CSD_DOC_LIST (CSD_WINDOW_DOCS + CSD_LIST_BITS_SLACK)

/** Working memory of a BOOL: the docs that it looks at and what is known of them. */
struct csd_frame {
  double must[CSD_WINDOW_DOCS + CSD_MERGE_SUMS_SLACK];
  double should[CSD_WINDOW_DOCS];
  uint32_t merge_docs[CSD_WINDOW_DOCS]; /* of a term that is merged */
  uint32_t docs[CSD_DOC_LIST];
  uint32_t other_docs[CSD_DOC_LIST];
  float scores[CSD_WINDOW_DOCS];
  float hit_scores[CSD_WINDOW_DOCS];
  uint16_t origin[CSD_WINDOW_DOCS]; /* index in the batch that the docs came in */
  uint16_t should_count[CSD_WINDOW_DOCS];
  uint16_t hit_index[CSD_WINDOW_DOCS + 64];
};

/** Working memory of a disjunction that produces. */
struct csd_window {
  uint32_t clear_to; /* sum and count are zero between calls, up to this doc of the window */
  double sum[CSD_WINDOW_DOCS];
  uint16_t count[CSD_WINDOW_DOCS];
  uint64_t bits[CSD_BITS_ROOM];
  uint64_t prohibited[CSD_BITS_ROOM];
};

struct csd_node {
  uint8_t op;
  uint8_t occur;
  bool scored;         /* its score counts in the node above */
  bool has_impacts;    /* TERM: impacts bound its scores */
  bool merges;         /* BOOL: best produced by csd_merge_produce, if scored */
  bool unites;         /* BOOL: best produced by csd_union_produce, if not scored */
  bool lone;           /* BOOL: csd_is_lone */
  uint32_t min_should; /* BOOL: SHOULD children that must match; at least 1 if none is required */
  float weight;
  const float *table;
  uint64_t cost; /* docs it may match, about */
  double bound;  /* no score is above it; 0 if not scored */
  struct csd_list_cursor *cursor;
  float block_bound; /* TERM: bound of the block that ends at block_bound_end */
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
};

/** How the scores of a batch are given. */
enum csd_scoring {
  CSD_SCORING_NONE,     /**< not at all */
  CSD_SCORING_ARRAY,    /**< in `scores` */
  CSD_SCORING_CONSTANT, /**< all are `constant` */
};

/** All matches of a node in [from, upto), either docs or bits. */
struct csd_batch {
  uint32_t upto;
  uint32_t n;
  const uint32_t *docs;
  const float *scores;
  float constant;
  enum csd_scoring scoring;
  const uint64_t *bits; /* if not NULL: instead of docs, zero outside [from, upto); not scored */
  uint32_t bits_base;   /* doc of bit 0, a multiple of 64 */
};

/** Which docs of a batch a node matches; the caller gives the arrays. */
struct csd_hits {
  uint32_t n;
  uint16_t *index; /* indices in the batch, ascending; room for 64 more than the batch has */
  float *scores;
};

/** Ranking state of the root: what may be left out. */
struct csd_floor {
  float score;         /* only hits that score more can enter the result; -inf: all */
  uint32_t ties_below; /* but of docs below this also those that score as much */
  bool full;           /* `score` is that of the worst of k hits */
  bool ranking;        /* scores at or below `score` are of no use */
  bool may_skip;       /* matches that cannot enter need not even be counted */
  bool has_skipped;    /* set when some were not */
};

struct csd_maxscore; /* eval_maxscore.h */
struct csd_and;      /* eval_and.h */
struct csd_best;     /* eval_best.h */
struct csd_bits;     /* eval_bits.h */

struct csd_eval {
  const struct csd_kernels *kernels;
  struct csd_work work;
  struct csd_node *root;
  struct csd_floor floor;
  double optional_bound;           /* of the root's optional children, for the batch at work */
  double rest_bound;               /* of all the root's children but its lead, likewise */
  struct csd_maxscore *maxscore;   /* NULL: the root is no disjunction of terms */
  struct csd_and *conjunction;     /* NULL: the root is no conjunction of terms, or not scored */
  struct csd_best *best;           /* NULL: csd_best_produce is no good for the root */
  struct csd_list_cursor *cursors; /* of all lists */
  uint32_t cursor_count;
  bool bits_wanted;      /* the root may produce bits */
  struct csd_bits *wide; /* NULL: csd_bits_produce is not for the root */
  uint32_t *all_docs;    /* CSD_WINDOW_DOCS, if the plan has ALL */
  uint32_t term_freqs[CSD_BLOCK_POSTINGS];
  uint8_t term_norms[CSD_BLOCK_POSTINGS];
  uint8_t term_positions[CSD_BLOCK_POSTINGS + 64];
  float term_scores[CSD_BLOCK_POSTINGS];
  uint32_t kept_docs[CSD_BLOCK_POSTINGS + CSD_ABOVE_SLACK];
  float kept_scores[CSD_BLOCK_POSTINGS + CSD_ABOVE_SLACK];
  uint8_t intersect_map[CSD_INTERSECT_MAP_BYTES];
};

/** Whether no score up to `bound` can enter the result. */
static inline bool csd_floor_excludes(const struct csd_floor *floor, double bound) {
  return floor->ranking && bound * CSD_BOUND_SLACK <= (double)floor->score;
}

/**
 * Produces the node's matches from `from` on, at least those of one more doc. `from` is below
 * `limit`; batch->upto is above `from` and at most `limit`.
 *
 * @return 0, or a negated status
 */
int csd_eval_produce(struct csd_eval *eval, struct csd_node *node, uint32_t from, uint32_t limit,
                     bool scored, struct csd_batch *batch);

/** Finds which of `n` docs the node matches; n is at most CSD_WINDOW_DOCS. */
int csd_eval_probe(struct csd_eval *eval, struct csd_node *node, const uint32_t *docs, uint32_t n,
                   bool scored, struct csd_hits *hits);

/** As csd_eval_produce for the root: may leave out what eval->floor allows, may give bits. */
int csd_eval_produce_root(struct csd_eval *eval, uint32_t from, uint32_t limit, bool scored,
                          struct csd_batch *batch);

/* ---- eval_term.c ---- */

int csd_term_produce(struct csd_eval *eval, struct csd_node *node, uint32_t from, uint32_t limit,
                     bool scored, struct csd_batch *batch);
int csd_term_probe(struct csd_eval *eval, struct csd_node *node, const uint32_t *docs, uint32_t n,
                   bool scored, struct csd_hits *hits);

/**
 * Sets the bits of the node's matches in [from, end); bit 0 is doc `base`, a multiple of 64. Bits
 * of docs outside may be set too.
 *
 * @param bits  a word for every 64 docs from `base` to `end`, and two more
 */
int csd_term_set_bits(struct csd_eval *eval, struct csd_node *node, uint32_t from, uint32_t end,
                      uint32_t base, uint64_t *bits);

/** Index of the first of the current block's docs at or after `target`; they have been loaded. */
uint32_t csd_term_position(const struct csd_list_cursor *cursor, uint32_t target);

/**
 * Finds which of `n` docs are in the current block, the first one being before its end.
 *
 * @param index  receives the hits' indices in `docs`; room for hits + CSD_INTERSECT_ROOM
 * @param part   set to how many of the docs are before the block's end
 * @return how many hits, whose indices in the block are in eval->term_positions; or -LIST_CORRUPT
 */
int csd_term_intersect(struct csd_eval *eval, struct csd_list_cursor *cursor, const uint32_t *docs,
                       uint32_t n, uint16_t *index, uint32_t *part);

/** Sets *next so that no match is in [from, *next); finds the match itself if it may be far off. */
int csd_term_next(const struct csd_node *node, uint32_t from, uint32_t *next);

/** Scores `n` postings of the current block, by position, into eval->term_scores. */
int csd_term_score(struct csd_eval *eval, struct csd_node *node, const uint8_t *position,
                   unsigned n);

/** Scores all postings of the current block into eval->term_scores. */
int csd_term_score_block(struct csd_eval *eval, struct csd_node *node);

/** Leaves the docs of a term's scored batch that score above `above`, until the next such call. */
void csd_term_keep_above(struct csd_eval *eval, struct csd_batch *batch, float above);

/**
 * What an impacts word says of how much postings can score, as a number to compare: scores rise
 * with it. 0 stands for unknown.
 */
float csd_term_greatness(const struct csd_node *node, uint64_t impacts);

/** The score of that greatness. */
static inline float csd_term_score_of(const struct csd_node *node, float greatness) {
  return node->weight - node->weight / (1.0f + greatness);
}

/** A greatness at or below that of everything that scores at least `score`; never below 0. */
float csd_term_least_greatness(const struct csd_node *node, float score);

/** Bound of the scores that an impacts word stands for; 0: unknown. */
float csd_term_bound(const struct csd_node *node, uint64_t impacts);

/** Bound of the current block's scores. */
float csd_term_block_bound(struct csd_node *node);

/** Bound of the scores in [start of the current block, to). */
float csd_term_range_bound(struct csd_node *node, uint32_t to);

/* ---- eval_bool.c: BOOLs ---- */

int csd_bool_produce(struct csd_eval *eval, struct csd_node *node, uint32_t from, uint32_t limit,
                     bool scored, struct csd_batch *batch);
int csd_bool_probe(struct csd_eval *eval, struct csd_node *node, const uint32_t *docs, uint32_t n,
                   bool scored, struct csd_hits *hits);

/** Takes the docs of the node's frame through its prohibited children; returns those left. */
int csd_bool_exclude(struct csd_eval *eval, struct csd_node *node, uint32_t n, bool scored);

/* ---- eval_lone.c: one scored term, less prohibited children ---- */

/** Whether the node's matches are those of one scored TERM less those of prohibited children. */
bool csd_is_lone(const struct csd_node *node);

/** As csd_eval_produce, scored, for such a node. */
int csd_lone_produce(struct csd_eval *eval, struct csd_node *node, uint32_t from, uint32_t limit,
                     struct csd_batch *batch);

/**
 * Likewise, but for the matches that score above `above` alone, and up to the end of a block of the
 * term; sets eval->floor.has_skipped when it leaves matches out.
 */
int csd_lone_produce_above(struct csd_eval *eval, struct csd_node *node, uint32_t from,
                           uint32_t limit, float above, struct csd_batch *batch);

/**
 * Takes a scored batch through the node's prohibited children.
 *
 * @param batch  at most CSD_WINDOW_DOCS - CSD_LIST_BITS_SLACK docs, in the frame or elsewhere
 */
int csd_exclude_scored(struct csd_eval *eval, struct csd_node *node, struct csd_batch *batch);

/* ---- eval_or.c: disjunctions that produce ---- */

/**
 * Ends a disjunction's batch: takes the first `n` docs of the frame through the prohibited children
 * and gives what is left, its `must` sums as scores. A negated status in `n` is passed on.
 */
int csd_or_finish(struct csd_eval *eval, struct csd_node *node, int n, bool scored,
                  struct csd_batch *batch);

int csd_or_produce(struct csd_eval *eval, struct csd_node *node, uint32_t from, uint32_t limit,
                   bool scored, struct csd_batch *batch);

/** Sees to it that the first `docs` sums and counts of a window are zero on their first use. */
void csd_window_clear(struct csd_window *window, uint32_t docs);

/** Terms up to which postings are merged: every doc is copied for every term after its own. */
#define CSD_MERGE_TERMS 8u

/**
 * Whether a node is a disjunction of 2 to CSD_MERGE_TERMS terms, any of which may match alone, with
 * no more than about `docs_per_window` postings in CSD_WINDOW_DOCS docs.
 */
bool csd_or_is_sparse(const struct csd_node *node, uint32_t docs_per_window, uint32_t max_doc);

/** Lowers *end to the first end of the blocks that the optional terms are in at `from`. */
int csd_or_block_end(const struct csd_node *node, uint32_t from, uint32_t *end);

/* ---- eval_merge.c: scored disjunctions of rare terms ---- */

/**
 * Merges the postings of some terms in [from, end), of which there are at most CSD_WINDOW_DOCS,
 * into docs and `must` of a frame. Returns how many docs they are, or a negated status.
 *
 * @param above  for each term, what its scores must be above for a posting to be taken; NULL: all
 */
int csd_merge_terms(struct csd_eval *eval, struct csd_frame *frame, struct csd_node *const *terms,
                    uint32_t count, uint32_t from, uint32_t end, const float *above);

/** Whether csd_merge_produce can produce the node and is a good way to. */
bool csd_merge_pays(const struct csd_node *node, uint32_t max_doc);

/** As csd_or_produce, scored; eval->root or not. */
int csd_merge_produce(struct csd_eval *eval, struct csd_node *node, uint32_t from, uint32_t limit,
                      struct csd_batch *batch);

/* ---- eval_union.c: disjunctions of terms that are not scored ---- */

/** Whether csd_union_produce can produce the node, not scored, and is a good way to. */
bool csd_union_pays(const struct csd_eval *eval, const struct csd_node *node, uint32_t max_doc);

/** As csd_or_produce, not scored; eval->root or not. */
int csd_union_produce(struct csd_eval *eval, struct csd_node *node, uint32_t from, uint32_t limit,
                      struct csd_batch *batch);

/* ---- eval_bits.c: nodes as bits ---- */

/** Sets the bits of a node's matches in [from, end), as csd_term_set_bits. */
int csd_bits_add(struct csd_eval *eval, struct csd_node *node, uint32_t from, uint32_t end,
                 uint32_t base, uint64_t *bits);

/** Clears the bits of docs outside [from, end), of a word for every 64 docs from `base` on. */
void csd_bits_trim(uint64_t *bits, uint32_t base, uint32_t from, uint32_t end);

#endif
