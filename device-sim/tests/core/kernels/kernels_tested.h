/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/** What the tests of kernels share: the same tests for every version that this machine can run. */
#ifndef KERNELS_TESTED_H
#define KERNELS_TESTED_H

#include "core/kernels/kernels.h"

#define BLOCK CSD_BLOCK_POSTINGS

/** The version under test, and the seed of its tests. */
extern const struct csd_kernels *kernels_tested;
extern uint64_t kernels_seed;

/**
 * Runs `tests` for every version, or for the one that CSD_KERNELS names; fails if that cannot run
 * here. Returns the status to exit with.
 */
int kernels_test_all(void (*tests)(void));

/** `n` ascending docs from `first` on, `gap` apart on average; returns how many fit below 2^31. */
unsigned kernels_make_docs(uint32_t *docs, unsigned n, uint32_t first, uint32_t gap);

#endif
