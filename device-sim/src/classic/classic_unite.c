/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/*
 * Algorithm 2 of the paper, as plain as it stands: for every result the head of each list is read
 * twice, once to find the least and once to find the lists that have it.
 */
#include "classic/classic_programs.h"

void csd_classic_unite(struct classic_list *lists, uint32_t list_count,
                       struct classic_output *output) {
  struct csd_classic_counts *counts = output->work.counts;
  for (;;) {
    uint32_t least = 0;
    bool found = false;
    for (uint32_t i = 0; i < list_count; i++) {
      if (!csd_classic_more(&lists[i])) {
        continue;
      }
      const uint32_t doc = classic_read(&lists[i]);
      if (found) {
        counts->comparisons++;
      }
      if (!found || doc < least) {
        least = doc;
      }
      found = true;
    }
    if (!found) {
      return;
    }
    uint64_t score = 0;
    for (uint32_t i = 0; i < list_count; i++) {
      if (!csd_classic_more(&lists[i])) {
        continue;
      }
      counts->comparisons++;
      if (classic_read(&lists[i]) != least) {
        continue;
      }
      if (output->ranked) {
        score += classic_read_score(&lists[i]);
      }
      lists[i].at++;
    }
    csd_classic_emit(output, least, score);
  }
}
