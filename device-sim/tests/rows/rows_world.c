/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
#include "tests/rows/rows_world.h"

#include <string.h>

#include "tests/support/check.h"

enum { TEXT_BYTES = 6, ROWS = 100 };

void rows_put32(uint8_t *at, uint32_t value) { memcpy(at, &value, sizeof value); }

/* Slots come first. */
void rows_begin(struct rows_sheet *page) {
  *page = (struct rows_sheet){.end = CSD_ROWS_HEAD_BYTES + 2u * ROWS};
}

uint8_t *rows_add_row(struct rows_sheet *page, uint32_t bytes) {
  const uint16_t at = (uint16_t)page->end;
  memcpy(page->bytes + CSD_ROWS_HEAD_BYTES + 2u * page->rows, &at, sizeof at);
  page->rows++;
  page->end += bytes;
  rows_put32(page->bytes, page->rows);
  rows_put32(page->bytes + 4, page->end);
  return page->bytes + at;
}

void rows_add_line(struct rows_sheet *page, struct rows_line line) {
  uint8_t *const row = rows_add_row(page, CSD_ROWS_ITEM_HEAD_BYTES);
  rows_put32(row + CSD_ROWS_ITEM_PART, line.part);
  rows_put32(row + CSD_ROWS_ITEM_QUANTITY, line.quantity);
  rows_put32(row + CSD_ROWS_ITEM_PRICE, line.price);
  row[CSD_ROWS_ITEM_DISCOUNT] = line.discount;
  row[CSD_ROWS_ITEM_TAX] = line.tax;
  row[CSD_ROWS_ITEM_RETURNED] = (uint8_t)line.returned;
  row[CSD_ROWS_ITEM_STATUS] = (uint8_t)line.status;
  memcpy(row + CSD_ROWS_ITEM_SHIPPED, &line.shipped, sizeof line.shipped);
}

void rows_add_part(struct rows_sheet *page, uint32_t key, const char *type) {
  uint8_t *row = rows_add_row(page, CSD_ROWS_PART_HEAD_BYTES + 3 + 1 + TEXT_BYTES);
  rows_put32(row + CSD_ROWS_PART_KEY, key);
  row += CSD_ROWS_PART_HEAD_BYTES + 3; /* three empty strings */
  row[0] = TEXT_BYTES;
  memcpy(row + 1, type, TEXT_BYTES);
}

void rows_random_page(struct rows_sheet *page, uint64_t *seed) {
  rows_begin(page);
  for (uint32_t i = check_random_below(seed, ROWS) + 1; i > 0; i--) {
    rows_add_line(
        page,
        (struct rows_line){
            1 + check_random_below(seed, 50), check_random_below(seed, 50),
            check_random_below(seed, 1u << 20), (uint8_t)check_random_below(seed, 11),
            (uint8_t)check_random_below(seed, 9), "ANR"[check_random_below(seed, 3)],
            "OF"[check_random_below(seed, 2)], (uint16_t)(8700 + check_random_below(seed, 1900))});
  }
}
