/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
#include "base/status.h"
#include "csd/csd.h"
#include "tests/support/check.h"

static void every_status_has_its_name(void) {
#define WIRE_FIELD(structure, field, offset, type, count)
#define WIRE_STATUS(name, value)                                           \
  CHECK_MSG(strcmp(csd_status_name(value), #name) == 0, "%d is %s", value, \
            csd_status_name(value));                                       \
  CHECK_MSG(strcmp(csd_status_name(-(value)), #name) == 0, "negated %d", value);
#include "tests/vectors/wire_fields.inc"
#undef WIRE_FIELD
#undef WIRE_STATUS
  CHECK(strcmp(csd_status_name(9999), "UNKNOWN") == 0);
  CHECK(strcmp(csd_status_name(INT32_MIN), "UNKNOWN") == 0);
}

static void a_trail_grows_outwards(void) {
  CHECK_EQ(-CSD_STATUS_IO_ERROR, csd_fail(CSD_STATUS_IO_ERROR, "pread at %d", 7));
  CHECK(strcmp(csd_last_error(), "pread at 7") == 0);
  CHECK_EQ(-CSD_STATUS_IO_ERROR, csd_fail_in(-CSD_STATUS_IO_ERROR, "session %d", 3));
  CHECK(strcmp(csd_last_error(), "pread at 7; session 3") == 0);
  CHECK_EQ(-CSD_STATUS_BUSY, csd_fail(CSD_STATUS_BUSY, "anew"));
  CHECK(strcmp(csd_last_error(), "anew") == 0);
  csd_trail_clear();
  CHECK(strcmp(csd_last_error(), "") == 0);
  CHECK_EQ(-CSD_STATUS_BUSY, csd_fail_in(-CSD_STATUS_BUSY, "outer"));
  CHECK(strcmp(csd_last_error(), "outer") == 0);
}

static void a_long_trail_is_cut(void) {
  char text[900];
  memset(text, 'x', sizeof text - 1);
  text[sizeof text - 1] = 0;
  csd_fail(CSD_STATUS_INTERNAL, "%s", text);
  const size_t length = strlen(csd_last_error());
  CHECK(length > 400 && length < sizeof text);
  for (int i = 0; i < 300; i++) {
    csd_fail_in(-1, "again");
  }
  CHECK(strlen(csd_last_error()) < sizeof text);
  csd_fail(CSD_STATUS_INTERNAL, "short");
  for (int i = 0; i < 300; i++) {
    csd_fail_in(-1, "again");
  }
  CHECK(strncmp(csd_last_error(), "short; again; again", 19) == 0);
}

int main(void) {
  RUN(every_status_has_its_name);
  RUN(a_trail_grows_outwards);
  RUN(a_long_trail_is_cut);
  return check_result();
}
