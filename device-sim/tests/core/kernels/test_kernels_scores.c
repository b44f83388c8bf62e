/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/* Scores, what is kept by them, and merges, as test_kernels.c. */
#include <stdlib.h>

#include "tests/core/kernels/kernels_tested.h"
#include "tests/support/check.h"
#include "tests/support/guarded.h"

/* One step a statement, so that nothing can be contracted even if the compiler were allowed to. */
static float plain_score(float weight, float entry, uint32_t freq) {
  const volatile float x = (float)(int32_t)freq * entry;
  const volatile float y = 1.0f + x;
  const volatile float q = weight / y;
  return weight - q;
}

static void scores(void) {
  static const float special[] = {0.0f, -0.0f,   1e-45f, 1e-38f, 3.4e38f, __builtin_inff(),
                                  1.0f, 1.2e-7f, -1.0f};
  static const float weights[] = {0.0f, 1.0f, 7.3456f, 1e-40f, 3e38f, -2.5f, 0.33333334f};
  float *table = guarded_take(256 * sizeof *table);
  for (unsigned round = 0; round < 1200; round++) {
    const unsigned n =
        round < 300 ? round % (BLOCK + 1) : check_random_below(&kernels_seed, BLOCK + 1);
    const uint32_t norm_span = round % 3 == 0 ? 256 : round % 3 == 1 ? 64 : 20;
    const uint32_t norm_base = check_random_below(&kernels_seed, 257 - norm_span);
    const float weight = weights[check_random_below(&kernels_seed, 7)];
    for (unsigned i = 0; i < 256; i++) {
      table[i] = check_random_below(&kernels_seed, 20) == 0
                     ? special[check_random_below(&kernels_seed, 9)]
                     : 1.0f / (0.3f + (float)check_random_below(&kernels_seed, 1u << 24) / 1e6f);
    }
    uint32_t *freqs = guarded_take(n * sizeof *freqs);
    uint8_t *norms = guarded_take(n);
    float *result = guarded_take(n * sizeof *result);
    for (unsigned i = 0; i < n; i++) {
      freqs[i] = check_random_below(&kernels_seed, 10) == 0
                     ? check_random_below(&kernels_seed, 0x7FFFFFFF)
                     : 1 + check_random_below(&kernels_seed, 30);
      norms[i] = (uint8_t)(norm_base + check_random_below(&kernels_seed, norm_span));
    }
    kernels_tested->score(weight, table, freqs, norms, n, result);
    unsigned wrong = 0;
    for (unsigned i = 0; i < n; i++) {
      const float expected = plain_score(weight, table[norms[i]], freqs[i]);
      /* The sign of a NaN is not specified; which numbers are NaN is. */
      const bool both_nan = expected != expected && result[i] != result[i];
      wrong += !both_nan && memcmp(&expected, &result[i], sizeof expected) != 0;
    }
    CHECK_MSG(wrong == 0, "%s: %u of %u scores", kernels_tested->name, wrong, n);
    guarded_free(freqs, n * sizeof *freqs);
    guarded_free(norms, n);
    guarded_free(result, n * sizeof *result);
  }
  guarded_free(table, 256 * sizeof *table);
}

static void frequencies_that_norms_need(void) {
  uint8_t *needed = guarded_take(256);
  unsigned found = 0;
  for (unsigned round = 0; round < 900; round++) {
    const unsigned n =
        round < 300 ? round % (BLOCK + 1) : check_random_below(&kernels_seed, BLOCK + 1);
    for (unsigned i = 0; i < 256; i++) {
      needed[i] = (uint8_t)(round % 3 == 0 ? 255 : 20 + check_random_below(&kernels_seed, 236));
    }
    needed[check_random_below(&kernels_seed, 256)] = (uint8_t)check_random_below(&kernels_seed, 20);
    uint32_t *freqs = guarded_take(n * sizeof *freqs);
    uint8_t *norms = guarded_take(n);
    bool expected = false;
    for (unsigned i = 0; i < n; i++) {
      const bool great = check_random_below(&kernels_seed, 400) == 0;
      freqs[i] = great ? 200 + check_random_below(&kernels_seed, 1u << 31)
                       : check_random_below(&kernels_seed, 21);
      norms[i] = (uint8_t)check_random_below(&kernels_seed, 256);
      expected |= freqs[i] >= needed[norms[i]];
    }
    const bool any = kernels_tested->any_needed(needed, freqs, norms, n);
    CHECK_MSG(any == expected, "%s: any of %u is %d", kernels_tested->name, n, (int)any);
    found += expected;
    guarded_free(freqs, n * sizeof *freqs);
    guarded_free(norms, n);
  }
  CHECK(found > 90 && found < 810);
  guarded_free(needed, 256);
}

static void docs_above_a_min_score(void) {
  static const double special[] = {0.0, -0.0, 1e300, -1e300, __builtin_inf(), __builtin_nan("")};
  for (unsigned round = 0; round < 600; round++) {
    const unsigned n = round < 100 ? round : check_random_below(&kernels_seed, 1000);
    uint32_t *docs = guarded_take(n * sizeof *docs);
    double *sums = guarded_take(n * sizeof *sums);
    uint32_t expected_docs[1000];
    double expected_sums[1000];
    const double rest = check_random_below(&kernels_seed, 50) / 7.0;
    const double slack = 1.000001;
    const double min_score = check_random_below(&kernels_seed, 120) / 7.0;
    unsigned expected = 0;
    for (unsigned i = 0; i < n; i++) {
      docs[i] = 3 * i + check_random_below(&kernels_seed, 3);
      sums[i] = check_random_below(&kernels_seed, 30) == 0
                    ? special[check_random_below(&kernels_seed, 6)]
                    : check_random_below(&kernels_seed, 100) / 7.0;
      const double bound = sums[i] + rest;
      if (!(bound * slack <= min_score)) {
        expected_docs[expected] = docs[i];
        expected_sums[expected++] = sums[i];
      }
    }
    const unsigned kept = kernels_tested->keep_above(docs, sums, n, rest, slack, min_score);
    CHECK_MSG(kept == expected && memcmp(docs, expected_docs, kept * sizeof *docs) == 0 &&
                  memcmp(sums, expected_sums, kept * sizeof *sums) == 0,
              "%s: kept %u of %u, not %u", kernels_tested->name, kept, n, expected);
    guarded_free(docs, n * sizeof *docs);
    guarded_free(sums, n * sizeof *sums);
  }
}

static void docs_copied_above_a_min_score(void) {
  static const float special[] = {0.0f, -0.0f, 1e30f, __builtin_inff(), __builtin_nanf("")};
  for (unsigned round = 0; round < 600; round++) {
    const unsigned n = check_random_below(&kernels_seed, round < 300 ? 40 : 200);
    uint32_t *docs = guarded_take(n * sizeof *docs);
    float *scores = guarded_take(n * sizeof *scores);
    const size_t room = (n + CSD_ABOVE_SLACK) * sizeof *docs;
    uint32_t *kept_docs = guarded_take(room);
    float *kept_scores = guarded_take(room);
    const float min_score = round % 10 == 0 ? -__builtin_inff() : (float)(round % 10) / 3.0f;
    for (unsigned i = 0; i < n; i++) {
      docs[i] = 3 * i + check_random_below(&kernels_seed, 3);
      scores[i] = check_random_below(&kernels_seed, 30) == 0
                      ? special[check_random_below(&kernels_seed, 5)]
                      : (float)check_random_below(&kernels_seed, 10) / 3.0f;
    }
    const unsigned kept =
        kernels_tested->copy_above(docs, scores, n, min_score, kept_docs, kept_scores);
    unsigned expected = 0;
    unsigned wrong = 0;
    for (unsigned i = 0; i < n; i++) {
      if (!(scores[i] <= min_score)) {
        wrong += docs[i] != kept_docs[expected] ||
                 memcmp(&scores[i], &kept_scores[expected], sizeof scores[i]) != 0;
        expected++;
      }
    }
    CHECK_MSG(kept == expected && wrong == 0, "%s: copied %u of %u, not %u; %u are wrong",
              kernels_tested->name, kept, n, expected, wrong);
    guarded_free(docs, n * sizeof *docs);
    guarded_free(scores, n * sizeof *scores);
    guarded_free(kept_docs, room);
    guarded_free(kept_scores, room);
  }
}

/* Ascending docs, from close together to far apart; some are those of `other`. */
static void fill_to_merge(uint32_t *docs, unsigned n, const uint32_t *other, unsigned other_count) {
  const unsigned step =
      1 + check_random_below(&kernels_seed, 1u << check_random_below(&kernels_seed, 12));
  uint32_t doc = check_random_below(&kernels_seed, 2 * step);
  unsigned j = 0;
  for (unsigned i = 0; i < n; i++) {
    while (j < other_count && other[j] < doc) {
      j++;
    }
    if (j < other_count && check_random_below(&kernels_seed, 3) == 0) {
      doc = other[j];
    }
    docs[i] = doc;
    doc += 1 + check_random_below(&kernels_seed, step);
  }
}

static void docs_merged(void) {
  for (unsigned round = 0; round < 2000; round++) {
    const unsigned most = round < 1000 ? 40 : 300;
    const unsigned a_count = check_random_below(&kernels_seed, most);
    const unsigned b_count = check_random_below(&kernels_seed, most);
    uint32_t *a = guarded_take(a_count * sizeof *a);
    uint32_t *b = guarded_take(b_count * sizeof *b);
    const size_t room = (a_count + b_count + CSD_MERGE_DOCS_SLACK) * sizeof *a;
    uint32_t *out = guarded_take(room);
    fill_to_merge(a, a_count, NULL, 0);
    fill_to_merge(b, b_count, a, a_count);
    if (a_count > 0 && round % 7 == 0) {
      a[a_count - 1] = UINT32_C(0x7FFFFFFE); /* the greatest doc that there can be */
    }
    const unsigned n = kernels_tested->merge_docs(a, a_count, b, b_count, out);
    unsigned i = 0;
    unsigned j = 0;
    unsigned expected = 0;
    unsigned wrong = 0;
    for (; i < a_count || j < b_count; expected++) {
      const uint32_t x = i < a_count ? a[i] : UINT32_MAX;
      const uint32_t y = j < b_count ? b[j] : UINT32_MAX;
      wrong += out[expected] != (x < y ? x : y);
      i += x <= y;
      j += y <= x;
    }
    CHECK_MSG(n == expected && wrong == 0, "%s: %u and %u docs merged to %u, not %u; %u are wrong",
              kernels_tested->name, a_count, b_count, n, expected, wrong);
    guarded_free(a, a_count * sizeof *a);
    guarded_free(b, b_count * sizeof *b);
    guarded_free(out, room);
  }
  CHECK(kernels_tested->merge_pays_to > 0);
}

static void scores_merged(void) {
  for (unsigned round = 0; round < 2000; round++) {
    const unsigned most = round < 1000 ? 24 : 300;
    const unsigned counts[2] = {check_random_below(&kernels_seed, most),
                                check_random_below(&kernels_seed, most)};
    const unsigned all = counts[0] + counts[1];
    uint32_t *docs[2];
    float *scores[2];
    for (unsigned s = 0; s < 2; s++) {
      docs[s] = guarded_take(counts[s] * sizeof **docs);
      scores[s] = guarded_take(counts[s] * sizeof **scores);
      fill_to_merge(docs[s], counts[s], s == 0 ? NULL : docs[0], s == 0 ? 0 : counts[0]);
      for (unsigned i = 0; i < counts[s]; i++) {
        scores[s][i] = (float)check_random_below(&kernels_seed, 100) / 7.0f;
      }
    }
    uint32_t *merged = guarded_take((all + CSD_MERGE_SUMS_SLACK) * sizeof *merged);
    double *sums = guarded_take((all + CSD_MERGE_SUMS_SLACK) * sizeof *sums);
    const unsigned n = kernels_tested->merge_scores(docs[0], scores[0], counts[0], docs[1],
                                                    scores[1], counts[1], merged, sums);
    unsigned i = 0;
    unsigned j = 0;
    unsigned expected = 0;
    unsigned wrong = 0;
    for (; i < counts[0] || j < counts[1]; expected++) {
      const uint32_t x = i < counts[0] ? docs[0][i] : UINT32_MAX;
      const uint32_t y = j < counts[1] ? docs[1][j] : UINT32_MAX;
      double sum = x <= y ? (double)scores[0][i] : 0.0;
      sum += y <= x ? (double)scores[1][j] : 0.0;
      wrong += merged[expected] != (x < y ? x : y) || sums[expected] != sum;
      i += x <= y;
      j += y <= x;
    }
    CHECK_MSG(n == expected && wrong == 0, "%s: %u and %u merged to %u, not %u; %u are wrong",
              kernels_tested->name, counts[0], counts[1], n, expected, wrong);
    for (unsigned s = 0; s < 2; s++) {
      guarded_free(docs[s], counts[s] * sizeof **docs);
      guarded_free(scores[s], counts[s] * sizeof **scores);
    }
    guarded_free(merged, (all + CSD_MERGE_SUMS_SLACK) * sizeof *merged);
    guarded_free(sums, (all + CSD_MERGE_SUMS_SLACK) * sizeof *sums);
  }
}

static void tests(void) {
  RUN(scores);
  RUN(frequencies_that_norms_need);
  RUN(docs_above_a_min_score);
  RUN(docs_copied_above_a_min_score);
  RUN(docs_merged);
  RUN(scores_merged);
}

int main(void) { return kernels_test_all(tests); }
