/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
#include <string.h>

#include "csd/csd_table.h"

enum { HEADER = 96, STATUS = 4, COUNT = 2, SLOT = 2, VALUE = 4 };

static uint32_t row_bytes(uint32_t columns) {
  return STATUS + VALUE * columns + COUNT + (columns + 7) / 8;
}

uint32_t csd_table_page_rows(uint32_t columns) {
  return (CSD_TABLE_PAGE_BYTES - HEADER) / (row_bytes(columns) + SLOT);
}

uint64_t csd_table_pages(const struct csd_table *table) {
  const uint32_t each = csd_table_page_rows(table->columns);
  return (table->rows + each - 1) / each;
}

uint32_t csd_table_value(uint64_t row, uint32_t column) {
  /* splitmix64 (Steele, Lea and Flood, 2014): a counter, mixed. */
  uint64_t z = (row * CSD_TABLE_MAX_COLUMNS + column + 1) * 0x9E3779B97F4A7C15u;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
  return (uint32_t)(((z ^ (z >> 31)) >> 33) * CSD_TABLE_RANGE >> 31);
}

static uint8_t *slot_of(const uint8_t *page, uint32_t row) {
  return (uint8_t *)page + CSD_TABLE_PAGE_BYTES - SLOT * (row + 1);
}

/* Where a value of a column page is. */
static uint32_t part_at(const struct csd_table *table, uint32_t row, uint32_t column) {
  return HEADER + VALUE * (column * csd_table_page_rows(table->columns) + row);
}

static void make_row(const struct csd_table *table, uint64_t first, uint32_t row, uint8_t *page) {
  const uint16_t at = (uint16_t)(HEADER + row * row_bytes(table->columns));
  const uint16_t columns = (uint16_t)table->columns;
  memcpy(slot_of(page, row), &at, SLOT);
  for (uint32_t column = 0; column < table->columns; column++) {
    const uint32_t value = csd_table_value(first + row, column);
    memcpy(page + at + STATUS + VALUE * column, &value, VALUE);
  }
  memcpy(page + at + STATUS + VALUE * table->columns, &columns, COUNT);
}

void csd_table_make_page(const struct csd_table *table, uint64_t number, uint8_t *page) {
  const uint32_t rows = csd_table_page_rows(table->columns);
  memset(page, 0, CSD_TABLE_PAGE_BYTES);
  for (uint32_t row = 0; row < rows; row++) {
    if (table->layout == CSD_TABLE_NSM) {
      make_row(table, number * rows, row, page);
      continue;
    }
    for (uint32_t column = 0; column < table->columns; column++) {
      const uint32_t value = csd_table_value(number * rows + row, column);
      memcpy(page + part_at(table, row, column), &value, VALUE);
    }
  }
}

uint32_t csd_table_page_value(const struct csd_table *table, const uint8_t *page, uint32_t row,
                              uint32_t column) {
  uint32_t value;
  uint32_t at = part_at(table, row, column);
  if (table->layout == CSD_TABLE_NSM) {
    uint16_t slot;
    memcpy(&slot, slot_of(page, row), SLOT);
    at = slot + STATUS + VALUE * column;
  }
  memcpy(&value, page + at, VALUE);
  return value;
}
