/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/*
 * The synthetic workload. A list is drawn into a bitmap of the universe and read off in order, so
 * nothing is sorted. Three bitmaps: the documents common to all lists, those of the list being
 * drawn, and those in every list drawn so far. The last list leaves out what is in all others,
 * which is why the intersection is exact.
 */
#include <string.h>

#include "base/status.h"
#include "csd/csd_classic.h"

enum { DEFAULT_UNIVERSE = 10000000, ROOM = 4, WORD_BITS = 64, PER_MILLION = 1000000 };

struct bitmaps {
  uint64_t *common; /* in all lists, as asked */
  uint64_t *drawn;  /* in this list */
  uint64_t *all;    /* in this list and every one before it */
  size_t words;
};

/* splitmix64 (Steele, Lea and Flood, 2014): a counter, mixed. */
static uint64_t random_word(uint64_t *state) {
  *state += 0x9E3779B97F4A7C15u;
  uint64_t z = *state;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
  return z ^ (z >> 31);
}

static uint32_t random_below(uint64_t *state, uint32_t bound) {
  return (uint32_t)(((random_word(state) >> 32) * bound) >> 32);
}

static bool has(const uint64_t *bits, uint32_t doc) {
  return (bits[doc / WORD_BITS] >> (doc % WORD_BITS) & 1) != 0;
}

static void put(uint64_t *bits, uint32_t doc) {
  bits[doc / WORD_BITS] |= UINT64_C(1) << (doc % WORD_BITS);
}

static uint32_t universe_of(const struct csd_classic_workload *workload) {
  if (workload->universe != 0) {
    return workload->universe;
  }
  const uint32_t least = ROOM * workload->longest;
  return least > DEFAULT_UNIVERSE ? least : DEFAULT_UNIVERSE;
}

static bool has_lengths(const struct csd_classic_workload *w) { return w->lengths[0] != 0; }

static int check_lengths(const struct csd_classic_workload *w) {
  for (uint32_t i = 0; i < CSD_CLASSIC_MAX_LISTS; i++) {
    const bool used = has_lengths(w) && i < w->lists;
    if (used ? w->lengths[i] != 0 && w->lengths[i] <= w->longest : w->lengths[i] == 0) {
      continue;
    }
    return csd_fail(CSD_STATUS_INVALID_ARGUMENT, "workload: lengths[%u] is %u, not %u to %u", i,
                    w->lengths[i], used ? 1 : 0, used ? w->longest : 0);
  }
  return 0;
}

static int check(const struct csd_classic_workload *w) {
  if (w->lists < CSD_CLASSIC_MIN_LISTS || w->lists > CSD_CLASSIC_MAX_LISTS) {
    return csd_fail(CSD_STATUS_INVALID_ARGUMENT, "workload: lists is %u, not 2 to 8", w->lists);
  }
  if (w->longest == 0 || w->longest > CSD_CLASSIC_MAX_ENTRIES) {
    return csd_fail(CSD_STATUS_INVALID_ARGUMENT, "workload: longest is %u, not 1 to %u", w->longest,
                    CSD_CLASSIC_MAX_ENTRIES);
  }
  const int status = check_lengths(w);
  if (status < 0) {
    return status;
  }
  if (!has_lengths(w) && (w->skew == 0 || w->skew > w->longest)) {
    return csd_fail(CSD_STATUS_INVALID_ARGUMENT,
                    "workload: skew is %u, not 1 to longest, which is %u", w->skew, w->longest);
  }
  if (w->ratio_ppm > PER_MILLION) {
    return csd_fail(CSD_STATUS_INVALID_ARGUMENT, "workload: ratio_ppm is %u, not 0 to 1000000",
                    w->ratio_ppm);
  }
  if (w->universe != 0 && w->universe / ROOM < w->longest) {
    return csd_fail(CSD_STATUS_INVALID_ARGUMENT,
                    "workload: universe is %u, less than 4 times longest, which is %u", w->universe,
                    w->longest);
  }
  return 0;
}

uint32_t csd_classic_short_length(const struct csd_classic_workload *workload) {
  if (check(workload) != 0) {
    return 0;
  }
  if (has_lengths(workload)) {
    uint32_t least = workload->lengths[0];
    for (uint32_t i = 1; i < workload->lists; i++) {
      if (workload->lengths[i] < least) {
        least = workload->lengths[i];
      }
    }
    return least;
  }
  return (uint32_t)(((uint64_t)workload->longest + workload->skew / 2) / workload->skew);
}

uint32_t csd_classic_common_count(const struct csd_classic_workload *workload) {
  const uint64_t parts = (uint64_t)csd_classic_short_length(workload) * workload->ratio_ppm;
  return (uint32_t)((parts + PER_MILLION / 2) / PER_MILLION);
}

static uint32_t length_of(const struct csd_classic_workload *workload, uint32_t list) {
  if (has_lengths(workload)) {
    return workload->lengths[list];
  }
  return list % 2 == 0 ? csd_classic_short_length(workload) : workload->longest;
}

static size_t bitmap_words(const struct csd_classic_workload *workload) {
  return ((size_t)universe_of(workload) + WORD_BITS - 1) / WORD_BITS;
}

int csd_classic_workload_size(const struct csd_classic_workload *workload, uint64_t *entries,
                              uint64_t *scratch_bytes) {
  const int status = check(workload);
  if (status < 0) {
    return status;
  }
  *entries = 0;
  for (uint32_t i = 0; i < workload->lists; i++) {
    *entries += length_of(workload, i);
  }
  *scratch_bytes = 3 * (uint64_t)bitmap_words(workload) * sizeof(uint64_t);
  return 0;
}

/* Draws documents until `count` new ones are in `bits`; none of `but`, if that is given. At least
 * half of the universe is free, so this ends soon. */
static void draw(uint64_t *bits, const uint64_t *but, uint32_t universe, uint32_t count,
                 uint64_t *state) {
  for (uint32_t drawn = 0; drawn < count;) {
    const uint32_t doc = random_below(state, universe);
    if (has(bits, doc) || (but != NULL && has(but, doc))) {
      continue;
    }
    put(bits, doc);
    drawn++;
  }
}

static struct csd_classic_entry make_entry(uint32_t doc, uint64_t *state) {
  const uint64_t word = random_word(state);
  struct csd_classic_entry entry = {.doc = doc, .freq = 1};
  for (uint64_t bits = word; (bits & 1) != 0 && entry.freq < 16; bits >>= 1) {
    entry.freq++;
  }
  entry.score = ((uint64_t)entry.freq << 16) + (word >> 16 & 0xFFFF);
  uint32_t position = 0;
  for (int i = 0; i < 4 && (uint32_t)i < entry.freq; i++) {
    position += 1 + (uint32_t)(word >> (32 + 8 * i) & 0xFF);
    entry.positions[i] = position;
  }
  return entry;
}

static struct csd_classic_entry *read_off(const struct bitmaps *bitmaps,
                                          struct csd_classic_entry *out, uint64_t *state) {
  for (size_t i = 0; i < bitmaps->words; i++) {
    for (uint64_t word = bitmaps->drawn[i]; word != 0; word &= word - 1) {
      const uint32_t doc = (uint32_t)(i * WORD_BITS) + (uint32_t)__builtin_ctzll(word);
      *out++ = make_entry(doc, state);
    }
  }
  return out;
}

int csd_classic_workload_make(const struct csd_classic_workload *workload,
                              struct csd_classic_entry *entries, void *scratch,
                              struct csd_classic_list *lists) {
  const int status = check(workload);
  if (status < 0) {
    return status;
  }
  const uint32_t universe = universe_of(workload);
  const uint32_t common = csd_classic_common_count(workload);
  struct bitmaps bitmaps = {.common = scratch, .words = bitmap_words(workload)};
  bitmaps.drawn = bitmaps.common + bitmaps.words;
  bitmaps.all = bitmaps.drawn + bitmaps.words;
  uint64_t state = workload->seed;
  memset(bitmaps.common, 0, bitmaps.words * sizeof(uint64_t));
  memset(bitmaps.all, 0xFF, bitmaps.words * sizeof(uint64_t));
  draw(bitmaps.common, NULL, universe, common, &state);
  for (uint32_t i = 0; i < workload->lists; i++) {
    const bool last = i + 1 == workload->lists;
    memcpy(bitmaps.drawn, bitmaps.common, bitmaps.words * sizeof(uint64_t));
    draw(bitmaps.drawn, last ? bitmaps.all : NULL, universe, length_of(workload, i) - common,
         &state);
    for (size_t w = 0; w < bitmaps.words; w++) {
      bitmaps.all[w] &= bitmaps.drawn[w];
    }
    lists[i] = (struct csd_classic_list){.entries = entries, .length = length_of(workload, i)};
    entries = read_off(&bitmaps, entries, &state);
  }
  return 0;
}
