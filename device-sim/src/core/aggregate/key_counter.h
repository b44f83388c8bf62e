/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/**
 * Counts by key, in a fixed piece of memory: by index if the keys are close to each other, else in
 * a hash table. A table that is full gives up its greatest keys, so that the counts of the others
 * stay exact.
 */
#ifndef CSD_KEY_COUNTER_H
#define CSD_KEY_COUNTER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/plan/arena.h"

struct csd_key_counter {
  int64_t from; /* lesser keys are not counted */
  bool cut;     /* nor are keys from `limit` on */
  int64_t limit;
  uint32_t *counts; /* by index; in the table 0 marks a free slot */
  /* By index: */
  uint64_t index_count; /* keys from `from` on; 0 in a table */
  uint32_t lanes;       /* arrays of counts, which csd_key_counter_fold adds up */
  /* The table: */
  uint32_t slots; /* a power of two */
  unsigned shift;
  uint32_t used; /* at most half of the slots */
  int64_t *keys;
  int64_t *spare_keys; /* for half of the slots */
  uint32_t *spare_counts;
};

/** Keys that are counted by index at most, but by csd_key_counter_index. */
#define CSD_INDEXED_KEYS 65536u

/** What csd_key_counter_make takes at least, and a little for alignment. */
#define CSD_KEY_COUNTER_BYTES 4096u

/**
 * Makes a counter for keys from `low` to `high` of which up to `wanted` are given in the end.
 *
 * @param most   about how many keys occur at most
 * @param bytes  of the arena that it may take
 * @return false if it is given too few
 */
bool csd_key_counter_make(struct csd_key_counter *counter, struct csd_arena *arena, int64_t low,
                          int64_t high, uint64_t most, uint64_t wanted, size_t bytes);

/** Likewise one that counts by index and ends where `wanted` or its memory do. */
bool csd_key_counter_index(struct csd_key_counter *counter, struct csd_arena *arena, int64_t low,
                           int64_t high, uint64_t wanted, size_t bytes);

/** The part of csd_key_counter_add that looks for a key in the table. */
void csd_key_counter_find(struct csd_key_counter *counter, int64_t key, uint32_t count);

/** Adds a count, which is not 0, to that of a key. */
static inline void csd_key_counter_add(struct csd_key_counter *counter, int64_t key,
                                       uint32_t count) {
  const uint64_t index = (uint64_t)key - (uint64_t)counter->from;
  if (index < counter->index_count) {
    counter->counts[index] += count;
  } else if (counter->slots != 0) {
    csd_key_counter_find(counter, key, count);
  }
}

/** Adds 1 to the counts of `n` keys, one after the other. */
void csd_key_counter_add_all(struct csd_key_counter *counter, const int64_t *keys, uint32_t n);

/** Adds up what has been counted in lanes. Call before looking at the counts. */
void csd_key_counter_fold(struct csd_key_counter *counter);

/** Number of the keys that have a count, after csd_key_counter_fold. */
uint32_t csd_key_counter_count(const struct csd_key_counter *counter);

/**
 * Gives the first keys and their counts, after csd_key_counter_fold. Call once, nothing is counted
 * afterwards.
 *
 * @param n       how many are wanted, at most csd_key_counter_count
 * @param keys    room for n of i64; need not be aligned
 * @param counts  room for n of u32; likewise
 * @param next    set to the least key that is left out, if any is
 * @return whether one is
 */
bool csd_key_counter_give(struct csd_key_counter *counter, uint32_t n, uint8_t *keys,
                          uint8_t *counts, int64_t *next);

#endif
