/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
#include "core/plan/plan_sort.h"

#include <inttypes.h>
#include <string.h>

#include "base/status.h"
#include "core/plan/malformed.h"

static const uint32_t SORT_FLAGS =
    CSD_SORT_FLAG_HAS_AFTER | CSD_SORT_FLAG_HAS_BOTTOM | CSD_SORT_FLAG_BOTTOM_TIES;

static bool has(const struct csd_sort_header *header, unsigned flag) {
  return (header->flags & flag) != 0;
}

int64_t csd_plan_sort_bytes(const uint8_t *bytes, uint64_t size) {
  struct csd_sort_header header;
  if (size < sizeof header) {
    return sizeof header;
  }
  memcpy(&header, bytes, sizeof header);
  MALFORMED_IF(header.reserved0 != 0 || header.reserved1 != 0,
               "sort header: a reserved field is not 0");
  MALFORMED_IF(header.key_count == 0 || header.key_count > CSD_MAX_SORT_KEYS,
               "sort header: %u keys", header.key_count);
  MALFORMED_IF((header.flags & ~SORT_FLAGS) != 0 || (has(&header, CSD_SORT_FLAG_BOTTOM_TIES) &&
                                                     !has(&header, CSD_SORT_FLAG_HAS_BOTTOM)),
               "sort header: flags are 0x%02X", header.flags);
  const unsigned bounds = (unsigned)has(&header, CSD_SORT_FLAG_HAS_AFTER) +
                          (unsigned)has(&header, CSD_SORT_FLAG_HAS_BOTTOM);
  return (int64_t)(sizeof header +
                   header.key_count * (sizeof(struct csd_sort_key) + bounds * sizeof(uint64_t)));
}

void csd_plan_sort_read(const uint8_t *bytes, struct csd_plan_sort *sort) {
  memset(sort, 0, sizeof *sort);
  memcpy(&sort->header, bytes, sizeof sort->header);
  bytes += sizeof sort->header;
  memcpy(sort->keys, bytes, sort->header.key_count * sizeof sort->keys[0]);
  bytes += sort->header.key_count * sizeof sort->keys[0];
  const size_t bound_bytes = sort->header.key_count * sizeof(uint64_t);
  if (has(&sort->header, CSD_SORT_FLAG_HAS_AFTER)) {
    memcpy(sort->after, bytes, bound_bytes);
    bytes += bound_bytes;
  }
  if (has(&sort->header, CSD_SORT_FLAG_HAS_BOTTOM)) {
    memcpy(sort->bottom, bytes, bound_bytes);
  }
}

int csd_plan_sort_check(const struct csd_plan_sort *sort, uint32_t column_count) {
  for (uint32_t i = 0; i < sort->header.key_count; i++) {
    const struct csd_sort_key *key = &sort->keys[i];
    MALFORMED_IF(key->kind < CSD_SORT_KIND_COLUMN || key->kind > CSD_SORT_KIND_CONSTANT,
                 "sort key %" PRIu32 ": kind is %u", i, key->kind);
    MALFORMED_IF((key->flags & ~(unsigned)CSD_SORT_KEY_FLAG_REVERSE) != 0,
                 "sort key %" PRIu32 ": flags are 0x%02X", i, key->flags);
    if (key->kind == CSD_SORT_KIND_COLUMN) {
      MALFORMED_IF(
          key->transform < CSD_SORT_TRANSFORM_I64 || key->transform > CSD_SORT_TRANSFORM_DISTANCE ||
              key->selector < CSD_SORT_SELECTOR_MIN || key->selector > CSD_SORT_SELECTOR_MAX ||
              (key->transform == CSD_SORT_TRANSFORM_DISTANCE &&
               key->selector != CSD_SORT_SELECTOR_MIN),
          "sort key %" PRIu32 ": transform %u, selector %u", i, key->transform, key->selector);
      MALFORMED_IF(key->column >= column_count,
                   "sort key %" PRIu32 ": column %" PRIu32 " of %" PRIu32, i, key->column,
                   column_count);
    } else {
      MALFORMED_IF(key->transform != 0 || key->selector != 0 || key->column != 0,
                   "sort key %" PRIu32 ": kind %u with transform %u, selector %u, column %" PRIu32,
                   i, key->kind, key->transform, key->selector, key->column);
      MALFORMED_IF(key->kind != CSD_SORT_KIND_CONSTANT && key->missing != 0,
                   "sort key %" PRIu32 ": kind %u with a missing key", i, key->kind);
    }
  }
  return 0;
}
