/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
#include "tests/support/page/lists.h"

#include <stdlib.h>

#include "tests/support/check.h"

struct test_list test_list_random(uint64_t *seed, uint32_t count, uint32_t mean_gap) {
  struct test_list list = {.docs = malloc(count * sizeof(uint32_t)),
                           .freqs = malloc(count * sizeof(uint32_t)),
                           .norms = malloc(count),
                           .count = count};
  if (list.docs == NULL || list.freqs == NULL || list.norms == NULL) {
    abort();
  }
  uint32_t doc = check_random_below(seed, mean_gap + 1);
  for (uint32_t i = 0; i < count; i++) {
    list.docs[i] = doc;
    doc += 1 + check_random_below(seed, 2 * mean_gap);
    const uint32_t kind = check_random_below(seed, 20);
    list.freqs[i] = kind < 12   ? 1
                    : kind < 19 ? 1 + check_random_below(seed, 9)
                                : 1 + check_random_below(seed, 400);
    list.norms[i] = (uint8_t)(20 + check_random_below(seed, 60));
  }
  return list;
}

void test_list_free(struct test_list *list) {
  free(list->docs);
  free(list->freqs);
  free(list->norms);
}
