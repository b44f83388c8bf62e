/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/*
 * The paper's tables of DRAM accesses, counted. Published figures stand as printed; those of the
 * difference are themselves a rounded number of accesses a page times a number of pages
 * (2723 x 1290, 3266 x 1412, 383 x 2564, 415 x 1402, 46 x 1293), so none is exact.
 */
#include <math.h>
#include <stdlib.h>

#include "tests/classic/classic_world.h"
#include "tests/support/check.h"

enum { B_ENTRIES = 327680 };

static const double max_deviation = 0.10;

static struct csd_classic_workload workload_of(uint32_t skew, uint64_t seed) {
  return (struct csd_classic_workload){
      .lists = 2, .longest = B_ENTRIES, .skew = skew, .ratio_ppm = 10000, .seed = seed};
}

static void compare(const char *name, double skew, double published, double counted) {
  const double deviation = counted / published - 1;
  printf("  %-28s %6g %12.0f %12.1f %+7.1f %%\n", name, skew, published, counted, 100 * deviation);
  CHECK_MSG(fabs(deviation) <= max_deviation, "%s at skew %g: %.1f counted, %.0f published", name,
            skew, counted, published);
}

static void head(void) {
  printf("  %-28s %6s %12s %12s %9s\n", "DRAM accesses", "skew", "published", "counted",
         "deviation");
}

static void intersection_accesses_a_page(void) {
  static const struct {
    uint32_t skew;
    double published;
  } rows[] = {{1, 383}, {10, 640}, {100, 68}, {1000, 6}};
  head();
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    const struct csd_classic_workload workload = workload_of(rows[i].skew, 1);
    struct classic_world world = classic_world_of(&workload);
    const struct csd_classic_request request =
        classic_request(&world, CSD_CLASSIC_INTERSECTION, false);
    struct classic_run run = classic_run_in(&request, 0, NULL, NULL);
    CHECK_EQ(csd_classic_common_count(&workload), run.count);
    compare("intersection, per page", rows[i].skew, rows[i].published,
            (double)csd_classic_list_accesses(&run.counts) / (double)run.counts.pages_loaded);
    free(run.results);
    classic_world_free(&world);
  }
}

static void difference_accesses(void) {
  static const struct {
    uint32_t skew;
    bool longer_first; /* A is the longer list: the skew is below 1 */
    double published;
  } rows[] = {{100, true, 3512670},
              {10, true, 4611592},
              {1, false, 982012},
              {10, false, 581830},
              {100, false, 59478}};
  head();
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    const struct csd_classic_workload workload = workload_of(rows[i].skew, 2);
    struct classic_world world = classic_world_of(&workload);
    if (rows[i].longer_first) {
      const struct csd_classic_list first = world.lists[0];
      world.lists[0] = world.lists[1];
      world.lists[1] = first;
    }
    const struct csd_classic_request request =
        classic_request(&world, CSD_CLASSIC_DIFFERENCE, false);
    struct classic_run run = classic_run_in(&request, 0, NULL, NULL);
    CHECK_EQ(world.lists[0].length - csd_classic_common_count(&workload), run.count);
    compare("difference, total", rows[i].longer_first ? 1.0 / rows[i].skew : rows[i].skew,
            rows[i].published, (double)csd_classic_list_accesses(&run.counts));
    free(run.results);
    classic_world_free(&world);
  }
}

/* The paper: about twice the number of lists for every result, less where lists have ended. */
static void union_accesses_a_result(void) {
  printf("  %-28s %6s %12s %12s %9s\n", "DRAM accesses", "lists", "published", "counted",
         "deviation");
  for (uint32_t lists = 2; lists <= 8; lists++) {
    struct csd_classic_workload workload = workload_of(1, 3);
    workload.lists = lists;
    workload.longest = B_ENTRIES / 10;
    struct classic_world world = classic_world_of(&workload);
    const struct csd_classic_request request = classic_request(&world, CSD_CLASSIC_UNION, true);
    struct classic_run run = classic_run_in(&request, 0, NULL, NULL);
    compare("ranked union, per result", lists, 2.0 * lists,
            (double)csd_classic_list_accesses(&run.counts) / (double)run.counts.results);
    CHECK(csd_classic_list_accesses(&run.counts) <= 2 * lists * run.counts.results);
    free(run.results);
    classic_world_free(&world);
  }
}

int main(void) {
  RUN(intersection_accesses_a_page);
  RUN(difference_accesses);
  RUN(union_accesses_a_result);
  return check_result();
}
