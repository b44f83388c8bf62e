/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/** Pages of rows for tests. */
#ifndef CSD_ROWS_WORLD_H
#define CSD_ROWS_WORLD_H

#include "csd/csd_rows.h"

/** A page that rows are added to: 100 at most. */
struct rows_sheet {
  uint8_t bytes[CSD_ROWS_PAGE_BYTES];
  uint32_t rows, end;
};

/** What a query sees of a row of LINEITEM. */
struct rows_line {
  uint32_t part, quantity, price;
  uint8_t discount, tax;
  char returned, status;
  uint16_t shipped;
};

/** Writes a number as rows have it. */
void rows_put32(uint8_t *at, uint32_t value);

/** Makes a page empty. */
void rows_begin(struct rows_sheet *page);

/** Adds a row of so many bytes; returns it. */
uint8_t *rows_add_row(struct rows_sheet *page, uint32_t bytes);

void rows_add_line(struct rows_sheet *page, struct rows_line line);

/** Adds a part whose type has six letters. */
void rows_add_part(struct rows_sheet *page, uint32_t key, const char *type);

/** Makes a page of 1 to 100 rows of LINEITEM, of the parts 1 to 50. */
void rows_random_page(struct rows_sheet *page, uint64_t *seed);

#endif
