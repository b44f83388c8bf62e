/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/*
 * Algorithm 1 of the paper. A pivot is looked for in the other lists in turn; a list that lacks it
 * gives its successor there as the new pivot. Where the paper leaves a choice: after a document
 * that is in all lists the pivot is the next element of the list that completed it.
 */
#include "classic/classic_programs.h"

/* Brings the lists into ascending order of their first documents; false if one is empty. The last
 * one's first document is the first pivot. */
static bool arrange(struct classic_list *lists, uint32_t list_count, struct classic_list **order,
                    uint32_t *pivot) {
  uint32_t heads[CSD_CLASSIC_MAX_LISTS];
  for (uint32_t i = 0; i < list_count; i++) {
    if (!csd_classic_more(&lists[i])) {
      return false;
    }
    const uint32_t head = classic_read(&lists[i]);
    uint32_t place = i;
    while (place > 0) {
      lists[i].work->counts->comparisons++;
      if (heads[place - 1] <= head) {
        break;
      }
      heads[place] = heads[place - 1];
      order[place] = order[place - 1];
      place--;
    }
    heads[place] = head;
    order[place] = &lists[i];
  }
  *pivot = heads[list_count - 1];
  return true;
}

static uint64_t score_of(struct classic_list **order, uint32_t list_count) {
  uint64_t score = 0;
  for (uint32_t i = 0; i < list_count; i++) {
    score += classic_read_score(order[i]);
  }
  return score;
}

void csd_classic_intersect(struct classic_list *lists, uint32_t list_count, bool linear,
                           struct classic_output *output) {
  struct classic_list *order[CSD_CLASSIC_MAX_LISTS];
  uint32_t pivot = 0;
  uint32_t doc = 0;
  if (!arrange(lists, list_count, order, &pivot)) {
    return;
  }
  uint32_t occurrences = 1;
  for (uint32_t i = 0; csd_classic_seek(order[i], pivot, linear, &doc); i = (i + 1) % list_count) {
    if (doc != pivot) {
      pivot = doc;
      occurrences = 1;
    } else if (++occurrences == list_count) {
      csd_classic_emit(output, pivot, output->ranked ? score_of(order, list_count) : 0);
      order[i]->at++;
      if (!csd_classic_more(order[i])) {
        return;
      }
      pivot = classic_read(order[i]);
      occurrences = 1;
    }
  }
}
