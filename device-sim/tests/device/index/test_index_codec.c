/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
#include "core/columns/page/column_parts.h"
#include "core/kernels/crc32c.h"
#include "device/index/index_codec.h"
#include "tests/support/check.h"

static struct csd_index_group group, read;
static uint8_t page[CSD_INDEX_PAGE_BYTES];

static void clear(void) { memset(&group, 0, sizeof group); }

static void set(uint32_t i, uint64_t stamp, uint32_t file_page, struct csd_page_range range) {
  group.pages[i] = (struct csd_stored_page){stamp, file_page, range};
  csd_set_bit(group.present, i);
}

static uint32_t count_of(const uint64_t *words) {
  uint32_t count = 0;
  for (uint32_t w = 0; w < CSD_GROUP_WORDS; w++) {
    count += (uint32_t)__builtin_popcountll(words[w]);
  }
  return count;
}

static struct csd_page_range column(uint32_t first, uint32_t docs, bool all, uint32_t min,
                                    uint32_t max) {
  return (struct csd_page_range){
      .lead_first_doc = first | CSD_PAGE_RANGE_COLUMN,
      .lead_last_doc = (first + docs - 1) | (all ? CSD_COLUMN_ENTRY_ALL : 0),
      .lead_impacts = (uint64_t)max << 32 | min};
}

static struct csd_page_range postings(uint32_t first, uint32_t last, uint64_t impacts) {
  return (struct csd_page_range){
      .lead_first_doc = first, .lead_last_doc = last, .lead_impacts = impacts};
}

/* Parts as a page of that range may have, or none. */
static struct csd_page_range with_parts(struct csd_page_range range, uint64_t bits) {
  const struct csd_column_entry entry = csd_column_entry_of(&range);
  range.parts = 0;
  while (!csd_parts_unfold(bits, entry.min, entry.max, 0, &range.parts)) {
    bits >>= 1;
  }
  return range;
}

/* Four pairs of freq and norm, some of them absent. */
static uint64_t random_impacts(uint64_t *seed) {
  uint64_t impacts = 0;
  for (uint32_t p = 0; p < CSD_IMPACT_PAIRS; p++) {
    const uint32_t freq = check_random_below(seed, 256);
    if (freq != 0 && check_random_below(seed, 3) != 0) {
      impacts |= (uint64_t)(check_random_below(seed, 256) << 8 | freq) << (16 * p);
    }
  }
  return impacts;
}

/* Whether what a pair bounds is bounded by some other impacts, too; 0 bounds all. */
static bool bounds(uint64_t bound, uint64_t impacts) {
  if (bound == 0) {
    return true;
  }
  for (; impacts != 0; impacts >>= 16) {
    const uint32_t freq = (uint32_t)impacts & 0xFF, norm = (uint32_t)(impacts >> 8) & 0xFF;
    if (freq != 0 && (freq > (bound & 0xFF) || norm < (bound >> 8 & 0xFF))) {
      return false;
    }
  }
  return true;
}

/* Whether an entry that was read may stand for the one that was written. */
static bool stands_for(const struct csd_stored_page *got, const struct csd_stored_page *put) {
  if (got->stamp != put->stamp || got->file_page != put->file_page ||
      got->range.lead_first_doc != put->range.lead_first_doc ||
      got->range.lead_last_doc != put->range.lead_last_doc) {
    return false;
  }
  if ((put->range.lead_first_doc & CSD_PAGE_RANGE_COLUMN) == 0) {
    return got->range.lead_impacts >> 16 == 0 &&
           bounds(got->range.lead_impacts, put->range.lead_impacts);
  }
  const struct csd_column_entry g = csd_column_entry_of(&got->range);
  const struct csd_column_entry p = csd_column_entry_of(&put->range);
  const bool of_same_range = g.min == p.min && g.max == p.max;
  const bool parts_hold = (p.parts != 0 && of_same_range && (p.parts & ~g.parts) == 0);
  return g.min <= p.min && g.max >= p.max && (g.parts == 0 || parts_hold);
}

/* Writes and reads the group; returns how many entries found no room. */
static uint32_t round_trip(const char *what) {
  const uint32_t left_out = csd_index_encode(&group, 77, page);
  CHECK_OK(csd_index_decode(page, 77, &read));
  CHECK_EQ(count_of(group.present) - left_out, count_of(read.present));
  CHECK(memcmp(group.pending, read.pending, sizeof read.pending) == 0);
  for (uint32_t i = 0; i < CSD_GROUP_LBAS; i++) {
    if (csd_bit(read.present, i)) {
      CHECK_MSG(csd_bit(group.present, i) && stands_for(&read.pages[i], &group.pages[i]),
                "%s: entry %u", what, i);
    }
  }
  return left_out;
}

static void posting_pages_keep_docs_and_highest_impact(void) {
  uint64_t seed = 1;
  clear();
  for (uint32_t i = 0; i < CSD_GROUP_LBAS; i++) {
    const uint32_t first = check_random_below(&seed, 1u << 20);
    const uint32_t last = first + check_random_below(&seed, 1u << 20);
    set(i, 11, 40 + i, postings(first, last, random_impacts(&seed) | 0x0101));
  }
  CHECK_EQ(0, round_trip("postings"));
  for (uint32_t i = 0; i < CSD_GROUP_LBAS; i++) {
    CHECK(read.pages[i].range.lead_impacts != 0);
  }
}

static void the_widest_docs_leave_out_impacts_only(void) {
  uint64_t seed = 2;
  clear();
  for (uint32_t i = 0; i < CSD_GROUP_LBAS; i++) {
    set(i, 11, i, postings(check_random_below(&seed, INT32_MAX), INT32_MAX, 0x0101));
  }
  CHECK_EQ(0, round_trip("widest"));
}

static void column_pages_keep_bounds_that_grow_outwards(void) {
  uint64_t seed = 3;
  clear();
  for (uint32_t i = 0; i < CSD_GROUP_LBAS; i++) { /* of dates: exact */
    const uint32_t min = 0x80000000u + 10000 + check_random_below(&seed, 5000);
    set(i, 5, i, column(i * 2000, 2000, i % 7 != 0, min, min + check_random_below(&seed, 5000)));
  }
  CHECK_EQ(0, round_trip("dates"));
  for (uint32_t i = 0; i < CSD_GROUP_LBAS; i++) {
    CHECK(memcmp(&read.pages[i].range, &group.pages[i].range, sizeof read.pages[i].range) == 0);
  }
  clear();
  for (uint32_t i = 0; i < CSD_GROUP_LBAS; i++) { /* of any long: rounded */
    const uint32_t min = (uint32_t)check_random(&seed);
    const uint32_t width = UINT32_MAX - min;
    set(i, 5, i,
        column(i * 480, 480, true, min, min + (uint32_t)(check_random(&seed) % (width + 1ull))));
  }
  CHECK_EQ(0, round_trip("longs"));
  uint64_t wider = 0;
  for (uint32_t i = 0; i < CSD_GROUP_LBAS; i++) {
    const struct csd_column_entry g = csd_column_entry_of(&read.pages[i].range);
    const struct csd_column_entry p = csd_column_entry_of(&group.pages[i].range);
    wider += (p.min - g.min) + (uint64_t)(g.max - p.max);
  }
  CHECK(wider / CSD_GROUP_LBAS < UINT32_MAX / 1000); /* a thousandth of all values */
}

/* Sets the group to a column whose ordinals have gaps in one entry of `one_in`. */
static void keywords(uint32_t ordinals, uint32_t one_in, uint64_t *seed) {
  clear();
  for (uint32_t i = 0; i < CSD_GROUP_LBAS; i++) {
    const uint32_t min = 0x80000000u + check_random_below(seed, 3);
    const struct csd_page_range range = column(i * 4000, 4000, true, min, min + ordinals - 1);
    set(i, 5, i, i % one_in == 0 ? with_parts(range, check_random(seed)) : range);
  }
}

/* Returns how many entries have kept all their parts, and adds those that have kept some. */
static uint32_t with_all_parts(uint32_t *with_some) {
  uint32_t all = 0;
  for (uint32_t i = 0; i < CSD_GROUP_LBAS; i++) {
    all += read.pages[i].range.parts == group.pages[i].range.parts;
    *with_some += read.pages[i].range.parts != 0;
  }
  return all;
}

static void parts_of_few_keywords_are_kept(void) {
  uint64_t seed = 7;
  uint32_t some = 0;
  for (uint32_t ordinals = 5; ordinals <= 40; ordinals += 5) {
    keywords(ordinals, 1, &seed);
    CHECK_EQ(0, round_trip("few keywords"));
    CHECK_EQ(CSD_GROUP_LBAS, with_all_parts(&some));
  }
  CHECK(some > 7 * CSD_GROUP_LBAS);
  keywords(10000, 4, &seed); /* of which some pages have gaps */
  CHECK_EQ(0, round_trip("some gaps"));
  some = 0;
  CHECK_EQ(CSD_GROUP_LBAS, with_all_parts(&some));
  CHECK_EQ(CSD_GROUP_LBAS / 4, some);
}

static void parts_that_do_not_fit_are_folded(void) {
  uint64_t seed = 8;
  uint32_t some = 0;
  keywords(10000, 1, &seed);
  CHECK_EQ(0, round_trip("many keywords"));
  CHECK(with_all_parts(&some) < CSD_GROUP_LBAS / 4);
  CHECK(some > CSD_GROUP_LBAS / 4); /* two random parts are seldom both empty */
  /* What was folded does not change when it is written again. */
  const struct csd_index_group once = read;
  group = read;
  CHECK_EQ(0, round_trip("folded"));
  CHECK(memcmp(once.pages, read.pages, sizeof once.pages) == 0);
}

static void many_files_fill_a_page(void) {
  clear();
  for (uint32_t i = 0; i < CSD_GROUP_LBAS; i++) {
    set(i, 1000 + i, 0, postings(i, i + 1, 0x0101));
  }
  const uint32_t left_out = round_trip("files of one page");
  CHECK(left_out > 0 && left_out < CSD_GROUP_LBAS - 100);
}

static void random_groups(void) {
  uint64_t seed = 4;
  for (int round = 0; round < 3000; round++) {
    clear();
    uint32_t i = check_random_below(&seed, 20), doc = 0;
    while (i < CSD_GROUP_LBAS) {
      const uint64_t stamp = check_random(&seed);
      const bool of_column = check_random_below(&seed, 2) != 0;
      const uint32_t first_page = (uint32_t)check_random(&seed) / 2;
      const uint32_t bits = 1 + check_random_below(&seed, 31);
      uint32_t length = 1 + check_random_below(&seed, 1u << check_random_below(&seed, 10));
      doc = 0;
      for (uint32_t p = 0; length > 0 && i < CSD_GROUP_LBAS; length--, p++, i++) {
        const uint32_t a = check_random_below(&seed, 1u << bits);
        if (!of_column) {
          const uint32_t last = a + check_random_below(&seed, INT32_MAX - a);
          set(i, stamp, first_page + p, postings(a, last, random_impacts(&seed)));
        } else if (doc < INT32_MAX / 2) {
          const uint32_t gap = check_random_below(&seed, 3),
                         docs = 1 + check_random_below(&seed, 5000);
          const struct csd_page_range range =
              column(doc + gap, docs, gap == 0, a, a + check_random_below(&seed, UINT32_MAX - a));
          const bool parts = check_random_below(&seed, 3) == 0;
          set(i, stamp, first_page + p,
              parts ? with_parts(range, check_random(&seed) & check_random(&seed)) : range);
          doc += gap + docs;
        }
      }
      i += check_random_below(&seed, 3);
    }
    for (uint32_t w = 0; w < CSD_GROUP_WORDS; w++) {
      group.pending[w] = check_random(&seed) & check_random(&seed);
    }
    (void)round_trip("random");
    if (check_failures != 0) {
      printf("round %d\n", round);
      return;
    }
  }
}

static void damage_is_seen(void) {
  uint64_t seed = 5;
  posting_pages_keep_docs_and_highest_impact();
  CHECK_STATUS(CSD_STATUS_PAGE_CORRUPT, csd_index_decode(page, 78, &read));
  CHECK_EQ(0, count_of(read.present));
  CHECK_EQ(CSD_GROUP_LBAS, count_of(read.pending));
  for (int round = 0; round < 2000; round++) {
    const uint32_t at = check_random_below(&seed, CSD_INDEX_PAGE_BYTES);
    if (at >= CSD_INDEX_PENDING_AT && at < CSD_INDEX_PENDING_AT + 64) {
      continue;
    }
    const uint8_t flip = (uint8_t)(1u << check_random_below(&seed, 8));
    page[at] ^= flip;
    CHECK_STATUS(CSD_STATUS_PAGE_CORRUPT, csd_index_decode(page, 77, &read));
    page[at] ^= flip;
  }
  CHECK_OK(csd_index_decode(page, 77, &read));
}

/* With a right checksum over wrong bytes: refused, or entries that a cursor can use. */
static void no_byte_is_trusted(void) {
  uint64_t seed = 6;
  uint32_t refused = 0;
  for (int round = 0; round < 20000; round++) {
    if (round % 100 == 0) {
      switch (round / 100 % 3) {
        case 0: posting_pages_keep_docs_and_highest_impact(); break;
        case 1: column_pages_keep_bounds_that_grow_outwards(); break;
        default: parts_of_few_keywords_are_kept();
      }
    }
    uint8_t wrong[CSD_INDEX_PAGE_BYTES];
    memcpy(wrong, page, sizeof wrong);
    for (uint32_t n = 1 + check_random_below(&seed, 4); n > 0; n--) {
      wrong[80 + check_random_below(&seed, 40)] = (uint8_t)check_random(&seed);
    }
    const uint32_t crc = csd_crc32c(0, wrong + 72, sizeof wrong - 72);
    memcpy(wrong + 4, &crc, sizeof crc);
    if (csd_index_decode(wrong, 77, &read) < 0) {
      refused++;
      continue;
    }
    for (uint32_t i = 0; i < CSD_GROUP_LBAS; i++) {
      const struct csd_page_range *range = &read.pages[i].range;
      if (csd_bit(read.present, i)) {
        CHECK((range->lead_first_doc & INT32_MAX) <= (range->lead_last_doc & INT32_MAX));
        CHECK(range->parts == 0 || (range->lead_first_doc & CSD_PAGE_RANGE_COLUMN) != 0);
      }
    }
  }
  CHECK(refused > 1000);
}

/* What the version before parts wrote of the same entries. */
static void pages_without_parts_are_as_ever(void) {
  posting_pages_keep_docs_and_highest_impact();
  CHECK_EQ(3751350746, csd_crc32c(0, page, sizeof page));
  column_pages_keep_bounds_that_grow_outwards();
  CHECK_EQ(232910150, csd_crc32c(0, page, sizeof page));
}

static void a_page_of_zeros_has_no_entries(void) {
  memset(page, 0, sizeof page);
  CHECK_OK(csd_index_decode(page, 3, &read));
  CHECK_EQ(0, count_of(read.present));
  CHECK_EQ(0, count_of(read.pending));
  page[CSD_INDEX_PENDING_AT] = 4;
  CHECK_OK(csd_index_decode(page, 3, &read));
  CHECK(csd_bit(read.pending, 2) && count_of(read.pending) == 1);
}

int main(void) {
  RUN(posting_pages_keep_docs_and_highest_impact);
  RUN(the_widest_docs_leave_out_impacts_only);
  RUN(column_pages_keep_bounds_that_grow_outwards);
  RUN(parts_of_few_keywords_are_kept);
  RUN(parts_that_do_not_fit_are_folded);
  RUN(many_files_fill_a_page);
  RUN(random_groups);
  RUN(damage_is_seen);
  RUN(pages_without_parts_are_as_ever);
  RUN(no_byte_is_trusted);
  RUN(a_page_of_zeros_has_no_entries);
  return check_result();
}
