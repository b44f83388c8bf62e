/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
#include "tests/support/check.h"

#include <stdarg.h>

#include "csd/csd.h"

int check_failures;
int check_count;

bool check_that(bool holds, const char *file, int line, const char *format, ...) {
  __atomic_add_fetch(&check_count, 1, __ATOMIC_RELAXED);
  if (holds) {
    return true;
  }
  __atomic_add_fetch(&check_failures, 1, __ATOMIC_RELAXED);
  va_list arguments;
  va_start(arguments, format);
  fprintf(stderr, "%s:%d: ", file, line);
  vfprintf(stderr, format, arguments);
  fputc('\n', stderr);
  va_end(arguments);
  return false;
}

bool check_equal(int64_t expected, int64_t actual, const char *file, int line, const char *text) {
  return check_that(expected == actual, file, line, "%s is %" PRId64 ", not %" PRId64, text, actual,
                    expected);
}

bool check_status(int expected, int actual, const char *file, int line, const char *text) {
  return check_that(expected == actual, file, line, "%s gives %d %s, not %s (trail: %s)", text,
                    actual, csd_status_name(actual), csd_status_name(expected), csd_last_error());
}

int check_result(void) {
  if (check_count == 0) {
    fprintf(stderr, "nothing was checked\n");
    return 1;
  }
  printf("%d checks, %d failures\n", check_count, check_failures);
  return check_failures == 0 ? 0 : 1;
}
