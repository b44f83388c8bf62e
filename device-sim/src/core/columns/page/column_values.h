/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/** The values of docs that have one each, on pages of which the facts are known. */
#ifndef CSD_COLUMN_VALUES_H
#define CSD_COLUMN_VALUES_H

#include <stdbool.h>
#include <stdint.h>

#include "core/columns/page/column_facts.h"
#include "core/kernels/kernels.h"

/** The page's values; those of a page with a table as numbers of its entries. */
struct csd_packed_values csd_column_packed_values(const struct csd_column_facts *facts);

/** Replaces the numbers of entries of a page's table, if it has one, by these. */
void csd_column_look_up(const struct csd_column_facts *facts, int64_t *values, uint32_t n);

/**
 * Unpacks values of a plain page.
 *
 * @param docs    `n` docs of it
 * @param is_run  whether they are neighbours
 */
void csd_column_plain_values(const struct csd_value_kernels *kernels,
                             const struct csd_column_facts *facts, const uint32_t *docs, uint32_t n,
                             bool is_run, int64_t *values);

#endif
