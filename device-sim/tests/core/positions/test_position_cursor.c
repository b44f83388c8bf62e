/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/* A cursor over positions: what it reads, and that it notices what cannot be. */
#include <stdlib.h>
#include <string.h>

#include "core/lists/list_cursor.h"
#include "core/positions/position_cursor.h"
#include "tests/support/check.h"
#include "tests/support/page/position_builder.h"
#include "tests/support/plan/plan_support.h"

enum { DOCS = 3000, MAX_FREQ = 5000 };

struct fixture {
  uint64_t random;
  bool wide; /* positions far apart */
  uint32_t docs[DOCS], freqs[DOCS];
  struct page_builder pages; /* holds the position pages, as if it had made them */
  struct array_source source;
  struct csd_list_ref ref;
  struct csd_extent extents[64];
  struct csd_work work;
  struct csd_position_cursor cursor;
};

static struct fixture f;

static void positions(const void *context, uint32_t doc, uint32_t freq, uint32_t *to) {
  uint64_t random = doc * 77 + 5;
  if (context != NULL) { /* wide */
    to[0] = check_random_below(&random, 100);
    for (uint32_t i = 1; i < freq; i++) {
      to[i] = to[i - 1u] + check_random_below(&random, 1u << 27);
    }
    return;
  }
  uint32_t position = check_random_below(&random, 100);
  for (uint32_t i = 0; i < freq; i++) {
    to[i] = position;
    position += check_random_below(&random, 3) + (check_random_below(&random, 40) == 0 ? 900 : 0);
  }
}

/* Two lists share the first page, so that the one that is read begins in the middle of it. */
static void make(uint64_t seed, uint32_t extent_pages, bool has_index, bool wide) {
  static struct position_builder builder;
  struct csd_list_ref other;
  memset(&f, 0, sizeof f);
  f.random = seed;
  f.wide = wide;
  const void *context = wide ? &f : NULL;
  uint32_t doc = 0;
  for (uint32_t i = 0; i < DOCS; i++) {
    doc += 1 + check_random_below(&f.random, 9);
    f.docs[i] = doc;
    f.freqs[i] = 1 + check_random_below(
                         &f.random, !wide && check_random_below(&f.random, 90) == 0 ? MAX_FREQ : 9);
  }
  page_builder_init(&f.pages, seed, 1);
  position_builder_init(&builder, seed, seed, 1);
  position_builder_add(&builder, f.docs, f.freqs, 40, positions, context, &other);
  position_builder_add(&builder, f.docs, f.freqs, DOCS, positions, context, &f.ref);
  position_builder_add(&builder, f.docs, f.freqs, 40, positions, context, &other);
  position_builder_finish(&builder);
  f.pages.pages = builder.pages;
  f.pages.page_count = builder.page_count;
  array_source_init(&f.source, &f.pages, extent_pages);
  f.source.has_index = has_index;
  f.ref.extent_count = (uint16_t)array_source_extents(&f.source, f.extents, 64);
  csd_position_cursor_open(&f.cursor, &f.ref, f.extents, &f.source.source, csd_kernels_choose(),
                           &f.work);
}

static void drop(void) {
  csd_position_cursor_close(&f.cursor);
  CHECK_EQ(0, f.source.pins_held);
  array_source_free(&f.source);
  page_builder_free(&f.pages);
}

static struct csd_position_posting posting_of(uint32_t i) {
  struct csd_position_posting posting = {.doc = f.docs[i], .freq = f.freqs[i]};
  for (uint32_t j = i / CSD_BLOCK_POSTINGS * CSD_BLOCK_POSTINGS; j < i; j++) {
    posting.rank += f.freqs[j];
  }
  return posting;
}

/* Reads a posting's positions, in parts of at most `room`; a part of them if `all` is false. */
static void read_posting(uint32_t i, uint32_t room, bool all) {
  static uint32_t expected[MAX_FREQ + 1], got[MAX_FREQ + CSD_POSITIONS_SLACK];
  const struct csd_position_posting posting = posting_of(i);
  positions(f.wide ? &f : NULL, posting.doc, posting.freq, expected);
  for (uint32_t at = 0; at < posting.freq && check_failures == 0;) {
    const uint32_t base = at == 0 ? 0u - 7u : expected[at - 1] - 7u;
    const int n = csd_position_cursor_read(&f.cursor, &posting, at, base, got, room);
    if (!CHECK_MSG(n > 0 && (uint32_t)n <= room && (uint32_t)n <= posting.freq - at,
                   "%d values from %u on of %u", n, at, posting.freq)) {
      return;
    }
    for (int j = 0; j < n; j++) {
      CHECK_EQ(expected[at + (uint32_t)j] - 7u, got[j]);
    }
    at += (uint32_t)n;
    if (!all) {
      return;
    }
  }
}

static void all_and_some(void) {
  for (uint64_t seed = 1; seed <= 20; seed++) {
    make(seed, 1 + (uint32_t)seed % 5, seed % 4 != 0, false);
    for (int round = 0; round < 6; round++) {
      const uint32_t step = round < 2 ? 1 : 1u << (2 * round);
      for (uint32_t i = 0; i < DOCS; i += 1 + check_random_below(&f.random, step)) {
        read_posting(i, round % 2 == 0 ? CSD_MAX_POSITION_VALUES : 64, round != 3);
      }
      csd_position_cursor_rewind(&f.cursor);
    }
    drop();
  }
}

/* Postings of few positions, several at once. */
static void few_at_once(bool wide) {
  static uint32_t ranks[DOCS], got[CSD_BLOCK_POSTINGS * CSD_FEW_POSITIONS + CSD_POSITIONS_SLACK];
  const struct csd_position_columns columns = {.docs = f.docs, .ranks = ranks, .freqs = f.freqs};
  uint32_t widest = 0;
  for (uint64_t seed = 1; seed <= 12; seed++) {
    make(seed, 1 + (uint32_t)seed % 5, seed % 4 != 0, wide);
    for (uint32_t i = 0; i < DOCS; i++) {
      ranks[i] = posting_of(i).rank;
    }
    for (uint32_t i = 0; i < DOCS;) {
      uint16_t index[CSD_BLOCK_POSTINGS];
      uint32_t n = 0;
      const uint32_t most = 1 + check_random_below(&f.random, CSD_BLOCK_POSTINGS);
      const uint32_t step = 1 + check_random_below(&f.random, 40);
      for (; i < DOCS && n < most; i += 1 + check_random_below(&f.random, step)) {
        index[n] = (uint16_t)i;
        n += f.freqs[i] <= CSD_FEW_POSITIONS;
      }
      CHECK_OK(csd_position_cursor_read_few(&f.cursor, &columns, index, n, 0u - 7u, got));
      widest = f.cursor.block.value_bits > widest ? f.cursor.block.value_bits : widest;
      for (uint32_t k = 0; k < n && check_failures == 0; k++) {
        uint32_t expected[CSD_FEW_POSITIONS];
        const uint32_t freq = f.freqs[index[k]];
        positions(wide ? &f : NULL, f.docs[index[k]], freq, expected);
        for (uint32_t j = 0; j < CSD_FEW_POSITIONS; j++) {
          CHECK_EQ(expected[j < freq ? j : freq - 1u] - 7u, got[k * CSD_FEW_POSITIONS + j]);
        }
      }
    }
    drop();
  }
  CHECK_MSG((widest > CSD_FEW_WIDTH) == wide, "%u bits", widest);
}

static void few(void) { few_at_once(false); }

static void few_of_wide_values(void) { few_at_once(true); }

static void one_position(void) {
  memset(&f, 0, sizeof f);
  f.ref = (struct csd_list_ref){.kind = CSD_LIST_KIND_POSITIONS, .inline_freq = 12};
  csd_position_cursor_open(&f.cursor, &f.ref, NULL, &f.source.source, csd_kernels_choose(),
                           &f.work);
  uint32_t got = 0;
  const struct csd_position_posting posting = {.doc = 3, .freq = 1};
  CHECK_EQ(1, csd_position_cursor_read(&f.cursor, &posting, 0, 0u - 2u, &got, 1));
  CHECK_EQ(10, got);
  const struct csd_position_columns columns = {
      .docs = &posting.doc, .ranks = &posting.rank, .freqs = &posting.freq};
  uint32_t four[CSD_FEW_POSITIONS + CSD_POSITIONS_SLACK];
  const uint16_t index = 0;
  CHECK_OK(csd_position_cursor_read_few(&f.cursor, &columns, &index, 1, 0u - 2u, four));
  CHECK_EQ(10, four[0]);
  CHECK_EQ(10, four[3]);
  csd_position_cursor_rewind(&f.cursor);
  csd_position_cursor_close(&f.cursor);
}

/* Reads a posting as the list has it but for one thing; the cursor begins anew. */
static void corrupt(struct csd_position_posting posting) {
  uint32_t got[CSD_MAX_POSITION_VALUES + CSD_POSITIONS_SLACK];
  csd_position_cursor_rewind(&f.cursor);
  CHECK_EQ(-CSD_STATUS_LIST_CORRUPT,
           csd_position_cursor_read(&f.cursor, &posting, 0, 0, got, CSD_MAX_POSITION_VALUES));
  if (posting.freq <= CSD_FEW_POSITIONS) {
    const struct csd_position_columns columns = {
        .docs = &posting.doc, .ranks = &posting.rank, .freqs = &posting.freq};
    const uint16_t index = 0;
    csd_position_cursor_rewind(&f.cursor);
    CHECK_EQ(-CSD_STATUS_LIST_CORRUPT,
             csd_position_cursor_read_few(&f.cursor, &columns, &index, 1, 0, got));
  }
}

static void what_cannot_be(void) {
  make(3, 4, true, false);
  uint32_t few = 2000; /* postings that stand with others in a block, and one apart */
  while (f.freqs[few] > CSD_FEW_POSITIONS) {
    few++;
  }
  uint32_t many = 0;
  while (f.freqs[many] <= 2 * CSD_MAX_POSITION_VALUES) {
    many++;
  }
  struct csd_position_posting posting = posting_of(few);
  posting.rank += 1000000;
  corrupt(posting);
  posting = posting_of(few);
  posting.freq = CSD_MAX_POSITION_VALUES;
  posting.rank++;
  corrupt(posting);
  posting = posting_of(many);
  posting.rank += CSD_MAX_POSITION_VALUES + 1;
  corrupt(posting);
  posting = posting_of(DOCS - 1);
  posting.doc++; /* behind the list's last doc */
  corrupt(posting);
  posting = posting_of(0);
  f.cursor.run.first_slot++; /* no list begins there */
  corrupt(posting);
  f.cursor.run.first_slot--;
  f.cursor.run.magic = CSD_PAGE_MAGIC;
  corrupt(posting);
  f.cursor.run.magic = CSD_POSITION_MAGIC;
  f.cursor.run.page_count = 1; /* it does not end there */
  corrupt(posting);
  f.cursor.run.page_count = f.ref.page_count;
  f.source.pins_to_failure = 0;
  csd_position_cursor_rewind(&f.cursor);
  uint32_t got[CSD_MAX_POSITION_VALUES + CSD_POSITIONS_SLACK];
  CHECK_EQ(-CSD_STATUS_IO_ERROR, csd_position_cursor_read(&f.cursor, &posting, 0, 0, got, 8));
  f.source.pins_to_failure = -1;
  csd_position_cursor_rewind(&f.cursor);
  read_posting(few, CSD_MAX_POSITION_VALUES, true);
  drop();
}

int main(void) {
  RUN(all_and_some);
  RUN(few);
  RUN(few_of_wide_values);
  RUN(one_position);
  RUN(what_cannot_be);
  return check_result();
}
