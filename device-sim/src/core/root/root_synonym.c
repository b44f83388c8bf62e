/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/* Tests: tests/core/root/test_root_synonym.c. */
/*
 * Works from part to part, as root_trees. A synonym's impacts add up, so that a rare term
 * would loosen the bounds of all others: where a term has docs again that had none for long, a new
 * part begins. In a part with docs of one term alone these score as the term would: what is as good
 * as the worst hit counts as well as nothing there, and a sieve drops whole blocks.
 */
#include "core/eval/bool/eval_or.h"
#include "core/eval/bool/eval_single.h"
#include "core/eval/bool/eval_synonym.h"
#include "core/eval/eval_term.h"
#include "core/root/root_tree.h"
#include "core/root/root_ways.h"

/* Parts without a competitive doc that one call passes over. */
#define PARTS_AT_ONCE 64u

/* Docs from which on a term that has none of them is left out of a part. */
#define FAR_DOCS CSD_BLOCK_POSTINGS

struct csd_synonym {
  struct csd_node *singles; /* for each term: a BOOL of a TERM that scores as the synonym does */
  struct csd_sieve sieve;   /* the same for all of them */
  uint32_t docs;            /* of a part of several terms, at least */
};

static bool applies(const struct csd_node *root, const struct csd_wanted *wanted) {
  return wanted->k > 0 && root->op == &csd_op_synonym && root->doc_norms == NULL && root->scored &&
         root->optional_count > 0 && root->prohibited_count == 0;
}

static void *make(struct csd_arena *arena, struct csd_node *root, const struct csd_wanted *wanted) {
  (void)wanted;
  const uint32_t count = root->optional_count;
  struct csd_synonym *synonym = csd_arena_take(arena, sizeof *synonym);
  struct csd_node *singles = csd_arena_take(arena, count * sizeof *singles);
  struct csd_node *terms = csd_arena_take(arena, count * sizeof *terms);
  struct csd_node **children = csd_arena_take(arena, count * sizeof *children);
  if (synonym == NULL || singles == NULL || terms == NULL || children == NULL) {
    return NULL;
  }
  for (uint32_t i = 0; i < count; i++) {
    terms[i] = *root->optional[i];
    terms[i].scored = true;
    terms[i].weight = root->weight;
    csd_make_single(&singles[i], &children[i], &terms[i]);
    singles[i].frame = root->frame;
  }
  synonym->singles = singles;
  synonym->sieve.made = false;
  synonym->docs = 0;
  return synonym;
}

/* Seeks every term. Lowers *start to the first doc that may match, *end to where the part ends. */
static int seek_all(const struct csd_node *root, uint32_t from, uint32_t *start, uint32_t *end) {
  for (uint32_t i = 0; i < root->optional_count; i++) {
    struct csd_node *term = root->optional[i];
    uint32_t first;
    const int status = csd_term_next(term, from, &first);
    if (status < 0) {
      return status;
    }
    const bool is_far = first > from && first - from >= FAR_DOCS;
    const uint32_t part_end = is_far ? first : term->cursor->block_end;
    *start = first < *start ? first : *start;
    *end = part_end < *end ? part_end : *end;
  }
  *start = *start > from ? *start : from;
  return 0;
}

/* Whether a term may have docs in [from, end); it has been sought up to `from`. */
static bool has_docs(const struct csd_node *term, uint32_t from, uint32_t end) {
  const struct csd_list_cursor *cursor = term->cursor;
  return csd_list_cursor_block_start(cursor) < end &&
         (!cursor->docs_ready || cursor->docs[csd_term_position(cursor, from)] < end);
}

/* Number of the one term with docs in [from, end) that scores there as the synonym does; the number
   of terms if there is none, or more than one. */
static uint32_t only_term(const struct csd_node *root, uint32_t from, uint32_t end) {
  const uint32_t count = root->optional_count;
  uint32_t only = count;
  for (uint32_t i = 0; i < count; i++) {
    if (has_docs(root->optional[i], from, end)) {
      if (only < count) {
        return count;
      }
      only = i;
    }
  }
  const bool scores_alike =
      only < count && root->has_impacts && root->optional[only]->weight == 1.0f;
  return scores_alike ? only : count;
}

/* Bound of the scores in [from, end). */
static double bound_of(const struct csd_node *root, uint32_t from, uint32_t end) {
  double impact = 0.0;
  for (uint32_t i = 0; i < root->optional_count; i++) {
    const struct csd_node *term = root->optional[i];
    if (has_docs(term, from, end)) {
      impact += (double)csd_tree_impact(term, end) * (double)term->weight;
    }
  }
  return csd_tree_synonym_bound(root, impact) * CSD_BOUND_SLACK;
}

/* Whether no doc of one term alone up to `end` is competitive; its bound is a score. */
static bool is_excluded(const struct csd_eval *eval, const struct csd_node *single, uint32_t end) {
  struct csd_node *term = single->required[0];
  return csd_exactly_non_competitive(
      &eval->ranking, (double)csd_term_impact_score(term, csd_tree_impact(term, end)));
}

static int produce(struct csd_eval *eval, uint32_t from, uint32_t limit, struct csd_batch *batch) {
  struct csd_node *root = eval->root;
  struct csd_synonym *synonym = eval->way_state;
  for (uint32_t parts = 0; parts < PARTS_AT_ONCE && from < limit; parts++) {
    uint32_t start = CSD_CURSOR_END;
    uint32_t end = limit;
    const int status = seek_all(root, from, &start, &end);
    if (status < 0) {
      return status;
    }
    if (start >= limit) {
      from = limit;
      break;
    }
    eval->work.units += 1u + root->optional_count / 4u;
    const uint32_t only = only_term(root, start, end);
    if (only < root->optional_count) {
      struct csd_node *single = &synonym->singles[only];
      synonym->docs = 0;
      if (!is_excluded(eval, single, end)) {
        return csd_single_produce_above(eval, single, start, end, eval->ranking.min_score,
                                        &synonym->sieve, batch);
      }
    } else {
      end = csd_tree_docs_end(synonym->docs, start, end, limit);
      if (!csd_non_competitive(&eval->ranking, bound_of(root, start, end))) {
        csd_tree_docs_grow(&synonym->docs);
        return csd_or_produce(eval, root, start, end, true, batch);
      }
      synonym->docs = 0;
    }
    eval->ranking.has_skipped = true;
    from = end;
  }
  batch->upto = from;
  return 0;
}

const struct csd_root_way csd_way_synonym = {.number = CSD_WAY_SYNONYM,
                                             .needs_skip = true,
                                             .ranks_alone = true,
                                             .applies = applies,
                                             .make = make,
                                             .produce = produce};
