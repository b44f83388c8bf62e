/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
#include "csd/csd_docs.h"
#include "tests/support/check.h"

#define DOCS 67

static int32_t docs[DOCS + 1];

static void ascend(void) {
  for (int32_t i = 0; i <= DOCS; i++) {
    docs[i] = 3 * i;
  }
}

static void ascending_docs_are_in_order(void) {
  ascend();
  for (size_t n = 0; n <= DOCS; n++) {
    CHECK(csd_docs_disorder(docs + 1, n) >= 0);
  }
  docs[DOCS] = INT32_MAX;
  CHECK(csd_docs_disorder(docs + 1, DOCS) >= 0);
}

static void one_out_of_order_is_seen_anywhere(void) {
  for (size_t at = 0; at <= DOCS; at++) {
    const int32_t before = at == 0 ? 0 : 3 * (int32_t)at - 3;
    const int32_t bad[] = {before, before - 1, -1, INT32_MIN};
    for (size_t i = at == 0 ? 2 : 0; i < sizeof bad / sizeof bad[0]; i++) {
      ascend();
      docs[at] = bad[i];
      CHECK((csd_docs_disorder(docs + 1, DOCS) < 0) == (at > 0 || bad[i] == INT32_MIN));
    }
  }
}

int main(void) {
  RUN(ascending_docs_are_in_order);
  RUN(one_out_of_order_is_seen_anywhere);
  return check_result();
}
