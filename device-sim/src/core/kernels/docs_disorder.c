/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
#include "core/kernels/cpu_x86.h"
#include "csd/csd_docs.h"

static inline __attribute__((always_inline)) int32_t disorder(const int32_t *docs, size_t n) {
  const int32_t *const before = docs - 1;
  int32_t bad = 0;
  for (size_t i = 0; i < n; i++) {
    /* Neither is negative, or that shows by itself: then the difference does not overflow. */
    bad |= docs[i] | (int32_t)((uint32_t)docs[i] - (uint32_t)before[i] - 1u);
  }
  return bad;
}

#if defined(__x86_64__)

__attribute__((target("avx2"))) static int32_t disorder_avx2(const int32_t *docs, size_t n) {
  return disorder(docs, n);
}

int32_t csd_docs_disorder(const int32_t *docs, size_t n) {
  return csd_cpu_x86().avx2 ? disorder_avx2(docs, n) : disorder(docs, n);
}

#else

int32_t csd_docs_disorder(const int32_t *docs, size_t n) { return disorder(docs, n); }

#endif
