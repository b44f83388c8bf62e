/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/* Tests: tests/core/columns/test_column_sample.c. */
/* About how many docs of a column match, from a look at a few of its pages. */
#include <string.h>

#include "core/columns/column_cursor.h"
#include "core/kernels/bits.h"

/* Places at which the column is looked at, and of the pages there that may have matches and others,
   how many are read. */
#define PLACES 8u
#define MAX_READ_PAGES 2u

/* Docs of a page that are looked at. */
#define SAMPLE_DOCS 2048u

/* Reads the current page; sets *share to that of its first docs which match. Returns a status. */
static int look_into(struct csd_column_cursor *cursor, double *share) {
  uint64_t bits[SAMPLE_DOCS / 64u + 2u] = {0};
  const int status = csd_column_cursor_pin(cursor);
  if (status < 0) {
    return status;
  }
  const uint32_t from = cursor->start, base = from & ~63u;
  const uint32_t end = cursor->end - from < SAMPLE_DOCS ? cursor->end : base + SAMPLE_DOCS;
  const int found = csd_column_cursor_set_bits(cursor, from, end, base, bits);
  uint32_t matches = 0;
  for (uint32_t w = 0; w < SAMPLE_DOCS / 64u + 2u; w++) {
    matches += csd_popcount(bits[w]);
  }
  *share = (double)matches / (end - from);
  return found;
}

/*
 * Adds up, over the places, what share of the docs there matches, and sets *places to how many
 * there are from the first one that may have matches to the last one. Returns a status.
 *
 * @param share  taken for that of pages with some matches, unless pages may be read
 */
static int look_around(struct csd_column_cursor *cursor, double share, double *sum,
                       uint32_t *places) {
  uint32_t read = cursor->source->cold ? MAX_READ_PAGES : 0;
  uint32_t first = PLACES;
  *places = 0;
  for (uint32_t i = 0; i < PLACES; i++) {
    const uint32_t doc = (uint32_t)((2u * i + 1u) * (uint64_t)cursor->max_doc / (2u * PLACES));
    int status = csd_column_cursor_seek(cursor, doc);
    if (status == 0 && cursor->verdict == CSD_COLUMN_SOME && read < MAX_READ_PAGES) {
      double seen;
      status = look_into(cursor, &seen);
      share = read == 0 ? seen : (share + seen) / 2.0;
      read++;
    }
    if (status < 0) {
      return status;
    }
    *sum += cursor->verdict == CSD_COLUMN_SOME ? share
                                               : (cursor->verdict == CSD_COLUMN_ALL_DOCS ? 1.0 : 0);
    if (cursor->verdict != CSD_COLUMN_NO_DOC) {
      first = first < i ? first : i;
      *places = i + 1u - first;
    }
  }
  return 0;
}

uint64_t csd_column_cursor_sample(struct csd_column_cursor *cursor, uint64_t otherwise,
                                  double *span) {
  struct csd_column_entry entry;
  const double share = (double)otherwise / cursor->max_doc;
  *span = 1.0;
  if (cursor->source->cold && !csd_column_cursor_peek(cursor, 0, &entry)) {
    return otherwise; /* pages may have to be waited for */
  }
  const struct csd_work work = *cursor->work;
  double sum = 0.0;
  uint32_t places;
  cursor->lazy = true;
  const int status = look_around(cursor, share < 1.0 ? share : 1.0, &sum, &places);
  cursor->lazy = false;
  csd_column_cursor_rewind(cursor);
  cursor->read = 0;
  *cursor->work = work; /* what was read will mostly be read again */
  if (status == 0 && places > 0) {
    *span = (double)places / PLACES;
  }
  const uint64_t docs = (uint64_t)(sum / PLACES * cursor->max_doc);
  /* One place stands for many pages, of which the others may have no match. */
  const bool guess = status < 0 || (places == 1 && docs > otherwise);
  return guess ? otherwise : docs;
}
