/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/* The k best of hits in any order, against sorting all of them. */
#include <stdlib.h>

#include "core/plan/topk.h"
#include "tests/support/check.h"

#define MAX_HITS 600u
#define MAX_K 300u

static int better_first(const void *a, const void *b) {
  const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
  return x < y ? 1 : x > y ? -1 : 0;
}

static void open_topk(struct csd_topk *topk, uint64_t *page, uint64_t *keys, uint32_t k) {
  const uint32_t room = csd_topk_room(k);
  CHECK(room <= 2 * MAX_K);
  csd_topk_open(topk, room > k ? keys : page, room, k, -1.0f);
}

/* Offers the hits from `i` to `upto`, together or one by one; returns `upto`. */
static uint32_t offer_lot(struct csd_topk *topk, const uint64_t *all, uint32_t i, uint32_t upto) {
  uint32_t docs[MAX_HITS], n = 0;
  float scores[MAX_HITS];
  for (uint32_t j = i; j < upto; j++, n++) {
    docs[n] = csd_key_doc(all[j]);
    scores[n] = csd_key_score(all[j]);
  }
  if (n > 4) {
    CHECK(csd_topk_offer_all(topk, docs, scores, n) <= n);
    return upto;
  }
  for (; i < upto; i++) {
    if (all[i] > topk->bound) {
      csd_topk_offer(topk, all[i]);
    }
  }
  return upto;
}

static void the_best_are_kept_in_order(void) {
  uint64_t seed = 5;
  for (int round = 0; round < 400; round++) {
    uint64_t all[MAX_HITS], page[MAX_K], keys[2 * MAX_K];
    const uint32_t n = check_random_below(&seed, MAX_HITS + 1);
    struct csd_topk topk;
    open_topk(&topk, page, keys, 1 + check_random_below(&seed, MAX_K));
    const float unit = round % 3 == 0 ? 4.0f : round % 3 == 1 ? 1e6f : 1e-30f;
    const uint32_t step = round % 2 == 0 ? 7919u : 1u; /* docs that ascend, and others */
    for (uint32_t i = 0; i < n; i++) {
      /* Few scores, so that many tie; no doc comes twice. */
      all[i] = csd_hit_key(i * step % 100003u, (float)check_random_below(&seed, 9) / unit);
    }
    for (uint32_t i = 0; i < n;) {
      const uint32_t lot = 1 + check_random_below(&seed, 50);
      i = offer_lot(&topk, all, i, n - i < lot ? n : i + lot);
    }
    qsort(all, n, sizeof all[0], better_first);
    const uint32_t expected = n < topk.k ? n : topk.k;
    CHECK_EQ(expected, csd_topk_hits(&topk));
    CHECK(!csd_topk_is_full(&topk) || topk.bound <= all[topk.k - 1]);
    csd_topk_finish(&topk, page);
    CHECK_EQ(expected, topk.count);
    uint32_t wrong = 0;
    for (uint32_t i = 0; i < expected; i++) {
      struct csd_hit hit;
      memcpy(&hit, &page[i], sizeof hit);
      wrong += hit.doc != csd_key_doc(all[i]) || hit.score != csd_key_score(all[i]);
    }
    CHECK_EQ(0, wrong);
  }
}

/* Docs come several times, and each counts with its greatest score. */
static void docs_may_come_again(void) {
  uint64_t seed = 6;
  for (int round = 0; round < 400; round++) {
    uint64_t best[MAX_HITS], page[MAX_K], keys[2 * MAX_K];
    const uint32_t docs = 1 + check_random_below(&seed, MAX_HITS);
    struct csd_topk topk;
    open_topk(&topk, page, keys, 1 + check_random_below(&seed, MAX_K));
    memset(best, 0, sizeof best);
    for (uint32_t i = 0; i < 3 * docs; i++) {
      const uint32_t doc = check_random_below(&seed, docs);
      const uint64_t key = csd_hit_key(doc, (float)check_random_below(&seed, 50) / 4.0f);
      best[doc] = key > best[doc] ? key : best[doc];
      if (key > topk.bound && !csd_topk_raise(&topk, key)) {
        csd_topk_offer(&topk, key);
      }
    }
    qsort(best, docs, sizeof best[0], better_first);
    csd_topk_finish(&topk, page);
    uint32_t wrong = 0;
    for (uint32_t i = 0; i < topk.k && i < docs && best[i] != 0; i++) {
      struct csd_hit hit;
      memcpy(&hit, &page[i], sizeof hit);
      wrong +=
          i >= topk.count || hit.doc != csd_key_doc(best[i]) || hit.score != csd_key_score(best[i]);
    }
    CHECK_EQ(0, wrong);
  }
}

static void keys_order_hits(void) {
  CHECK(csd_hit_key(9, 2.0f) > csd_hit_key(1, 1.0f));
  CHECK(csd_hit_key(1, 1.0f) > csd_hit_key(2, 1.0f));
  CHECK_EQ(77, csd_key_doc(csd_hit_key(77, 0.5f)));
  CHECK(csd_key_score(csd_hit_key(77, 0.5f)) == 0.5f);
}

static void just_below_is_the_next_float(void) {
  static const float values[] = {1.0f, 0.1f, 3e38f, 1e-40f, -1.0f, -0.0f, 0.0f};
  for (size_t i = 0; i < sizeof values / sizeof values[0]; i++) {
    const float below = csd_just_below(values[i]);
    CHECK(below < values[i]);
    CHECK(csd_just_below(values[i]) < values[i] && !(below + (values[i] - below) / 2 < below));
  }
  CHECK(csd_just_below(-__builtin_inff()) == -__builtin_inff());
}

int main(void) {
  RUN(the_best_are_kept_in_order);
  RUN(docs_may_come_again);
  RUN(keys_order_hits);
  RUN(just_below_is_the_next_float);
  return check_result();
}
