/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
#include "tests/support/search_world.h"

#include <stdlib.h>
#include <string.h>

#include "tests/support/check.h"
#include "tests/support/client.h"
#include "tests/support/page/page_builder.h"

struct search_world *search_world_make(uint64_t seed, uint64_t stamp, uint64_t first_lba) {
  static const uint32_t mean_gaps[WORLD_LISTS] = {1, 2, 3, 10, 60, 400};
  struct search_world *world = calloc(1, sizeof *world);
  struct page_builder builder;
  if (world == NULL) {
    abort();
  }
  world->first_lba = first_lba;
  for (uint32_t norm = 0; norm < CSD_NORM_TABLE_ENTRIES; norm++) {
    world->table[norm] = 1.0f / (1.2f * (0.25f + 0.75f * (float)norm / 50.0f));
  }
  for (uint32_t doc = 0; doc < WORLD_MAX_DOC; doc++) {
    world->norms[doc] = (uint8_t)(20 + check_random_below(&seed, 60));
  }
  page_builder_init(&builder, stamp, 1);
  for (uint32_t i = 0; i < WORLD_LISTS; i++) {
    struct test_list *list = &world->lists[i];
    *list = test_list_random(&seed, WORLD_MAX_DOC / (mean_gaps[i] + 1) / 2, mean_gaps[i]);
    for (uint32_t p = 0; p < list->count; p++) {
      if (list->docs[p] >= WORLD_MAX_DOC) {
        list->count = p; /* ends the loop */
      }
    }
    for (uint32_t p = 0; p < list->count; p++) {
      list->norms[p] = world->norms[list->docs[p]];
      world->freqs[i][list->docs[p]] = (uint16_t)list->freqs[p];
    }
    page_builder_add(&builder, list->docs, list->freqs, list->norms, list->count, &world->refs[i]);
  }
  page_builder_finish(&builder);
  world->page_count = builder.page_count;
  world->pages = malloc((size_t)builder.page_count * CSD_PAGE_BYTES);
  if (world->pages == NULL) {
    abort();
  }
  memcpy(world->pages, builder.pages, (size_t)builder.page_count * CSD_PAGE_BYTES);
  page_builder_free(&builder);
  return world;
}

void search_world_free(struct search_world *world) {
  for (int i = 0; i < WORLD_LISTS; i++) {
    test_list_free(&world->lists[i]);
  }
  free(world->pages);
  free(world);
}

int64_t search_world_write(const struct search_world *world, struct csd_queue *queue) {
  return client_write(queue, world->first_lba, world->pages, world->page_count);
}

struct search_query search_query_random(uint64_t *seed) {
  struct search_query query = {.mode = (uint8_t)(CSD_MODE_COUNT + check_random_below(seed, 4)),
                               .k = 1 + check_random_below(seed, 30),
                               .term_count = 1 + check_random_below(seed, 4)};
  for (uint32_t i = 0; i < query.term_count; i++) {
    query.list[i] = check_random_below(seed, WORLD_LISTS);
    query.weight[i] = (float)(1 + check_random_below(seed, 1000)) / 128.0f;
    query.occur[i] = (uint8_t)(i == 0 ? check_random_below(seed, 2) * CSD_OCCUR_SHOULD
                                      : check_random_below(seed, 4));
  }
  return query;
}

uint32_t search_query_plan(const struct search_world *world, const struct search_query *query,
                           uint8_t *plan) {
  const bool top_k = query->mode == CSD_MODE_TOP_K;
  struct csd_plan_header header = {.magic = CSD_PLAN_MAGIC,
                                   .version = CSD_WIRE_VERSION,
                                   .mode = query->mode,
                                   .node_count = (uint16_t)(query->term_count + 1),
                                   .list_count = WORLD_LISTS,
                                   .extent_count = 1,
                                   .table_count = 1,
                                   .max_doc = WORLD_MAX_DOC,
                                   .limit_doc = WORLD_MAX_DOC,
                                   .k = top_k ? query->k : 0,
                                   .count_threshold = CSD_EXACT_COUNT,
                                   .max_result_bytes = CSD_MAX_RESULT_BYTES};
  uint8_t *at = plan + sizeof header;
  const struct csd_plan_node root = {.op = CSD_OP_BOOL, .child_count = (uint16_t)query->term_count};
  memcpy(at, &root, sizeof root);
  at += sizeof root;
  for (uint32_t i = 0; i < query->term_count; i++) {
    const struct csd_plan_node node = {.op = CSD_OP_TERM,
                                       .occur = query->occur[i],
                                       .list = query->list[i],
                                       .weight = query->weight[i]};
    memcpy(at, &node, sizeof node);
    at += sizeof node;
  }
  memcpy(at, world->refs, sizeof world->refs);
  at += sizeof world->refs;
  const struct csd_extent extent = {
      .file_page = 1, .page_count = world->page_count, .lba = world->first_lba};
  memcpy(at, &extent, sizeof extent);
  at += sizeof extent;
  memcpy(at, world->table, sizeof world->table);
  at += sizeof world->table;
  header.total_bytes = (uint32_t)(at - plan);
  memcpy(plan, &header, sizeof header);
  return header.total_bytes;
}

/* Score of a doc; false if it does not match. */
static bool evaluate(const struct search_world *world, const struct search_query *query,
                     uint32_t doc, float *score) {
  double must = 0, should = 0;
  uint32_t required = 0, matching = 0;
  for (uint32_t i = 0; i < query->term_count; i++) {
    const uint32_t freq = world->freqs[query->list[i]][doc];
    const float weight = query->weight[i];
    const float product = (float)freq * world->table[world->norms[doc]];
    const float term = weight - weight / (1.0f + product);
    switch (query->occur[i]) {
      case CSD_OCCUR_MUST_NOT:
        if (freq != 0) {
          return false;
        }
        break;
      case CSD_OCCUR_SHOULD:
        matching += freq != 0;
        should += freq != 0 ? (double)term : 0;
        break;
      default:
        required++;
        if (freq == 0) {
          return false;
        }
        must += query->occur[i] == CSD_OCCUR_MUST ? (double)term : 0;
    }
  }
  if (required == 0 && matching == 0) {
    return false;
  }
  *score = required == 0   ? (float)should
           : matching == 0 ? (float)must
                           : (float)must + (float)should;
  return true;
}

struct hit {
  uint32_t doc;
  float score;
};

static int by_rank(const void *left, const void *right) {
  const struct hit *a = left, *b = right;
  if (a->score != b->score) {
    return a->score > b->score ? -1 : 1;
  }
  return a->doc < b->doc ? -1 : a->doc > b->doc;
}

bool search_query_check(const struct search_world *world, const struct search_query *query,
                        const uint8_t *result, int64_t result_bytes) {
  struct hit *hits = malloc(WORLD_MAX_DOC * sizeof *hits);
  uint32_t count = 0;
  if (hits == NULL) {
    abort();
  }
  for (uint32_t doc = 0; doc < WORLD_MAX_DOC; doc++) {
    if (evaluate(world, query, doc, &hits[count].score)) {
      hits[count++].doc = doc;
    }
  }
  struct csd_result_header header;
  memcpy(&header, result, sizeof header);
  bool good = CHECK(result_bytes >= (int64_t)sizeof header) &&
              CHECK_EQ(header.total_bytes, result_bytes) && CHECK_EQ(count, header.match_count) &&
              CHECK_EQ(0, header.flags & ((1u << CSD_WAY_SHIFT) - 1u)) &&
              CHECK_EQ(WORLD_MAX_DOC, header.next_doc);
  if (query->mode == CSD_MODE_TOP_K) {
    qsort(hits, count, sizeof *hits, by_rank);
    if (count > query->k) {
      count = query->k;
    }
  }
  const uint32_t expected = query->mode == CSD_MODE_COUNT ? 0 : count;
  good = good && CHECK_EQ(expected, header.entry_count);
  const uint8_t *body = result + sizeof header;
  for (uint32_t i = 0; good && i < expected; i++) {
    const bool pairs = query->mode == CSD_MODE_TOP_K;
    const uint8_t *doc = body + i * (pairs ? sizeof hits[0] : sizeof hits[0].doc);
    const uint8_t *score = pairs ? doc + 4 : body + ((size_t)expected + i) * 4;
    good = CHECK_MSG(memcmp(doc, &hits[i].doc, 4) == 0, "mode %u: doc %u of %u", query->mode, i,
                     expected);
    if (good && query->mode != CSD_MODE_DOCS) {
      good = CHECK_MSG(memcmp(score, &hits[i].score, 4) == 0, "mode %u: score %u of %u",
                       query->mode, i, expected);
    }
  }
  free(hits);
  return good;
}
