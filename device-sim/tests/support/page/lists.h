/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/** Random posting lists for tests. */
#ifndef CSD_LISTS_H
#define CSD_LISTS_H

#include <stdint.h>

struct test_list {
  uint32_t *docs, *freqs;
  uint8_t *norms;
  uint32_t count;
};

/**
 * A list of `count` postings, at gaps of 1 to about 2 * mean_gap, starting anywhere near 0. Most
 * freqs are low, some are high; norms spread.
 */
struct test_list test_list_random(uint64_t *seed, uint32_t count, uint32_t mean_gap);
void test_list_free(struct test_list *list);

#endif
