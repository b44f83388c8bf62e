/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/* Tests: tests/device, through the commands that write and pin pages; test_program_columns.c. */
#include "core/columns/page/stored_page.h"

#include <stddef.h>
#include <string.h>

#include "core/columns/page/column_check.h"
#include "core/columns/page/column_entry.h"
#include "core/columns/page/column_parts.h"
#include "core/lists/page_check.h"
#include "core/positions/position_check.h"

/* So that a page can be recognised before it is known of which kind it is. */
#define SAME_PLACE(field)                                                                          \
  _Static_assert(                                                                                  \
      offsetof(struct csd_page_header, field) == offsetof(struct csd_column_page_header, field) && \
          offsetof(struct csd_page_header, field) ==                                               \
              offsetof(struct csd_position_page_header, field),                                    \
      "headers of all kinds begin alike")
SAME_PLACE(magic);
SAME_PLACE(version);
SAME_PLACE(crc32c);
SAME_PLACE(file_page);
SAME_PLACE(stamp);

bool csd_stored_page_has_magic(const uint8_t *page) {
  return csd_page_has_magic(page) || csd_column_has_magic(page) || csd_position_has_magic(page);
}

int csd_stored_page_check(const uint8_t *page) {
  if (csd_position_has_magic(page)) {
    return csd_position_check(page);
  }
  return csd_column_has_magic(page) ? csd_column_check(page) : csd_page_check(page);
}

struct csd_stored_page csd_stored_page_of(const uint8_t *page) {
  const struct csd_page_header header = csd_page_header_of(page);
  struct csd_stored_page of = {.stamp = header.stamp, .file_page = header.file_page};
  if (csd_column_has_magic(page)) {
    struct csd_column_page column;
    (void)csd_column_lay_out(page, &column); /* it has been checked */
    of.range = csd_column_range_of(&column);
  } else if (csd_position_has_magic(page)) {
    of.range = csd_position_range_of(page);
  } else {
    of.range = csd_page_range_of(&header);
  }
  return of;
}

bool csd_stored_page_read(const uint8_t *bytes, struct csd_stored_page *stored) {
  const bool is_page = csd_stored_page_has_magic(bytes) && csd_stored_page_check(bytes) == 0;
  if (is_page) {
    *stored = csd_stored_page_of(bytes);
  }
  return is_page;
}
