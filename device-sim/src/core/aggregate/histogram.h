/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/** Values and their buckets, counted once a doc. */
#ifndef CSD_HISTOGRAM_H
#define CSD_HISTOGRAM_H

#include <stdint.h>

#include "core/aggregate/key_counter.h"
#include "core/aggregate/values.h"

/** The greatest integer that is at most value / width; width is at least 1. */
int64_t csd_bucket_of(int64_t value, int64_t width);

/** Adds to each bucket the docs that have a value in it. */
void csd_histogram_add(struct csd_key_counter *counter, const struct csd_value_kernels *kernels,
                       int64_t width, const struct csd_value_block *block);

/** Adds to each value the docs that have it. */
void csd_values_add(struct csd_key_counter *counter, const struct csd_value_block *block);

/** Adds to each value how often it stands there. */
void csd_terms_add(struct csd_key_counter *counter, const struct csd_value_block *block);

#endif
