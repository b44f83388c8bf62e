/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/* Aggregates by brute force: value by value, with all keys in one array. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tests/core/program/program_world.h"

/* What an aggregate must come to. */
struct expected {
  struct csd_aggregate_result result; /* its fixed numbers */
  uint32_t key_count;
  int64_t *keys; /* with repetitions: as often as they count */
};

/* ---- random aggregates ---- */

static void add_ranges(struct program_world *world, struct csd_aggregate *a,
                       const struct test_column *column) {
  a->first_range = program_plan.header.range_count;
  a->range_count = (uint16_t)(1 + below(world, 12));
  for (uint32_t i = 0; i < a->range_count; i++) {
    int64_t lo = column->values[below(world, column->value_count)];
    int64_t hi = column->values[below(world, column->value_count)];
    lo = below(world, 9) == 0 ? INT64_MIN : lo;
    hi = below(world, 9) == 0 ? INT64_MAX : hi;
    program_plan.ranges[program_plan.header.range_count++] =
        (struct csd_value_range){.lo = lo < hi ? lo : hi, .hi = lo < hi ? hi : lo};
  }
}

static void add_stats(struct program_world *world, struct csd_aggregate *a) {
  a->stats_type = (uint8_t)(1 + below(world, 5));
  a->flags = below(world, 2) == 0 ? CSD_AGGREGATE_FLAG_MOMENTS : 0;
  if (below(world, 2) == 0) {
    const double sum = (double)below(world, 1000) / 7;
    memcpy(&a->carry_sum, &sum, sizeof sum);
  }
  if (a->flags != 0 && below(world, 2) == 0) {
    const double mean = (double)below(world, 1000) / 3;
    a->carry_count = 1 + below(world, 5000);
    memcpy(&a->carry_mean, &mean, sizeof mean);
    memcpy(&a->carry_variance, &mean, sizeof mean);
  }
}

static void add_one(struct program_world *world) {
  static const int64_t widths[] = {1, 2, 7, 1000, 86400000, INT64_C(1) << 40, INT64_MAX};
  const uint32_t c = below(world, PROGRAM_COLUMNS);
  const struct csd_column_ref *ref = &program_plan.columns[c];
  uint32_t kind = 1 + below(world, 5);
  if (kind == CSD_AGGREGATE_KIND_TERMS && (ref->min < 0 || ref->max > 200000)) {
    kind = CSD_AGGREGATE_KIND_VALUES;
  }
  struct csd_aggregate *a = test_plan_aggregate(&program_plan, kind, c);
  const bool bounded = below(world, 3) == 0;
  const int64_t from = world->column[c].values[below(world, world->column[c].value_count)];
  switch (kind) {
    case CSD_AGGREGATE_KIND_STATS: add_stats(world, a); break;
    case CSD_AGGREGATE_KIND_RANGES: add_ranges(world, a, &world->column[c]); break;
    case CSD_AGGREGATE_KIND_TERMS: a->from = bounded ? from : 0; break;
    case CSD_AGGREGATE_KIND_VALUES: a->from = bounded ? from : INT64_MIN; break;
    default:
      a->width = widths[below(world, 7)];
      a->from = bounded ? from / a->width : INT64_MIN;
      break;
  }
}

void program_aggregates_add(struct program_world *world) {
  test_plan_aggregates(&program_plan);
  while (program_plan.header.column_count < PROGRAM_COLUMNS) {
    test_plan_column(&program_plan, &world->column_ref[program_plan.header.column_count]);
  }
  const uint32_t n = 1 + below(world, 6);
  for (uint32_t i = 0; i < n; i++) {
    add_one(world);
  }
  /* Pages so small that they come to many are for few plans, and larger in large worlds, since each
     page walks all docs. */
  const uint32_t least = world->max_doc > 20000 ? world->max_doc / 4 : 1200;
  program_plan.header.max_result_bytes =
      below(world, 3) == 0 ? least + below(world, 5000) : 100000 + below(world, 900000);
}

/* ---- brute force ---- */

static int by_value(const void *left, const void *right) {
  const int64_t *a = left, *b = right;
  return *a < *b ? -1 : *a > *b;
}

static int64_t floor_div(int64_t value, int64_t width) {
  return value >= 0 ? value / width : -1 - (-1 - value) / width;
}

static double as_double(const struct csd_aggregate *a, int64_t stored) {
  uint32_t low = (uint32_t)stored;
  float f;
  double d;
  switch (a->stats_type) {
    case CSD_STATS_TYPE_I64: return (double)stored;
    case CSD_STATS_TYPE_F32: memcpy(&f, &low, 4); return (double)f;
    case CSD_STATS_TYPE_SORTABLE_F32:
      low = low >> 31 != 0 ? low ^ 0x7FFFFFFF : low;
      memcpy(&f, &low, 4);
      return (double)f;
    case CSD_STATS_TYPE_SORTABLE_F64:
      stored = stored < 0 ? stored ^ INT64_MAX : stored;
      memcpy(&d, &stored, 8);
      return d;
    default: memcpy(&d, &stored, 8); return d;
  }
}

static uint64_t bits(double value) {
  uint64_t b;
  memcpy(&b, &value, 8);
  return isnan(value) ? UINT64_C(0x7FF8000000000000) : b;
}

/* As Double.compare. */
static bool is_less(double a, double b) {
  if (isnan(a) || isnan(b)) {
    return !isnan(a) && isnan(b);
  }
  return a < b || (a == 0 && b == 0 && signbit(a) && !signbit(b));
}

/* Numbers of STATS so far. */
struct stats {
  uint64_t int_sum;
  double sum, count, mean, variance, min, max;
  int64_t int_min, int_max;
};

static void take_stats(struct stats *s, const struct csd_aggregate *a, int64_t stored, bool first) {
  const double v = as_double(a, stored);
  s->int_sum += (uint64_t)stored;
  s->int_min = first || stored < s->int_min ? stored : s->int_min;
  s->int_max = first || stored > s->int_max ? stored : s->int_max;
  s->sum += v;
  s->min = first || is_less(v, s->min) ? v : s->min;
  s->max = first || is_less(s->max, v) ? v : s->max;
  const double d = v - s->mean;
  s->count += 1;
  s->mean = s->mean + d / s->count;
  s->variance = s->variance + (v - s->mean) * d;
}

static void set_stats(const struct stats *s, const struct csd_aggregate *a,
                      struct csd_aggregate_result *r) {
  const bool ints = a->stats_type == CSD_STATS_TYPE_I64;
  r->sum = ints ? s->int_sum : bits(s->sum);
  if (r->value_count > 0) {
    r->min = ints ? (uint64_t)s->int_min : bits(s->min);
    r->max = ints ? (uint64_t)s->int_max : bits(s->max);
  }
  if (a->flags != 0) {
    r->mean = bits(s->mean);
    r->variance = bits(s->variance);
  }
}

/* Adds the keys of a doc's values to the end of the array. */
static void take_keys(struct expected *e, const struct csd_aggregate *a, const int64_t *values,
                      uint32_t n) {
  const struct csd_value_range *ranges = program_plan.ranges + a->first_range;
  const uint32_t before = e->key_count;
  for (uint32_t i = 0; i < n; i++) {
    const bool buckets = a->kind == CSD_AGGREGATE_KIND_HISTOGRAM;
    const int64_t key = buckets ? floor_div(values[i], a->width) : values[i];
    if (key >= a->from && (a->kind == CSD_AGGREGATE_KIND_TERMS || e->key_count == before ||
                           e->keys[e->key_count - 1] != key)) {
      e->keys[e->key_count++] = key;
    }
  }
  if (a->kind == CSD_AGGREGATE_KIND_RANGES) {
    e->key_count = before;
    for (uint32_t r = 0; r < a->range_count; r++) {
      bool in = false;
      for (uint32_t i = 0; i < n; i++) {
        in |= values[i] >= ranges[r].lo && values[i] <= ranges[r].hi;
      }
      if (in) {
        e->keys[e->key_count++] = r;
      }
    }
    e->result.value_count += e->key_count > before;
  }
}

static void expect(const struct program_world *world, const struct csd_aggregate *a,
                   const struct program_hit *matches, uint32_t count, struct expected *e) {
  const struct test_column *column = &world->column[a->column];
  struct stats stats = {.int_sum = a->carry_sum, .count = (double)a->carry_count};
  memcpy(&stats.sum, &a->carry_sum, 8);
  memcpy(&stats.mean, &a->carry_mean, 8);
  memcpy(&stats.variance, &a->carry_variance, 8);
  const size_t most = (size_t)column->value_count + (size_t)column->doc_count * a->range_count;
  *e = (struct expected){.result.kind = a->kind, .keys = malloc((most + 1) * sizeof *e->keys)};
  if (e->keys == NULL) {
    abort();
  }
  uint32_t at = 0;
  for (uint32_t m = 0; m < count; m++) {
    while (at < column->doc_count && column->docs[at] < matches[m].doc) {
      at++;
    }
    if (at == column->doc_count || column->docs[at] != matches[m].doc) {
      continue;
    }
    const int64_t *values = column->values + column->first[at];
    const uint32_t n = column->first[at + 1] - column->first[at];
    e->result.doc_count++;
    for (uint32_t i = 0; i < n && a->kind == CSD_AGGREGATE_KIND_STATS; i++) {
      take_stats(&stats, a, values[i], e->result.value_count + i == 0);
    }
    if (a->kind == CSD_AGGREGATE_KIND_STATS || a->kind == CSD_AGGREGATE_KIND_TERMS) {
      e->result.value_count += n;
    }
    if (a->kind != CSD_AGGREGATE_KIND_STATS) {
      take_keys(e, a, values, n);
    }
  }
  if (a->kind == CSD_AGGREGATE_KIND_STATS) {
    set_stats(&stats, a, &e->result);
  }
  qsort(e->keys, e->key_count, sizeof *e->keys, by_value);
}

/* ---- comparison ---- */

/* How often a key stands in an array from an index on, which is moved behind it. */
static uint32_t times(const struct expected *e, uint32_t *at, int64_t key) {
  const uint32_t from = *at;
  while (*at < e->key_count && e->keys[*at] == key) {
    ++*at;
  }
  return *at - from;
}

/* Compares the data of one page; *at: keys that have come. Returns the bytes of the data. */
static uint32_t compare_data(const struct program_world *world, const struct csd_aggregate *a,
                             const struct csd_aggregate_result *r, const uint8_t *data,
                             const struct expected *e, uint32_t *at) {
  const bool pairs =
      a->kind == CSD_AGGREGATE_KIND_VALUES || a->kind == CSD_AGGREGATE_KIND_HISTOGRAM;
  int64_t before = 0;
  for (uint32_t i = 0; i < r->entry_count; i++) {
    int64_t key = i;
    uint32_t n;
    memcpy(&n, data + (pairs ? 8 * r->entry_count : 0) + 4 * i, 4);
    if (pairs) {
      memcpy(&key, data + 8 * i, 8);
    } else if (a->kind == CSD_AGGREGATE_KIND_TERMS) {
      key += a->from;
    }
    if (!CHECK_MSG((n > 0 || !pairs) && n == times(e, at, key) && (i == 0 || key > before),
                   "seed %" PRIu64 ": kind %u: key %" PRId64 " counts %u", world->seed, a->kind,
                   key, n)) {
      return 0;
    }
    before = key;
  }
  if ((r->flags & CSD_AGGREGATE_RESULT_FLAG_MORE) != 0) {
    CHECK(*at == e->key_count || e->keys[*at] >= r->next);
    CHECK(r->next > a->from && (r->entry_count == 0 || r->next > before));
  } else {
    CHECK_MSG(*at == e->key_count, "seed %" PRIu64 ": kind %u: %u of %u keys", world->seed, a->kind,
              *at, e->key_count);
  }
  return (r->entry_count * (pairs ? 12 : 4) + 7) & ~7u;
}

/* Compares a page; leaves in program_plan the aggregates that have more, in e and at what is
 * theirs.
 */
static void compare_page(const struct program_world *world, uint32_t matches, struct expected *e,
                         uint32_t *at) {
  struct csd_result_header header;
  memcpy(&header, program_result, sizeof header);
  const uint32_t n = program_plan.aggregate_header.aggregate_count;
  CHECK_EQ(CSD_MODE_AGGREGATE, header.mode);
  CHECK_EQ(0, header.flags);
  CHECK_EQ(matches, header.match_count);
  CHECK_EQ(program_plan.header.limit_doc, header.next_doc);
  CHECK_EQ(n, header.entry_count);
  CHECK(header.total_bytes <= program_plan.header.max_result_bytes);
  uint32_t data = (uint32_t)(sizeof header + n * sizeof(struct csd_aggregate_result));
  uint32_t left = 0;
  for (uint32_t i = 0; i < n && check_failures == 0; i++) {
    struct csd_aggregate aggregate = program_plan.aggregates[i];
    struct csd_aggregate_result r;
    memcpy(&r, program_result + sizeof header + i * sizeof r, sizeof r);
    data += compare_data(world, &aggregate, &r, program_result + data, &e[i], &at[i]);
    const bool more = r.flags != 0;
    aggregate.from = r.next;
    r.entry_count = 0;
    r.flags = 0;
    r.next = 0;
    CHECK_MSG(memcmp(&r, &e[i].result, sizeof r) == 0,
              "seed %" PRIu64 ": kind %u, type %u, flags %u: docs %" PRIu64 " of %" PRIu64,
              world->seed, aggregate.kind, aggregate.stats_type, aggregate.flags, r.doc_count,
              e[i].result.doc_count);
    if (more) {
      const struct expected moved = e[left];
      program_plan.aggregates[left] = aggregate;
      at[left] = at[i];
      e[left++] = e[i];
      if (left <= i) {
        e[i] = moved;
      }
    }
  }
  CHECK(check_failures > 0 || data == header.total_bytes);
  program_plan.aggregate_header.aggregate_count = (uint16_t)left;
}

void program_aggregates_compare(struct program_world *world, const struct program_hit *matches,
                                uint32_t count) {
  const uint32_t n = program_plan.aggregate_header.aggregate_count;
  struct expected e[CSD_MAX_AGGREGATES];
  uint32_t at[CSD_MAX_AGGREGATES] = {0};
  for (uint32_t i = 0; i < n; i++) {
    expect(world, &program_plan.aggregates[i], matches, count, &e[i]);
  }
  while (program_plan.aggregate_header.aggregate_count > 0 && check_failures == 0) {
    struct csd_result_header header;
    if (!program_world_result(world, &header)) {
      break;
    }
    compare_page(world, count, e, at);
  }
  for (uint32_t i = 0; i < n; i++) {
    free(e[i].keys);
  }
}
