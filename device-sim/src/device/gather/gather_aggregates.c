/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
#include "device/gather/gather_aggregates.h"

#include <string.h>

#include "csd/csd_wire.h"

#define HEADER_BYTES ((uint32_t)sizeof(struct csd_result_header))
#define RESULT_BYTES ((uint32_t)sizeof(struct csd_aggregate_result))

/* A page that is read from its first aggregate on; its data lie behind all of the results. */
struct reading {
  const uint8_t *results;
  const uint8_t *data;
};

static struct reading read_page(const uint8_t *page) {
  struct csd_result_header header;
  memcpy(&header, page, sizeof header);
  const uint8_t *results = page + HEADER_BYTES;
  return (struct reading){results, results + (size_t)header.entry_count * RESULT_BYTES};
}

static struct csd_aggregate_result result_at(const struct reading *reading, uint32_t i) {
  struct csd_aggregate_result result;
  memcpy(&result, reading->results + (size_t)i * RESULT_BYTES, sizeof result);
  return result;
}

/* Values and buckets are i64 keys before the counts. */
static bool has_keys(uint8_t kind) {
  return kind == CSD_AGGREGATE_KIND_VALUES || kind == CSD_AGGREGATE_KIND_HISTOGRAM;
}

static bool has_data(uint8_t kind) { return kind != CSD_AGGREGATE_KIND_STATS; }

static uint64_t data_bytes(const struct csd_aggregate_result *result) {
  if (!has_data(result->kind)) {
    return 0;
  }
  const uint64_t entry = has_keys(result->kind) ? 12u : 4u;
  return (entry * result->entry_count + 7u) & ~(uint64_t)7;
}

void csd_gather_carry(uint8_t *aggregates, const uint64_t *counts, const uint8_t *page) {
  const struct reading reading = read_page(page);
  struct csd_result_header header;
  memcpy(&header, page, sizeof header);
  for (uint32_t i = 0; i < header.entry_count; i++) {
    const struct csd_aggregate_result result = result_at(&reading, i);
    struct csd_aggregate aggregate;
    uint8_t *at = aggregates + i * sizeof aggregate;
    memcpy(&aggregate, at, sizeof aggregate);
    if (aggregate.kind != CSD_AGGREGATE_KIND_STATS) {
      continue;
    }
    aggregate.carry_sum = result.sum;
    if ((aggregate.flags & CSD_AGGREGATE_FLAG_MOMENTS) != 0) {
      aggregate.carry_count = counts[i] + result.value_count;
      aggregate.carry_mean = result.mean;
      aggregate.carry_variance = result.variance;
    }
    memcpy(at, &aggregate, sizeof aggregate);
  }
}

void csd_gather_carry_back(uint8_t *aggregates, uint32_t count, const uint64_t *counts,
                           const uint64_t *sums) {
  for (uint32_t i = 0; i < count; i++) {
    struct csd_aggregate aggregate;
    uint8_t *at = aggregates + i * sizeof aggregate;
    memcpy(&aggregate, at, sizeof aggregate);
    aggregate.carry_count = counts[i];
    aggregate.carry_sum = sums[i];
    memcpy(at, &aggregate, sizeof aggregate);
  }
}

bool csd_gather_are_results(const uint8_t *aggregates, const uint8_t *page, uint32_t bytes) {
  const struct reading reading = read_page(page);
  struct csd_result_header header;
  memcpy(&header, page, sizeof header);
  uint64_t end = HEADER_BYTES + (uint64_t)header.entry_count * RESULT_BYTES;
  for (uint32_t i = 0; i < header.entry_count && end <= bytes; i++) {
    const struct csd_aggregate_result result = result_at(&reading, i);
    struct csd_aggregate aggregate;
    memcpy(&aggregate, aggregates + i * sizeof aggregate, sizeof aggregate);
    if (result.kind != aggregate.kind) {
      return false;
    }
    end += data_bytes(&result);
  }
  return end == bytes;
}

/* A least or greatest value of a result as a number that orders as it does. Doubles are of the
   order of Java's Double.compare. */
static uint64_t order_of(uint8_t stats_type, uint64_t bits) {
  const uint64_t sign = UINT64_C(1) << 63;
  if (stats_type == CSD_STATS_TYPE_I64) {
    return bits ^ sign;
  }
  return (bits & sign) != 0 ? ~bits : bits | sign;
}

static void add_stats(const struct csd_aggregate *aggregate,
                      const struct csd_aggregate_result *before,
                      struct csd_aggregate_result *result) {
  const uint64_t values = result->value_count;
  result->value_count += before->value_count;
  if (before->value_count == 0) {
    return;
  }
  const uint8_t type = aggregate->stats_type;
  if (values == 0 || order_of(type, before->min) < order_of(type, result->min)) {
    result->min = before->min;
  }
  if (values == 0 || order_of(type, before->max) > order_of(type, result->max)) {
    result->max = before->max;
  }
}

static uint32_t get32(const uint8_t *at) {
  uint32_t value;
  memcpy(&value, at, sizeof value);
  return value;
}

static int64_t get64(const uint8_t *at) {
  int64_t value;
  memcpy(&value, at, sizeof value);
  return value;
}

/* Counts by place: those of the longer array go on alone. @return entries */
static uint32_t add_counts(const uint8_t *a, uint32_t n, const uint8_t *b, uint32_t m,
                           uint8_t *to) {
  const uint32_t count = n > m ? n : m;
  for (uint32_t i = 0; i < count; i++) {
    const uint32_t sum = (i < n ? get32(a + 4u * i) : 0) + (i < m ? get32(b + 4u * i) : 0);
    memcpy(to + 4u * i, &sum, sizeof sum);
  }
  return count;
}

/* How many different keys two ascending arrays have. */
static uint32_t different_keys(const uint8_t *a, uint32_t n, const uint8_t *b, uint32_t m) {
  uint32_t i = 0, j = 0, count = 0;
  for (; i < n && j < m; count++) {
    const int64_t x = get64(a + 8u * i), y = get64(b + 8u * j);
    i += x <= y;
    j += y <= x;
  }
  return count + (n - i) + (m - j);
}

static void add_keys(const uint8_t *a, uint32_t n, const uint8_t *b, uint32_t m, uint8_t *to,
                     uint32_t count) {
  uint32_t i = 0, j = 0;
  for (uint32_t at = 0; at < count; at++) {
    const bool first = j == m || (i < n && get64(a + 8u * i) <= get64(b + 8u * j));
    const bool second = i == n || (j < m && get64(b + 8u * j) <= get64(a + 8u * i));
    const int64_t key = first ? get64(a + 8u * i) : get64(b + 8u * j);
    const uint32_t sum =
        (first ? get32(a + 8u * n + 4u * i) : 0) + (second ? get32(b + 8u * m + 4u * j) : 0);
    memcpy(to + 8u * at, &key, sizeof key);
    memcpy(to + 8u * count + 4u * at, &sum, sizeof sum);
    i += first;
    j += second;
  }
}

static void copy_data(const uint8_t *from, uint64_t bytes, uint8_t *to) {
  if (bytes > 0) {
    memcpy(to, from, bytes);
  }
}

uint32_t csd_gather_aggregates(const uint8_t *aggregates, const uint64_t *carries,
                               const uint8_t *before, const uint8_t *page, uint8_t *to,
                               uint32_t room) {
  struct csd_result_header header;
  memcpy(&header, page, sizeof header);
  struct reading old = before != NULL ? read_page(before) : (struct reading){0};
  struct reading new = read_page(page);
  uint64_t at = HEADER_BYTES + (uint64_t)header.entry_count * RESULT_BYTES;
  for (uint32_t i = 0; i < header.entry_count; i++) {
    struct csd_aggregate_result result = result_at(&new, i);
    struct csd_aggregate aggregate;
    memcpy(&aggregate, aggregates + i * sizeof aggregate, sizeof aggregate);
    if ((result.flags & CSD_AGGREGATE_RESULT_FLAG_MORE) != 0) {
      return 0;
    }
    const uint64_t found_bytes = data_bytes(&result);
    const uint8_t *found = new.data;
    new.data += found_bytes;
    if (before == NULL) {
      if (at + found_bytes > room) {
        return 0;
      }
      copy_data(found, found_bytes, to + at);
      at += found_bytes;
    } else {
      const struct csd_aggregate_result earlier = result_at(&old, i);
      const uint8_t *had = old.data;
      const uint32_t n = earlier.entry_count, m = result.entry_count;
      old.data += data_bytes(&earlier);
      result.doc_count += earlier.doc_count;
      if (!has_data(result.kind)) {
        add_stats(&aggregate, &earlier, &result);
        if (carries != NULL && result.kind == CSD_AGGREGATE_KIND_STATS) {
          /* The carry is in both sums. */
          result.sum += earlier.sum - carries[i];
        }
      } else {
        result.value_count += earlier.value_count;
        result.entry_count =
            has_keys(result.kind) ? different_keys(had, n, found, m) : (n > m ? n : m);
        const uint64_t bytes = data_bytes(&result);
        if (at + bytes > room) {
          return 0;
        }
        memset(to + at, 0, bytes);
        if (has_keys(result.kind)) {
          add_keys(had, n, found, m, to + at, result.entry_count);
        } else {
          add_counts(had, n, found, m, to + at);
        }
        at += bytes;
      }
    }
    memcpy(to + HEADER_BYTES + (size_t)i * RESULT_BYTES, &result, sizeof result);
  }
  return (uint32_t)at;
}
