/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
#include "device/gather/gather.h"

#include <string.h>

#include "device/gather/gather_aggregates.h"

static float float_of(uint32_t bits) {
  float value;
  memcpy(&value, &bits, sizeof value);
  return value;
}

static struct csd_result_header header_of(const uint8_t *page) {
  struct csd_result_header header;
  memcpy(&header, page, sizeof header);
  return header;
}

static uint8_t *entries(uint8_t *page) { return page + sizeof(struct csd_result_header); }

static const uint8_t *const_entries(const uint8_t *page) {
  return page + sizeof(struct csd_result_header);
}

static bool ranks(const struct csd_gather *gather) {
  return gather->header.mode == CSD_MODE_TOP_K || gather->header.mode == CSD_MODE_TOP_K_BY_COLUMN;
}

static uint32_t entry_bytes(const struct csd_gather *gather) {
  return gather->header.mode == CSD_MODE_DOCS ? 4u : 8u + 8u * gather->sort.header.key_count;
}

static void make_empty(struct csd_gather *gather) {
  const struct csd_result_header none = {.magic = CSD_RESULT_MAGIC,
                                         .version = CSD_WIRE_VERSION,
                                         .mode = gather->header.mode,
                                         .total_bytes = sizeof none,
                                         .next_doc = gather->header.min_doc};
  memcpy(gather->page, &none, sizeof none);
  gather->windows = 0;
  gather->upto = 0;
}

void csd_gather_open(struct csd_gather *gather, uint8_t *plan, const struct csd_plan *checked,
                     uint8_t *page, uint32_t capacity) {
  const struct csd_plan_header *header = &checked->header;
  const uint32_t most = header->max_result_bytes;
  *gather = (struct csd_gather){
      .header = *header, .plan = plan, .page = page, .capacity = capacity < most ? capacity : most};
  if (header->mode == CSD_MODE_TOP_K_BY_COLUMN) {
    gather->sort = checked->sort;
    const struct csd_sort_header *sort = &checked->sort.header;
    const uint32_t bounds =
        ((sort->flags & CSD_SORT_FLAG_HAS_AFTER) != 0 ? sort->key_count * 8u : 0u) +
        ((sort->flags & CSD_SORT_FLAG_HAS_BOTTOM) != 0 ? sort->key_count * 8u : 0u);
    gather->tail = header->total_bytes - bounds - (uint32_t)sizeof *sort -
                   sort->key_count * (uint32_t)sizeof(struct csd_sort_key);
  } else if (header->mode == CSD_MODE_AGGREGATE) {
    gather->tail =
        header->total_bytes - checked->aggregate_count * (uint32_t)sizeof(struct csd_aggregate);
    gather->aggregate_count = checked->aggregate_count;
    for (uint32_t i = 0; i < checked->aggregate_count; i++) {
      const struct csd_aggregate aggregate = csd_plan_aggregate_at(checked, i);
      gather->carry_counts[i] = aggregate.carry_count;
      gather->carry_sums[i] = aggregate.carry_sum;
    }
  }
  make_empty(gather);
}

/* ---- before a window ---- */

/* If hits in hand have lower docs, an equal score comes too late; the minimum is of docs anywhere.
 */
static void set_min_score(const struct csd_gather *gather, uint32_t min_score_bits,
                          struct csd_plan_header *header) {
  const bool behind = header->min_doc >= gather->upto;
  const uint8_t own = CSD_PLAN_FLAG_HAS_MIN_SCORE;
  const struct csd_result_header found = header_of(gather->page);
  if (found.entry_count == header->k) {
    float last;
    memcpy(&last, entries(gather->page) + 8u * (header->k - 1u) + 4u, sizeof last);
    if ((header->flags & own) == 0 || last > header->min_score ||
        (last == header->min_score && behind)) {
      header->min_score = last;
      header->flags = (uint8_t)((header->flags | own) & ~CSD_PLAN_FLAG_MIN_SCORE_TIES);
      header->flags |= behind ? 0 : CSD_PLAN_FLAG_MIN_SCORE_TIES;
    }
  }
  if (min_score_bits != 0 &&
      ((header->flags & own) == 0 || float_of(min_score_bits) > header->min_score)) {
    header->min_score = float_of(min_score_bits);
    header->flags |= own | CSD_PLAN_FLAG_MIN_SCORE_TIES;
  }
}

/* Whether keys `a` come before keys `b`: by each key's direction, then 0 if all are equal. */
static int compare_keys(const struct csd_plan_sort *sort, const uint64_t *a, const uint64_t *b) {
  for (uint32_t i = 0; i < sort->header.key_count; i++) {
    if (a[i] != b[i]) {
      const bool lower = a[i] < b[i];
      const bool reverse = (sort->keys[i].flags & CSD_SORT_KEY_FLAG_REVERSE) != 0;
      return lower != reverse ? -1 : 1;
    }
  }
  return 0;
}

/* As set_min_score, with the bottom keys of the plan, which may be none so far. */
static uint32_t set_bottom(struct csd_gather *gather, struct csd_plan_header *header) {
  const bool behind = header->min_doc >= gather->upto;
  struct csd_plan_sort sort = gather->sort;
  const uint32_t keys = sort.header.key_count;
  const struct csd_result_header found = header_of(gather->page);
  if (found.entry_count == header->k) {
    uint64_t last[CSD_MAX_SORT_KEYS];
    memcpy(last, entries(gather->page) + entry_bytes(gather) * (header->k - 1u) + 8u, keys * 8u);
    if ((sort.header.flags & CSD_SORT_FLAG_HAS_BOTTOM) == 0 ||
        compare_keys(&sort, last, sort.bottom) < (behind ? 1 : 0)) {
      memcpy(sort.bottom, last, keys * 8u);
      sort.header.flags |= CSD_SORT_FLAG_HAS_BOTTOM;
      sort.header.flags &= (uint8_t)~CSD_SORT_FLAG_BOTTOM_TIES;
      sort.header.flags |= behind ? 0 : CSD_SORT_FLAG_BOTTOM_TIES;
    }
  }
  uint8_t *to = gather->plan + gather->tail;
  memcpy(to, &sort.header, sizeof sort.header);
  to += sizeof sort.header + keys * sizeof(struct csd_sort_key);
  if ((sort.header.flags & CSD_SORT_FLAG_HAS_AFTER) != 0) {
    to += keys * 8u;
  }
  if ((sort.header.flags & CSD_SORT_FLAG_HAS_BOTTOM) != 0) {
    memcpy(to, sort.bottom, keys * 8u);
    to += keys * 8u;
  }
  return (uint32_t)(to - gather->plan);
}

uint32_t csd_gather_prepare(struct csd_gather *gather, uint32_t min_doc, uint32_t limit_doc,
                            uint32_t min_score_bits) {
  struct csd_plan_header header = gather->header;
  header.min_doc = min_doc;
  header.limit_doc = limit_doc;
  if (ranks(gather) && header.count_threshold != CSD_EXACT_COUNT) {
    const uint64_t counted = header_of(gather->page).match_count;
    header.count_threshold =
        counted < header.count_threshold ? header.count_threshold - (uint32_t)counted : 0;
  }
  if (header.mode == CSD_MODE_TOP_K) {
    set_min_score(gather, min_score_bits, &header);
  } else if (header.mode == CSD_MODE_TOP_K_BY_COLUMN) {
    header.total_bytes = set_bottom(gather, &header);
  } else if (header.mode == CSD_MODE_AGGREGATE && gather->windows > 0) {
    csd_gather_carry(gather->plan + gather->tail, gather->carry_counts, gather->page);
  }
  memcpy(gather->plan, &header, sizeof header);
  return header.total_bytes;
}

uint32_t csd_gather_restore(struct csd_gather *gather) {
  const uint8_t mode = gather->header.mode;
  make_empty(gather);
  if (mode == CSD_MODE_TOP_K_BY_COLUMN) {
    struct csd_plan_header header = gather->header;
    (void)set_bottom(gather, &header);
  } else if (mode == CSD_MODE_AGGREGATE) {
    csd_gather_carry_back(gather->plan + gather->tail, gather->aggregate_count,
                          gather->carry_counts, gather->carry_sums);
  }
  memcpy(gather->plan, &gather->header, sizeof gather->header);
  return gather->header.total_bytes;
}

/* ---- after a window ---- */

static uint32_t doc_at(const uint8_t *entry) {
  uint32_t doc;
  memcpy(&doc, entry, sizeof doc);
  return doc;
}

/* Whether the entry at `a` comes before the one at `b`, of another doc. */
static bool is_before(const struct csd_gather *gather, const uint8_t *a, const uint8_t *b) {
  if (gather->header.mode == CSD_MODE_TOP_K) {
    float score_a, score_b;
    memcpy(&score_a, a + 4, sizeof score_a);
    memcpy(&score_b, b + 4, sizeof score_b);
    if (score_a != score_b) {
      return score_a > score_b;
    }
  } else if (gather->header.mode == CSD_MODE_TOP_K_BY_COLUMN) {
    uint64_t keys_a[CSD_MAX_SORT_KEYS], keys_b[CSD_MAX_SORT_KEYS];
    const size_t bytes = gather->sort.header.key_count * sizeof keys_a[0];
    memcpy(keys_a, a + 8, bytes);
    memcpy(keys_b, b + 8, bytes);
    const int order = compare_keys(&gather->sort, keys_a, keys_b);
    if (order != 0) {
      return order < 0;
    }
  }
  return doc_at(a) < doc_at(b);
}

/* Merges entries in place, the last ones first, so that nothing is overwritten that is still
   needed.
   @return entries that are kept */
static uint32_t merge(struct csd_gather *gather, uint32_t ours, const uint8_t *page,
                      uint32_t others) {
  const uint32_t size = entry_bytes(gather);
  uint8_t *to = entries(gather->page);
  const uint8_t *from = const_entries(page);
  uint32_t kept = ours + others;
  uint32_t i = ours, j = others;
  while (ranks(gather) && kept > gather->header.k) {
    if (j == 0 || (i > 0 && !is_before(gather, to + (i - 1) * size, from + (j - 1) * size))) {
      i--;
    } else {
      j--;
    }
    kept--;
  }
  for (uint32_t at = kept; j > 0; at--) {
    if (i > 0 && !is_before(gather, to + (i - 1) * size, from + (j - 1) * size)) {
      i--;
      memmove(to + (at - 1) * size, to + i * size, size);
    } else {
      j--;
      memcpy(to + (at - 1) * size, from + j * size, size);
    }
  }
  return kept;
}

/* Adds a page. @param joins  whether its sums are to be added to those in hand */
static bool add_page(struct csd_gather *gather, const uint8_t *page, bool joins, uint8_t *scratch,
                     uint32_t scratch_bytes) {
  struct csd_result_header all = header_of(gather->page);
  const struct csd_result_header found = header_of(page);
  const uint8_t mode = gather->header.mode;
  if ((found.flags & CSD_RESULT_FLAG_MORE) != 0) {
    return false;
  }
  if (ranks(gather) || mode == CSD_MODE_DOCS) {
    const uint32_t size = entry_bytes(gather);
    const uint64_t most = (uint64_t)all.entry_count + found.entry_count;
    const uint64_t kept = !ranks(gather) || most < gather->header.k ? most : gather->header.k;
    if (sizeof all + kept * size > gather->capacity) {
      return false;
    }
    all.entry_count = merge(gather, all.entry_count, page, found.entry_count);
    all.total_bytes = (uint32_t)sizeof all + all.entry_count * size;
  } else if (mode == CSD_MODE_AGGREGATE) {
    const uint32_t room = scratch_bytes < gather->capacity ? scratch_bytes : gather->capacity;
    const uint32_t bytes =
        csd_gather_aggregates(gather->plan + gather->tail, joins ? gather->carry_sums : NULL,
                              gather->windows > 0 ? gather->page : NULL, page, scratch, room);
    if (bytes == 0) {
      return false;
    }
    memcpy(gather->page, scratch, bytes);
    all.entry_count = found.entry_count;
    all.total_bytes = bytes;
  }
  all.flags |= found.flags; /* all windows of a plan that name a way name the same one */
  all.match_count += found.match_count;
  all.next_doc = found.next_doc > all.next_doc ? found.next_doc : all.next_doc;
  all.pages_read += found.pages_read;
  all.pages_skipped += found.pages_skipped;
  all.blocks_decoded += found.blocks_decoded;
  all.blocks_skipped += found.blocks_skipped;
  all.postings_decoded += found.postings_decoded;
  all.docs_scored += found.docs_scored;
  gather->windows += joins ? found.windows : 1;
  all.windows = gather->windows;
  gather->upto = all.next_doc;
  memcpy(gather->page, &all, sizeof all);
  return true;
}

bool csd_gather_take(struct csd_gather *gather, const uint8_t *page, uint8_t *scratch,
                     uint32_t scratch_bytes) {
  return add_page(gather, page, false, scratch, scratch_bytes);
}

bool csd_gather_join(struct csd_gather *gather, const uint8_t *page, uint8_t *scratch,
                     uint32_t scratch_bytes) {
  return header_of(page).windows == 0 || add_page(gather, page, true, scratch, scratch_bytes);
}

bool csd_gather_is_page(const struct csd_gather *gather, const uint8_t *page, uint32_t bytes,
                        uint32_t windows) {
  if (bytes < sizeof(struct csd_result_header)) {
    return false;
  }
  const struct csd_result_header header = header_of(page);
  if (header.magic != CSD_RESULT_MAGIC || header.version != CSD_WIRE_VERSION ||
      header.mode != gather->header.mode || header.total_bytes != bytes ||
      header.windows > windows) {
    return false;
  }
  const uint32_t data = bytes - (uint32_t)sizeof header;
  if (header.entry_count == 0 && header.windows == 0) {
    return data == 0;
  }
  switch (header.mode) {
    case CSD_MODE_COUNT: return data == 0 && header.entry_count == 0;
    case CSD_MODE_AGGREGATE:
      return header.entry_count == gather->aggregate_count &&
             csd_gather_are_results(gather->plan + gather->tail, page, bytes);
    default:
      return (!ranks(gather) || header.entry_count <= gather->header.k) &&
             (uint64_t)header.entry_count * entry_bytes(gather) == data;
  }
}

bool csd_gather_may_join(const struct csd_plan *plan) {
  for (uint32_t i = 0; i < plan->aggregate_count; i++) {
    const struct csd_aggregate aggregate = csd_plan_aggregate_at(plan, i);
    if (aggregate.kind == CSD_AGGREGATE_KIND_STATS &&
        (aggregate.stats_type != CSD_STATS_TYPE_I64 || aggregate.flags != 0)) {
      return false;
    }
  }
  return plan->header.mode != CSD_MODE_SCORED_DOCS;
}
