/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/* Failures without their text: a firmware returns the status, and has nobody to read the rest. */
#include "base/status.h"

int csd_fail(enum csd_status status, const char *format, ...) {
  (void)format;
  return -(int)status;
}

int csd_fail_in(int result, const char *format, ...) {
  (void)format;
  return result;
}

void csd_trail_clear(void) {}
