/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/* Tests: tests/core/program/test_program_aggregate.c. */
#include "core/aggregate/key_counter.h"

#include <string.h>

enum { MIN_SLOTS = 64, ALIGNMENT = 64 };

/* Values of neighbouring docs are often alike, and to add to a count waits until the addition
   before is stored. So few keys are counted in some arrays in turn. */
enum { LANES = 4, MAX_LANE_KEYS = 1024 };

/* Counts that are looked at together: many are 0, in no order that a processor could guess. */
enum { GROUP = 16 };

/* Bytes of a slot: key and count, and half of a spare key and count. */
#define SLOT_BYTES 18u

/* Keys counted by index cost a little each, even those that do not occur; one that is found in the
   table costs as much as about so many of them. */
#define INDEXED_KEYS_EACH 32u

bool csd_key_counter_index(struct csd_key_counter *counter, struct csd_arena *arena, int64_t low,
                           int64_t high, uint64_t wanted, size_t bytes) {
  memset(counter, 0, sizeof *counter);
  counter->from = low;
  if (low > high || wanted == 0) {
    counter->cut = low <= high;
    counter->limit = low;
    return true;
  }
  uint64_t n = (uint64_t)high - (uint64_t)low; /* and 1, which may not fit */
  n = n < wanted ? n + 1u : wanted;
  if (bytes < CSD_KEY_COUNTER_BYTES) {
    return false;
  }
  const uint64_t most = (bytes - ALIGNMENT) / sizeof counter->counts[0];
  n = n < most ? n : most;
  const uint32_t lanes = n <= MAX_LANE_KEYS && LANES * n <= most ? LANES : 1;
  const size_t count_bytes = (size_t)n * lanes * sizeof counter->counts[0];
  counter->counts = csd_arena_take(arena, count_bytes);
  if (counter->counts == NULL) {
    return false;
  }
  memset(counter->counts, 0, count_bytes);
  counter->index_count = n;
  counter->lanes = lanes;
  counter->cut = (uint64_t)high - (uint64_t)low >= n;
  counter->limit = (int64_t)((uint64_t)low + n);
  return true;
}

bool csd_key_counter_make(struct csd_key_counter *counter, struct csd_arena *arena, int64_t low,
                          int64_t high, uint64_t most, uint64_t wanted, size_t bytes) {
  const uint64_t range = (uint64_t)high - (uint64_t)low;
  if (low > high || (range < CSD_INDEXED_KEYS && range / INDEXED_KEYS_EACH <= most &&
                     (range + 1u) * sizeof(uint32_t) + ALIGNMENT <= bytes)) {
    return csd_key_counter_index(counter, arena, low, high, CSD_INDEXED_KEYS, bytes);
  }
  memset(counter, 0, sizeof *counter);
  counter->from = low;
  if (bytes < CSD_KEY_COUNTER_BYTES) {
    return false;
  }
  most = most < wanted ? most : wanted;
  most = range < most ? range + 1u : most;
  uint32_t slots = MIN_SLOTS;
  while (slots / 2u <= most && UINT64_C(2) * slots * SLOT_BYTES + 4u * ALIGNMENT <= bytes &&
         slots < UINT32_C(1) << 30) {
    slots *= 2u;
  }
  counter->slots = slots;
  counter->shift = 64u - (unsigned)__builtin_ctz(slots);
  counter->keys = csd_arena_take(arena, slots * sizeof counter->keys[0]);
  counter->counts = csd_arena_take(arena, slots * sizeof counter->counts[0]);
  counter->spare_keys = csd_arena_take(arena, slots / 2u * sizeof counter->keys[0]);
  counter->spare_counts = csd_arena_take(arena, slots / 2u * sizeof counter->counts[0]);
  if (counter->keys == NULL || counter->counts == NULL || counter->spare_keys == NULL ||
      counter->spare_counts == NULL) {
    return false;
  }
  memset(counter->counts, 0, slots * sizeof counter->counts[0]);
  return true;
}

/* ---- table ---- */

/* The slot of a key, or the free one where it belongs. */
static uint32_t slot_of(const struct csd_key_counter *counter, int64_t key) {
  uint32_t slot = (uint32_t)((uint64_t)key * UINT64_C(0x9E3779B97F4A7C15) >> counter->shift);
  while (counter->counts[slot] != 0 && counter->keys[slot] != key) {
    slot = (slot + 1u) & (counter->slots - 1u);
  }
  return slot;
}

/* Moves the used slots to the front. */
static void close_up(struct csd_key_counter *counter) {
  uint32_t to = 0;
  for (uint32_t slot = 0; slot < counter->slots; slot++) {
    if (counter->counts[slot] != 0) {
      counter->keys[to] = counter->keys[slot];
      counter->counts[to++] = counter->counts[slot];
    }
  }
}

/* Sorts keys and counts by one byte of the keys, as they are in order by those below. */
static void sort_by_byte(const int64_t *keys, const uint32_t *counts, uint32_t n, unsigned shift,
                         int64_t *to_keys, uint32_t *to_counts) {
  uint32_t places[256] = {0};
  const unsigned flip = shift == 56 ? 0x80u : 0; /* keys are signed */
  for (uint32_t i = 0; i < n; i++) {
    places[((uint64_t)keys[i] >> shift & 0xFFu) ^ flip]++;
  }
  uint32_t place = 0;
  for (uint32_t b = 0; b < 256; b++) {
    const uint32_t here = places[b];
    places[b] = place;
    place += here;
  }
  for (uint32_t i = 0; i < n; i++) {
    const uint32_t to = places[((uint64_t)keys[i] >> shift & 0xFFu) ^ flip]++;
    to_keys[to] = keys[i];
    to_counts[to] = counts[i];
  }
}

/* Sorts the used slots by key, into the spare room. */
static void sort(struct csd_key_counter *counter) {
  close_up(counter);
  uint64_t differ = 0;
  for (uint32_t i = 1; i < counter->used; i++) {
    differ |= (uint64_t)counter->keys[i] ^ (uint64_t)counter->keys[0];
  }
  const int64_t *keys = counter->keys;
  for (unsigned shift = 0; shift < 64; shift += 8) {
    if ((differ >> shift & 0xFFu) == 0) {
      continue;
    }
    if (keys == counter->keys) {
      sort_by_byte(keys, counter->counts, counter->used, shift, counter->spare_keys,
                   counter->spare_counts);
      keys = counter->spare_keys;
    } else {
      sort_by_byte(keys, counter->spare_counts, counter->used, shift, counter->keys,
                   counter->counts);
      keys = counter->keys;
    }
  }
  if (keys == counter->keys) {
    memcpy(counter->spare_keys, keys, counter->used * sizeof keys[0]);
    memcpy(counter->spare_counts, counter->counts, counter->used * sizeof counter->counts[0]);
  }
}

/* Gives up the greater half of the keys. */
static void cut(struct csd_key_counter *counter) {
  sort(counter);
  const uint32_t kept = counter->used / 2u;
  counter->cut = true;
  counter->limit = counter->spare_keys[kept];
  memset(counter->counts, 0, counter->slots * sizeof counter->counts[0]);
  for (uint32_t i = 0; i < kept; i++) {
    const uint32_t slot = slot_of(counter, counter->spare_keys[i]);
    counter->keys[slot] = counter->spare_keys[i];
    counter->counts[slot] = counter->spare_counts[i];
  }
  counter->used = kept;
}

void csd_key_counter_find(struct csd_key_counter *counter, int64_t key, uint32_t count) {
  if (key < counter->from || (counter->cut && key >= counter->limit)) {
    return;
  }
  uint32_t slot = slot_of(counter, key);
  if (counter->counts[slot] == 0) {
    if (counter->used == counter->slots / 2u) {
      cut(counter);
      if (key >= counter->limit) {
        return;
      }
      slot = slot_of(counter, key);
    }
    counter->keys[slot] = key;
    counter->used++;
  }
  counter->counts[slot] += count;
}

void csd_key_counter_add_all(struct csd_key_counter *counter, const int64_t *keys, uint32_t n) {
  if (counter->slots != 0) {
    for (uint32_t i = 0; i < n; i++) {
      csd_key_counter_add(counter, keys[i], 1);
    }
    return;
  }
  /* Not in the counter itself: the compiler cannot know that no count is one of its fields. */
  const uint64_t from = (uint64_t)counter->from;
  const uint64_t index_count = counter->index_count;
  const uint64_t lane = counter->lanes == LANES ? index_count : 0;
  uint32_t *counts = counter->counts;
  uint32_t i = 0;
  for (; i + LANES <= n; i += LANES) {
    for (uint32_t j = 0; j < LANES; j++) {
      const uint64_t index = (uint64_t)keys[i + j] - from;
      if (index < index_count) {
        counts[j * lane + index]++;
      }
    }
  }
  for (; i < n; i++) {
    const uint64_t index = (uint64_t)keys[i] - from;
    if (index < index_count) {
      counts[index]++;
    }
  }
}

void csd_key_counter_fold(struct csd_key_counter *counter) {
  /* Not in the counter itself, as above: these are loops over vectors then. */
  const uint64_t n = counter->index_count;
  uint32_t *counts = counter->counts;
  for (; counter->lanes > 1; counter->lanes--) {
    const uint32_t *lane = counts + (counter->lanes - 1u) * n;
    for (uint64_t i = 0; i < n; i++) {
      counts[i] += lane[i];
    }
  }
}

/* ---- what has been counted ---- */

uint32_t csd_key_counter_count(const struct csd_key_counter *counter) {
  if (counter->slots != 0) {
    return counter->used;
  }
  uint32_t n = 0;
  for (uint64_t i = 0; i < counter->index_count; i++) {
    n += counter->counts[i] != 0;
  }
  return n;
}

/* Which of some counts, at most GROUP, are not 0: bit i for count i. */
static inline uint32_t counted(const uint32_t *counts, uint64_t n) {
  uint32_t bits = 0;
  for (uint32_t i = 0; i < n; i++) {
    bits |= (uint32_t)(counts[i] != 0) << i;
  }
  return bits;
}

static void put(uint8_t *keys, uint8_t *counts, uint32_t at, int64_t key, uint32_t count) {
  memcpy(keys + sizeof key * at, &key, sizeof key);
  memcpy(counts + sizeof count * at, &count, sizeof count);
}

bool csd_key_counter_give(struct csd_key_counter *counter, uint32_t n, uint8_t *keys,
                          uint8_t *counts, int64_t *next) {
  uint32_t given = 0;
  if (counter->slots != 0) {
    sort(counter);
    for (; given < n; given++) {
      put(keys, counts, given, counter->spare_keys[given], counter->spare_counts[given]);
    }
    if (given < counter->used) {
      *next = counter->spare_keys[given];
      return true;
    }
  }
  for (uint64_t i = 0; i < counter->index_count; i += GROUP) {
    const uint64_t left = counter->index_count - i;
    uint32_t bits =
        left < GROUP ? counted(counter->counts + i, left) : counted(counter->counts + i, GROUP);
    for (; bits != 0; bits &= bits - 1u) {
      const uint64_t index = i + (unsigned)__builtin_ctz(bits);
      const int64_t key = (int64_t)((uint64_t)counter->from + index);
      if (given == n) {
        *next = key;
        return true;
      }
      put(keys, counts, given++, key, counter->counts[index]);
    }
  }
  *next = counter->limit;
  return counter->cut;
}
