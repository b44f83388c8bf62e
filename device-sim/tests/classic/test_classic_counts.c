/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/* Accesses of the classic programs to lists in DRAM, as counted by hand. */
#include <stdlib.h>

#include "csd/csd.h"
#include "tests/classic/classic_world.h"
#include "tests/support/check.h"

static struct csd_classic_counts counts_of(const struct classic_world *world,
                                           enum csd_classic_operation operation, bool ranked) {
  const struct csd_classic_request request = classic_request(world, operation, ranked);
  struct classic_run run = classic_run_in(&request, 0, NULL, NULL);
  free(run.results);
  return run.counts;
}

/* The union example of the paper's text: 4 reads a result while both lists last. */
static void union_reads_as_counted_by_hand(void) {
  static const uint32_t a[] = {10, 20, 30, 40, 50};
  static const uint32_t b[] = {10, 21, 31, 41, 51};
  struct classic_world world = classic_world_room(2, 5);
  classic_fill(&world, 0, a, 5);
  classic_fill(&world, 1, b, 5);
  struct csd_classic_counts c = counts_of(&world, CSD_CLASSIC_UNION, true);
  CHECK_EQ(9, c.results);
  CHECK_EQ(8 * 4 + 2, c.list_reads);
  CHECK_EQ(0, c.probe_reads);
  CHECK_EQ(10, c.score_reads);
  CHECK_EQ(9, c.result_writes);
  CHECK_EQ(9, c.result_reads);
  CHECK_EQ(2, c.pages_loaded);
  CHECK_EQ(9 * 16, c.bytes_sent);
  c = counts_of(&world, CSD_CLASSIC_UNION, false);
  CHECK_EQ(8 * 3 + 1, c.comparisons);
  CHECK_EQ(8 * 4 + 2 + 9, csd_classic_dram_accesses(&c));
  classic_world_free(&world);
}

static void intersection_reads_as_counted_by_hand(void) {
  static const uint32_t odd[] = {1, 3, 5, 7};
  static const uint32_t even[] = {2, 4, 6, 8};
  struct classic_world world = classic_world_room(2, 16);
  classic_fill(&world, 0, odd, 4);
  classic_fill(&world, 1, even, 4);
  /* Heads 1 2, pivot 2. Odd: 1 3; even: 2 4; odd: 3 5; even: 4 6; odd: 5 7; even: 6 8; odd: 7. */
  struct csd_classic_counts c = counts_of(&world, CSD_CLASSIC_INTERSECTION, false);
  CHECK_EQ(2 + 6 * 2 + 1, c.list_reads);
  CHECK_EQ(0, c.probe_reads);
  CHECK_EQ(1 + 13, c.comparisons);
  CHECK_EQ(0, c.result_writes);
  CHECK_EQ(0, c.bytes_sent);
  /* Heads 1 2, pivot 2: bisecting 1 to 15 meets 8 4 2, a result; the next of that list, 3, is the
   * pivot; bisecting 2 alone meets it and ends. */
  static const uint32_t fifteen[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
  classic_fill(&world, 0, fifteen, 15);
  classic_fill(&world, 1, even, 1);
  c = counts_of(&world, CSD_CLASSIC_INTERSECTION, true);
  CHECK_EQ(2 + 1, c.list_reads);
  CHECK_EQ(3 + 1, c.probe_reads);
  CHECK_EQ(1 + 3 + 1, c.comparisons);
  CHECK_EQ(2, c.score_reads);
  CHECK_EQ(1, c.results);
  CHECK_EQ(1 + 1, c.heap_accesses); /* put in, taken out */
  classic_world_free(&world);
}

static void difference_reads_as_counted_by_hand(void) {
  static const uint32_t a[] = {1, 4, 5, 9};
  static const uint32_t b[] = {2, 4, 8};
  struct classic_world world = classic_world_room(2, 16);
  classic_fill(&world, 0, a, 4);
  classic_fill(&world, 1, b, 3);
  /* Four of A; of B for 1: 2; for 4: 2 4; for 5: 4 8; for 9: 8. */
  struct csd_classic_counts c = counts_of(&world, CSD_CLASSIC_DIFFERENCE, true);
  CHECK_EQ(4 + 6, c.list_reads);
  CHECK_EQ(0, c.probe_reads);
  CHECK_EQ(3, c.results);
  CHECK_EQ(3, c.score_reads);
  CHECK_EQ(3, c.result_writes);
  CHECK_EQ(3, c.result_reads);
  /* 7 to 1 is bisected: the 4th, the 2nd, the 1st. */
  static const uint32_t seven[] = {2, 4, 6, 8, 10, 12, 14};
  classic_fill(&world, 0, a, 1);
  classic_fill(&world, 1, seven, 7);
  c = counts_of(&world, CSD_CLASSIC_DIFFERENCE, false);
  CHECK_EQ(1, c.list_reads);
  CHECK_EQ(3, c.probe_reads);
  CHECK_EQ(3, c.comparisons);
  CHECK_EQ(0, c.heap_accesses);
  classic_world_free(&world);
}

static void four_times_as_long_is_bisected(void) {
  static uint32_t docs[32];
  for (uint32_t i = 0; i < 32; i++) {
    docs[i] = 3 * i;
  }
  struct classic_world world = classic_world_room(2, 32);
  classic_fill(&world, 0, docs, 8);
  classic_fill(&world, 1, docs, 31);
  CHECK_EQ(0, counts_of(&world, CSD_CLASSIC_INTERSECTION, false).probe_reads);
  CHECK_EQ(0, counts_of(&world, CSD_CLASSIC_DIFFERENCE, false).probe_reads);
  classic_fill(&world, 1, docs, 32);
  CHECK(counts_of(&world, CSD_CLASSIC_INTERSECTION, false).probe_reads > 0);
  CHECK(counts_of(&world, CSD_CLASSIC_DIFFERENCE, false).probe_reads > 0);
  classic_world_free(&world);
}

int main(void) {
  RUN(union_reads_as_counted_by_hand);
  RUN(intersection_reads_as_counted_by_hand);
  RUN(difference_reads_as_counted_by_hand);
  RUN(four_times_as_long_is_bisected);
  return check_result();
}
