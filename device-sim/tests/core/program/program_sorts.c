/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tests/core/program/program_world.h"

/* A match with its keys; those with REVERSE are inverted. */
struct sorted_hit {
  struct program_hit hit;
  uint64_t keys[CSD_MAX_SORT_KEYS];
};

/* ---- keys, as wire/WIRE.md says ---- */

static uint64_t float_key(float value) {
  uint32_t bits;
  memcpy(&bits, &value, sizeof bits);
  if (isnan(value)) {
    return 0xFFC00000u;
  }
  return signbit(value) ? 0xFFFFFFFFu - bits : bits + 0x80000000u;
}

static uint64_t double_key(double value) {
  uint64_t bits;
  memcpy(&bits, &value, sizeof bits);
  if (isnan(value)) {
    return UINT64_C(0xFFF8000000000000);
  }
  return signbit(value) ? UINT64_MAX - bits : bits + (UINT64_C(1) << 63);
}

static uint64_t value_key(uint8_t transform, int64_t value) {
  uint32_t low = (uint32_t)value;
  uint64_t bits = (uint64_t)value;
  float as_float;
  double as_double;
  switch (transform) {
    case CSD_SORT_TRANSFORM_I64: return bits + (UINT64_C(1) << 63);
    case CSD_SORT_TRANSFORM_I32: return (uint32_t)(low + 0x80000000u);
    case CSD_SORT_TRANSFORM_ORD: return bits + 1u;
    case CSD_SORT_TRANSFORM_SORTABLE_F32:
      low ^= (low >> 31) != 0 ? 0x7FFFFFFFu : 0;
      memcpy(&as_float, &low, sizeof as_float);
      return float_key(as_float);
    case CSD_SORT_TRANSFORM_F32:
      memcpy(&as_float, &low, sizeof as_float);
      return float_key(as_float);
    case CSD_SORT_TRANSFORM_SORTABLE_F64:
      bits ^= value < 0 ? INT64_MAX : 0;
      memcpy(&as_double, &bits, sizeof as_double);
      return double_key(as_double);
    default: memcpy(&as_double, &bits, sizeof as_double); return double_key(as_double);
  }
}

static uint64_t key_of(const struct program_world *world, const struct csd_sort_key *key,
                       const struct program_hit *hit) {
  uint32_t count;
  const int64_t *values;
  switch (key->kind) {
    case CSD_SORT_KIND_DOC: return hit->doc + (UINT64_C(1) << 63);
    case CSD_SORT_KIND_SCORE: return 0xFFFFFFFFu - float_key(hit->score);
    case CSD_SORT_KIND_CONSTANT: return key->missing;
    default:
      values = program_column_values(&world->column[key->column], hit->doc, &count);
      if (key->transform == CSD_SORT_TRANSFORM_DISTANCE) {
        return double_key(program_nearest((uint32_t)key->missing, values, count));
      }
      return count == 0 ? key->missing
                        : value_key(key->transform,
                                    values[key->selector == CSD_SORT_SELECTOR_MAX ? count - 1 : 0]);
  }
}

static uint64_t flip_of(uint32_t key) {
  return (program_plan.sort.keys[key].flags & CSD_SORT_KEY_FLAG_REVERSE) != 0 ? UINT64_MAX : 0;
}

static void make_keys(const struct program_world *world, const struct program_hit *hit,
                      struct sorted_hit *sorted) {
  sorted->hit = *hit;
  for (uint32_t i = 0; i < program_plan.sort.header.key_count; i++) {
    sorted->keys[i] = key_of(world, &program_plan.sort.keys[i], hit) ^ flip_of(i);
  }
}

static int compare_keys(const uint64_t *a, const uint64_t *b) {
  for (uint32_t i = 0; i < program_plan.sort.header.key_count; i++) {
    if (a[i] != b[i]) {
      return a[i] < b[i] ? -1 : 1;
    }
  }
  return 0;
}

static int by_keys(const void *left, const void *right) {
  const struct sorted_hit *a = left;
  const struct sorted_hit *b = right;
  const int order = compare_keys(a->keys, b->keys);
  return order != 0 ? order : a->hit.doc < b->hit.doc ? -1 : a->hit.doc > b->hit.doc;
}

/* ---- plans ---- */

static void random_key(struct program_world *world) {
  struct csd_sort_key *key = test_plan_sort_key(&program_plan, below(world, PROGRAM_COLUMNS));
  key->flags = (uint8_t)below(world, 2);
  key->transform = (uint8_t)(1 + below(world, 7));
  key->selector = (uint8_t)(1 + below(world, 2));
  switch (below(world, 4)) {
    case 0: key->missing = 0; break;
    case 1: key->missing = UINT64_MAX; break;
    case 2: {
      const struct test_column *column = &world->column[key->column];
      key->missing = value_key(key->transform, column->values[below(world, column->value_count)]);
      break;
    }
    default: key->missing = value_key(key->transform, 0); break;
  }
  const uint32_t kind = below(world, 10);
  if (kind == 3 && program_plan.header.range_count < CSD_MAX_PLAN_RANGES) {
    key->transform = CSD_SORT_TRANSFORM_DISTANCE;
    key->selector = CSD_SORT_SELECTOR_MIN;
    key->missing = program_origin_add(world);
  }
  if (kind < 3) {
    key->kind = (uint8_t)(kind == 0   ? CSD_SORT_KIND_DOC
                          : kind == 1 ? CSD_SORT_KIND_SCORE
                                      : CSD_SORT_KIND_CONSTANT);
    key->transform = 0;
    key->selector = 0;
    key->column = 0;
    key->missing = kind < 2 ? 0 : key->missing;
  }
}

void program_plan_sorted(struct program_world *world) {
  static const uint32_t thresholds[] = {0, 1, 10, 100, 1000, CSD_EXACT_COUNT};
  if (below(world, 4) == 0) {
    program_plan_random(world);
  } else {
    program_plan_columns(world);
  }
  struct csd_plan_header *header = &program_plan.header;
  if (below(world, 6) == 0) {
    header->node_count = 0;
    header->range_count = 0;
    test_plan_node(&program_plan, CSD_OP_ALL, CSD_OCCUR_MUST, 0)->weight = 1.5f;
  }
  program_columns_add(world);
  header->max_result_bytes = PROGRAM_RESULT_BYTES;
  test_plan_sort(&program_plan, 1 + below(world, 3) * below(world, 100),
                 thresholds[below(world, 6)]);
  const uint32_t keys = 1 + below(world, 2) * below(world, CSD_MAX_SORT_KEYS);
  for (uint32_t i = 0; i < keys; i++) {
    random_key(world);
  }
}

void program_plan_sorted_by_order(struct program_world *world) {
  program_plan_sorted(world);
  for (uint32_t c = 0; c < PROGRAM_COLUMNS; c++) {
    const struct test_column *column = &world->column[c];
    const int64_t rise = column->values[column->value_count - 1] / 2 - column->values[0] / 2;
    if (world->column_ref[c].page_count >= 32 && rise > 20 * (int64_t)world->max_doc &&
        rise < 30 * (int64_t)world->max_doc) {
      program_plan.sort.keys[0] = (struct csd_sort_key){.kind = CSD_SORT_KIND_COLUMN,
                                                        .transform = CSD_SORT_TRANSFORM_I64,
                                                        .selector = (uint8_t)(1 + below(world, 2)),
                                                        .flags = (uint8_t)(below(world, 5) > 0),
                                                        .column = c,
                                                        .missing = UINT64_C(1) << 63};
    }
  }
}

/* Keys of a match, sometimes a little off. */
static struct sorted_hit limit_near(struct program_world *world, const struct program_hit *matches,
                                    uint32_t match_count, uint64_t *keys) {
  struct sorted_hit sorted;
  make_keys(world, &matches[below(world, match_count)], &sorted);
  for (uint32_t i = 0; i < program_plan.sort.header.key_count; i++) {
    keys[i] = sorted.keys[i] ^ flip_of(i);
    keys[i] += below(world, 8) == 0 ? below(world, 3) - UINT64_C(1) : 0;
    sorted.keys[i] = keys[i] ^ flip_of(i);
  }
  return sorted;
}

/* ---- comparison ---- */

void program_sort_compare(struct program_world *world, const struct program_hit *matches,
                          uint32_t match_count) {
  struct csd_plan_sort *sort = &program_plan.sort;
  struct sorted_hit after = {0}, bottom = {0};
  sort->header.flags = (uint8_t)(match_count > 0 && below(world, 2) == 0 ? below(world, 8) : 0);
  const bool has_after = (sort->header.flags & CSD_SORT_FLAG_HAS_AFTER) != 0;
  const bool has_bottom = (sort->header.flags & CSD_SORT_FLAG_HAS_BOTTOM) != 0;
  if (has_after) {
    after = limit_near(world, matches, match_count, sort->after);
    sort->header.after_doc = (int32_t)after.hit.doc - (int32_t)below(world, 3);
  }
  if (has_bottom) {
    bottom = limit_near(world, matches, match_count, sort->bottom);
  } else {
    sort->header.flags &= CSD_SORT_FLAG_HAS_AFTER;
  }
  const bool ties = (sort->header.flags & CSD_SORT_FLAG_BOTTOM_TIES) != 0;
  struct csd_result_header header;
  if (!program_world_result(world, &header)) {
    return;
  }
  struct sorted_hit *hits = malloc((match_count + 1u) * sizeof *hits);
  uint32_t count = 0;
  for (uint32_t i = 0; i < match_count; i++) {
    make_keys(world, &matches[i], &hits[count]);
    const int from_after = has_after ? compare_keys(hits[count].keys, after.keys) : 1;
    const int to_bottom = has_bottom ? compare_keys(hits[count].keys, bottom.keys) : -1;
    count +=
        (from_after > 0 || (from_after == 0 && (int64_t)matches[i].doc > sort->header.after_doc)) &&
        (to_bottom < 0 || (to_bottom == 0 && ties));
  }
  qsort(hits, count, sizeof *hits, by_keys);
  const uint32_t expected = count < program_plan.header.k ? count : program_plan.header.k;
  CHECK_MSG(header.entry_count == expected, "seed %" PRIu64 ": %u hits, not %u", world->seed,
            header.entry_count, expected);
  bool scored = false;
  const uint32_t keys = sort->header.key_count;
  for (uint32_t i = 0; i < keys; i++) {
    scored |= sort->keys[i].kind == CSD_SORT_KIND_SCORE;
  }
  const uint32_t bytes = 8u + 8u * keys;
  CHECK_EQ(sizeof header + expected * bytes, header.total_bytes);
  for (uint32_t i = 0; i < expected && check_failures == 0; i++) {
    struct csd_sort_entry {
      uint32_t doc;
      float score;
      uint64_t keys[CSD_MAX_SORT_KEYS];
    } entry;
    memcpy(&entry, program_result + sizeof header + i * bytes, bytes);
    const float score = scored ? hits[i].hit.score : 0.0f;
    bool good = entry.doc == hits[i].hit.doc && memcmp(&entry.score, &score, sizeof score) == 0;
    for (uint32_t key = 0; key < keys; key++) {
      good &= (entry.keys[key] ^ flip_of(key)) == hits[i].keys[key];
    }
    CHECK_MSG(good, "seed %" PRIu64 ": hit %u is doc %u, key %" PRIx64 ", not doc %u, key %" PRIx64,
              world->seed, i, entry.doc, entry.keys[0], hits[i].hit.doc,
              hits[i].keys[0] ^ flip_of(0));
  }
  program_world_check_count(world, &header, match_count);
  CHECK_EQ(program_plan.header.limit_doc, header.next_doc);
  if (check_failures > 0) {
    for (uint32_t i = 0; i < keys; i++) {
      printf("  key %u: kind %u transform %u selector %u flags %u column %u missing %" PRIx64 "\n",
             i, sort->keys[i].kind, sort->keys[i].transform, sort->keys[i].selector,
             sort->keys[i].flags, sort->keys[i].column, sort->keys[i].missing);
    }
    printf("  sort flags %u, k %u, threshold %u\n", sort->header.flags, program_plan.header.k,
           program_plan.header.count_threshold);
  }
  free(hits);
}
