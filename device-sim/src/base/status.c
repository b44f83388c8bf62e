/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
#include "base/status.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { TRAIL_BYTES = 512 };

static _Thread_local char trail[TRAIL_BYTES];

static void append(size_t at, const char *format, va_list arguments) {
  vsnprintf(trail + at, TRAIL_BYTES - at, format, arguments);
}

int csd_fail(enum csd_status status, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  append(0, format, arguments);
  va_end(arguments);
  return -(int)status;
}

int csd_fail_in(int result, const char *format, ...) {
  size_t at = strlen(trail);
  if (at + 3 < TRAIL_BYTES) {
    if (at > 0) {
      memcpy(trail + at, "; ", 3);
      at += 2;
    }
    va_list arguments;
    va_start(arguments, format);
    append(at, format, arguments);
    va_end(arguments);
  }
  return result;
}

void csd_trail_clear(void) { trail[0] = '\0'; }

const char *csd_last_error(void) { return trail; }

const char *csd_status_name(int status) {
  /* Unsigned negation: INT_MIN has no positive counterpart. */
  switch (status < 0 ? 0u - (unsigned)status : (unsigned)status) {
    case CSD_STATUS_OK: return "OK";
    case CSD_STATUS_INVALID_ARGUMENT: return "INVALID_ARGUMENT";
    case CSD_STATUS_INVALID_OPCODE: return "INVALID_OPCODE";
    case CSD_STATUS_INVALID_FIELD: return "INVALID_FIELD";
    case CSD_STATUS_UNSUPPORTED_VERSION: return "UNSUPPORTED_VERSION";
    case CSD_STATUS_PLAN_TRUNCATED: return "PLAN_TRUNCATED";
    case CSD_STATUS_PLAN_MALFORMED: return "PLAN_MALFORMED";
    case CSD_STATUS_PLAN_TOO_LARGE: return "PLAN_TOO_LARGE";
    case CSD_STATUS_PAGE_CORRUPT: return "PAGE_CORRUPT";
    case CSD_STATUS_PAGE_STALE: return "PAGE_STALE";
    case CSD_STATUS_LIST_CORRUPT: return "LIST_CORRUPT";
    case CSD_STATUS_NO_SESSION: return "NO_SESSION";
    case CSD_STATUS_NO_RESOURCE: return "NO_RESOURCE";
    case CSD_STATUS_INSUFFICIENT_GRANT: return "INSUFFICIENT_GRANT";
    case CSD_STATUS_NO_MEMORY: return "NO_MEMORY";
    case CSD_STATUS_TOO_MANY_SESSIONS: return "TOO_MANY_SESSIONS";
    case CSD_STATUS_QUEUE_FULL: return "QUEUE_FULL";
    case CSD_STATUS_IO_ERROR: return "IO_ERROR";
    case CSD_STATUS_OUT_OF_RANGE: return "OUT_OF_RANGE";
    case CSD_STATUS_NO_SPACE: return "NO_SPACE";
    case CSD_STATUS_READ_ONLY: return "READ_ONLY";
    case CSD_STATUS_LOCKED: return "LOCKED";
    case CSD_STATUS_ABORTED: return "ABORTED";
    case CSD_STATUS_CLOSED: return "CLOSED";
    case CSD_STATUS_BUSY: return "BUSY";
    case CSD_STATUS_TIMED_OUT: return "TIMED_OUT";
    case CSD_STATUS_INTERNAL: return "INTERNAL";
    default: return "UNKNOWN";
  }
}

uint32_t csd_wire_version(void) { return CSD_WIRE_VERSION; }
