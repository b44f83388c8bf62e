/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/** For the checks of a plan's parts. */
#ifndef CSD_MALFORMED_H
#define CSD_MALFORMED_H

#include "base/status.h"

/** Fails with PLAN_MALFORMED and a text that names the part and its value. */
#define MALFORMED_IF(condition, ...)                           \
  do {                                                         \
    if (condition) {                                           \
      return csd_fail(CSD_STATUS_PLAN_MALFORMED, __VA_ARGS__); \
    }                                                          \
  } while (0)

#endif
