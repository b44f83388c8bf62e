/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
#include "tests/core/kernels/kernels_tested.h"

#include <stdio.h>
#include <stdlib.h>

#include "tests/support/check.h"

const struct csd_kernels *kernels_tested;
uint64_t kernels_seed;

static void test_version(const struct csd_kernels *version, void (*tests)(void)) {
  kernels_tested = version;
  kernels_seed = 3;
  printf("kernels %s\n", version->name);
  tests();
}

int kernels_test_all(void (*tests)(void)) {
  const struct csd_kernels *list[CSD_MAX_KERNELS];
  const unsigned n = csd_kernels_list(list);
  const char *only = getenv("CSD_KERNELS");
  if (only != NULL) {
    const struct csd_kernels *version = csd_kernels_find(only);
    if (check_that(version != NULL, __FILE__, __LINE__, "no kernels \"%s\" here", only)) {
      test_version(version, tests);
    }
    return check_result();
  }
  for (unsigned i = 0; i < n; i++) {
    test_version(list[i], tests);
  }
  return check_result();
}

unsigned kernels_make_docs(uint32_t *docs, unsigned n, uint32_t first, uint32_t gap) {
  uint64_t doc = first;
  for (unsigned i = 0; i < n; i++) {
    doc += i == 0 ? 0 : 1 + check_random_below(&kernels_seed, 2 * gap - 1);
    if (doc >= 0x7FFFFFFFu) {
      return i;
    }
    docs[i] = (uint32_t)doc;
  }
  return n;
}
