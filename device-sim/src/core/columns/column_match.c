/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/* Tests: tests/core/program/test_program_columns.c, which compares programs with a plain
 * evaluation. */
/* Which docs of a cursor's page have a wanted value. */
#include <string.h>

#include "core/columns/column_ahead.h"
#include "core/columns/column_cursor.h"

static bool is_wanted(const struct csd_column_cursor *cursor, uint32_t value) {
  if (cursor->by_wants) {
    return cursor->wants->has(cursor->wanted, &cursor->page, value);
  }
  const uint64_t packed = csd_column_packed_value(&cursor->page, value);
  return packed - cursor->first <= cursor->last - cursor->first;
}

/* Finds which of `n` values from number `first` on, a multiple of 64, are wanted. */
static void match_values(const struct csd_column_cursor *cursor, uint32_t first, uint32_t n,
                         uint64_t *found) {
  const struct csd_column_page *page = &cursor->page;
  if (cursor->by_wants) {
    cursor->wants->match(cursor->wanted, cursor->kernels, page, first, n, found);
  } else {
    cursor->kernels->match_range(page->bytes + page->values_at, page->header.value_bits, first, n,
                                 cursor->first, cursor->last, found);
  }
}

/* The values of the docs before a block of ranks. */
static uint32_t values_before(const struct csd_column_page *page, uint32_t block) {
  return block < csd_column_blocks(page->header.doc_count)
             ? csd_load_u16(page->bytes + page->starts_at + 2u * (size_t)block)
             : page->header.value_count;
}

/* Unpacks how many values the first `n` docs of a block of ranks have. */
static void unpack_counts(const struct csd_column_cursor *cursor, uint32_t block, uint32_t n,
                          int64_t *counts) {
  const struct csd_column_page *page = &cursor->page;
  const struct csd_packed_values packed = {.column = page->bytes + page->counts_at,
                                           .bits = page->header.count_bits,
                                           .unit = 1,
                                           .base = 1};
  cursor->kernels->values->unpack(&packed, block * CSD_COLUMN_BLOCK_DOCS, n, counts);
}

/* Whether the doc of that number has a wanted value. */
static bool rank_matches(const struct csd_column_cursor *cursor, uint32_t rank) {
  if ((cursor->page.header.flags & CSD_COLUMN_FLAG_MULTI) == 0) {
    return is_wanted(cursor, rank);
  }
  int64_t counts[CSD_COLUMN_BLOCK_DOCS];
  const uint32_t block = rank / CSD_COLUMN_BLOCK_DOCS;
  const uint32_t before = rank % CSD_COLUMN_BLOCK_DOCS;
  unpack_counts(cursor, block, before + 1u, counts);
  int64_t value = values_before(&cursor->page, block);
  for (uint32_t i = 0; i < before; i++) {
    value += counts[i];
  }
  for (const int64_t end = value + counts[before]; value < end; value++) {
    if (is_wanted(cursor, (uint32_t)value)) {
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
#define CHUNK_WORDS (CHUNK_DOCS / 64u)

/* ---- docs with several values ---- */

/* The doc that has a value, as values ascend: its rank is that of its block and `at`. */
struct owner {
  const struct csd_column_cursor *cursor;
  uint32_t block; /* of COLUMN_BLOCK_DOCS ranks; of no block yet: UINT32_MAX */
  uint32_t next;  /* first value of the next block */
  uint32_t at;    /* rank in the block */
  uint32_t ends[CSD_COLUMN_BLOCK_DOCS]; /* of each rank of the block: first value behind it */
};

/* Goes to the block of ranks that has a value. */
static void enter_block(struct owner *owner, uint32_t value) {
  const struct csd_column_page *page = &owner->cursor->page;
  do {
    owner->next = values_before(page, ++owner->block + 1u);
  } while (owner->next <= value);
  const uint32_t left = page->header.doc_count - owner->block * CSD_COLUMN_BLOCK_DOCS;
  const uint32_t n = left < CSD_COLUMN_BLOCK_DOCS ? left : CSD_COLUMN_BLOCK_DOCS;
  int64_t counts[CSD_COLUMN_BLOCK_DOCS];
  unpack_counts(owner->cursor, owner->block, n, counts);
  uint32_t end = values_before(page, owner->block);
  for (uint32_t i = 0; i < n; i++) {
    end += (uint32_t)counts[i];
    owner->ends[i] = end;
  }
  owner->at = 0;
}

/* The rank of the doc that has a value; none before has been asked for. */
static uint32_t rank_of(struct owner *owner, uint32_t value) {
  if (value >= owner->next) {
    enter_block(owner, value);
  }
  while (owner->ends[owner->at] <= value) {
    owner->at++;
  }
  return owner->block * CSD_COLUMN_BLOCK_DOCS + owner->at;
}

/* match_ranks of docs with several values. */
static void match_several(const struct csd_column_cursor *cursor, uint32_t first, uint32_t end,
                          uint64_t *found) {
  const uint32_t start = csd_column_first_value(&cursor->page, first);
  const uint32_t stop = csd_column_first_value(&cursor->page, end);
  struct owner owner = {.cursor = cursor, .block = first / CSD_COLUMN_BLOCK_DOCS - 1u};
  memset(found, 0, (size_t)((end - first + 63u) / 64u) * sizeof *found);
  uint64_t values[CHUNK_WORDS];
  for (uint32_t at = start & ~63u; at < stop; at += CHUNK_DOCS) {
    const uint32_t n = stop - at < CHUNK_DOCS ? stop - at : CHUNK_DOCS;
    match_values(cursor, at, n, values);
    for (uint32_t i = 0; i < n; i += 64u) {
      uint64_t left = values[i / 64u];
      left &= at + i < start ? UINT64_MAX << (start - at - i) : UINT64_MAX;
      left &= n - i < 64u ? (UINT64_C(1) << (n - i)) - 1u : UINT64_MAX;
      for (; left != 0; left &= left - 1u) {
        set_bit(found, rank_of(&owner, at + i + (uint32_t)__builtin_ctzll(left)) - first);
      }
    }
  }
}

/* ---- pages ---- */

/*
 * Finds which of the docs of ranks [first, end) match, with a word for every 64 of them; `first` is
 * a multiple of 64, and bits behind the last rank are void.
 */
static void match_ranks(const struct csd_column_cursor *cursor, uint32_t first, uint32_t end,
                        uint64_t *found) {
  if ((cursor->page.header.flags & CSD_COLUMN_FLAG_MULTI) == 0) {
    match_values(cursor, first, end - first, found);
  } else {
    match_several(cursor, first, end, found);
  }
}

/* Sets the bits of the docs [from, to) of a page whose docs all have a value. */
static void set_dense(const struct csd_column_cursor *cursor, uint32_t from, uint32_t to,
                      uint32_t base, uint64_t *bits) {
  const uint32_t first_doc = cursor->page.header.first_doc;
  uint64_t found[CHUNK_WORDS];
  for (uint32_t doc = word_start(&cursor->page, from); doc < to; doc += CHUNK_DOCS) {
    const uint32_t n = to - doc < CHUNK_DOCS ? to - doc : CHUNK_DOCS;
    match_ranks(cursor, doc - first_doc, doc - first_doc + n, found);
    for (uint32_t i = 0; i < n; i += 64u) {
      or_word(bits, base, found[i / 64u], doc + i, from, to);
    }
  }
}

/* Spreads the bits of `ranks` over the places of the bits that are set in `docs`. */
static uint64_t spread(uint64_t ranks, uint64_t docs) {
  uint64_t out = 0;
  for (; docs != 0 && ranks != 0; docs &= docs - 1u, ranks >>= 1) {
    out |= (ranks & 1u) != 0 ? docs & -docs : 0;
  }
  return out;
}

/* Likewise of a page with a bitmap. */
static void set_sparse(const struct csd_column_cursor *cursor, uint32_t from, uint32_t to,
                       uint32_t base, uint64_t *bits) {
  const struct csd_column_page *page = &cursor->page;
  const uint8_t *words = page->bytes + page->docs_at;
  const uint32_t page_end = page->header.first_doc + page->header.doc_span;
  uint64_t found[CHUNK_WORDS + 2u];
  uint32_t rank = csd_column_rank(page, word_start(page, from));
  for (uint32_t doc = word_start(page, from); doc < to; doc += CHUNK_DOCS) {
    const uint32_t n = to - doc < CHUNK_DOCS ? to - doc : CHUNK_DOCS;
    const uint32_t end = page_end - doc <= CHUNK_DOCS ? page->header.doc_count
                                                      : csd_column_rank(page, doc + CHUNK_DOCS);
    const uint32_t first = rank & ~63u; /* kernels begin at a multiple of 64 */
    match_ranks(cursor, first, end, found);
    found[(end - first + 63u) / 64u] = 0;
    for (uint32_t i = 0; i < n; i += 64u) {
      const uint64_t docs = csd_load_u64(words + (doc + i - page->header.first_doc) / 8u);
      const uint64_t *at = found + (rank - first) / 64u;
      const uint32_t skip = rank & 63u;
      const uint64_t ranks = skip == 0 ? at[0] : at[0] >> skip | at[1] << (64u - skip);
      if (ranks != 0) {
        or_word(bits, base, spread(ranks, docs), doc + i, from, to);
      }
      rank += csd_popcount(docs);
    }
  }
}

/* Likewise of a page with a list. */
static void set_listed(const struct csd_column_cursor *cursor, uint32_t from, uint32_t to,
                       uint32_t base, uint64_t *bits) {
  const struct csd_column_page *page = &cursor->page;
  const uint32_t start = csd_column_rank(page, from);
  const uint32_t stop = to - page->header.first_doc < page->header.doc_span
                            ? csd_column_rank(page, to)
                            : page->header.doc_count;
  uint64_t found[CHUNK_WORDS];
  for (uint32_t first = start & ~63u; first < stop; first += CHUNK_DOCS) {
    const uint32_t n = stop - first < CHUNK_DOCS ? stop - first : CHUNK_DOCS;
    match_ranks(cursor, first, first + n, found);
    for (uint32_t i = 0; i < n; i += 64u) {
      uint64_t left = found[i / 64u];
      left &= first + i < start ? UINT64_MAX << (start - first - i) : UINT64_MAX;
      left &= n - i < 64u ? (UINT64_C(1) << (n - i)) - 1u : UINT64_MAX;
      for (; left != 0; left &= left - 1u) {
        set_bit(bits, csd_column_doc(page, first + i + (uint32_t)__builtin_ctzll(left)) - base);
      }
    }
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
  cursor->work->units += cursor->by_wants ? (to - from) / 2u : 0;
  switch (cursor->page.header.presence) {
    case CSD_COLUMN_PRESENCE_ALL:
      set_dense(cursor, from, to, base, bits);
      cursor->work->units += 1u + (to - from) / 8u;
      break;
    case CSD_COLUMN_PRESENCE_BITMAP:
      set_sparse(cursor, from, to, base, bits);
      cursor->work->units += 1u + (to - from) / 4u;
      break;
    default:
      set_listed(cursor, from, to, base, bits);
      cursor->work->units += 1u + (to - from) / 8u;
      break;
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

uint64_t csd_column_search_cost(const struct csd_column_cursor *cursor) {
  const uint32_t docs = cursor->ref.doc_count;
  return docs / (cursor->wants != NULL ? cursor->wants->docs_per_cost : DOCS_PER_COST) + 1u;
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
  csd_column_ask_for_docs(cursor, docs, n, NULL, NULL);
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
