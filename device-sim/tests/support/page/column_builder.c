/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
#include "tests/support/page/column_builder.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "core/kernels/crc32c.h"
#include "tests/support/check.h"
#include "tests/support/page/pack_bits.h"

enum { MAX_TABLE = 64 };

/* A page in the making: its header, and what its values are packed as. */
struct draft {
  struct csd_column_page_header header;
  uint32_t first; /* of the column's docs */
  uint32_t count;
  uint32_t most;    /* values of a doc */
  uint64_t divisor; /* of what the values differ by */
  uint32_t entries; /* of the table; more than MAX_TABLE if the values are too many for one */
  int64_t table[MAX_TABLE];
};

static uint64_t divisor(uint64_t a, uint64_t b) {
  while (b != 0) {
    const uint64_t rest = a % b;
    a = b;
    b = rest;
  }
  return a;
}

static uint64_t bytes_of(uint64_t count, unsigned bits) { return (count * bits + 7) / 8; }

/* Adds a value to the distinct ones of a draft, which ascend, while a table can have them here. */
static void add_distinct(struct draft *d, int64_t value) {
  uint32_t at = 0;
  uint32_t end = d->entries;
  if (end > MAX_TABLE) {
    return;
  }
  while (at < end) {
    const uint32_t middle = (at + end) / 2;
    if (d->table[middle] < value) {
      at = middle + 1;
    } else {
      end = middle;
    }
  }
  if (at < d->entries && d->table[at] == value) {
    return;
  }
  if (d->entries < MAX_TABLE) {
    memmove(d->table + at + 1, d->table + at, (d->entries - at) * sizeof *d->table);
    d->table[at] = value;
  }
  d->entries++;
}

/* Starts a draft at a doc of the column, given by its number there. */
static void start_draft(uint32_t first, struct draft *d) {
  memset(d, 0, sizeof *d);
  d->first = first;
  d->header.min = INT64_MAX;
  d->header.max = INT64_MIN;
}

/* Adds the docs below `end` to a draft. Only their values are looked at, not the ones before. */
static void add_docs(const struct test_column *column, uint32_t end, struct draft *d) {
  const uint32_t from = column->first[d->first + d->count];
  const int64_t one = column->values[column->first[d->first]];
  while (d->first + d->count < column->doc_count && column->docs[d->first + d->count] < end) {
    const uint32_t *first = column->first + d->first + d->count++;
    d->most = first[1] - first[0] > d->most ? first[1] - first[0] : d->most;
  }
  for (uint32_t v = from; v < column->first[d->first + d->count]; v++) {
    const int64_t value = column->values[v];
    d->header.min = value < d->header.min ? value : d->header.min;
    d->header.max = value > d->header.max ? value : d->header.max;
    add_distinct(d, value);
    if (d->divisor != 1) { /* the same as that of their differences to the least value */
      d->divisor = divisor(d->divisor, value > one ? (uint64_t)value - (uint64_t)one
                                                   : (uint64_t)one - (uint64_t)value);
    }
  }
}

/*
 * Drafts a page of what another draft has, or of nothing yet, and of the docs behind it that are
 * below `end`.
 *
 * @param taste  random bits that choose among the forms
 * @return whether it fits
 */
static bool draft_page(const struct test_column *column, const struct draft *before, uint32_t end,
                       uint32_t taste, struct draft *d) {
  struct csd_column_page_header *h = &d->header;
  const uint32_t *docs = column->docs;
  const uint32_t first = before->first;
  *d = *before;
  add_docs(column, end, d);
  const uint32_t last = first + d->count - 1;
  const uint32_t from = column->first[first];
  const uint32_t to = column->first[last + 1];
  const bool multi = to - from != d->count || (taste & 15u) == 0;
  h->magic = CSD_COLUMN_MAGIC;
  h->version = CSD_WIRE_VERSION;
  h->first_doc = docs[first];
  h->doc_span = docs[last] - h->first_doc + 1;
  h->doc_count = d->count;
  h->value_count = to - from;
  h->flags = multi ? CSD_COLUMN_FLAG_MULTI : 0;
  h->unit = d->divisor;
  h->unit = h->unit == 0 || (taste & 32u) != 0 ? 1 : h->unit;
  h->value_bits = test_bits_of(((uint64_t)h->max - (uint64_t)h->min) / h->unit);
  const uint32_t entries = (taste & 64u) != 0 && d->entries <= MAX_TABLE ? d->entries : 0;
  if (entries > 0) {
    h->flags |= CSD_COLUMN_FLAG_TABLE;
    h->unit = entries;
    h->value_bits = test_bits_of(entries - 1);
  }
  h->presence = CSD_COLUMN_PRESENCE_LIST;
  h->doc_bits = test_bits_of(h->doc_span - 1);
  if (d->count == h->doc_span && (taste & 128u) != 0) {
    h->presence = CSD_COLUMN_PRESENCE_ALL;
  } else if (h->doc_span < 16u * d->count && (taste & 256u) != 0) {
    h->presence = CSD_COLUMN_PRESENCE_BITMAP;
  }
  h->doc_bits = h->presence == CSD_COLUMN_PRESENCE_LIST ? h->doc_bits : 0;
  h->count_bits = multi ? test_bits_of(d->most - 1) : 0;
  const uint64_t used =
      sizeof *h + ((h->flags & CSD_COLUMN_FLAG_TABLE) != 0 ? 8 * h->unit : 0) +
      (h->presence == CSD_COLUMN_PRESENCE_LIST ? bytes_of(d->count, h->doc_bits) : 0) +
      (h->presence == CSD_COLUMN_PRESENCE_BITMAP
           ? 8u * ((h->doc_span + 63u) / 64u) + 2u * ((h->doc_span + 127u) / 128u)
           : 0) +
      (multi ? 2u * ((d->count + 127u) / 128u) + bytes_of(d->count, h->count_bits) : 0) +
      bytes_of(h->value_count, h->value_bits);
  h->used_bytes = (uint16_t)used;
  return used <= CSD_PAGE_BYTES && (!multi || h->value_count <= CSD_MAX_COLUMN_VALUES);
}

static void put_u16(uint8_t *at, uint32_t value) {
  const uint16_t v = (uint16_t)value;
  memcpy(at, &v, sizeof v);
}

static uint64_t packed_value(const struct draft *d, int64_t value) {
  if ((d->header.flags & CSD_COLUMN_FLAG_TABLE) == 0) {
    return ((uint64_t)value - (uint64_t)d->header.min) / d->header.unit;
  }
  uint64_t entry = 0;
  while (d->table[entry] != value) {
    entry++;
  }
  return entry;
}

static void write_page(struct column_builder *builder, const struct test_column *column,
                       struct draft *d) {
  if (builder->page_count == builder->page_limit) {
    builder->page_limit = builder->page_limit * 2 + 8;
    builder->pages = realloc(builder->pages, (size_t)builder->page_limit * CSD_PAGE_BYTES);
    if (builder->pages == NULL) {
      abort();
    }
  }
  uint8_t *page = builder->pages + (size_t)builder->page_count * CSD_PAGE_BYTES;
  const struct csd_column_page_header *h = &d->header;
  const uint32_t first_value = column->first[d->first];
  memset(page, 0, CSD_PAGE_BYTES);
  d->header.stamp = builder->stamp;
  d->header.file_page = builder->first_file_page + builder->page_count++;
  memcpy(page, h, sizeof *h);
  uint8_t *at = page + sizeof *h;
  if ((h->flags & CSD_COLUMN_FLAG_TABLE) != 0) {
    memcpy(at, d->table, 8 * h->unit);
    at += 8 * h->unit;
  }
  if (h->presence == CSD_COLUMN_PRESENCE_LIST) {
    for (uint32_t i = 0; i < d->count; i++) {
      test_put_bits(at, (uint64_t)i * h->doc_bits, h->doc_bits,
                    column->docs[d->first + i] - h->first_doc);
    }
    at += bytes_of(d->count, h->doc_bits);
  } else if (h->presence == CSD_COLUMN_PRESENCE_BITMAP) {
    uint8_t *ranks = at + 8u * ((h->doc_span + 63u) / 64u);
    uint32_t i = 0;
    for (uint32_t doc = 0; doc < h->doc_span; doc++) {
      if (doc % 128 == 0) {
        put_u16(ranks + doc / 64, i);
      }
      if (column->docs[d->first + i] == h->first_doc + doc) {
        test_put_bits(at, doc, 1, 1);
        i++;
      }
    }
    at = ranks + 2u * ((h->doc_span + 127u) / 128u);
  }
  if ((h->flags & CSD_COLUMN_FLAG_MULTI) != 0) {
    uint8_t *counts = at + 2u * ((d->count + 127u) / 128u);
    for (uint32_t i = 0; i < d->count; i++) {
      const uint32_t *first = column->first + d->first + i;
      if (i % 128 == 0) {
        put_u16(at + i / 64, first[0] - first_value);
      }
      test_put_bits(counts, (uint64_t)i * h->count_bits, h->count_bits, first[1] - first[0] - 1);
    }
    at = counts + bytes_of(d->count, h->count_bits);
  }
  for (uint32_t v = 0; v < h->value_count; v++) {
    test_put_bits(at, (uint64_t)v * h->value_bits, h->value_bits,
                  packed_value(d, column->values[first_value + v]));
  }
  column_builder_seal(page);
}

void column_builder_init(struct column_builder *builder, uint64_t seed, uint64_t stamp,
                         uint32_t first_file_page) {
  *builder =
      (struct column_builder){.random = seed, .stamp = stamp, .first_file_page = first_file_page};
}

void column_builder_add(struct column_builder *builder, const struct test_column *column,
                        struct csd_column_ref *ref) {
  *ref = (struct csd_column_ref){.first_page = builder->first_file_page + builder->page_count,
                                 .doc_count = column->doc_count,
                                 .stamp = builder->stamp,
                                 .value_count = column->value_count,
                                 .min = INT64_MAX,
                                 .max = INT64_MIN};
  for (uint32_t i = 0; i < column->doc_count;) {
    struct draft none, best, next;
    start_draft(i, &none);
    const uint32_t taste = (uint32_t)check_random(&builder->random);
    const uint32_t end = column->docs[i] + 1 + check_random_below(&builder->random, 128);
    bool fits = draft_page(column, &none, end, taste, &best);
    /* The most blocks that fit, up to a goal, by steps that double and then halve. */
    const uint32_t goal = check_random_below(&builder->random, 400);
    uint32_t blocks = 0;
    bool doubling = true;
    for (uint32_t step = 1; fits && step > 0;) {
      const bool more = blocks + step <= goal &&
                        draft_page(column, &best, end + 128 * (blocks + step), taste, &next);
      if (more) {
        best = next;
        blocks += step;
      }
      doubling = doubling && more;
      step = doubling ? 2 * step : step / 2;
    }
    for (uint32_t n = 128; !fits && n > 0; n--) {
      fits = draft_page(column, &none, column->docs[i] + n, taste, &best);
    }
    if (!fits) {
      abort();
    }
    write_page(builder, column, &best);
    ref->min = best.header.min < ref->min ? best.header.min : ref->min;
    ref->max = best.header.max > ref->max ? best.header.max : ref->max;
    i += best.count;
  }
  ref->page_count = builder->first_file_page + builder->page_count - ref->first_page;
}

void column_builder_free(struct column_builder *builder) { free(builder->pages); }

void column_builder_seal(uint8_t *page) {
  const uint32_t crc = csd_crc32c(0, page + 12, CSD_PAGE_BYTES - 12);
  memcpy(page + 8, &crc, sizeof crc);
}
