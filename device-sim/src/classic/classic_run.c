/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/*
 * Runs a request in the memory it is given. Whole: lists, then results. Streamed and chunked:
 * resident list or chunk, then results, then the page through which the other lists pass. A
 * streamed union: a page for every list, then a page of results.
 */
#include "base/status.h"
#include "classic/classic_programs.h"

static int fail(const char *text, unsigned value) {
  return csd_fail(CSD_STATUS_INVALID_ARGUMENT, "classic request: %s %u", text, value);
}

static int check(const struct csd_classic_request *request) {
  const uint32_t count = request->list_count;
  if ((unsigned)request->operation > CSD_CLASSIC_DIFFERENCE) {
    return fail("no operation", (unsigned)request->operation);
  }
  if (count < CSD_CLASSIC_MIN_LISTS || count > CSD_CLASSIC_MAX_LISTS) {
    return fail("list_count is not 2 to 8 but", count);
  }
  if (request->operation == CSD_CLASSIC_DIFFERENCE && count != 2) {
    return fail("list_count of a difference is not 2 but", count);
  }
  if (request->lists == NULL) {
    return fail("lists is NULL, list_count is", count);
  }
  for (uint32_t i = 0; i < count; i++) {
    if (request->lists[i].length > CSD_CLASSIC_MAX_ENTRIES) {
      return fail("longer than 268435456 entries is list", i);
    }
    if (request->lists[i].length > 0 && request->lists[i].entries == NULL) {
      return fail("entries is NULL of list", i);
    }
  }
  return 0;
}

static uint32_t pages_of(uint32_t entries) {
  return entries / CSD_CLASSIC_PAGE_ENTRIES + (entries % CSD_CLASSIC_PAGE_ENTRIES != 0);
}

static uint32_t resident_of(const struct csd_classic_request *request) {
  uint32_t resident = 0;
  if (request->operation == CSD_CLASSIC_DIFFERENCE) {
    return resident;
  }
  for (uint32_t i = 1; i < request->list_count; i++) {
    if (request->lists[i].length < request->lists[resident].length) {
      resident = i;
    }
  }
  return resident;
}

static uint64_t whole_list_pages(const struct csd_classic_request *request) {
  uint64_t pages = 0;
  for (uint32_t i = 0; i < request->list_count; i++) {
    pages += pages_of(request->lists[i].length);
  }
  return pages;
}

/* Results that a request can have at most. */
static uint64_t max_results(const struct csd_classic_request *request) {
  if (request->operation != CSD_CLASSIC_UNION) {
    return request->lists[resident_of(request)].length;
  }
  uint64_t results = 0;
  for (uint32_t i = 0; i < request->list_count; i++) {
    results += request->lists[i].length;
  }
  return results;
}

static uint64_t result_pages(uint64_t results) {
  return (results + CSD_CLASSIC_PAGE_RESULTS - 1) / CSD_CLASSIC_PAGE_RESULTS;
}

uint64_t csd_classic_whole_bytes(const struct csd_classic_request *request) {
  if (check(request) != 0) {
    return 0;
  }
  return (whole_list_pages(request) + result_pages(max_results(request))) * CSD_CLASSIC_PAGE_BYTES;
}

int csd_classic_memory_use(const struct csd_classic_request *request, size_t memory_bytes) {
  const int status = check(request);
  if (status < 0) {
    return status;
  }
  const uint64_t pages = memory_bytes / CSD_CLASSIC_PAGE_BYTES;
  const bool is_union = request->operation == CSD_CLASSIC_UNION;
  const uint64_t least = is_union ? request->list_count + 1u : 3u;
  if (pages < least) {
    return csd_fail(CSD_STATUS_NO_MEMORY, "classic request: memory_bytes is %zu, %u are needed",
                    memory_bytes, (unsigned)least * CSD_CLASSIC_PAGE_BYTES);
  }
  if (csd_classic_whole_bytes(request) <= memory_bytes) {
    return CSD_CLASSIC_WHOLE;
  }
  const uint64_t resident = pages_of(request->lists[resident_of(request)].length);
  return is_union || 2 * resident <= pages ? CSD_CLASSIC_STREAMED : CSD_CLASSIC_CHUNKED;
}

/* The longest list against the shortest: one choice for all searches of the request. */
static bool is_linear(const struct csd_classic_request *request) {
  uint32_t least = UINT32_MAX;
  uint32_t most = 0;
  for (uint32_t i = 0; i < request->list_count; i++) {
    const uint32_t length = request->lists[i].length;
    if (length < least) {
      least = length;
    }
    if (length > most) {
      most = length;
    }
  }
  return csd_classic_is_linear(least, most);
}

static void operate(const struct csd_classic_request *request, struct classic_list *lists,
                    struct classic_output *output) {
  switch (request->operation) {
    case CSD_CLASSIC_INTERSECTION:
      csd_classic_intersect(lists, request->list_count, is_linear(request), output);
      break;
    case CSD_CLASSIC_UNION: csd_classic_unite(lists, request->list_count, output); break;
    case CSD_CLASSIC_DIFFERENCE:
      csd_classic_subtract(&lists[0], &lists[1], is_linear(request), output);
      break;
  }
}

static void run_whole(const struct csd_classic_request *request, struct classic_output *output) {
  struct classic_list lists[CSD_CLASSIC_MAX_LISTS];
  uint8_t *memory = output->work.device->memory;
  for (uint32_t i = 0; i < request->list_count; i++) {
    const struct csd_classic_list *list = &request->lists[i];
    csd_classic_load(&output->work, list, i, 0, list->length, memory);
    lists[i] = csd_classic_resident(&output->work, memory, CSD_CLASSIC_ENTRY_BYTES, list->length);
    memory += (size_t)pages_of(list->length) * CSD_CLASSIC_PAGE_BYTES;
  }
  output->records = (struct csd_classic_result *)(void *)memory;
  output->room = (uint32_t)max_results(request);
  operate(request, lists, output);
}

static void run_streamed_union(const struct csd_classic_request *request,
                               struct classic_output *output) {
  struct classic_list lists[CSD_CLASSIC_MAX_LISTS];
  uint8_t *memory = output->work.device->memory;
  for (uint32_t i = 0; i < request->list_count; i++) {
    lists[i] = csd_classic_streamed(&output->work, &request->lists[i], i, memory);
    memory += CSD_CLASSIC_PAGE_BYTES;
  }
  output->records = (struct csd_classic_result *)(void *)memory;
  output->room = CSD_CLASSIC_PAGE_RESULTS;
  operate(request, lists, output);
}

/* The lists other than the resident one, the shortest first. Returns how many. */
static uint32_t streaming_order(const struct csd_classic_request *request, uint32_t resident,
                                uint32_t *order) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < request->list_count; i++) {
    if (i == resident) {
      continue;
    }
    uint32_t place = count++;
    for (; place > 0 && request->lists[order[place - 1]].length > request->lists[i].length;
         place--) {
      order[place] = order[place - 1];
    }
    order[place] = i;
  }
  return count;
}

/* One chunk of the resident list, now in DRAM, against every other list in turn. */
static void run_chunk(const struct csd_classic_request *request, struct classic_list chunk,
                      uint32_t resident, uint8_t *page, struct classic_output *output) {
  uint32_t order[CSD_CLASSIC_MAX_LISTS];
  const uint32_t others = streaming_order(request, resident, order);
  for (uint32_t i = 0; i < others; i++) {
    const struct csd_classic_list *list = &request->lists[order[i]];
    struct classic_list pair[2] = {chunk,
                                   csd_classic_streamed(&output->work, list, order[i], page)};
    const bool linear = csd_classic_is_linear(chunk.length, list->length);
    output->count = 0;
    if (request->operation == CSD_CLASSIC_DIFFERENCE) {
      csd_classic_subtract(&pair[0], &pair[1], linear, output);
    } else {
      csd_classic_intersect(pair, 2, linear, output);
    }
    /* What is left is the resident list of the next step. */
    chunk = csd_classic_resident(&output->work, output->records, CSD_CLASSIC_RESULT_BYTES,
                                 output->count);
  }
  csd_classic_drain(output);
}

static void run_chunked(const struct csd_classic_request *request, struct classic_output *output) {
  const uint32_t resident = resident_of(request);
  const struct csd_classic_list *list = &request->lists[resident];
  uint8_t *memory = output->work.device->memory;
  const uint64_t memory_pages = output->work.device->memory_bytes / CSD_CLASSIC_PAGE_BYTES;
  /* As few chunks as fit, and these as even as pages allow. */
  const uint64_t pages = pages_of(list->length);
  const uint64_t chunks = (pages + memory_pages / 2 - 1) / (memory_pages / 2);
  const uint64_t chunk_pages = chunks == 0 ? 0 : (pages + chunks - 1) / chunks;
  const uint64_t most = chunk_pages * CSD_CLASSIC_PAGE_ENTRIES;
  uint8_t *records = memory + (size_t)chunk_pages * CSD_CLASSIC_PAGE_BYTES;
  output->records = (struct csd_classic_result *)(void *)records;
  output->room = (uint32_t)most;
  for (uint64_t from = 0; from < list->length; from += most) {
    const uint64_t left = list->length - from;
    const uint32_t here = (uint32_t)(left < most ? left : most);
    csd_classic_load(&output->work, list, resident, (uint32_t)from, here, memory);
    run_chunk(request, csd_classic_resident(&output->work, memory, CSD_CLASSIC_ENTRY_BYTES, here),
              resident, records + (size_t)result_pages(most) * CSD_CLASSIC_PAGE_BYTES, output);
  }
}

int csd_classic_run(const struct csd_classic_request *request,
                    const struct csd_classic_device *device, struct csd_classic_result *results,
                    uint32_t capacity, struct csd_classic_counts *counts) {
  *counts = (struct csd_classic_counts){0};
  const int use = csd_classic_memory_use(request, device->memory_bytes);
  if (use < 0) {
    return use;
  }
  if (device->memory == NULL || (uintptr_t)device->memory % 8 != 0) {
    return csd_fail(CSD_STATUS_INVALID_ARGUMENT, "classic request: memory %p is not aligned to 8",
                    device->memory);
  }
  if (capacity > INT32_MAX) {
    capacity = INT32_MAX; /* the result is an int */
  }
  struct classic_output output = {.work = {.device = device, .counts = counts},
                                  .ranked = request->ranked,
                                  .host = results,
                                  .host_room = capacity};
  if (use == CSD_CLASSIC_WHOLE) {
    run_whole(request, &output);
  } else if (request->operation == CSD_CLASSIC_UNION) {
    run_streamed_union(request, &output);
  } else {
    run_chunked(request, &output);
  }
  csd_classic_finish(&output);
  if (output.overflow) {
    return csd_fail(CSD_STATUS_NO_SPACE, "classic request: %llu results, capacity is %u",
                    (unsigned long long)counts->results, capacity);
  }
  return (int)output.host_count;
}

uint64_t csd_classic_list_accesses(const struct csd_classic_counts *counts) {
  return counts->list_reads + counts->probe_reads;
}

uint64_t csd_classic_dram_accesses(const struct csd_classic_counts *counts) {
  return csd_classic_list_accesses(counts) + counts->score_reads + counts->result_writes +
         counts->result_reads;
}
