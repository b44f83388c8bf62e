/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
#include "tests/core/eval/eval_world.h"

#include <stdlib.h>
#include <string.h>

#include "core/compile/compile.h"
#include "core/plan/plan_check.h"

static uint8_t *found;      /* by doc: how often it was produced */
static float *found_scores; /* by doc */

void eval_plan_init(struct program_world *world, bool scored) {
  test_plan_init(&program_plan, world->max_doc);
  test_plan_extents(&program_plan, &world->source);
  for (uint32_t list = 0; list < PROGRAM_LISTS; list++) {
    test_plan_list(&program_plan, &world->ref[list]);
  }
  test_plan_table(&program_plan, 24.0f);
  program_plan.header.max_result_bytes = PROGRAM_RESULT_BYTES;
  program_plan.header.mode = scored ? CSD_MODE_SCORED_DOCS : CSD_MODE_COUNT;
}

static void add_terms(struct program_world *world, unsigned occur, uint32_t count) {
  for (uint32_t i = 0; i < count; i++) {
    const float weight = below(world, 20) == 0 ? 0.0f : (float)(1 + below(world, 8000)) / 1000.0f;
    test_plan_term(&program_plan, occur, below(world, PROGRAM_LISTS), weight);
  }
}

void eval_plan_flat(struct program_world *world, uint32_t must, uint32_t should, uint32_t must_not,
                    uint32_t min_should) {
  test_plan_node(&program_plan, CSD_OP_BOOL, CSD_OCCUR_MUST, must + should + must_not)->min_should =
      (uint16_t)min_should;
  add_terms(world, CSD_OCCUR_MUST, must);
  add_terms(world, CSD_OCCUR_SHOULD, should);
  add_terms(world, CSD_OCCUR_MUST_NOT, must_not);
}

void eval_case_begin(struct eval_case *c, struct program_world *world) {
  struct csd_plan plan;
  test_plan_write(&program_plan, program_bytes);
  int status =
      csd_plan_check(program_bytes, test_plan_bytes(&program_plan), PROGRAM_RESULT_BYTES, &plan);
  *c = (struct eval_case){.world = world,
                          .arena = {.next = program_grant, .left = PROGRAM_GRANT_BYTES},
                          .scored = plan.scored};
  c->eval = csd_arena_take(&c->arena, sizeof *c->eval);
  memset(c->eval, 0, sizeof *c->eval);
  const struct csd_kernels *kernels = world->source.source.kernels;
  c->eval->kernels = kernels != NULL ? kernels : csd_kernels_choose();
  c->eval->ranking.min_score = -__builtin_inff();
  if (status == 0) {
    status = csd_compile(&c->arena, &plan, &world->source.source, false, c->eval);
  }
  if (status < 0) {
    printf("seed %" PRIu64 ": the plan does not compile: %d\n", world->seed, status);
    abort();
  }
  c->matches = program_world_matches(world, &c->match_count);
}

void eval_case_end(struct eval_case *c) {
  csd_eval_close(c->eval);
  CHECK_EQ(0, c->world->source.pins_held);
}

void eval_case_take(struct eval_case *c, const struct csd_root_way *way, uint32_t k) {
  const struct csd_wanted wanted = {.k = k};
  REQUIRE(way->applies(c->eval->root, &wanted));
  c->eval->way = way;
  c->eval->way_state = way->make(&c->arena, c->eval->root, &wanted);
  REQUIRE(c->eval->way_state != NULL);
}

void eval_case_rank(struct eval_case *c) {
  struct csd_ranking *ranking = &c->eval->ranking;
  ranking->active = true;
  ranking->may_skip = true;
  ranking->full = true;
  if (c->match_count > 0) {
    ranking->min_score = c->matches[below(c->world, c->match_count)].score;
  }
}

/* ---- produce ---- */

static void note_doc(uint32_t doc, float score, uint32_t from, uint32_t upto, bool repeats) {
  if (CHECK_MSG(doc >= from && doc < upto, "doc %u is not in [%u, %u)", doc, from, upto)) {
    const bool again = repeats && found[doc] > 0;
    found[doc] = (uint8_t)(found[doc] + (again ? 0u : 1u));
    found_scores[doc] = again && found_scores[doc] > score ? found_scores[doc] : score;
  }
}

static void note_batch(const struct csd_batch *batch, uint32_t from, uint32_t upto) {
  if (batch->bits != NULL) {
    for (uint32_t doc = batch->bits_base; doc < batch->upto; doc++) {
      const uint32_t bit = doc - batch->bits_base;
      if ((batch->bits[bit / 64] >> (bit % 64) & 1) != 0) {
        note_doc(doc, 0.0f, from, upto, false);
      }
    }
    return;
  }
  for (uint32_t i = 0; i < batch->n; i++) {
    const float score = batch->scoring == CSD_SCORING_ARRAY      ? batch->scores[i]
                        : batch->scoring == CSD_SCORING_CONSTANT ? batch->constant
                                                                 : 0.0f;
    note_doc(batch->docs[i], score, from, upto, batch->repeats);
  }
}

/*
 * Batch after batch.
 *
 * @param varies  each call may have a limit of its own, as those of a sorter have, and cursors may
 *                be put back before it
 */
static void produce_all(struct eval_case *c, eval_way way, bool in_order, bool varies,
                        uint32_t from, uint32_t limit) {
  const uint64_t seed = c->world->seed;
  for (uint32_t at = from; at < limit && check_failures == 0;) {
    const bool cuts = varies && below(c->world, 2) == 0;
    const uint32_t room = below(c->world, 2) == 0 ? limit - at : (limit - at) / 16u + 1u;
    const uint32_t end = cuts ? at + 1u + below(c->world, room) : limit;
    if (varies && below(c->world, 8) == 0) {
      csd_eval_rewind(c->eval);
    }
    struct csd_batch batch = {.upto = end, .scoring = CSD_SCORING_NONE};
    const int status = way(c->eval, at, end, &batch);
    if (!CHECK_MSG(status == 0, "seed %" PRIu64 ": produce gives %d", seed, status) ||
        !CHECK_MSG(batch.upto <= end && batch.upto >= at + in_order,
                   "seed %" PRIu64 ": a batch of [%u, %u) ends at %u", seed, at, end, batch.upto)) {
      return;
    }
    note_batch(&batch, at, in_order ? batch.upto : end);
    at = batch.upto;
  }
}

/* Produces some docs in vain, as a sorter that looks at promising ones first does. */
static void seed_and_rewind(struct eval_case *c, eval_way way) {
  const uint32_t limit = 1 + below(c->world, c->world->max_doc);
  produce_all(c, way, true, below(c->world, 2) == 0, below(c->world, 2) * below(c->world, limit),
              limit);
  csd_eval_rewind(c->eval);
  memset(found, 0, limit);
}

static void compare(const struct eval_case *c, uint32_t from, uint32_t limit) {
  const uint64_t seed = c->world->seed;
  const float min_score = c->eval->ranking.min_score;
  for (uint32_t i = 0; i < c->match_count && check_failures == 0; i++) {
    const struct program_hit *match = &c->matches[i];
    if (match->doc < from || match->doc >= limit) {
      continue;
    }
    const bool is_there = found[match->doc] > 0;
    const bool may_lack = c->eval->ranking.active && match->score <= min_score;
    CHECK_MSG(is_there || may_lack, "seed %" PRIu64 ": doc %u, score %a, is missing", seed,
              match->doc, (double)match->score);
    if (is_there && c->scored && match->score > min_score) {
      CHECK_MSG(memcmp(&match->score, &found_scores[match->doc], sizeof(float)) == 0,
                "seed %" PRIu64 ": doc %u has score %a, not %a", seed, match->doc,
                (double)found_scores[match->doc], (double)match->score);
    }
    CHECK_MSG(found[match->doc] <= 1, "seed %" PRIu64 ": doc %u came twice", seed, match->doc);
    found[match->doc] = 0;
  }
  for (uint32_t doc = from; doc < limit && check_failures == 0; doc++) {
    CHECK_MSG(found[doc] == 0, "seed %" PRIu64 ": doc %u is no match", seed, doc);
  }
}

void eval_case_compare(struct eval_case *c, eval_way way, bool in_order) {
  const uint32_t max_doc = c->world->max_doc;
  const uint32_t limit = below(c->world, 3) == 0 ? 1 + below(c->world, max_doc) : max_doc;
  const uint32_t from = below(c->world, 3) == 0 ? below(c->world, limit) : 0;
  memset(found, 0, max_doc);
  if (in_order && below(c->world, 4) == 0) {
    seed_and_rewind(c, way);
  }
  produce_all(c, way, in_order, in_order && below(c->world, 2) == 0, from, limit);
  compare(c, from, limit);
}

/* ---- probe ---- */

void eval_case_probe(struct eval_case *c, struct csd_node *node) {
  static uint32_t docs[CSD_WINDOW_DOCS];
  static uint16_t index[CSD_WINDOW_DOCS + 64];
  static float scores[CSD_WINDOW_DOCS];
  const uint64_t seed = c->world->seed;
  const uint32_t step = 1 + below(c->world, 40);
  uint32_t match = 0;
  for (uint32_t doc = 0; doc < c->world->max_doc && check_failures == 0;) {
    const uint32_t room = 1 + below(c->world, CSD_WINDOW_DOCS);
    struct csd_hits hits = {.index = index, .scores = scores};
    uint32_t n = 0;
    for (; n < room && doc < c->world->max_doc; doc += 1 + below(c->world, step)) {
      docs[n++] = doc;
    }
    const int status = csd_eval_probe(c->eval, node, docs, n, c->scored, &hits);
    REQUIRE(CHECK_MSG(status == 0, "seed %" PRIu64 ": probe gives %d", seed, status));
    uint32_t hit = 0;
    for (uint32_t i = 0; i < n && check_failures == 0; i++) {
      while (match < c->match_count && c->matches[match].doc < docs[i]) {
        match++;
      }
      const bool wanted = match < c->match_count && c->matches[match].doc == docs[i];
      const bool got = hit < hits.n && index[hit] == i;
      CHECK_MSG(wanted == got, "seed %" PRIu64 ": doc %u: %d, not %d", seed, docs[i], got, wanted);
      if (got && wanted && c->scored) {
        CHECK_MSG(memcmp(&scores[hit], &c->matches[match].score, sizeof(float)) == 0,
                  "seed %" PRIu64 ": doc %u has score %a, not %a", seed, docs[i],
                  (double)scores[hit], (double)c->matches[match].score);
      }
      hit += got;
    }
    CHECK_EQ(hit, hits.n);
  }
}

void eval_worlds(uint64_t first_seed, void (*test)(struct program_world *world)) {
  static const uint32_t sizes[] = {100, 3000, 20000, 60000};
  found = calloc(PROGRAM_SPARSE_FROM, 1);
  found_scores = calloc(PROGRAM_SPARSE_FROM, sizeof *found_scores);
  program_buffers_take();
  /* With CSD_TEST_SHARE as many plans over fewer worlds, which take longer than they do. */
  const uint64_t worlds = program_share(16) < 16 ? 5 : 16;
  const int plans = (int)(program_share(12) * 16 / worlds);
  for (uint64_t i = 0; i < worlds && check_failures == 0; i++) {
    struct program_world world;
    program_world_make(&world, first_seed + i, i == 0 ? PROGRAM_SPARSE_FROM : sizes[i % 4]);
    for (int plan = 0; plan < plans && check_failures == 0; plan++) {
      test(&world);
    }
    program_world_free(&world);
  }
  program_buffers_free();
  free(found);
  free(found_scores);
}
