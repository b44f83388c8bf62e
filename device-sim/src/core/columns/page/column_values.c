/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/* Tests: tests/core/program/test_program_aggregate.c. */
#include "core/columns/page/column_values.h"

#include "core/kernels/kernels_values.h"

/* So few values are loaded one by one. */
#define FEW_VALUES 8u

struct csd_packed_values csd_column_packed_values(const struct csd_column_facts *facts) {
  return (struct csd_packed_values){
      .column = facts->page + facts->values_at,
      .bits = facts->value_bits,
      .unit = facts->table ? 1 : facts->unit,
      .base = facts->table ? 0 : (uint64_t)facts->min,
  };
}

void csd_column_look_up(const struct csd_column_facts *facts, int64_t *values, uint32_t n) {
  const uint8_t *table = facts->page + sizeof(struct csd_column_page_header);
  for (uint32_t i = 0; facts->table && i < n; i++) {
    values[i] = (int64_t)csd_load_u64(table + 8u * (size_t)values[i]);
  }
}

void csd_column_plain_values(const struct csd_value_kernels *kernels,
                             const struct csd_column_facts *facts, const uint32_t *docs, uint32_t n,
                             bool is_run, int64_t *values) {
  const struct csd_packed_values packed = csd_column_packed_values(facts);
  if (n <= FEW_VALUES) {
    csd_gather_values(&packed, docs, facts->first_doc, n, values);
  } else if (is_run) {
    kernels->unpack(&packed, docs[0] - facts->first_doc, n, values);
  } else {
    kernels->gather(&packed, docs, facts->first_doc, n, values);
  }
  csd_column_look_up(facts, values, n);
}
