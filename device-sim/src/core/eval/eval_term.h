/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/**
 * TERM nodes: the posting blocks of a list as batches, and bounds of their scores from impacts. A
 * function that reads a block leaves the node's cursor on it.
 */
#ifndef CSD_EVAL_TERM_H
#define CSD_EVAL_TERM_H

#include "core/eval/eval.h"
#include "core/plan/plan_tables.h"

/** The docs of one posting list, node->cursor. */
extern const struct csd_operator csd_op_term;

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
 * @param positions  whether to set eval->term_positions to the hits' indices in the block
 * @param index      receives the hits' indices in `docs`; room for hits + CSD_INTERSECT_ROOM
 * @param part       set to how many of the docs are before the block's end
 * @return the number of hits, or -LIST_CORRUPT
 */
int csd_term_intersect(struct csd_eval *eval, struct csd_list_cursor *cursor, const uint32_t *docs,
                       uint32_t n, bool positions, uint16_t *index, uint32_t *part);

/**
 * Finds which of `n` ascending docs are in the list.
 *
 * @param index  receives the hits' indices in `docs`; room for n + CSD_INTERSECT_ROOM
 * @param freqs  receives the hits' frequencies, room for n; NULL: neither they nor norms are wanted
 * @param norms  likewise their norms
 * @return the number of hits, or a negated status
 */
int csd_term_find(struct csd_eval *eval, struct csd_node *term, const uint32_t *docs, uint32_t n,
                  uint16_t *index, uint32_t *freqs, uint8_t *norms);

/** Makes `n` indices in a part of an array, which begins at `start`, indices in the whole. */
static inline void csd_add_to_index(uint16_t *index, uint32_t n, uint32_t start) {
  if (start > 0) {
    for (uint32_t j = 0; j < n; j++) {
      index[j] = (uint16_t)(index[j] + start);
    }
  }
}

/** Sets *next so that no match is in [from, *next). If the first match may be far, *next is it. */
int csd_term_next(const struct csd_node *node, uint32_t from, uint32_t *next);

/** Loads the frequencies and norms of the current block. */
int csd_term_load(struct csd_node *node);

/** The place, in a FEATURE_TERM's tables, of the score of a frequency: those outside the tables
 * score as the nearest one within. */
static inline size_t csd_term_feature_place(const struct csd_node *node, uint32_t freq) {
  const uint32_t high = freq >> 8;
  if (high < node->first_high) {
    return CSD_NORM_TABLE_ENTRIES - 1u;
  }
  const uint32_t table = high - node->first_high;
  return table < node->tables ? (size_t)table * CSD_NORM_TABLE_ENTRIES +
                                    (CSD_NORM_TABLE_ENTRIES - 1u - (freq & 255u))
                              : (size_t)(node->tables - 1u) * CSD_NORM_TABLE_ENTRIES;
}

/** The place, in the tables of scores, of the score of a posting. No page is trusted: freq may be
 * 0.
 */
static inline size_t csd_term_score_place(const struct csd_node *node, uint32_t freq,
                                          uint8_t norm) {
  if (node->is_feature) {
    return csd_term_feature_place(node, freq);
  }
  const uint32_t table = freq - 1u < node->tables ? freq - 1u : node->tables - 1u;
  return (size_t)table * CSD_NORM_TABLE_ENTRIES + norm;
}

/** The score of a LINEAR_TERM's frequency. */
static inline float csd_term_linear_score(const struct csd_node *node, uint32_t freq) {
  const uint32_t most = node->most_freq;
  return node->factor * csd_feature_value(freq < most ? freq : most);
}

/** The score of a posting that has not to be computed from its norm table. */
static inline float csd_term_own_score(const struct csd_node *node, uint32_t freq, uint8_t norm) {
  return node->is_linear ? csd_term_linear_score(node, freq)
                         : node->table[csd_term_score_place(node, freq, norm)];
}

/** The score of a frequency, which need not be a whole number, with a norm. */
static inline float csd_term_freq_score(const struct csd_node *node, float freq, uint8_t norm) {
  return node->weight - node->weight / (1.0f + freq * node->table[norm]);
}

/** Scores `n` postings of a TERM. */
static inline void csd_term_scores(const struct csd_eval *eval, const struct csd_node *node,
                                   const uint32_t *freqs, const uint8_t *norms, unsigned n,
                                   float *scores) {
  if (node->tables == 0) {
    eval->kernels->score(node->weight, node->table, freqs, norms, n, scores);
    return;
  }
  if (node->is_linear) {
    for (unsigned i = 0; i < n; i++) {
      scores[i] = csd_term_linear_score(node, freqs[i]);
    }
    return;
  }
  for (unsigned i = 0; i < n; i++) {
    scores[i] = node->table[csd_term_score_place(node, freqs[i], norms[i])];
  }
}

/** Scores `n` postings of the current block, by position, into eval->term_scores. */
int csd_term_score(struct csd_eval *eval, struct csd_node *node, const uint8_t *position,
                   unsigned n);

/** Scores all postings of the current block into eval->term_scores. */
int csd_term_score_block(struct csd_eval *eval, struct csd_node *node);

/** Keeps the docs of a term's scored batch that score above `above`; valid until the next call. */
void csd_term_keep_above(struct csd_eval *eval, struct csd_batch *batch, float above);

/**
 * Makes one number of an impacts word, the impact: scores rise with it. An unknown word, 0, gives
 * infinity.
 */
float csd_term_impact(const struct csd_node *node, uint64_t impacts);

/** The score of an impact. */
static inline float csd_term_impact_score(const struct csd_node *node, float impact) {
  if (node->tables > 0) {
    return impact < node->weight ? impact : node->weight;
  }
  return node->weight - node->weight / (1.0f + impact);
}

/** Returns an impact that whatever scores `score` or more reaches; never below 0. */
float csd_term_min_impact(const struct csd_node *node, float score);

/** Bound of the scores under an impacts word; 0: the word is unknown. */
float csd_term_bound(const struct csd_node *node, uint64_t impacts);

/** Bound of the current block's scores. */
float csd_term_block_bound(struct csd_node *node);

/** Bound of the scores in [start of the current block, to). */
float csd_term_range_bound(struct csd_node *node, uint32_t to);

#endif
