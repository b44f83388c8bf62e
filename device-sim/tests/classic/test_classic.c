/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/* The classic programs against naive answers, in any amount of memory. */
#include <stdlib.h>

#include "csd/csd.h"
#include "tests/classic/classic_world.h"
#include "tests/support/check.h"

/* Ascending documents below `universe`, each with probability 1 / every; scores with many ties. */
static void fill_randomly(struct classic_world *world, uint32_t number, uint32_t universe,
                          uint32_t every, uint64_t *state) {
  struct csd_classic_entry *entries =
      world->entries + (world->lists[number].entries - world->entries);
  uint32_t count = 0;
  for (uint32_t doc = 0; doc < universe; doc++) {
    if (check_random_below(state, every) != 0) {
      continue;
    }
    entries[count].doc = doc;
    entries[count++].score = check_random_below(state, 50);
  }
  world->lists[number].length = count;
}

/* What an event stream adds up to. */
struct events {
  uint64_t loads, announced, sends, bytes_sent, dram_before;
  uint64_t pages[CSD_CLASSIC_MAX_LISTS]; /* loads of each list */
};

static void watch(void *context, const struct csd_classic_event *event) {
  struct events *events = context;
  const uint64_t dram = csd_classic_dram_accesses(event->counts);
  CHECK(dram >= events->dram_before);
  events->dram_before = dram;
  if (event->kind == CSD_CLASSIC_LOAD) {
    events->loads++;
    events->pages[event->list]++;
    CHECK_EQ(CSD_CLASSIC_PAGE_BYTES, event->bytes);
    CHECK_EQ(events->loads, event->counts->pages_loaded);
    CHECK(events->announced >= events->loads);
  } else if (event->kind == CSD_CLASSIC_ANNOUNCE) {
    events->announced++;
    CHECK_EQ(CSD_CLASSIC_PAGE_BYTES, event->bytes);
  } else {
    events->sends++;
    events->bytes_sent += event->bytes;
    CHECK_EQ(events->bytes_sent, event->counts->bytes_sent);
  }
}

static uint32_t pages_of(uint32_t entries) {
  return (entries + CSD_CLASSIC_PAGE_ENTRIES - 1) / CSD_CLASSIC_PAGE_ENTRIES;
}

/* What must hold whatever the algorithm does. */
static void check_conservation(const struct csd_classic_request *request, int use,
                               const struct classic_run *run, const struct events *events) {
  const struct csd_classic_counts *c = &run->counts;
  CHECK_EQ(events->loads, c->pages_loaded);
  CHECK_EQ(events->bytes_sent, c->bytes_sent);
  CHECK_EQ(run->count * (int64_t)CSD_CLASSIC_RESULT_BYTES, c->bytes_sent);
  CHECK(c->result_writes >= c->results);
  CHECK_EQ(request->ranked ? c->results : 0, c->result_reads);
  CHECK(request->ranked || c->heap_accesses + c->score_reads == 0);
  CHECK(!request->ranked || c->score_reads >= c->results);
  for (uint32_t i = 0; i < request->list_count; i++) {
    const uint32_t length = request->lists[i].length;
    /* A union reads every element; a difference every one of list 0. */
    if (request->operation == CSD_CLASSIC_UNION ||
        (request->operation == CSD_CLASSIC_DIFFERENCE && i == 0)) {
      CHECK(csd_classic_list_accesses(c) >= length);
      CHECK(events->pages[i] >= pages_of(length));
    }
    if (use == CSD_CLASSIC_WHOLE) {
      CHECK_EQ(pages_of(length), events->pages[i]);
    }
  }
  if (use == CSD_CLASSIC_WHOLE) {
    CHECK_EQ(events->loads, events->announced);
  }
  if (request->operation == CSD_CLASSIC_INTERSECTION) {
    CHECK(csd_classic_list_accesses(c) >= c->results * request->list_count);
  }
}

/* Runs `request` in every kind of memory and compares with the naive answer. */
static void check_request(const struct csd_classic_request *request, const char *name) {
  struct classic_run naive = classic_naive(request);
  static const uint32_t memory_pages[] = {0, 3, 4, 5, 6, 7, 9, 12, 17, 31, 64};
  for (size_t i = 0; i < sizeof memory_pages / sizeof *memory_pages; i++) {
    const size_t bytes = (size_t)memory_pages[i] * CSD_CLASSIC_PAGE_BYTES;
    const int use = bytes == 0 ? CSD_CLASSIC_WHOLE : csd_classic_memory_use(request, bytes);
    if (request->operation == CSD_CLASSIC_UNION && bytes != 0 &&
        memory_pages[i] <= request->list_count) {
      CHECK_STATUS(CSD_STATUS_NO_MEMORY, use);
      continue;
    }
    struct events events = {0};
    struct classic_run run = classic_run_in(request, bytes, watch, &events);
    CHECK_MSG(classic_same_results(&naive, &run), "%s: %d results in %u pages, not %d", name,
              run.count, memory_pages[i], naive.count);
    CHECK_EQ(naive.counts.results, run.counts.results);
    check_conservation(request, use, &run, &events);
    struct classic_run again = classic_run_in(request, bytes, NULL, NULL);
    CHECK_MSG(memcmp(&run.counts, &again.counts, sizeof run.counts) == 0,
              "%s: two runs in %u pages count differently", name, memory_pages[i]);
    free(again.results);
    free(run.results);
  }
  free(naive.results);
}

static void check_world(const struct classic_world *world, const char *name) {
  for (int ranked = 0; ranked < 2; ranked++) {
    struct csd_classic_request request =
        classic_request(world, CSD_CLASSIC_INTERSECTION, ranked != 0);
    check_request(&request, name);
    request.operation = CSD_CLASSIC_UNION;
    check_request(&request, name);
    request.operation = CSD_CLASSIC_DIFFERENCE;
    request.list_count = 2;
    check_request(&request, name);
  }
}

static void random_lists_give_the_naive_answers(void) {
  char name[64];
  for (uint64_t seed = 1; seed <= 40; seed++) {
    uint64_t state = seed;
    const uint32_t lists = 2 + check_random_below(&state, 7);
    const uint32_t universe = seed % 10 == 0 ? 20000 : 1 + check_random_below(&state, 3000);
    struct classic_world world = classic_world_room(lists, universe);
    for (uint32_t i = 0; i < lists; i++) {
      static const uint32_t densities[] = {1, 2, 3, 20, 300};
      fill_randomly(&world, i, universe, densities[check_random_below(&state, 5)], &state);
    }
    snprintf(name, sizeof name, "seed %u", (unsigned)seed);
    check_world(&world, name);
    classic_world_free(&world);
  }
}

static void workloads_give_the_naive_answers(void) {
  for (uint32_t lists = 2; lists <= 8; lists += 3) {
    const struct csd_classic_workload workload = {
        .lists = lists, .longest = 8000, .skew = lists - 1, .ratio_ppm = 100000, .seed = lists};
    struct classic_world world = classic_world_of(&workload);
    check_world(&world, "workload");
    classic_world_free(&world);
  }
}

static void edge_cases_give_the_naive_answers(void) {
  static uint32_t docs[8][600];
  for (uint32_t i = 0; i < 8; i++) {
    for (uint32_t j = 0; j < 600; j++) {
      docs[i][j] = 8 * j + i; /* no two lists meet */
    }
  }
  struct classic_world world = classic_world_room(8, 600);
  for (uint32_t i = 0; i < 8; i++) {
    classic_fill(&world, i, docs[i], 600);
  }
  check_world(&world, "disjoint");
  for (uint32_t i = 0; i < 8; i++) {
    classic_fill(&world, i, docs[0], 600);
  }
  check_world(&world, "equal");
  for (uint32_t i = 0; i < 8; i++) {
    classic_fill(&world, i, docs[0] + 60 * i, 60);
  }
  check_world(&world, "one after the other");
  for (uint32_t i = 0; i < 8; i++) {
    classic_fill(&world, i, docs[0] + 599, 1);
  }
  check_world(&world, "one entry");
  classic_fill(&world, 1, docs[1], 600);
  check_world(&world, "one entry, missed");
  classic_fill(&world, 1, docs[0], 600);
  check_world(&world, "one entry, met last");
  classic_fill(&world, 1, docs[0], 0);
  check_world(&world, "an empty list");
  static const uint32_t bounds[] = {0, UINT32_MAX - 1, UINT32_MAX};
  for (uint32_t i = 0; i < 8; i++) {
    classic_fill(&world, i, bounds, 3);
  }
  check_world(&world, "first and last document");
  for (uint32_t i = 0; i < 8; i++) {
    classic_fill(&world, i, docs[0], 0);
  }
  check_world(&world, "nothing");
  classic_world_free(&world);
}

/* Loads in order, as "list.page " each. */
struct load_text {
  char text[128];
  size_t length;
};

static void note_load(void *context, const struct csd_classic_event *event) {
  struct load_text *loads = context;
  if (event->kind != CSD_CLASSIC_LOAD) {
    return;
  }
  const int more = snprintf(loads->text + loads->length, sizeof loads->text - loads->length,
                            "%u.%u ", event->list, event->page);
  CHECK(more > 0 && (size_t)more < sizeof loads->text - loads->length);
  loads->length += (size_t)more;
}

static void check_loads(const struct csd_classic_request *request, size_t pages, int results,
                        const char *expected) {
  struct load_text loads = {.length = 0};
  struct classic_run run =
      classic_run_in(request, pages * CSD_CLASSIC_PAGE_BYTES, note_load, &loads);
  CHECK_EQ(results, run.count);
  CHECK_MSG(strcmp(expected, loads.text) == 0, "loads are '%s', not '%s'", loads.text, expected);
  free(run.results);
}

static void pages_are_loaded_in_the_order_of_the_work(void) {
  static uint32_t all[600];
  static uint32_t even[300];
  static uint32_t some[256];
  for (uint32_t i = 0; i < 600; i++) {
    all[i] = i;
  }
  for (uint32_t i = 0; i < 300; i++) {
    even[i] = 2 * i;
  }
  for (uint32_t i = 0; i < 255; i++) {
    some[i] = i;
  }
  some[255] = 598;
  struct classic_world world = classic_world_room(3, 600);
  classic_fill(&world, 0, some, 256);
  classic_fill(&world, 1, all, 600);
  classic_fill(&world, 2, even, 300);
  struct csd_classic_request request = classic_request(&world, CSD_CLASSIC_INTERSECTION, false);
  check_loads(&request, 7, 129, "0.0 1.0 1.1 1.2 2.0 2.1 "); /* whole */
  check_loads(&request, 6, 129, "0.0 2.0 2.1 1.0 1.1 1.2 "); /* the shorter one passes first */
  /* 512 documents without the even ones, in two chunks; the first ends within the other's page. */
  classic_fill(&world, 0, all, 512);
  classic_fill(&world, 1, even, 300);
  request.operation = CSD_CLASSIC_DIFFERENCE;
  request.list_count = 2;
  check_loads(&request, 3, 256, "0.0 1.0 0.1 1.0 1.1 ");
  check_loads(&request, 4, 256, "0.0 0.1 1.0 1.1 ");
  request.operation = CSD_CLASSIC_UNION;
  check_loads(&request, 3, 512 + 44, "0.0 1.0 0.1 1.1 ");
  classic_world_free(&world);
}

static void memory_is_used_as_planned(void) {
  const struct csd_classic_workload workload = {
      .lists = 3, .longest = 10 * 256, .skew = 2, .ratio_ppm = 10000, .seed = 1};
  struct classic_world world = classic_world_of(&workload); /* pages: 5, 10, 5 */
  struct csd_classic_request request = classic_request(&world, CSD_CLASSIC_INTERSECTION, false);
  CHECK_EQ(23 * CSD_CLASSIC_PAGE_BYTES, csd_classic_whole_bytes(&request));
  CHECK_EQ(CSD_CLASSIC_WHOLE, csd_classic_memory_use(&request, 23 * CSD_CLASSIC_PAGE_BYTES));
  CHECK_EQ(CSD_CLASSIC_STREAMED, csd_classic_memory_use(&request, 23 * CSD_CLASSIC_PAGE_BYTES - 1));
  CHECK_EQ(CSD_CLASSIC_STREAMED, csd_classic_memory_use(&request, 10 * CSD_CLASSIC_PAGE_BYTES));
  CHECK_EQ(CSD_CLASSIC_CHUNKED, csd_classic_memory_use(&request, 9 * CSD_CLASSIC_PAGE_BYTES));
  CHECK_EQ(CSD_CLASSIC_CHUNKED, csd_classic_memory_use(&request, 3 * CSD_CLASSIC_PAGE_BYTES));
  CHECK_STATUS(CSD_STATUS_NO_MEMORY,
               csd_classic_memory_use(&request, 3 * CSD_CLASSIC_PAGE_BYTES - 1));
  request.operation = CSD_CLASSIC_UNION;
  CHECK_EQ(CSD_CLASSIC_STREAMED, csd_classic_memory_use(&request, 4 * CSD_CLASSIC_PAGE_BYTES));
  CHECK_STATUS(CSD_STATUS_NO_MEMORY, csd_classic_memory_use(&request, 3 * CSD_CLASSIC_PAGE_BYTES));
  classic_world_free(&world);
}

static void bad_requests_are_refused(void) {
  struct classic_world world = classic_world_room(8, 1);
  static const uint32_t docs[] = {7};
  for (uint32_t i = 0; i < 8; i++) {
    classic_fill(&world, i, docs, 1);
  }
  struct csd_classic_request request = classic_request(&world, CSD_CLASSIC_DIFFERENCE, false);
  static _Alignas(8) uint8_t memory[9 * CSD_CLASSIC_PAGE_BYTES + 1];
  struct csd_classic_device device = {.memory = memory, .memory_bytes = sizeof memory - 1};
  struct csd_classic_result results[CSD_CLASSIC_TOP];
  struct csd_classic_counts counts;
#define RUN_REQUEST(capacity) csd_classic_run(&request, &device, results, capacity, &counts)
  CHECK_STATUS(CSD_STATUS_INVALID_ARGUMENT, RUN_REQUEST(10)); /* of eight lists */
  request.operation = (enum csd_classic_operation)3;
  CHECK_STATUS(CSD_STATUS_INVALID_ARGUMENT, RUN_REQUEST(10));
  request.operation = CSD_CLASSIC_INTERSECTION;
  CHECK_EQ(1, RUN_REQUEST(10));
  CHECK_STATUS(CSD_STATUS_NO_SPACE, RUN_REQUEST(0));
  request.ranked = true;
  CHECK_STATUS(CSD_STATUS_NO_SPACE, RUN_REQUEST(0));
  request.list_count = 1;
  CHECK_STATUS(CSD_STATUS_INVALID_ARGUMENT, RUN_REQUEST(10));
  request.list_count = 9;
  CHECK_STATUS(CSD_STATUS_INVALID_ARGUMENT, RUN_REQUEST(10));
  request.list_count = 8;
  world.lists[5].length = CSD_CLASSIC_MAX_ENTRIES + 1;
  CHECK_STATUS(CSD_STATUS_INVALID_ARGUMENT, RUN_REQUEST(10));
  CHECK(strstr(csd_last_error(), "list 5") != NULL);
  world.lists[5] = (struct csd_classic_list){.length = 1};
  CHECK_STATUS(CSD_STATUS_INVALID_ARGUMENT, RUN_REQUEST(10));
  world.lists[5] = world.lists[4];
  device.memory = memory + 1;
  CHECK_STATUS(CSD_STATUS_INVALID_ARGUMENT, RUN_REQUEST(10));
  device.memory = NULL;
  CHECK_STATUS(CSD_STATUS_INVALID_ARGUMENT, RUN_REQUEST(10));
  device.memory = memory;
  device.memory_bytes = CSD_CLASSIC_PAGE_BYTES;
  CHECK_STATUS(CSD_STATUS_NO_MEMORY, RUN_REQUEST(10));
  request.lists = NULL;
  CHECK_STATUS(CSD_STATUS_INVALID_ARGUMENT, RUN_REQUEST(10));
#undef RUN_REQUEST
  classic_world_free(&world);
}

/* Lists in no order: any answer will do, none outside the memory (a sanitizer looks on). */
static void lists_out_of_order_do_no_harm(void) {
  for (uint64_t seed = 1; seed <= 20; seed++) {
    uint64_t state = seed;
    struct classic_world world = classic_world_room(4, 1500);
    for (uint32_t i = 0; i < 4 * 1500; i++) {
      world.entries[i].doc = check_random_below(&state, 9);
    }
    for (uint32_t i = 0; i < 4; i++) {
      world.lists[i].length = 1 + check_random_below(&state, 1500);
    }
    for (int operation = 0; operation <= CSD_CLASSIC_DIFFERENCE; operation++) {
      struct csd_classic_request request =
          classic_request(&world, (enum csd_classic_operation)operation, seed % 2 == 0);
      if (operation == CSD_CLASSIC_DIFFERENCE) {
        request.list_count = 2;
      }
      for (size_t pages = 5; pages < 50; pages += 22) {
        struct classic_run run =
            classic_run_in(&request, pages * CSD_CLASSIC_PAGE_BYTES, NULL, NULL);
        CHECK(run.count >= 0 || run.count == -CSD_STATUS_NO_SPACE);
        free(run.results);
      }
    }
    classic_world_free(&world);
  }
}

int main(void) {
  RUN(random_lists_give_the_naive_answers);
  RUN(workloads_give_the_naive_answers);
  RUN(edge_cases_give_the_naive_answers);
  RUN(pages_are_loaded_in_the_order_of_the_work);
  RUN(memory_is_used_as_planned);
  RUN(bad_requests_are_refused);
  RUN(lists_out_of_order_do_no_harm);
  return check_result();
}
