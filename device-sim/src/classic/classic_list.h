/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/**
 * A list as the classic programs see it: a window of it in device DRAM. A list that is in DRAM
 * whole is its own window; of a streamed one the window is a page, and the next takes its place.
 * Every element is read by classic_read and classic_probe, every score by classic_read_score, and
 * by nothing else: that is what makes the counts exact.
 */
#ifndef CSD_CLASSIC_LIST_H
#define CSD_CLASSIC_LIST_H

#include <string.h>

#include "csd/csd_classic.h"

/** What loading and counting need. */
struct classic_work {
  const struct csd_classic_device *device;
  struct csd_classic_counts *counts;
};

struct classic_list {
  const struct classic_work *work;
  const uint8_t *window; /* element `first`; entries or results, which begin alike */
  uint32_t stride;       /* bytes from element to element */
  uint32_t first;        /* positions in the window: first to end - 1 */
  uint32_t end;
  uint32_t at;     /* where the last element was found; `end` when the window is used up */
  uint32_t length; /* of the list */
  /* Of a streamed list: where it stands on flash, its number, where its pages go; else NULL, 0. */
  const struct csd_classic_entry *flash;
  uint32_t number;
  uint8_t *page;
};

_Static_assert(sizeof(struct csd_classic_entry) == CSD_CLASSIC_ENTRY_BYTES, "entry");
_Static_assert(sizeof(struct csd_classic_result) == CSD_CLASSIC_RESULT_BYTES, "result");
_Static_assert(offsetof(struct csd_classic_entry, doc) == offsetof(struct csd_classic_result, doc),
               "a list of results is read as a list of entries");
_Static_assert(offsetof(struct csd_classic_entry, score) ==
                   offsetof(struct csd_classic_result, score),
               "a list of results is read as a list of entries");

static inline const uint8_t *classic_element(const struct classic_list *list, uint32_t position) {
  return list->window + (size_t)(position - list->first) * list->stride;
}

static inline uint32_t classic_document(const struct classic_list *list, uint32_t position) {
  uint32_t doc;
  memcpy(&doc, classic_element(list, position) + offsetof(struct csd_classic_entry, doc), 4);
  return doc;
}

/** The document at list->at, which is in the window. */
static inline uint32_t classic_read(const struct classic_list *list) {
  list->work->counts->list_reads++;
  return classic_document(list, list->at);
}

/** The document at a position of the window, for a binary search. */
static inline uint32_t classic_probe(const struct classic_list *list, uint32_t position) {
  list->work->counts->probe_reads++;
  return classic_document(list, position);
}

/** The score at list->at. */
static inline uint64_t classic_read_score(const struct classic_list *list) {
  uint64_t score;
  list->work->counts->score_reads++;
  memcpy(&score, classic_element(list, list->at) + offsetof(struct csd_classic_entry, score), 8);
  return score;
}

/**
 * Loads `count` entries of `list`, from entry `from` (the start of a page) on, to `memory`, page by
 * page.
 */
void csd_classic_load(const struct classic_work *work, const struct csd_classic_list *list,
                      uint32_t number, uint32_t from, uint32_t count, uint8_t *memory);

/** A list of `length` elements that are in DRAM. */
struct classic_list csd_classic_resident(const struct classic_work *work, const void *memory,
                                         uint32_t stride, uint32_t length);

/** A list that passes through one page of DRAM; nothing is loaded yet. */
struct classic_list csd_classic_streamed(const struct classic_work *work,
                                         const struct csd_classic_list *list, uint32_t number,
                                         uint8_t *page);

/** False if the list is exhausted; else list->at is in the window, loaded if need be. */
bool csd_classic_more(struct classic_list *list);

/**
 * Finds the successor of `pivot`, the first document not below it, from list->at on, that element
 * included; list->at is then its position. False if there is none.
 */
bool csd_classic_seek(struct classic_list *list, uint32_t pivot, bool linear, uint32_t *doc);

/** Whether lists of these lengths are searched linearly, not by bisection. */
bool csd_classic_is_linear(uint32_t length, uint32_t other);

#endif
