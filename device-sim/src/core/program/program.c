/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
#include "core/program/program.h"

#include <string.h>

#include "core/aggregate/aggregation.h"
#include "core/compile/compile.h"
#include "core/compile/score_units.h"
#include "core/eval/eval.h"
#include "core/eval/eval_bits.h"
#include "core/filters/filters.h"
#include "core/plan/arena.h"
#include "core/plan/plan_check.h"
#include "core/program/collector.h"
#include "core/program/equal_scores.h"
#include "core/program/rank_ways.h"
#include "core/program/rest_count.h"
#include "core/root/root_way.h"
#include "core/sort/sorter.h"
#include "core/sort/sorter_seed.h"
#include "core/sort/sorter_step.h"

/* A disjunction of at least so many postings is counted first and ranked afterwards: choose_stages.
 */
#define TWO_STAGES_PAY_FROM 4096u

/* Docs of the segment per match of a lone term, up to which its docs are sorted as bits. */
#define TERM_BITS_PAY_TO_GAP 16u

/* What the current pass over the docs does. */
enum stage {
  STAGE_SEED,  /* promising docs first; then everything at once */
  STAGE_ALL,   /* everything at once */
  STAGE_COUNT, /* the exact number of matches; the ranking comes afterwards, in STAGE_RANK */
  STAGE_RANK,  /* the best hits only; the count is known */
  STAGE_KNOWN, /* nothing: the count is known without a look at the lists */
  STAGE_DONE,
};

struct csd_program {
  struct csd_eval eval;
  struct csd_collector collector;
  struct csd_sorter *sorter;           /* TOP_K_BY_COLUMN: instead of the collector; else NULL */
  struct csd_aggregation *aggregation; /* AGGREGATE: likewise */
  struct csd_equal_scores equal;       /* TOP_K */
  struct csd_node *root;               /* of the plan; eval's may be this one: */
  struct csd_rest_count rest;          /* for counting */
  enum stage stage;
  bool scored;
  uint32_t min_doc;
  uint32_t limit_doc;
  uint32_t next_doc;
  uint32_t count_threshold;
  uint64_t known_count; /* at least so many docs match */
  bool count_is_rest;   /* COUNT: the matches are known_count less those that are found */
  bool counted_in_part; /* STAGE_COUNT ended at the threshold */
  int failure;          /* status of the step that failed */
};

/* ---- begin ---- */

/* For counts over all docs: counts a conjunction instead if it needs fewer postings. */
static void shorten_count(struct csd_program *program) {
  struct csd_node *shorter =
      csd_rest_count(&program->rest, program->eval.root, &program->known_count);
  if (shorter != NULL) {
    program->eval.root = shorter;
    program->count_is_rest = true;
  }
}

/* Non-competitive matches need not be counted from now on. */
static void may_skip(struct csd_program *program) {
  const struct csd_root_way *way = program->eval.way;
  program->eval.ranking.may_skip = true;
  program->collector.counts &= way == NULL || !way->repeats;
}

/*
 * For TOP_K: ranking alone can leave out most docs, counting alone needs no scores. So nothing is
 * counted if the lengths of the lists show that more docs match than must be counted. If all
 * matches must be counted and there are many, they are counted first and ranked then. So they are
 * if there are filters, as far as they must be counted: filters leave few to be counted of many.
 */
static void choose_stages(struct csd_program *program, bool all_docs) {
  struct csd_eval *eval = &program->eval;
  const struct csd_root_way *way = eval->way;
  const bool ranks_alone = way != NULL && way->ranks_alone;
  csd_equal_scores_init(&program->equal, eval->root);
  program->equal.known &= way == NULL || !way->any_order;
  eval->ranking.exact = (program->equal.known && program->equal.exact) ||
                        (eval->root->exact_sums && csd_rounds_once(eval->root));
  bool exact;
  const uint64_t least = all_docs ? csd_min_count(eval->root, &exact) : 0;
  if (least > program->count_threshold) {
    program->known_count = least;
    may_skip(program);
  } else if (all_docs && exact) {
    program->known_count = least;
    program->count_is_rest = true;
    program->stage = STAGE_RANK;
    program->collector.counts = false;
    eval->ranking.may_skip = true;
  } else if (program->equal.known && !ranks_alone) {
    eval->bits_wanted = true; /* for the rest, when the best hits are found */
  } else if ((program->count_threshold == CSD_EXACT_COUNT || eval->filters != NULL) &&
             ranks_alone && eval->root->cost >= TWO_STAGES_PAY_FROM) {
    program->stage = STAGE_COUNT;
    program->scored = false;
    eval->bits_wanted = true;
    if (all_docs) {
      shorten_count(program);
    }
  }
}

/* Lets the root produce bits instead of docs where that is cheaper. */
static int choose_bits(struct csd_program *program, struct csd_arena *arena,
                       const struct csd_plan_header *header) {
  struct csd_eval *eval = &program->eval;
  const bool counted = header->mode != CSD_MODE_DOCS && header->mode != CSD_MODE_AGGREGATE;
  const bool term_pays = program->sorter != NULL && eval->root->op->is_term &&
                         eval->root->cost >= header->max_doc / TERM_BITS_PAY_TO_GAP;
  if (!eval->bits_wanted || !(term_pays || csd_bits_pay(eval->root, counted, header->max_doc))) {
    return 0;
  }
  uint32_t docs = (header->max_doc + 63u) & ~63u;
  docs = docs < CSD_WIDE_DOCS ? docs : CSD_WIDE_DOCS;
  if (!counted) {
    /* Matches of a window that do not fit the page are produced again for the next one. */
    const uint32_t room = (program->collector.entry_limit + 63u) & ~63u;
    const uint32_t most = room > CSD_WINDOW_DOCS ? room : CSD_WINDOW_DOCS;
    docs = docs < most ? docs : most;
  }
  eval->wide = csd_bits_make(arena, docs);
  return eval->wide != NULL ? 0 : -CSD_STATUS_INSUFFICIENT_GRANT;
}

/*
 * For TOP_K_BY_COLUMN: as choose_stages, matches need not be counted if the lengths of the lists
 * tell how many they are, or that they are more than must be counted.
 */
static int make_sorter(struct csd_program *program, struct csd_arena *arena,
                       const struct csd_plan *plan, const struct csd_page_source *source,
                       const uint64_t *live_docs, uint8_t *result) {
  const struct csd_plan_header *header = &plan->header;
  struct csd_eval *eval = &program->eval;
  program->sorter = csd_sorter_make(arena, plan, source, eval, live_docs, result);
  if (program->sorter == NULL) {
    return -CSD_STATUS_INSUFFICIENT_GRANT;
  }
  const bool all_docs = live_docs == NULL && eval->filters == NULL && header->min_doc == 0 &&
                        header->limit_doc == header->max_doc;
  const struct csd_node *root = eval->root;
  bool exact;
  const uint64_t least = all_docs ? csd_min_count(root, &exact) : 0;
  if ((live_docs == NULL && root->op->matches_all) || (all_docs && root->op->is_term)) {
    program->known_count = root->op->matches_all ? header->limit_doc - header->min_doc : root->cost;
    program->count_is_rest = true;
    program->sorter->counts = false;
    eval->ranking.may_skip = true;
  } else if (least > program->count_threshold) {
    program->known_count = least;
    eval->ranking.may_skip = true;
  }
  if (csd_sorter_choose_seed(program->sorter, header, root->cost)) {
    program->stage = STAGE_SEED;
    program->next_doc = program->sorter->seed_from;
  }
  return 0;
}

/* Lays the program out and compiles the plan; a new program is all zero but for large buffers. */
static int lay_out(struct csd_program *program, struct csd_arena *arena,
                   const struct csd_plan *plan, uint8_t *result, size_t result_bytes,
                   const struct csd_page_source *source) {
  const struct csd_plan_header *header = &plan->header;
  struct csd_eval *eval = &program->eval;
  const uint64_t *live_docs = NULL;
  if (header->live_docs != 0) {
    live_docs = source->doc_bits(source->context, header->live_docs, header->max_doc);
    if (live_docs == NULL) {
      return -CSD_STATUS_NO_RESOURCE;
    }
  }
  eval->kernels = source->kernels != NULL ? source->kernels : csd_kernels_choose();
  memset(&eval->work, 0, sizeof eval->work);
  eval->way = NULL;
  eval->wide = NULL;
  eval->all_docs = NULL;
  eval->column_window = NULL;
  eval->phrases = NULL;
  eval->bits_wanted = !plan->scored;
  const int status = csd_compile(arena, plan, source, true, eval);
  if (status < 0) {
    return status;
  }
  if (plan->scored) {
    const struct csd_wanted wanted = {.k = header->mode == CSD_MODE_TOP_K ? header->k : 0,
                                      .complete = (header->flags & CSD_PLAN_FLAG_HAS_AFTER) != 0,
                                      .filtered = eval->filters != NULL};
    const int chosen = csd_rank_ways_choose(arena, eval, &wanted);
    if (chosen < 0) {
      return chosen;
    }
  }
  const size_t capacity =
      result_bytes < header->max_result_bytes ? result_bytes : header->max_result_bytes;
  csd_collector_open(&program->collector, plan, result, (uint32_t)capacity, live_docs,
                     eval->kernels, &eval->ranking);
  program->stage = STAGE_ALL;
  program->scored = plan->scored;
  program->min_doc = header->min_doc;
  program->limit_doc = header->limit_doc;
  program->next_doc = header->min_doc;
  program->count_threshold = header->count_threshold;
  program->known_count = 0;
  program->equal.known = false;
  eval->ranking.exact = false;
  program->count_is_rest = false;
  program->counted_in_part = false;
  program->sorter = NULL;
  program->aggregation = NULL;
  program->failure = 0;
  const bool all_docs = live_docs == NULL && eval->filters == NULL && header->min_doc == 0 &&
                        header->limit_doc == header->max_doc;
  program->root = eval->root;
  if (header->mode == CSD_MODE_COUNT && all_docs) {
    if (eval->root->op->is_term) {
      program->known_count = eval->root->cost;
      program->count_is_rest = true;
      program->stage = STAGE_KNOWN;
    } else {
      shorten_count(program);
    }
  }
  int chosen = 0;
  if (header->mode == CSD_MODE_TOP_K) {
    choose_stages(program, all_docs);
  } else if (header->mode == CSD_MODE_TOP_K_BY_COLUMN) {
    chosen = make_sorter(program, arena, plan, source, live_docs, result);
  }
  chosen = chosen < 0 ? chosen : choose_bits(program, arena, header);
  if (chosen == 0 && header->mode == CSD_MODE_TOP_K &&
      !csd_collector_take_memory(&program->collector, arena, header->k)) {
    chosen = -CSD_STATUS_INSUFFICIENT_GRANT;
  }
  if (chosen == 0 && header->mode == CSD_MODE_AGGREGATE) {
    chosen = csd_aggregation_make(arena, plan, (uint32_t)capacity, live_docs, source, eval,
                                  &program->aggregation);
  }
  return chosen;
}

int csd_program_begin(void *grant, size_t grant_bytes, const uint8_t *plan, size_t plan_bytes,
                      uint8_t *result, size_t result_bytes, const struct csd_page_source *source,
                      struct csd_program **program) {
  struct csd_plan checked;
  int status = csd_plan_check(plan, plan_bytes, result_bytes, &checked);
  if (status < 0) {
    return status;
  }
  struct csd_arena arena = {.next = grant, .left = grant_bytes};
  struct csd_program *made = csd_arena_take(&arena, sizeof *made);
  if (made == NULL) {
    return -CSD_STATUS_INSUFFICIENT_GRANT;
  }
  status = lay_out(made, &arena, &checked, result, result_bytes, source);
  if (status == 0) {
    *program = made;
  }
  return status;
}

/* ---- step ---- */

/* Hits that are kept so far, of a mode that keeps the best. */
static uint32_t hit_count(const struct csd_program *program) {
  if (program->sorter != NULL) {
    return program->sorter->heap.count;
  }
  return program->collector.mode == CSD_MODE_TOP_K ? csd_topk_hits(&program->collector.topk) : 0;
}

static int finish(struct csd_program *program) {
  struct csd_collector *collector = &program->collector;
  struct csd_work *work = &program->eval.work;
  const int flushed =
      program->aggregation != NULL ? csd_aggregation_flush(program->aggregation) : 0;
  if (flushed < 0) {
    return flushed;
  }
  uint64_t count = program->sorter != NULL ? program->sorter->count : collector->count;
  unsigned flags = (unsigned)program->eval.ranking.way << CSD_WAY_SHIFT;
  if (program->count_is_rest) {
    count = program->known_count - count;
  } else if (program->eval.ranking.has_skipped && program->stage == STAGE_ALL) {
    count = count > program->known_count ? count : program->known_count;
    flags |= CSD_RESULT_FLAG_COUNT_LOWER_BOUND;
  } else if (program->counted_in_part) {
    flags |= CSD_RESULT_FLAG_COUNT_LOWER_BOUND;
  }
  if ((flags & CSD_RESULT_FLAG_COUNT_LOWER_BOUND) != 0) {
    /* Of docs that were not counted, the hits are matches all the same. */
    const uint64_t hits = hit_count(program);
    count = count > hits ? count : hits;
  }
  if (program->next_doc < program->limit_doc) {
    flags |= CSD_RESULT_FLAG_MORE;
  }
  const struct csd_reads reads = csd_eval_reads(&program->eval);
  work->pages_skipped =
      reads.pages_skipped < UINT32_MAX ? (uint32_t)reads.pages_skipped : UINT32_MAX;
  work->blocks_skipped =
      reads.blocks > work->blocks_decoded ? (uint32_t)(reads.blocks - work->blocks_decoded) : 0;
  if (program->sorter != NULL) {
    csd_sorter_close(program->sorter, count, program->next_doc, flags);
  } else {
    csd_collector_close(collector, count, program->next_doc, flags, work);
  }
  if (program->aggregation != NULL) {
    csd_aggregation_close(program->aggregation, collector->result);
  }
  program->stage = STAGE_DONE;
  return 0;
}

/* Starts again, to rank: now non-competitive matches are left out. */
static void start_ranking(struct csd_program *program) {
  csd_eval_rewind(&program->eval);
  program->stage = STAGE_RANK;
  program->scored = true;
  program->eval.root = program->root;
  program->eval.bits_wanted = false;
  program->next_doc = program->min_doc;
  program->collector.counts = false;
  program->eval.ranking.may_skip = true;
}

/* The docs that were promising have been looked at; now all, from the first one on. */
static void start_all(struct csd_program *program) {
  csd_eval_rewind(&program->eval);
  csd_sorter_rewind(program->sorter);
  program->stage = STAGE_ALL;
  program->next_doc = program->min_doc;
}

/*
 * Passes over what cannot be a hit, where scores are equal: everything, once the best are found;
 * all up to the doc that hits have to come after. If the others have to be counted, that needs no
 * scores.
 */
static void pass_over_equal(struct csd_program *program) {
  const struct csd_collector *collector = &program->collector;
  struct csd_ranking *ranking = &program->eval.ranking;
  const bool done = csd_equal_scores_done(&program->equal, ranking);
  if (!ranking->may_skip) {
    program->scored &= !done;
    return;
  }
  uint32_t next = program->next_doc;
  if (done) {
    next = program->limit_doc;
  } else if (program->equal.flat && collector->has_after &&
             collector->after_score == program->equal.top &&
             (int64_t)collector->after_doc >= (int64_t)next) {
    next = (uint32_t)collector->after_doc + 1u;
  }
  next = next < program->limit_doc ? next : program->limit_doc;
  ranking->has_skipped |= next > program->next_doc;
  program->next_doc = next;
}

/* Produces one batch and collects it. */
static int step_batch(struct csd_program *program) {
  struct csd_eval *eval = &program->eval;
  if (program->sorter != NULL) {
    return csd_sorter_step(program->sorter, eval, program->limit_doc, &program->next_doc);
  }
  struct csd_collector *collector = &program->collector;
  uint32_t limit = program->limit_doc;
  if (program->equal.known && program->scored) {
    limit = csd_equal_scores_limit(&program->equal, program->next_doc, limit);
  }
  struct csd_batch batch;
  const int status =
      csd_filters_produce(eval->filters, eval, program->next_doc, limit, program->scored, &batch);
  if (status < 0) {
    return status;
  }
  eval->work.units += 4u + batch.n;
  if (program->aggregation != NULL) {
    program->next_doc = batch.upto;
    return csd_aggregation_take(program->aggregation, &batch, &collector->count);
  }
  program->next_doc = csd_collector_take(collector, &batch);
  eval->work.docs_ranked = collector->compared;
  eval->work.results_taken = collector->entries + collector->offered;
  if (eval->ranking.active && program->stage == STAGE_ALL &&
      collector->count > program->count_threshold) {
    may_skip(program);
  }
  return 0;
}

int csd_program_step(struct csd_program *program, uint64_t budget) {
  if (program->failure < 0) {
    return program->failure;
  }
  const uint64_t start = program->eval.work.units;
  const uint64_t stop = budget < UINT64_MAX - start ? start + budget : UINT64_MAX;
  for (;;) {
    if (program->stage == STAGE_DONE) {
      return 0;
    }
    if (program->stage == STAGE_KNOWN) {
      program->next_doc = program->limit_doc;
    }
    if (program->stage == STAGE_SEED && program->next_doc >= program->sorter->seed_limit) {
      start_all(program);
    }
    if (program->stage == STAGE_COUNT && (program->next_doc >= program->limit_doc ||
                                          program->collector.count > program->count_threshold)) {
      program->counted_in_part = program->next_doc < program->limit_doc;
      start_ranking(program);
    }
    if (program->equal.known) {
      pass_over_equal(program);
    }
    const bool ends = program->next_doc >= program->limit_doc || program->collector.full;
    const int status = ends ? finish(program) : step_batch(program);
    if (status < 0) {
      program->failure = status;
      return status;
    }
    if (ends) {
      return 0;
    }
    if (program->eval.work.units >= stop && program->next_doc < program->limit_doc) {
      return 1;
    }
  }
}

const struct csd_work *csd_program_work(const struct csd_program *program) {
  return &program->eval.work;
}

void csd_program_end(struct csd_program *program) {
  csd_eval_close(&program->eval);
  if (program->sorter != NULL) {
    csd_sorter_end(program->sorter);
  }
}
