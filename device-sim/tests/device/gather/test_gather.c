/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/* Random plans of every mode, cut into windows anywhere: what the windows have come to together is
   what the plan gives in one go. Some windows are left out, as if the host had them. */
#include <stddef.h>
#include <stdlib.h>

#include "core/plan/plan_check.h"
#include "device/gather/gather.h"
#include "tests/core/program/program_world.h"

enum { MAX_WINDOWS = 7 };

static uint8_t *gathered, *others, *scratch, *whole, *other_plan;

static void run(struct program_world *world, uint32_t bytes) {
  struct csd_program *program = NULL;
  const int begun = program_begin(world, bytes, &program);
  CHECK_OK(begun);
  if (begun == 0) {
    int status;
    while ((status = csd_program_step(program, 100000)) > 0) {
    }
    CHECK_EQ(0, status);
    csd_program_end(program);
  }
}

/* Ascending cuts of the docs that the plan is about; some next to each other. */
static uint32_t cut(struct program_world *world, uint32_t *cuts) {
  const struct csd_plan_header *header = &program_plan.header;
  uint32_t count = 0;
  uint32_t at = header->min_doc;
  while (at < header->limit_doc && count < MAX_WINDOWS) {
    cuts[count++] = at;
    const uint32_t left = header->limit_doc - at;
    at += count == MAX_WINDOWS ? left : 1 + below(world, below(world, 4) == 0 ? 3 : left);
    at = at < header->limit_doc ? at : header->limit_doc;
  }
  cuts[count] = at;
  return count;
}

static struct csd_result_header header_of(const uint8_t *page) {
  struct csd_result_header header;
  memcpy(&header, page, sizeof header);
  return header;
}

static uint32_t named; /* pages of both sides that name the way */

static void compare(const struct csd_plan_header *plan) {
  const struct csd_result_header all = header_of(gathered), one = header_of(whole);
  if ((all.flags & CSD_RESULT_FLAG_COUNT_LOWER_BOUND) == 0 &&
      (one.flags & CSD_RESULT_FLAG_COUNT_LOWER_BOUND) == 0) {
    CHECK_EQ(one.match_count, all.match_count);
  } else {
    CHECK(all.match_count > plan->count_threshold || all.match_count == one.match_count);
  }
  CHECK_EQ(one.entry_count, all.entry_count);
  CHECK_EQ(one.total_bytes, all.total_bytes);
  CHECK_EQ(one.next_doc, all.next_doc);
  const unsigned way = one.flags >> CSD_WAY_SHIFT, gathered_way = all.flags >> CSD_WAY_SHIFT;
  CHECK(way == CSD_WAY_UNSAID || gathered_way == CSD_WAY_UNSAID || way == gathered_way);
  named += way != CSD_WAY_UNSAID && way == gathered_way;
  if (one.total_bytes == all.total_bytes) {
    CHECK_EQ(0, memcmp(gathered + sizeof all, whole + sizeof all, one.total_bytes - sizeof one));
  }
}

/* Runs program_plan in windows. @return whether all found room */
static bool run_windows(struct program_world *world, uint32_t bytes, bool leave_out) {
  struct csd_plan plan;
  struct csd_gather gather;
  uint32_t cuts[MAX_WINDOWS + 1];
  const uint32_t count = cut(world, cuts);
  test_plan_write(&program_plan, program_bytes);
  CHECK_OK(csd_plan_check(program_bytes, bytes, PROGRAM_RESULT_BYTES, &plan));
  csd_gather_open(&gather, program_bytes, &plan, gathered, PROGRAM_RESULT_BYTES);
  uint32_t taken = 0;
  for (uint32_t i = 0; i < count && check_failures == 0; i++) {
    if (leave_out && below(world, 3) == 0) {
      continue;
    }
    run(world, csd_gather_prepare(&gather, cuts[i], cuts[i + 1], 0));
    if (!csd_gather_take(&gather, program_result, scratch, PROGRAM_RESULT_BYTES)) {
      CHECK_EQ(taken, header_of(gathered).windows);
      return false;
    }
    CHECK_EQ(++taken, header_of(gathered).windows);
  }
  return true;
}

/* Runs program_plan's windows in two places, here in any order, and joins what they have come to.
 */
static bool run_two_sides(struct program_world *world, uint32_t bytes) {
  struct csd_plan plan, other;
  struct csd_gather here, there;
  uint32_t cuts[MAX_WINDOWS + 1], ours[MAX_WINDOWS], our_count = 0;
  const uint32_t count = cut(world, cuts);
  test_plan_write(&program_plan, program_bytes);
  memcpy(other_plan, program_bytes, bytes);
  CHECK_OK(csd_plan_check(program_bytes, bytes, PROGRAM_RESULT_BYTES, &plan));
  CHECK_OK(csd_plan_check(other_plan, bytes, PROGRAM_RESULT_BYTES, &other));
  if (!csd_gather_may_join(&plan)) {
    return false;
  }
  csd_gather_open(&here, program_bytes, &plan, gathered, PROGRAM_RESULT_BYTES);
  csd_gather_open(&there, other_plan, &other, others, PROGRAM_RESULT_BYTES);
  for (uint32_t i = 0; i < count; i++) {
    if (below(world, 2) == 0) {
      ours[our_count++] = i;
      continue;
    }
    /* program_begin takes program_bytes. */
    memcpy(scratch, program_bytes, bytes);
    const uint32_t grown = csd_gather_prepare(&there, cuts[i], cuts[i + 1], 0);
    memcpy(program_bytes, other_plan, grown);
    run(world, grown);
    memcpy(program_bytes, scratch, bytes);
    if (!csd_gather_take(&there, program_result, scratch, PROGRAM_RESULT_BYTES)) {
      return false;
    }
  }
  while (our_count > 0) {
    const uint32_t at = below(world, our_count);
    const uint32_t i = ours[at];
    ours[at] = ours[--our_count];
    run(world, csd_gather_prepare(&here, cuts[i], cuts[i + 1], 0));
    if (!csd_gather_take(&here, program_result, scratch, PROGRAM_RESULT_BYTES)) {
      return false;
    }
  }
  const bool joined = csd_gather_join(&here, others, scratch, PROGRAM_RESULT_BYTES);
  if (joined) {
    CHECK_EQ(count, header_of(gathered).windows);
  }
  memcpy(others, gathered, header_of(gathered).total_bytes);
  CHECK_EQ(bytes, csd_gather_restore(&here));
  CHECK_EQ(0, header_of(gathered).windows);
  test_plan_write(&program_plan, other_plan);
  CHECK_EQ(0, memcmp(program_bytes, other_plan, bytes));
  memcpy(gathered, others, header_of(others).total_bytes);
  return joined;
}

/* Whether an aggregate of a page had no room for all keys; windows may have it. */
static bool lacks_keys(const uint8_t *page) {
  const struct csd_result_header header = header_of(page);
  for (uint32_t i = 0; header.mode == CSD_MODE_AGGREGATE && i < header.entry_count; i++) {
    struct csd_aggregate_result result;
    memcpy(&result, page + sizeof header + i * sizeof result, sizeof result);
    if ((result.flags & CSD_AGGREGATE_RESULT_FLAG_MORE) != 0) {
      return true;
    }
  }
  return false;
}

static uint32_t compared, joined_plans;

static void gather_plan(struct program_world *world) {
  struct csd_plan_header *header = &program_plan.header;
  struct csd_result_header first;
  if (header->mode == CSD_MODE_SCORED_DOCS || header->min_doc == header->limit_doc ||
      !program_world_result(world, &first) || (first.flags & CSD_RESULT_FLAG_MORE) != 0 ||
      lacks_keys(program_result)) {
    return;
  }
  memcpy(whole, program_result, first.total_bytes);
  const uint32_t bytes = test_plan_bytes(&program_plan);
  if (run_windows(world, bytes, false) && check_failures == 0) {
    compare(header);
    compared++;
  }
  run_windows(world, bytes, true); /* nothing to compare with, but nothing fails */
  if (check_failures == 0 && run_two_sides(world, bytes)) {
    compare(header);
    joined_plans++;
  }
}

static void run_seeds(uint64_t first, uint32_t worlds, uint32_t max_doc,
                      void (*make_plan)(struct program_world *)) {
  compared = joined_plans = 0;
  const uint64_t limit = first + program_share(worlds);
  for (uint64_t seed = first; seed < limit && check_failures == 0; seed++) {
    struct program_world world;
    program_world_make(&world, seed, max_doc);
    for (uint32_t i = 0; i < 30 && check_failures == 0; i++) {
      make_plan(&world);
      gather_plan(&world);
      if (check_failures > 0) {
        printf("seed %" PRIu64 ", plan %u: mode %u\n", seed, i, program_plan.header.mode);
      }
    }
    program_world_free(&world);
  }
  CHECK(compared > program_share(100) && joined_plans > program_share(50));
}

static void any_plan(void) { run_seeds(1, 25, 20000, program_plan_columns); }
static void phrases(void) { run_seeds(101, 10, 20000, program_plan_phrases); }
static void rankings(void) {
  named = 0;
  run_seeds(201, 15, 60000, program_plan_ranking);
  CHECK(named > program_share(20));
}
static void equal_scores(void) { run_seeds(301, 10, 20000, program_plan_equal); }
static void sorts(void) { run_seeds(401, 20, 20000, program_plan_sorted); }
static void aggregates(void) { run_seeds(501, 30, 20000, program_plan_aggregates); }

/* A minimum score lets hits in that score the same, and none below. */
static void a_min_score_bounds_the_hits_of_a_window(void) {
  struct program_world world;
  program_world_make(&world, 7, 20000);
  uint32_t found = 0;
  for (uint32_t i = 0; i < 200 && check_failures == 0; i++) {
    struct csd_result_header all;
    program_plan_ranking(&world);
    if (program_plan.header.mode != CSD_MODE_TOP_K || !program_world_result(&world, &all) ||
        all.entry_count < 2) {
      continue;
    }
    memcpy(whole, program_result, all.total_bytes);
    uint32_t min_score_bits;
    const uint32_t at = all.entry_count / 2;
    memcpy(&min_score_bits, whole + sizeof all + 8 * at + 4, sizeof min_score_bits);
    const uint32_t bytes = test_plan_bytes(&program_plan);
    struct csd_plan plan;
    struct csd_gather gather;
    test_plan_write(&program_plan, program_bytes);
    CHECK_OK(csd_plan_check(program_bytes, bytes, PROGRAM_RESULT_BYTES, &plan));
    csd_gather_open(&gather, program_bytes, &plan, gathered, PROGRAM_RESULT_BYTES);
    run(&world,
        csd_gather_prepare(&gather, plan.header.min_doc, plan.header.limit_doc, min_score_bits));
    CHECK(csd_gather_take(&gather, program_result, scratch, PROGRAM_RESULT_BYTES));
    const uint32_t kept = header_of(gathered).entry_count;
    CHECK(kept > at && kept <= all.entry_count);
    CHECK_EQ(0, memcmp(gathered + sizeof all, whole + sizeof all, 8 * kept));
    uint32_t last;
    memcpy(&last, gathered + sizeof all + 8 * (kept - 1) + 4, sizeof last);
    CHECK(last >= min_score_bits);
    found++;
  }
  CHECK(found > 20);
  program_world_free(&world);
}

/* The page of all of a plan's docs in `others`, as a device leaves it. @return its bytes, 0: none
 */
static uint32_t page_of_a_device(struct program_world *world, struct csd_plan *plan,
                                 struct csd_gather *there) {
  struct csd_result_header all;
  program_plan_aggregates(world);
  if (program_plan.header.mode != CSD_MODE_AGGREGATE || !program_world_result(world, &all)) {
    return 0;
  }
  const uint32_t bytes = test_plan_bytes(&program_plan);
  test_plan_write(&program_plan, program_bytes);
  CHECK_OK(csd_plan_check(program_bytes, bytes, PROGRAM_RESULT_BYTES, plan));
  if (!csd_gather_may_join(plan)) {
    return 0;
  }
  csd_gather_open(there, program_bytes, plan, others, PROGRAM_RESULT_BYTES);
  run(world, csd_gather_prepare(there, plan->header.min_doc, plan->header.limit_doc, 0));
  if (!csd_gather_take(there, program_result, scratch, PROGRAM_RESULT_BYTES)) {
    return 0;
  }
  (void)csd_gather_restore(there);
  memcpy(others, program_result, header_of(program_result).total_bytes);
  struct csd_result_header header = header_of(others);
  header.windows = 1;
  memcpy(others, &header, sizeof header);
  return header.total_bytes;
}

/* Joins a page of which a device says that it is so long, to nothing and then to itself.
   @return whether it has the form of a page */
static bool join_damaged(struct csd_plan *plan, const uint8_t *page, uint32_t bytes) {
  struct csd_gather here;
  uint8_t *own = malloc(bytes); /* so that a tool sees what is read behind it */
  memcpy(own, page, bytes);
  csd_gather_open(&here, program_bytes, plan, gathered, PROGRAM_RESULT_BYTES);
  const bool has_form = csd_gather_is_page(&here, own, bytes, 1);
  for (int times = 0; has_form && times < 2; times++) {
    if (csd_gather_join(&here, own, scratch, PROGRAM_RESULT_BYTES)) {
      CHECK(header_of(gathered).total_bytes <= PROGRAM_RESULT_BYTES);
      CHECK_EQ(plan->aggregate_count, header_of(gathered).entry_count);
    }
  }
  (void)csd_gather_restore(&here);
  free(own);
  return has_form;
}

static void damaged_aggregates_do_no_harm(void) {
  struct program_world world;
  uint32_t pages = 0, refused = 0, taken = 0;
  program_world_make(&world, 8, 20000);
  for (uint32_t i = 0; i < 300 && check_failures == 0; i++) {
    struct csd_plan plan;
    struct csd_gather there;
    const uint32_t bytes = page_of_a_device(&world, &plan, &there);
    if (bytes == 0) {
      continue;
    }
    pages++;
    CHECK(join_damaged(&plan, others, bytes));
    CHECK(!join_damaged(&plan, others, bytes - 1 - below(&world, bytes - 1)));
    /* Of the first aggregate, its kind; then any bits of all behind the page's head. */
    others[sizeof(struct csd_result_header) + offsetof(struct csd_aggregate_result, kind)] ^= 0x40;
    CHECK(!join_damaged(&plan, others, bytes));
    others[sizeof(struct csd_result_header) + offsetof(struct csd_aggregate_result, kind)] ^= 0x40;
    for (int flips = 0; flips < 8; flips++) {
      const uint32_t from = sizeof(struct csd_result_header);
      others[from + below(&world, bytes - from)] ^= (uint8_t)(1u << below(&world, 8));
      const bool has_form = join_damaged(&plan, others, bytes);
      refused += !has_form;
      taken += has_form;
    }
  }
  CHECK(pages > 30 && refused > 30 && taken > 30);
  program_world_free(&world);
}

int main(void) {
  program_buffers_take();
  gathered = malloc(PROGRAM_RESULT_BYTES);
  scratch = malloc(PROGRAM_RESULT_BYTES);
  others = malloc(PROGRAM_RESULT_BYTES);
  other_plan = malloc(4 << 20);
  whole = malloc(PROGRAM_RESULT_BYTES);
  RUN(any_plan);
  RUN(phrases);
  RUN(rankings);
  RUN(equal_scores);
  RUN(sorts);
  RUN(aggregates);
  RUN(a_min_score_bounds_the_hits_of_a_window);
  RUN(damaged_aggregates_do_no_harm);
  free(gathered);
  free(scratch);
  free(others);
  free(other_plan);
  free(whole);
  program_buffers_free();
  return check_result();
}
