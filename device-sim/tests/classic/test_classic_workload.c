/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/* The synthetic workload: lengths, order, the exact intersection, the same bytes everywhere. */
#include <stdlib.h>

#include "csd/csd.h"
#include "tests/classic/classic_world.h"
#include "tests/support/check.h"

static const struct csd_classic_workload plain = {
    .lists = 2, .longest = 32768, .skew = 10, .ratio_ppm = 10000, .seed = 1};

static void lengths_follow_the_skew(void) {
  static const struct {
    uint32_t skew, length, common;
  } rows[] = {{1, 327680, 3277}, {10, 32768, 328}, {100, 3277, 33}, {1000, 328, 3}, {10000, 33, 0}};
  struct csd_classic_workload workload = plain;
  workload.longest = 327680;
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    workload.skew = rows[i].skew;
    CHECK_EQ(rows[i].length, csd_classic_short_length(&workload));
    CHECK_EQ(rows[i].common, csd_classic_common_count(&workload));
  }
  workload.lists = 5; /* A B A B A */
  workload.skew = 100;
  uint64_t entries = 0;
  uint64_t scratch = 0;
  CHECK_OK(csd_classic_workload_size(&workload, &entries, &scratch));
  CHECK_EQ(3 * 3277 + 2 * 327680, entries);
}

static void lengths_may_be_given(void) {
  struct csd_classic_workload workload = plain;
  workload.lists = 3;
  workload.skew = 0; /* not looked at */
  workload.ratio_ppm = 100000;
  workload.lengths[0] = 32768;
  workload.lengths[1] = 70;
  workload.lengths[2] = 500;
  CHECK_EQ(70, csd_classic_short_length(&workload));
  struct classic_world world = classic_world_of(&workload);
  for (uint32_t i = 0; i < 3; i++) {
    CHECK_EQ(workload.lengths[i], world.lists[i].length);
  }
  const struct csd_classic_request request =
      classic_request(&world, CSD_CLASSIC_INTERSECTION, false);
  struct classic_run naive = classic_naive(&request);
  CHECK_EQ(7, naive.count);
  free(naive.results);
  classic_world_free(&world);
}

static void the_intersection_is_exact(void) {
  static const uint32_t ratios[] = {0, 1000, 10000, 100000, 333333, 999999, 1000000};
  static const uint32_t skews[] = {1, 3, 100};
  for (size_t r = 0; r < sizeof ratios / sizeof *ratios; r++) {
    for (size_t s = 0; s < sizeof skews / sizeof *skews; s++) {
      struct csd_classic_workload workload = plain;
      workload.lists = 2 + (uint32_t)(r + s) % 7;
      workload.longest = 3000;
      workload.universe = 12000; /* dense, so that chance meetings are many */
      workload.skew = skews[s];
      workload.ratio_ppm = ratios[r];
      struct classic_world world = classic_world_of(&workload);
      for (uint32_t i = 0; i < world.list_count; i++) {
        const struct csd_classic_list *list = &world.lists[i];
        CHECK_EQ(i % 2 == 0 ? csd_classic_short_length(&workload) : 3000, list->length);
        CHECK(list->entries[list->length - 1].doc < workload.universe);
        for (uint32_t j = 1; j < list->length; j++) {
          REQUIRE(list->entries[j - 1].doc < list->entries[j].doc);
        }
      }
      const struct csd_classic_request request =
          classic_request(&world, CSD_CLASSIC_INTERSECTION, false);
      struct classic_run naive = classic_naive(&request);
      CHECK_EQ(csd_classic_common_count(&workload), naive.count);
      free(naive.results);
      classic_world_free(&world);
    }
  }
}

/* FNV-1a over the fields, so that the byte order of the machine does not matter. */
static uint64_t hash_of(const struct classic_world *world) {
  uint64_t hash = 0xCBF29CE484222325u;
  for (uint32_t i = 0; i < world->list_count; i++) {
    for (uint32_t j = 0; j < world->lists[i].length; j++) {
      const struct csd_classic_entry *e = &world->lists[i].entries[j];
      const uint64_t words[] = {e->doc,          e->freq,         e->score,       e->positions[0],
                                e->positions[1], e->positions[2], e->positions[3]};
      for (size_t w = 0; w < sizeof words / sizeof *words; w++) {
        for (int b = 0; b < 64; b += 8) {
          hash = (hash ^ (words[w] >> b & 0xFF)) * 0x100000001B3u;
        }
      }
    }
  }
  return hash;
}

static void the_same_parameters_give_the_same_lists(void) {
  struct csd_classic_workload workload = plain;
  workload.lists = 3;
  struct classic_world one = classic_world_of(&workload);
  struct classic_world two = classic_world_of(&workload);
  CHECK_EQ(UINT64_C(0xfaf5dd23aa7a3d69), hash_of(&one));
  CHECK(hash_of(&one) == hash_of(&two));
  workload.seed = 2;
  struct classic_world other = classic_world_of(&workload);
  CHECK(hash_of(&one) != hash_of(&other));
  classic_world_free(&one);
  classic_world_free(&two);
  classic_world_free(&other);
}

static void refused(const struct csd_classic_workload *workload, const char *text) {
  uint64_t entries = 0;
  uint64_t scratch = 0;
  CHECK_STATUS(CSD_STATUS_INVALID_ARGUMENT,
               csd_classic_workload_size(workload, &entries, &scratch));
  CHECK_MSG(strstr(csd_last_error(), text) != NULL, "'%s' lacks '%s'", csd_last_error(), text);
  CHECK_STATUS(CSD_STATUS_INVALID_ARGUMENT, csd_classic_workload_make(workload, NULL, NULL, NULL));
  CHECK_EQ(0, csd_classic_short_length(workload));
}

#define REFUSED(text, ...)                 \
  do {                                     \
    struct csd_classic_workload w = plain; \
    __VA_ARGS__;                           \
    refused(&w, text);                     \
  } while (0)

static void absurd_parameters_are_refused_by_name_and_value(void) {
  REFUSED("lists is 1,", w.lists = 1);
  REFUSED("lists is 9,", w.lists = 9);
  REFUSED("longest is 0,", w.longest = 0);
  REFUSED("longest is 4294967295,", w.longest = UINT32_MAX);
  REFUSED("skew is 0,", w.skew = 0);
  REFUSED("skew is 32769,", w.skew = 32769);
  REFUSED("ratio_ppm is 1000001,", w.ratio_ppm = 1000001);
  REFUSED("universe is 131071,", w.universe = 4 * 32768 - 1);
  REFUSED("lengths[1] is 0, not 1 to 32768", w.lengths[0] = 5);
  REFUSED("lengths[0] is 32769,", w.lengths[0] = 32769);
  REFUSED("lengths[2] is 7, not 0 to 0", w.lengths[0] = 5, w.lengths[1] = 6, w.lengths[2] = 7);
  REFUSED("lengths[1] is 7, not 0 to 0", w.lengths[1] = 7);
}

int main(void) {
  RUN(lengths_follow_the_skew);
  RUN(lengths_may_be_given);
  RUN(the_intersection_is_exact);
  RUN(the_same_parameters_give_the_same_lists);
  RUN(absurd_parameters_are_refused_by_name_and_value);
  return check_result();
}
