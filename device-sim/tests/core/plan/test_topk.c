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

static void the_best_are_kept_in_order(void) {
  uint64_t seed = 5;
  for (int round = 0; round < 400; round++) {
    uint64_t all[MAX_HITS], kept[MAX_K];
    const uint32_t n = check_random_below(&seed, MAX_HITS + 1);
    struct csd_topk topk = {.keys = kept, .count = 0, .k = 1 + check_random_below(&seed, MAX_K)};
    for (uint32_t i = 0; i < n; i++) {
      /* Few scores, so that many tie; no doc comes twice. */
      all[i] = csd_hit_key(i * 7919u % 100003u, (float)check_random_below(&seed, 9) / 4.0f);
      if (!csd_topk_is_full(&topk) || all[i] > csd_topk_worst(&topk)) {
        csd_topk_offer(&topk, all[i]);
      }
    }
    qsort(all, n, sizeof all[0], better_first);
    const uint32_t expected = n < topk.k ? n : topk.k;
    CHECK_EQ(expected, topk.count);
    if (topk.count == topk.k) {
      CHECK(csd_topk_worst(&topk) == all[topk.k - 1]);
    }
    csd_topk_finish(&topk);
    uint32_t wrong = 0;
    for (uint32_t i = 0; i < expected; i++) {
      struct csd_hit hit;
      memcpy(&hit, &kept[i], sizeof hit);
      wrong += hit.doc != csd_key_doc(all[i]) || hit.score != csd_key_score(all[i]);
    }
    CHECK_EQ(0, wrong);
  }
}

/* Docs come several times, and each counts with its greatest score. */
static void docs_may_come_again(void) {
  uint64_t seed = 6;
  for (int round = 0; round < 400; round++) {
    uint64_t best[MAX_HITS], kept[MAX_K];
    const uint32_t docs = 1 + check_random_below(&seed, MAX_HITS);
    struct csd_topk topk = {.keys = kept, .count = 0, .k = 1 + check_random_below(&seed, MAX_K)};
    memset(best, 0, sizeof best);
    for (uint32_t i = 0; i < 3 * docs; i++) {
      const uint32_t doc = check_random_below(&seed, docs);
      const uint64_t key = csd_hit_key(doc, (float)check_random_below(&seed, 50) / 4.0f);
      best[doc] = key > best[doc] ? key : best[doc];
      if ((!csd_topk_is_full(&topk) || key > csd_topk_worst(&topk)) &&
          !csd_topk_raise(&topk, key)) {
        csd_topk_offer(&topk, key);
      }
    }
    qsort(best, docs, sizeof best[0], better_first);
    csd_topk_finish(&topk);
    uint32_t wrong = 0;
    for (uint32_t i = 0; i < topk.k && i < docs && best[i] != 0; i++) {
      struct csd_hit hit;
      memcpy(&hit, &kept[i], sizeof hit);
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
