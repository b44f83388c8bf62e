/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/* Tests: tests/core/program/test_program_sort.c, which compares programs with a plain evaluation.
 */
#include "core/sort/sort_heap.h"

#include <string.h>

static uint64_t *at(const struct csd_sort_heap *heap, uint32_t i) {
  return heap->words + (size_t)i * (1u + heap->key_count);
}

static uint32_t doc_of(const uint64_t *words) {
  uint32_t doc;
  memcpy(&doc, words, sizeof doc);
  return doc;
}

/* Whether the hit `a` is worse than `b`. */
static bool is_worse(const struct csd_sort_heap *heap, const uint64_t *a, const uint64_t *b) {
  for (uint32_t i = 1; i <= heap->key_count; i++) {
    if (a[i] != b[i]) {
      return a[i] > b[i];
    }
  }
  return doc_of(a) > doc_of(b);
}

/* A loop: there are few words, and how many the compiler cannot know. */
static void copy(const struct csd_sort_heap *heap, uint64_t *to, const uint64_t *from) {
  for (uint32_t i = 0; i <= heap->key_count; i++) {
    to[i] = from[i];
  }
}

/* Puts `entry`, which is not in the heap, where `hole` is or deeper among the first `count`. */
static void sift_down(const struct csd_sort_heap *heap, uint32_t count, const uint64_t *entry) {
  uint32_t hole = 0;
  for (;;) {
    uint32_t child = 2u * hole + 1u;
    if (child >= count) {
      break;
    }
    if (child + 1u < count && is_worse(heap, at(heap, child + 1u), at(heap, child))) {
      child++;
    }
    if (!is_worse(heap, at(heap, child), entry)) {
      break;
    }
    copy(heap, at(heap, hole), at(heap, child));
    hole = child;
  }
  copy(heap, at(heap, hole), entry);
}

void csd_sort_heap_worst(const struct csd_sort_heap *heap, struct csd_sort_entry *worst) {
  memcpy(worst, heap->words, csd_sort_entry_bytes(heap->key_count));
}

void csd_sort_heap_add(struct csd_sort_heap *heap, const struct csd_sort_entry *entry) {
  uint64_t words[1u + CSD_MAX_SORT_KEYS];
  memcpy(words, entry, sizeof words);
  if (csd_sort_heap_is_full(heap)) {
    sift_down(heap, heap->count, words);
    return;
  }
  uint32_t hole = heap->count++;
  while (hole > 0 && is_worse(heap, words, at(heap, (hole - 1u) / 2u))) {
    copy(heap, at(heap, hole), at(heap, (hole - 1u) / 2u));
    hole = (hole - 1u) / 2u;
  }
  copy(heap, at(heap, hole), words);
}

void csd_sort_heap_finish(struct csd_sort_heap *heap, const uint64_t *flips) {
  uint64_t worst[1u + CSD_MAX_SORT_KEYS];
  uint64_t last[1u + CSD_MAX_SORT_KEYS];
  /* Takes the worst off again and again, filling the array from its end. */
  for (uint32_t left = heap->count; left > 1; left--) {
    copy(heap, worst, at(heap, 0));
    copy(heap, last, at(heap, left - 1u));
    sift_down(heap, left - 1u, last);
    copy(heap, at(heap, left - 1u), worst);
  }
  for (uint32_t i = 0; i < heap->count; i++) {
    for (uint32_t key = 0; key < heap->key_count; key++) {
      at(heap, i)[1u + key] ^= flips[key];
    }
  }
}
