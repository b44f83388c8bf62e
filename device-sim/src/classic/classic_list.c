/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
#include "classic/classic_list.h"

static void tell(const struct classic_work *work, enum csd_classic_event_kind kind, uint32_t list,
                 uint32_t page) {
  if (work->device->event != NULL) {
    const struct csd_classic_event event = {.kind = kind,
                                            .list = list,
                                            .page = page,
                                            .bytes = CSD_CLASSIC_PAGE_BYTES,
                                            .counts = work->counts};
    work->device->event(work->device->context, &event);
  }
}

/* Announces the pages that come into reach when page `at` of first to end - 1 is loaded. */
static void announce(const struct classic_work *work, uint32_t list, uint32_t at, uint32_t first,
                     uint32_t end) {
  uint32_t next = at == first ? first : at + CSD_CLASSIC_ANNOUNCED - 1;
  for (; next < end && next - at < CSD_CLASSIC_ANNOUNCED; next++) {
    tell(work, CSD_CLASSIC_ANNOUNCE, list, next);
  }
}

static uint32_t pages_of(uint32_t entries) {
  return entries / CSD_CLASSIC_PAGE_ENTRIES + (entries % CSD_CLASSIC_PAGE_ENTRIES != 0);
}

/* Loads the page that begins with entry `from`; the program will load pages first to end - 1. */
static void load_page(const struct classic_work *work, const struct csd_classic_list *list,
                      uint32_t number, uint32_t from, uint32_t count, uint32_t first, uint32_t end,
                      uint8_t *memory) {
  const uint32_t page = from / CSD_CLASSIC_PAGE_ENTRIES;
  announce(work, number, page, first, end);
  memcpy(memory, list->entries + from, (size_t)count * CSD_CLASSIC_ENTRY_BYTES);
  work->counts->pages_loaded++;
  tell(work, CSD_CLASSIC_LOAD, number, page);
}

void csd_classic_load(const struct classic_work *work, const struct csd_classic_list *list,
                      uint32_t number, uint32_t from, uint32_t count, uint8_t *memory) {
  const uint32_t first = from / CSD_CLASSIC_PAGE_ENTRIES;
  for (uint32_t done = 0; done < count; done += CSD_CLASSIC_PAGE_ENTRIES) {
    const uint32_t left = count - done;
    const uint32_t here = left < CSD_CLASSIC_PAGE_ENTRIES ? left : CSD_CLASSIC_PAGE_ENTRIES;
    load_page(work, list, number, from + done, here, first, first + pages_of(count),
              memory + (size_t)done * CSD_CLASSIC_ENTRY_BYTES);
  }
}

struct classic_list csd_classic_resident(const struct classic_work *work, const void *memory,
                                         uint32_t stride, uint32_t length) {
  return (struct classic_list){
      .work = work, .window = memory, .stride = stride, .end = length, .length = length};
}

struct classic_list csd_classic_streamed(const struct classic_work *work,
                                         const struct csd_classic_list *list, uint32_t number,
                                         uint8_t *page) {
  return (struct classic_list){.work = work,
                               .window = page,
                               .stride = CSD_CLASSIC_ENTRY_BYTES,
                               .length = list->length,
                               .flash = list->entries,
                               .number = number,
                               .page = page};
}

bool csd_classic_more(struct classic_list *list) {
  if (list->at < list->end) {
    return true;
  }
  if (list->end == list->length) {
    return false;
  }
  const uint32_t left = list->length - list->end;
  const uint32_t here = left < CSD_CLASSIC_PAGE_ENTRIES ? left : CSD_CLASSIC_PAGE_ENTRIES;
  const struct csd_classic_list flash = {.entries = list->flash, .length = list->length};
  load_page(list->work, &flash, list->number, list->end, here, 0, pages_of(list->length),
            list->page);
  list->first = list->end;
  list->end += here;
  return true;
}

/* The textbook bisection of a closed interval, which ends when it meets the pivot. The least
 * document above the pivot that it met is the successor and stays in a register. */
static bool bisect(struct classic_list *list, uint32_t pivot, uint32_t *doc) {
  int64_t low = list->at;
  int64_t high = (int64_t)list->end - 1;
  bool found = false;
  while (low <= high) {
    const int64_t middle = low + (high - low) / 2;
    const uint32_t met = classic_probe(list, (uint32_t)middle);
    list->work->counts->comparisons++;
    if (met < pivot) {
      low = middle + 1;
      continue;
    }
    *doc = met;
    found = true;
    if (met == pivot) {
      low = middle;
      break;
    }
    high = middle - 1;
  }
  list->at = (uint32_t)low;
  return found;
}

static bool scan(struct classic_list *list, uint32_t pivot, uint32_t *doc) {
  for (; list->at < list->end; list->at++) {
    *doc = classic_read(list);
    list->work->counts->comparisons++;
    if (*doc >= pivot) {
      return true;
    }
  }
  return false;
}

bool csd_classic_seek(struct classic_list *list, uint32_t pivot, bool linear, uint32_t *doc) {
  while (csd_classic_more(list)) {
    if (linear ? scan(list, pivot, doc) : bisect(list, pivot, doc)) {
      return true;
    }
  }
  return false;
}

bool csd_classic_is_linear(uint32_t length, uint32_t other) {
  const uint64_t less = length < other ? length : other;
  const uint64_t more = length < other ? other : length;
  return more < CSD_CLASSIC_LINEAR_RATIO * less;
}
