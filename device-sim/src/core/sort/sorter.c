/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/* Tests: tests/core/program/test_program_sort.c, which compares programs with a plain evaluation.
 */
#include "core/sort/sorter.h"

#include <stddef.h>
#include <string.h>

#include "core/filters/live_docs.h"
#include "core/plan/plan_areas.h"
#include "core/sort/sort_key.h"
#include "core/sort/sorter_take.h"

/* Docs of the first look; each later one is twice as long, up to a chunk. */
#define FIRST_LOOK 128u

/* ---- making ---- */

static void open_key(struct csd_sorter *sorter, uint32_t i, const struct csd_plan *plan,
                     const struct csd_extent *extents, const struct csd_page_source *source) {
  const struct csd_sort_key *planned = &plan->sort.keys[i];
  struct csd_sorter_key *key = &sorter->keys[i];
  key->kind = planned->kind;
  key->transform = planned->transform;
  key->max = planned->selector == CSD_SORT_SELECTOR_MAX;
  key->flip = (planned->flags & CSD_SORT_KEY_FLAG_REVERSE) != 0 ? UINT64_MAX : 0;
  key->missing = planned->missing;
  if (planned->transform == CSD_SORT_TRANSFORM_DISTANCE) {
    const struct csd_geo_point from = csd_plan_point_at(plan, (uint32_t)planned->missing);
    key->centre = csd_geo_centre_of(from.lat, from.lon);
    key->missing = CSD_SORT_KEY_NOWHERE;
  }
  sorter->flips[i] = key->flip;
  if (planned->kind == CSD_SORT_KIND_COLUMN) {
    const struct csd_column_ref ref = csd_plan_column_at(plan, planned->column);
    csd_column_cursor_open(&key->column, &ref, &sorter->wanted, extents + ref.first_extent,
                           plan->header.max_doc, source, sorter->kernels, sorter->work);
    key->column.lazy = true;
  }
}

/*
 * The keys before the lead are the same for all docs. If they differ from those of a limit, no doc
 * or every doc is beyond it.
 */
static void compare_constants(struct csd_sorter *sorter) {
  for (uint32_t i = 0; i < sorter->lead; i++) {
    const uint64_t key = sorter->keys[i].missing ^ sorter->flips[i];
    sorter->non_competitive |= (sorter->has_after && key < sorter->after[i]) ||
                               (sorter->has_bound && key > sorter->bound[i]);
    sorter->has_after &= key == sorter->after[i];
    sorter->has_bound &= key == sorter->bound[i];
  }
}

static void open_limits(struct csd_sorter *sorter, const struct csd_plan_sort *sort) {
  const unsigned flags = sort->header.flags;
  sorter->has_after = (flags & CSD_SORT_FLAG_HAS_AFTER) != 0;
  sorter->has_bound = (flags & CSD_SORT_FLAG_HAS_BOTTOM) != 0;
  for (uint32_t i = 0; i < sorter->key_count; i++) {
    sorter->after[i] = sort->after[i] ^ sorter->flips[i];
    sorter->bound[i] = sort->bottom[i] ^ sorter->flips[i];
  }
  sorter->after_doc = sort->header.after_doc;
  sorter->bound_doc = (flags & CSD_SORT_FLAG_BOTTOM_TIES) != 0 ? UINT32_MAX : 0;
  while (sorter->lead < sorter->key_count &&
         sorter->keys[sorter->lead].kind == CSD_SORT_KIND_CONSTANT) {
    sorter->lead++;
  }
  compare_constants(sorter);
  if (sorter->lead < sorter->key_count && sorter->keys[sorter->lead].kind == CSD_SORT_KIND_COLUMN) {
    const struct csd_sorter_key *lead = &sorter->keys[sorter->lead];
    sorter->lead_ascends =
        csd_sort_ascends(lead->transform, lead->column.ref.min, lead->column.ref.max);
  }
  sorter->stale = true;
}

struct csd_sorter *csd_sorter_make(struct csd_arena *arena, const struct csd_plan *plan,
                                   const struct csd_page_source *source, struct csd_eval *eval,
                                   const uint64_t *live_docs, uint8_t *result) {
  const size_t extent_bytes = plan->header.extent_count * sizeof(struct csd_extent);
  struct csd_sorter *sorter = csd_arena_take(arena, sizeof *sorter);
  struct csd_extent *extents = csd_arena_take(arena, extent_bytes);
  if (sorter == NULL || extents == NULL) {
    return NULL;
  }
  memcpy(extents, plan->extents, extent_bytes);
  memset(sorter, 0, offsetof(struct csd_sorter, keys));
  sorter->kernels = eval->kernels;
  sorter->work = &eval->work;
  sorter->live_docs = live_docs;
  sorter->result = result;
  sorter->scores = plan->scored;
  sorter->counts = true;
  sorter->count_threshold = plan->header.count_threshold;
  sorter->chunk = FIRST_LOOK;
  sorter->wanted = (struct csd_value_range){.lo = INT64_MIN, .hi = INT64_MAX};
  sorter->key_count = plan->sort.header.key_count;
  for (uint32_t i = 0; i < sorter->key_count; i++) {
    open_key(sorter, i, plan, extents, source);
  }
  open_limits(sorter, &plan->sort);
  sorter->heap.words = (uint64_t *)(void *)(result + sizeof(struct csd_result_header));
  sorter->heap.key_count = sorter->key_count;
  sorter->heap.k = plan->header.k;
  return sorter;
}

void csd_sorter_end(struct csd_sorter *sorter) {
  for (uint32_t i = 0; i < sorter->key_count; i++) {
    if (sorter->keys[i].kind == CSD_SORT_KIND_COLUMN) {
      csd_column_cursor_close(&sorter->keys[i].column);
    }
  }
}

void csd_sorter_rewind(struct csd_sorter *sorter) {
  for (uint32_t i = 0; i < sorter->key_count; i++) {
    if (sorter->keys[i].kind == CSD_SORT_KIND_COLUMN) {
      csd_column_cursor_rewind(&sorter->keys[i].column);
    }
  }
  sorter->stale = true;
  sorter->seeding = false;
}

/* ---- batches ---- */

static int take_words(struct csd_sorter *sorter, const struct csd_batch *batch) {
  uint64_t live[CSD_WINDOW_WORDS];
  const uint32_t words = (batch->upto - batch->bits_base + 63u) / 64u;
  for (uint32_t w = 0; w < words; w += CSD_WINDOW_WORDS) {
    const uint32_t n = words - w < CSD_WINDOW_WORDS ? words - w : CSD_WINDOW_WORDS;
    const uint32_t base = batch->bits_base + 64u * w;
    const uint64_t *part = csd_live_words(sorter->live_docs, batch, w, n, live);
    if (sorter->counts && !sorter->seeding) {
      sorter->count += sorter->kernels->count_bits(part, n);
    }
    const uint32_t end = base + 64u * n < batch->upto ? base + 64u * n : batch->upto;
    const int status = csd_sorter_take_bits(sorter, part, base, end);
    if (status < 0) {
      return status;
    }
  }
  return 0;
}

int csd_sorter_take(struct csd_sorter *sorter, const struct csd_batch *batch) {
  if (batch->bits != NULL) {
    return take_words(sorter, batch);
  }
  const struct csd_batch taken =
      csd_live_batch(sorter->live_docs, batch, sorter->live_list, sorter->live_scores);
  if (sorter->counts && !sorter->seeding) {
    sorter->count += taken.n;
  }
  return csd_sorter_take_docs(sorter, &taken);
}

/* ---- the end ---- */

void csd_sorter_close(struct csd_sorter *sorter, uint64_t match_count, uint32_t next_doc,
                      unsigned flags) {
  const struct csd_work *work = sorter->work;
  csd_sort_heap_finish(&sorter->heap, sorter->flips);
  const struct csd_result_header header = {
      .magic = CSD_RESULT_MAGIC,
      .version = CSD_WIRE_VERSION,
      .mode = CSD_MODE_TOP_K_BY_COLUMN,
      .flags = (uint8_t)flags,
      .total_bytes =
          (uint32_t)sizeof header + sorter->heap.count * csd_sort_entry_bytes(sorter->key_count),
      .entry_count = sorter->heap.count,
      .match_count = match_count,
      .next_doc = next_doc,
      .pages_read = work->pages_read,
      .blocks_decoded = work->blocks_decoded,
      .blocks_skipped = work->blocks_skipped,
      .postings_decoded = work->postings_decoded,
      .docs_scored = work->docs_scored,
      .pages_skipped = work->pages_skipped,
  };
  memcpy(sorter->result, &header, sizeof header);
}
