/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/* Tests: tests/core/program/test_program_columns.c, which compares programs with a plain
 * evaluation. */
/* Which docs of a cursor's page have a wanted value. */
#include <string.h>

#include "core/columns/column_cursor.h"

static bool is_wanted(const struct csd_column_cursor *cursor, uint32_t value) {
  if (cursor->by_set) {
    return csd_value_set_has(cursor->set, &cursor->page, value);
  }
  const uint64_t packed = csd_column_packed_value(&cursor->page, value);
  return packed - cursor->first <= cursor->last - cursor->first;
}

/* Finds which of `n` values from number `first` on, a multiple of 64, are wanted. */
static void match_values(const struct csd_column_cursor *cursor, uint32_t first, uint32_t n,
                         uint64_t *found) {
  const struct csd_column_page *page = &cursor->page;
  if (cursor->by_set) {
    csd_value_set_match(cursor->set, cursor->kernels, page, first, n, found);
  } else {
    cursor->kernels->match_range(page->bytes + page->values_at, page->header.value_bits, first, n,
                                 cursor->first, cursor->last, found);
  }
}

/* Whether the doc of that number has a wanted value. */
static bool rank_matches(const struct csd_column_cursor *cursor, uint32_t rank) {
  if ((cursor->page.header.flags & CSD_COLUMN_FLAG_MULTI) == 0) {
    return is_wanted(cursor, rank);
  }
  const uint32_t end = csd_column_first_value(&cursor->page, rank + 1u);
  for (uint32_t v = csd_column_first_value(&cursor->page, rank); v < end; v++) {
    if (is_wanted(cursor, v)) {
      return true;
    }
  }
  return false;
}

/* Whether a doc from start to end - 1 of the page matches. */
static bool doc_matches(const struct csd_column_cursor *cursor, uint32_t doc) {
  uint32_t rank;
  return cursor->verdict == CSD_COLUMN_ALL_DOCS ||
         (cursor->verdict == CSD_COLUMN_SOME && csd_column_find(&cursor->page, doc, &rank) &&
          rank_matches(cursor, rank));
}

static void set_bit(uint64_t *bits, uint32_t bit) { bits[bit / 64u] |= UINT64_C(1) << (bit & 63u); }

/*
 * Ors 64 bits into `bits`: bit 0 is `doc`, which may be up to 63 before `base`; those of docs
 * outside [from, to) are cut off.
 */
static void or_word(uint64_t *bits, uint32_t base, uint64_t word, uint32_t doc, uint32_t from,
                    uint32_t to) {
  word &= doc < from ? UINT64_MAX << (from - doc) : UINT64_MAX;
  word &= to - doc < 64u ? (UINT64_C(1) << (to - doc)) - 1u : UINT64_MAX;
  if (doc < base) {
    bits[0] |= word >> (base - doc);
    return;
  }
  const uint32_t at = doc - base;
  bits[at / 64u] |= word << (at & 63u);
  if ((at & 63u) != 0 && word >> (64u - (at & 63u)) != 0) {
    bits[at / 64u + 1u] |= word >> (64u - (at & 63u));
  }
}

/* The doc at or before `from` that a word of the page's bits begins with. */
static uint32_t word_start(const struct csd_column_page *page, uint32_t from) {
  return from - ((from - page->header.first_doc) & 63u);
}

/* Docs whose bits are found at once: as many as fit into a small array. */
#define CHUNK_DOCS 4096u

/* Sets the bits of the docs [from, to) of a page whose docs all have one value. */
static void set_dense(const struct csd_column_cursor *cursor, uint32_t from, uint32_t to,
                      uint32_t base, uint64_t *bits) {
  const struct csd_column_page *page = &cursor->page;
  uint64_t found[CHUNK_DOCS / 64u];
  for (uint32_t doc = word_start(page, from); doc < to; doc += CHUNK_DOCS) {
    const uint32_t n = to - doc < CHUNK_DOCS ? to - doc : CHUNK_DOCS;
    match_values(cursor, doc - page->header.first_doc, n, found);
    for (uint32_t i = 0; i < n; i += 64u) {
      or_word(bits, base, found[i / 64u], doc + i, from, to);
    }
  }
}

/* Spreads the bits of `values` over the places of the bits that are set in `docs`. */
static uint64_t spread(uint64_t values, uint64_t docs) {
  uint64_t out = 0;
  for (; docs != 0 && values != 0; docs &= docs - 1u, values >>= 1) {
    out |= (values & 1u) != 0 ? docs & -docs : 0;
  }
  return out;
}

/* Likewise for a page with a bitmap and one value a doc. */
static void set_sparse(const struct csd_column_cursor *cursor, uint32_t from, uint32_t to,
                       uint32_t base, uint64_t *bits) {
  const struct csd_column_page *page = &cursor->page;
  uint32_t doc = word_start(page, from);
  uint32_t rank = csd_column_rank(page, doc);
  for (; doc < to; doc += 64u) {
    const uint64_t docs =
        csd_load_u64(page->bytes + page->docs_at + (doc - page->header.first_doc) / 8u);
    const uint32_t n = csd_popcount(docs);
    if (n > 0) {
      uint64_t found[2];
      const uint32_t skip = rank & 63u; /* the kernel begins at a multiple of 64 */
      match_values(cursor, rank - skip, skip + n, found);
      const uint64_t matches =
          skip == 0 ? found[0] : found[0] >> skip | (skip + n > 64u ? found[1] << (64u - skip) : 0);
      or_word(bits, base, spread(matches, docs), doc, from, to);
    }
    rank += n;
  }
}

/* Likewise for any page: doc by doc. */
static void set_one_by_one(const struct csd_column_cursor *cursor, uint32_t from, uint32_t to,
                           uint32_t base, uint64_t *bits) {
  const struct csd_column_page *page = &cursor->page;
  const bool multi = (page->header.flags & CSD_COLUMN_FLAG_MULTI) != 0;
  const uint8_t *counts = page->bytes + page->counts_at;
  uint32_t rank = csd_column_rank(page, from);
  uint32_t value = csd_column_first_value(page, rank);
  for (uint32_t doc = from; doc < to && rank < page->header.doc_count; rank++) {
    uint32_t found;
    if (page->header.presence == CSD_COLUMN_PRESENCE_BITMAP) {
      while (doc < to && !csd_column_find(page, doc, &found)) {
        doc++;
      }
    } else {
      doc = csd_column_doc(page, rank);
    }
    if (doc >= to) {
      break;
    }
    const uint32_t end =
        value + 1u +
        (multi ? (uint32_t)csd_load_packed_u64(counts, page->header.count_bits, rank) : 0);
    bool matches = false;
    for (; value < end; value++) {
      matches |= is_wanted(cursor, value);
    }
    if (matches) {
      set_bit(bits, doc - base);
    }
    doc++;
  }
}

static void set_all(uint32_t from, uint32_t to, uint32_t base, uint64_t *bits) {
  for (uint32_t doc = from & ~63u; doc < to; doc += 64u) {
    or_word(bits, base, UINT64_MAX, doc, from, to);
  }
}

/* Sets the bits of the page's docs in [from, to), which are not outside it. */
static void set_page_bits(const struct csd_column_cursor *cursor, uint32_t from, uint32_t to,
                          uint32_t base, uint64_t *bits) {
  if (cursor->verdict == CSD_COLUMN_NO_DOC || from >= to) {
    return;
  }
  if (cursor->verdict == CSD_COLUMN_ALL_DOCS) {
    set_all(from, to, base, bits);
    cursor->work->units += 1u + (to - from) / 64u;
    return;
  }
  const struct csd_column_page_header *h = &cursor->page.header;
  const bool multi = (h->flags & CSD_COLUMN_FLAG_MULTI) != 0;
  cursor->work->units += cursor->by_set ? (to - from) / 2u : 0;
  if (!multi && h->presence == CSD_COLUMN_PRESENCE_ALL) {
    set_dense(cursor, from, to, base, bits);
    cursor->work->units += 1u + (to - from) / 8u;
  } else if (!multi && h->presence == CSD_COLUMN_PRESENCE_BITMAP) {
    set_sparse(cursor, from, to, base, bits);
    cursor->work->units += 1u + (to - from) / 4u;
  } else {
    set_one_by_one(cursor, from, to, base, bits);
    cursor->work->units += 1u + (to - from);
  }
}

/* Docs whose values are compared in about the time in which one doc is looked up elsewhere. */
#define DOCS_PER_COST 64u

uint64_t csd_column_cost(const struct csd_column_ref *ref, const struct csd_value_range *range) {
  const int64_t lo = range->lo > ref->min ? range->lo : ref->min;
  const int64_t hi = range->hi < ref->max ? range->hi : ref->max;
  if (lo > hi) {
    return 0;
  }
  /* As if the values were spread evenly. In double: either width may be 2^64. */
  const double wanted = (double)((uint64_t)hi - (uint64_t)lo) + 1.0;
  const double all = (double)((uint64_t)ref->max - (uint64_t)ref->min) + 1.0;
  return (uint64_t)((double)ref->doc_count * (wanted / all)) + ref->doc_count / DOCS_PER_COST + 1u;
}

/* Pages without a match that are passed at once: then the caller's step may end. */
#define PASSED_AT_ONCE 256u

int csd_column_cursor_next(struct csd_column_cursor *cursor, uint32_t from, uint32_t limit,
                           uint32_t *start) {
  int status = csd_column_cursor_seek(cursor, from);
  for (uint32_t passed = 0; passed < PASSED_AT_ONCE && status == 0 &&
                            cursor->verdict == CSD_COLUMN_NO_DOC && cursor->end < limit;
       passed++) {
    status = csd_column_cursor_seek(cursor, cursor->end);
  }
  if (cursor->verdict == CSD_COLUMN_NO_DOC) {
    *start = cursor->end < limit ? cursor->end : limit;
  } else {
    *start = cursor->start > from ? cursor->start : from;
  }
  return status;
}

int csd_column_cursor_set_bits(struct csd_column_cursor *cursor, uint32_t from, uint32_t end,
                               uint32_t base, uint64_t *bits) {
  for (uint32_t at = from; at < end;) {
    const int status = csd_column_cursor_seek(cursor, at);
    if (status < 0) {
      return status;
    }
    const uint32_t to = cursor->end < end ? cursor->end : end;
    set_page_bits(cursor, at > cursor->start ? at : cursor->start, to, base, bits);
    at = to;
  }
  return 0;
}

int csd_column_cursor_probe(struct csd_column_cursor *cursor, const uint32_t *docs, uint32_t n,
                            uint16_t *index, uint32_t *hits) {
  uint32_t found = 0;
  for (uint32_t i = 0; i < n; i++) {
    const int status = csd_column_cursor_seek(cursor, docs[i]);
    if (status < 0) {
      return status;
    }
    index[found] = (uint16_t)i;
    found += docs[i] >= cursor->start && doc_matches(cursor, docs[i]);
  }
  cursor->work->units += n;
  *hits = found;
  return 0;
}
