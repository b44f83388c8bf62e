/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
#include "core/plan/topk.h"

enum {
  SORTED_TO = 32, /* up to so many hits are kept in order: to move all costs less than to search */
  SPARE_PART = 2, /* of k: beyond k as many keys are kept before the worst are dropped */
  MIN_SPARE = 32,
  BIN_BITS = 8,
  BINS = 1u << BIN_BITS
};

static bool is_sorted(const struct csd_topk *topk) { return topk->k <= SORTED_TO; }

uint32_t csd_topk_room(uint32_t k) {
  const uint32_t spare = k / SPARE_PART > MIN_SPARE ? k / SPARE_PART : MIN_SPARE;
  return k <= SORTED_TO ? k : k + spare;
}

void csd_topk_open(struct csd_topk *topk, uint64_t *keys, uint32_t room, uint32_t k,
                   float min_score) {
  topk->keys = keys;
  topk->count = 0;
  topk->k = k;
  topk->room = room;
  topk->bound = min_score < 0.0f ? 0 : csd_hit_key(0, min_score == 0.0f ? 0.0f : min_score);
}

/* ---- a few: in order ---- */

/* Puts `key` in its place among `count` that descend; returns the one that falls off the end. */
static uint64_t insert(uint64_t *keys, uint32_t count, uint64_t key) {
  for (uint32_t i = 0; i < count; i++) {
    const uint64_t kept = keys[i];
    keys[i] = kept > key ? kept : key; /* no branch: where it belongs cannot be predicted */
    key = kept > key ? key : kept;
  }
  return key;
}

static void insert_last(struct csd_topk *topk, uint64_t key) {
  const uint64_t last = insert(topk->keys, topk->count, key);
  if (topk->count < topk->k) {
    topk->keys[topk->count++] = last;
  }
  if (topk->count == topk->k) {
    topk->bound = topk->keys[topk->k - 1u];
  }
}

/* ---- many: in any order ---- */

static uint64_t least_of(const uint64_t *keys, uint32_t n) {
  uint64_t least = UINT64_MAX;
  for (uint32_t i = 0; i < n; i++) {
    least = keys[i] < least ? keys[i] : least;
  }
  return least;
}

/*
 * Returns a key that k of those kept reach, and at most `slack` others: it counts the keys by equal
 * parts of their range, and again those of the part in which the k-th is.
 */
static uint64_t find_bound(const struct csd_topk *topk, uint32_t slack) {
  uint64_t low = UINT64_MAX, high = 0;
  for (uint32_t i = 0; i < topk->count; i++) {
    low = topk->keys[i] < low ? topk->keys[i] : low;
    high = topk->keys[i] > high ? topk->keys[i] : high;
  }
  uint32_t above = 0; /* keys above `high` */
  for (;;) {
    const unsigned bits = 64u - (unsigned)__builtin_clzll((high - low) | 1u);
    const unsigned shift = bits > BIN_BITS ? bits - BIN_BITS : 0;
    uint32_t bins[BINS + 1] = {0}; /* the last one and those past `high` are of other keys */
    for (uint32_t i = 0; i < topk->count; i++) {
      const uint64_t bin = (topk->keys[i] - low) >> shift;
      bins[bin < BINS ? bin : BINS]++;
    }
    uint32_t bin = (uint32_t)((high - low) >> shift);
    while (above + bins[bin] < topk->k) {
      above += bins[bin--];
    }
    low += (uint64_t)bin << shift;
    if (shift == 0 || above + bins[bin] <= topk->k + slack) {
      return low;
    }
    high = low + ((1ull << shift) - 1u);
  }
}

/* Drops what k others beat, but for `slack` keys at most. */
static void drop(struct csd_topk *topk, uint32_t slack) {
  const uint64_t bound = find_bound(topk, slack);
  uint32_t n = 0;
  for (uint32_t i = 0; i < topk->count; i++) {
    const uint64_t key = topk->keys[i];
    topk->keys[n] = key;
    n += key >= bound; /* no branch: which are kept cannot be predicted */
  }
  topk->count = n;
  topk->bound = bound;
}

/* Raises the bound where the last keys have filled the k, or the room. */
static void follow(struct csd_topk *topk, uint32_t count_before) {
  if (topk->count == topk->room) {
    drop(topk, (topk->room - topk->k) / 2u);
  } else if (count_before < topk->k && topk->count >= topk->k) {
    topk->bound = least_of(topk->keys, topk->count);
  }
}

/* ---- offers ---- */

void csd_topk_offer(struct csd_topk *topk, uint64_t key) {
  if (is_sorted(topk)) {
    insert_last(topk, key);
    return;
  }
  topk->keys[topk->count++] = key;
  follow(topk, topk->count - 1u);
}

uint32_t csd_topk_offer_all(struct csd_topk *topk, const uint32_t *docs, const float *scores,
                            uint32_t n) {
  uint32_t offered = 0;
  if (is_sorted(topk)) {
    for (uint32_t i = 0; i < n; i++) {
      const uint64_t key = csd_hit_key(docs[i], scores[i]);
      if (key > topk->bound) {
        insert_last(topk, key);
        offered++;
      }
    }
    return offered;
  }
  for (uint32_t i = 0; i < n;) {
    const uint32_t before = topk->count;
    const uint32_t room = topk->room - before;
    const uint32_t upto = n - i < room ? n : i + room;
    for (; i < upto; i++) {
      const uint64_t key = csd_hit_key(docs[i], scores[i]);
      topk->keys[topk->count] = key;
      topk->count += key > topk->bound;
    }
    offered += topk->count - before;
    follow(topk, before);
  }
  return offered;
}

/* Index of the key of the same doc; `count` if there is none. */
static uint32_t find_doc(const struct csd_topk *topk, uint64_t key) {
  uint32_t at = topk->count;
  for (uint32_t i = 0; i < topk->count; i++) {
    at = (uint32_t)topk->keys[i] == (uint32_t)key ? i : at; /* one at most: no need to stop */
  }
  return at;
}

bool csd_topk_raise(struct csd_topk *topk, uint64_t key) {
  uint64_t *keys = topk->keys;
  uint32_t at = find_doc(topk, key);
  if (at == topk->count) {
    return false;
  }
  if (keys[at] >= key) {
    return true;
  }
  for (; is_sorted(topk) && at > 0 && keys[at - 1] < key; at--) {
    keys[at] = keys[at - 1];
  }
  keys[at] = key;
  if (is_sorted(topk) && csd_topk_is_full(topk)) {
    topk->bound = keys[topk->k - 1u];
  }
  return true;
}

float csd_topk_of_few(const float *scores, uint32_t n, uint32_t k) {
  uint64_t keys[SORTED_TO];
  for (uint32_t i = 0; i < n; i++) {
    keys[i] = insert(keys, i, csd_hit_key(0, scores[i]));
  }
  return csd_key_score(keys[k - 1u]);
}

/* ---- the result ---- */

/* Bits in which the keys differ, as far as they have to be sorted by them. */
static uint64_t unsorted_bits(const uint64_t *keys, uint32_t n) {
  uint64_t differ = 0;
  bool docs_ascend = true;
  for (uint32_t i = 1; i < n; i++) {
    differ |= keys[i] ^ keys[0];
    docs_ascend &= csd_key_doc(keys[i - 1]) < csd_key_doc(keys[i]);
  }
  return docs_ascend ? differ & ~(uint64_t)UINT32_MAX : differ;
}

/* Sorts n keys by one byte, the greatest first; those with equal bytes keep their order. */
static void sort_byte(const uint64_t *keys, uint32_t n, unsigned shift, uint64_t *sorted) {
  uint32_t at[256] = {0};
  for (uint32_t i = 0; i < n; i++) {
    at[keys[i] >> shift & 255u]++;
  }
  uint32_t start = 0;
  for (uint32_t byte = 256; byte-- > 0;) {
    const uint32_t count = at[byte];
    at[byte] = start;
    start += count;
  }
  for (uint32_t i = 0; i < n; i++) {
    sorted[at[keys[i] >> shift & 255u]++] = keys[i];
  }
}

/* Sorts n keys, the greatest first; returns which of the two arrays has them then. */
static uint64_t *sort(uint64_t *keys, uint32_t n, uint64_t *other) {
  if (n <= SORTED_TO) {
    for (uint32_t i = 0; i < n; i++) {
      other[i] = insert(other, i, keys[i]);
    }
    return other;
  }
  const uint64_t differ = unsorted_bits(keys, n);
  for (unsigned shift = 0; shift < 64; shift += 8) {
    if ((differ >> shift & 255u) != 0) {
      sort_byte(keys, n, shift, other);
      uint64_t *sorted = other;
      other = keys;
      keys = sorted;
    }
  }
  return keys;
}

void csd_topk_finish(struct csd_topk *topk, uint64_t *page) {
  const uint64_t *keys = topk->keys;
  if (!is_sorted(topk)) {
    if (topk->count > topk->k) {
      drop(topk, 0);
    }
    keys = sort(topk->keys, topk->count, page);
  }
  for (uint32_t i = 0; i < topk->count; i++) {
    const struct csd_hit hit = {.doc = csd_key_doc(keys[i]), .score = csd_key_score(keys[i])};
    memcpy(&page[i], &hit, sizeof hit);
  }
}
