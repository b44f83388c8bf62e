/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
#include "tests/classic/classic_world.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "csd/csd.h"

static void *room(size_t bytes) {
  void *memory = malloc(bytes == 0 ? 1 : bytes);
  if (memory == NULL) {
    fprintf(stderr, "no memory for %zu bytes\n", bytes);
    exit(1);
  }
  return memory;
}

struct classic_world classic_world_of(const struct csd_classic_workload *workload) {
  struct classic_world world = {.list_count = workload->lists};
  uint64_t entries = 0;
  uint64_t scratch_bytes = 0;
  if (csd_classic_workload_size(workload, &entries, &scratch_bytes) != 0) {
    fprintf(stderr, "%s\n", csd_last_error());
    exit(1);
  }
  world.entries = room(entries * sizeof *world.entries);
  void *scratch = room(scratch_bytes);
  if (csd_classic_workload_make(workload, world.entries, scratch, world.lists) != 0) {
    exit(1);
  }
  free(scratch);
  return world;
}

struct classic_world classic_world_room(uint32_t list_count, uint32_t longest) {
  struct classic_world world = {.list_count = list_count};
  const size_t bytes = (size_t)list_count * longest * sizeof *world.entries;
  world.entries = room(bytes);
  memset(world.entries, 0, bytes);
  for (uint32_t i = 0; i < list_count; i++) {
    world.lists[i].entries = world.entries + (size_t)i * longest;
  }
  return world;
}

void classic_world_free(struct classic_world *world) {
  free(world->entries);
  world->entries = NULL;
}

struct csd_classic_request classic_request(const struct classic_world *world,
                                           enum csd_classic_operation operation, bool ranked) {
  return (struct csd_classic_request){.operation = operation,
                                      .ranked = ranked,
                                      .list_count = world->list_count,
                                      .lists = world->lists};
}

static uint32_t all_entries(const struct csd_classic_request *request) {
  uint32_t entries = 0;
  for (uint32_t i = 0; i < request->list_count; i++) {
    entries += request->lists[i].length;
  }
  return entries;
}

struct classic_run classic_run_in(const struct csd_classic_request *request, size_t memory_bytes,
                                  void (*event)(void *, const struct csd_classic_event *),
                                  void *context) {
  if (memory_bytes == 0) {
    memory_bytes = csd_classic_whole_bytes(request) + 9 * CSD_CLASSIC_PAGE_BYTES;
  }
  const uint32_t capacity = all_entries(request) + CSD_CLASSIC_TOP;
  struct classic_run run = {.results = room(capacity * sizeof *run.results)};
  const struct csd_classic_device device = {.memory = room(memory_bytes),
                                            .memory_bytes = memory_bytes,
                                            .event = event,
                                            .context = context};
  run.count = csd_classic_run(request, &device, run.results, capacity, &run.counts);
  free(device.memory);
  return run;
}

static int by_doc(const void *left, const void *right) {
  const struct csd_classic_result *a = left;
  const struct csd_classic_result *b = right;
  return a->doc < b->doc ? -1 : a->doc > b->doc;
}

static int by_score(const void *left, const void *right) {
  const struct csd_classic_result *a = left;
  const struct csd_classic_result *b = right;
  if (a->score != b->score) {
    return a->score > b->score ? -1 : 1;
  }
  return by_doc(left, right);
}

struct classic_run classic_naive(const struct csd_classic_request *request) {
  const uint32_t entries = all_entries(request);
  /* Every posting, its list in `reserved`, by document. */
  struct csd_classic_result *all = room(entries * sizeof *all);
  uint32_t count = 0;
  for (uint32_t i = 0; i < request->list_count; i++) {
    for (uint32_t j = 0; j < request->lists[i].length; j++) {
      const struct csd_classic_entry *entry = &request->lists[i].entries[j];
      all[count++] =
          (struct csd_classic_result){.doc = entry->doc, .reserved = i, .score = entry->score};
    }
  }
  if (count > 0) {
    qsort(all, count, sizeof *all, by_doc);
  }
  uint32_t kept = 0;
  for (uint32_t i = 0; i < count;) {
    struct csd_classic_result result = {.doc = all[i].doc};
    uint32_t in = 0;
    for (; i < count && all[i].doc == result.doc; i++) {
      in |= 1u << all[i].reserved;
      if (request->ranked) {
        result.score += all[i].score;
      }
    }
    const bool keep =
        request->operation == CSD_CLASSIC_UNION ||
        (request->operation == CSD_CLASSIC_DIFFERENCE ? in == 1
                                                      : in == (1u << request->list_count) - 1);
    if (keep) {
      all[kept++] = result;
    }
  }
  struct classic_run run = {.results = all, .count = (int)kept};
  run.counts.results = kept;
  if (request->ranked) {
    if (kept > 0) {
      qsort(all, kept, sizeof *all, by_score);
    }
    if (run.count > (int)CSD_CLASSIC_TOP) {
      run.count = (int)CSD_CLASSIC_TOP;
    }
  }
  return run;
}

bool classic_same_results(const struct classic_run *a, const struct classic_run *b) {
  return a->count >= 0 && a->count == b->count &&
         memcmp(a->results, b->results, (size_t)a->count * sizeof *a->results) == 0;
}

void classic_fill(struct classic_world *world, uint32_t number, const uint32_t *docs,
                  uint32_t count) {
  struct csd_classic_entry *entries =
      world->entries + (world->lists[number].entries - world->entries);
  for (uint32_t i = 0; i < count; i++) {
    entries[i].doc = docs[i];
    entries[i].score = docs[i] + UINT64_C(1000) * number;
  }
  world->lists[number].length = count;
}
