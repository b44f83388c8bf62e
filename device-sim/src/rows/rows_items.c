/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/*
 * Queries 1, 6 and 14 of TPC-H (algorithms 1 to 3 of the paper), with the parameters by which the
 * benchmark validates answers. Money is in cents, shares in percent, so that sums are whole
 * numbers.
 */
#include "base/status.h"
#include "rows/rows_task.h"

/* Days since 1970. */
enum {
  Q1_LAST = 10471,  /* 1998-09-02: 90 days before 1998-12-01 */
  Q6_FIRST = 8766,  /* 1994-01-01 */
  Q6_END = 9131,    /* 1995-01-01 */
  Q14_FIRST = 9374, /* 1995-09-01 */
  Q14_END = 9404    /* 1995-10-01 */
};
enum { DISCOUNT_FROM = 5, DISCOUNT_TO = 7, QUANTITY_BELOW = 24, WHOLE = 100, LETTER_BITS = 8 };

/* What the second half of a query needs of a row that passes: of 14 no more than parts, price and
 * discount, and so on. Also the record that a filter puts out. */
struct item {
  uint32_t part;
  uint32_t quantity;
  uint32_t price;
  uint8_t discount, tax, returned, status;
};

enum { ITEM_BYTES_1 = 12, ITEM_BYTES_6 = 8, ITEM_BYTES_14 = 12 };

/* WHERE. The date is the value that comes with the row. */
static bool passes(enum csd_rows_program program, const uint8_t *row,
                   struct csd_rows_counts *counts) {
  const uint16_t shipped = rows_u16(row + CSD_ROWS_ITEM_SHIPPED);
  if (program == CSD_ROWS_QUERY_1) {
    return shipped <= Q1_LAST;
  }
  if (program == CSD_ROWS_QUERY_14) {
    return shipped >= Q14_FIRST && shipped < Q14_END;
  }
  if (shipped < Q6_FIRST || shipped >= Q6_END) {
    return false;
  }
  const int64_t discount = rows_value8(row + CSD_ROWS_ITEM_DISCOUNT, counts);
  return discount >= DISCOUNT_FROM && discount <= DISCOUNT_TO &&
         rows_value32(row + CSD_ROWS_ITEM_QUANTITY, counts) < QUANTITY_BELOW;
}

static struct item take(enum csd_rows_program program, const uint8_t *row,
                        struct csd_rows_counts *counts) {
  struct item item = {.price = (uint32_t)rows_value32(row + CSD_ROWS_ITEM_PRICE, counts),
                      .discount = (uint8_t)rows_value8(row + CSD_ROWS_ITEM_DISCOUNT, counts)};
  if (program == CSD_ROWS_QUERY_14) {
    item.part = (uint32_t)rows_value32(row + CSD_ROWS_ITEM_PART, counts);
  }
  if (program == CSD_ROWS_QUERY_1) {
    item.quantity = (uint32_t)rows_value32(row + CSD_ROWS_ITEM_QUANTITY, counts);
    item.tax = (uint8_t)rows_value8(row + CSD_ROWS_ITEM_TAX, counts);
    item.returned = (uint8_t)rows_value8(row + CSD_ROWS_ITEM_RETURNED, counts);
    item.status = (uint8_t)rows_value8(row + CSD_ROWS_ITEM_STATUS, counts);
  }
  return item;
}

/* GROUP BY and sums. */
static int add(struct csd_rows_task *task, enum csd_rows_program program, const struct item *item,
               struct csd_rows_counts *counts) {
  const int64_t price = item->price;
  const int64_t revenue = price * (WHOLE - item->discount);
  const bool grouped = program == CSD_ROWS_QUERY_1;
  int64_t *const sums =
      csd_rows_sums(task, grouped ? (uint32_t)item->returned << LETTER_BITS | item->status : 0);
  if (sums == NULL) {
    return -CSD_STATUS_NO_SPACE;
  }
  if (program == CSD_ROWS_QUERY_6) {
    sums[0] += price * item->discount;
    counts->values++;
    return 0;
  }
  if (program == CSD_ROWS_QUERY_14) {
    const struct rows_bucket *const part = csd_rows_bucket(task, item->part, counts);
    sums[0] += part->key != 0 && part->promoted ? revenue : 0;
    sums[1] += part->key != 0 ? revenue : 0;
    counts->values += 2;
    return 0;
  }
  sums[0] += item->quantity;
  sums[1] += price;
  sums[2] += revenue;
  sums[3] += revenue * (WHOLE + item->tax);
  sums[4] += item->discount;
  sums[5]++;
  counts->values += CSD_ROWS_SUMS;
  return 0;
}

static uint32_t item_bytes(enum csd_rows_program program) {
  return program == CSD_ROWS_QUERY_1   ? ITEM_BYTES_1
         : program == CSD_ROWS_QUERY_6 ? ITEM_BYTES_6
                                       : ITEM_BYTES_14;
}

/* Records of a filter's output: four letters and shares, then numbers. */
static void put(enum csd_rows_program program, const struct item *item, struct rows_output *out) {
  const uint8_t shares[4] = {item->discount, item->tax, item->returned, item->status};
  rows_put(out, shares, sizeof shares);
  rows_put(out, &item->price, sizeof item->price);
  if (program == CSD_ROWS_QUERY_1) {
    rows_put(out, &item->quantity, sizeof item->quantity);
  } else if (program == CSD_ROWS_QUERY_14) {
    rows_put(out, &item->part, sizeof item->part);
  }
}

static struct item get(enum csd_rows_program program, const uint8_t *at,
                       struct csd_rows_counts *counts) {
  struct item item = {.discount = (uint8_t)rows_value8(at, counts),
                      .price = (uint32_t)rows_value32(at + 4, counts)};
  if (program == CSD_ROWS_QUERY_1) {
    item.tax = (uint8_t)rows_value8(at + 1, counts);
    item.returned = (uint8_t)rows_value8(at + 2, counts);
    item.status = (uint8_t)rows_value8(at + 3, counts);
    item.quantity = (uint32_t)rows_value32(at + 8, counts);
  } else if (program == CSD_ROWS_QUERY_14) {
    item.part = (uint32_t)rows_value32(at + 8, counts);
  }
  return item;
}

int csd_rows_items(struct csd_rows_task *task, enum csd_rows_program program,
                   const struct rows_page *page, struct rows_output *out) {
  for (uint32_t i = 0; i < page->rows; i++) {
    const uint8_t *const row = rows_row(page, i, CSD_ROWS_ITEM_HEAD_BYTES);
    if (row == NULL) {
      return csd_rows_corrupt("row", i);
    }
    if (!passes(program, row, page->counts)) {
      continue;
    }
    const struct item item = take(program, row, page->counts);
    if (out != NULL) {
      put(program, &item, out);
      continue;
    }
    const int status = add(task, program, &item, page->counts);
    if (status < 0) {
      return status;
    }
  }
  return 0;
}

int csd_rows_items_rest(struct csd_rows_task *task, enum csd_rows_program program,
                        const uint8_t *rows, uint32_t bytes, struct csd_rows_counts *counts) {
  const uint32_t size = item_bytes(program);
  if (bytes % size != 0) {
    return csd_rows_corrupt("filtered bytes:", bytes);
  }
  for (uint32_t at = 0; at < bytes; at += size) {
    const struct item item = get(program, rows + at, counts);
    const int status = add(task, program, &item, counts);
    if (status < 0) {
      return status;
    }
  }
  return 0;
}

/* ---- PART ---- */

static const uint8_t PROMO[] = {'P', 'R', 'O', 'M', 'O'};
enum { STRINGS_BEFORE_TYPE = 3 };

int csd_rows_build(struct csd_rows_task *task, const struct rows_page *page) {
  const uint8_t *const end = page->bytes + CSD_ROWS_PAGE_BYTES;
  for (uint32_t i = 0; i < page->rows; i++) {
    const uint8_t *const row = rows_row(page, i, CSD_ROWS_PART_HEAD_BYTES + 1u);
    const uint8_t *text = row == NULL ? end : row + CSD_ROWS_PART_HEAD_BYTES;
    for (uint32_t k = 0; k < STRINGS_BEFORE_TYPE && text < end; k++) {
      text += 1 + rows_value8(text, page->counts);
    }
    if (text >= end || *text > end - text - 1) {
      return csd_rows_corrupt("part", i);
    }
    const bool promoted = rows_value8(text, page->counts) >= (int64_t)sizeof PROMO &&
                          memcmp(text + 1, PROMO, sizeof PROMO) == 0;
    const uint32_t key = rows_u32(row + CSD_ROWS_PART_KEY);
    if (key == 0 || task->parts == 0) {
      return csd_fail(CSD_STATUS_NO_SPACE, "part %u: no room in the hash table", (unsigned)key);
    }
    struct rows_bucket *const bucket = csd_rows_bucket(task, key, page->counts);
    task->parts -= bucket->key == 0 ? 1 : 0;
    *bucket = (struct rows_bucket){key, promoted};
    page->counts->values++;
  }
  return 0;
}
