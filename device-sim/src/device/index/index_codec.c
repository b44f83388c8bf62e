/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
#include "device/index/index_codec.h"

#include <stddef.h>
#include <string.h>

#include "base/status.h"
#include "core/columns/page/column_entry.h"
#include "core/columns/page/column_parts.h"
#include "core/kernels/crc32c.h"

#define INDEX_MAGIC UINT32_C(0x50495343) /* "CSIP" */

enum { CRC_AT = 4, CHECKED_AT = 72, RUNS_AT = 80, LENGTH_AT = 82, BODY_AT = 84 };
enum { BODY_BYTES = CSD_INDEX_PAGE_BYTES - BODY_AT };

/* What a run holds besides doc ranges. */
enum { POSTINGS = 0, POSTINGS_WITH_IMPACTS = 1, COLUMN = 2, COLUMN_WITH_PARTS = 3 };

enum { IMPACT_BITS = 16, PARTS_BITS = 64, FIELDS = 4 };

/*
 * A run. An entry has up to four numbers:
 *   of postings  first doc - base, last doc - first doc, and with impacts one pair of freq and norm
 *   of a column  docs between it and the entry before, twice its docs less 2 and a bit whether all
 *                have a value, (min - base) >> shift, and the width of its range of values >>
 *                shift, rounded up
 * With parts, for which the shift is 0, there follow a bit whether the entry has some, and if so
 * its parts (column_parts.h), 2^fold of them as one.
 */
struct run {
  uint64_t stamp;
  uint32_t file_page;
  uint32_t base;      /* of postings: least first doc; of a column: least min */
  uint32_t first_doc; /* of a column */
  uint16_t slot, count;
  uint8_t kind, shift;
  uint8_t bits[FIELDS];
  uint8_t fold, part_bits; /* of runs with parts alone */
};
enum { RUN_BYTES = 30, RUN_WITH_PARTS_BYTES = 32 };
_Static_assert(offsetof(struct run, fold) == RUN_BYTES, "the end of other runs' headers");
_Static_assert(sizeof(struct run) == RUN_WITH_PARTS_BYTES, "it has no padding");

/* How much detail is kept: tried in this order until all fits. */
enum { NO_PARTS = 3 };
static const struct detail {
  bool impacts;
  uint8_t fold, shift;
} DETAILS[] = {{true, 0, 0},          {true, 1, 0},          {true, 2, 0},
               {true, NO_PARTS, 0},   {true, NO_PARTS, 4},   {true, NO_PARTS, 8},
               {true, NO_PARTS, 12},  {true, NO_PARTS, 16},  {false, NO_PARTS, 0},
               {false, NO_PARTS, 12}, {false, NO_PARTS, 16}, {false, NO_PARTS, 20}};
enum { DETAIL_COUNT = sizeof DETAILS / sizeof DETAILS[0] };

static bool of_column(const struct run *run) { return run->kind >= COLUMN; }

static uint32_t header_bytes(const struct run *run) {
  return run->kind == COLUMN_WITH_PARTS ? RUN_WITH_PARTS_BYTES : RUN_BYTES;
}

static bool is_column(const struct csd_stored_page *page) {
  return (page->range.lead_first_doc & CSD_PAGE_RANGE_COLUMN) != 0;
}

/* One pair that bounds what all pairs of some impacts bound: the highest freq, the lowest norm. */
static uint32_t single_impact(uint64_t impacts) {
  uint32_t freq = 0, norm = 0xFF;
  for (uint32_t i = 0; i < CSD_IMPACT_PAIRS; i++, impacts >>= 16) {
    const uint32_t f = (uint32_t)impacts & 0xFF, n = (uint32_t)(impacts >> 8) & 0xFF;
    if (f != 0) {
      freq = f > freq ? f : freq;
      norm = n < norm ? n : norm;
    }
  }
  return freq != 0 ? norm << 8 | freq : 0;
}

/* Sets the numbers of an entry. `docs_end` is where the docs of the entry before it end. */
static void numbers_of(const struct run *run, const struct csd_stored_page *page,
                       uint32_t *docs_end, uint32_t *numbers) {
  const struct csd_page_range *range = &page->range;
  if (!of_column(run)) {
    numbers[0] = range->lead_first_doc - run->base;
    numbers[1] = range->lead_last_doc - range->lead_first_doc;
    numbers[2] = run->kind == POSTINGS_WITH_IMPACTS ? single_impact(range->lead_impacts) : 0;
    numbers[3] = 0;
    return;
  }
  const struct csd_column_entry entry = csd_column_entry_of(range);
  const uint64_t unit = UINT64_C(1) << run->shift;
  const uint32_t min = (entry.min - run->base) >> run->shift;
  const uint64_t span = entry.max - ((uint64_t)run->base + ((uint64_t)min << run->shift));
  numbers[0] = entry.first_doc - *docs_end;
  numbers[1] = (entry.last_doc - entry.first_doc) << 1 | (entry.all_docs ? 1u : 0u);
  numbers[2] = min;
  numbers[3] = (uint32_t)((span + unit - 1u) >> run->shift);
  *docs_end = entry.last_doc + 1u;
}

/* The parts of a column's entry, folded; 0 if they say no more than its range. */
static uint64_t folded_parts(const struct csd_stored_page *page, unsigned fold) {
  const struct csd_column_entry entry = csd_column_entry_of(&page->range);
  const uint64_t folded = csd_parts_fold(entry.parts, entry.min, entry.max, fold);
  uint64_t parts;
  return csd_parts_unfold(folded, entry.min, entry.max, fold, &parts) && parts != 0 ? folded : 0;
}

/* The opposite of numbers_of. Returns whether the docs are doc IDs. */
static bool range_of(const struct run *run, const uint32_t *numbers, uint64_t *docs_end,
                     struct csd_page_range *range) {
  if (!of_column(run)) {
    const uint64_t first = (uint64_t)run->base + numbers[0], last = first + numbers[1];
    *range = (struct csd_page_range){.lead_first_doc = (uint32_t)first,
                                     .lead_last_doc = (uint32_t)last,
                                     .lead_impacts = numbers[2]};
    return last <= INT32_MAX;
  }
  const uint64_t first = *docs_end + numbers[0], last = first + (numbers[1] >> 1);
  const uint64_t min = run->base + ((uint64_t)numbers[2] << run->shift);
  const uint64_t max = min + ((uint64_t)numbers[3] << run->shift);
  *range = (struct csd_page_range){
      .lead_first_doc = (uint32_t)first | CSD_PAGE_RANGE_COLUMN,
      .lead_last_doc = (uint32_t)last | ((numbers[1] & 1u) != 0 ? CSD_COLUMN_ENTRY_ALL : 0),
      .lead_impacts =
          (max < UINT32_MAX ? max : UINT32_MAX) << 32 | (min < UINT32_MAX ? min : UINT32_MAX)};
  *docs_end = last + 1u;
  return last <= INT32_MAX;
}

static uint32_t bits_of(uint64_t number) {
  return number == 0 ? 0 : 64u - (uint32_t)__builtin_clzll(number);
}

/* Whether an entry may be part of a run. Of a column, docs have to go up. */
static bool continues(const struct run *run, const struct csd_stored_page *before,
                      const struct csd_stored_page *page) {
  if (page->stamp != run->stamp || page->file_page != before->file_page + 1u ||
      is_column(page) != of_column(run)) {
    return false;
  }
  return !of_column(run) ||
         csd_column_entry_of(&before->range).last_doc < csd_column_entry_of(&page->range).first_doc;
}

/* Finds the run that begins at a slot; returns where it ends. */
static uint32_t find_run(const struct csd_index_group *group, uint32_t slot, struct run *run) {
  const struct csd_stored_page *first = &group->pages[slot];
  const bool column = is_column(first);
  *run = (struct run){.stamp = first->stamp,
                      .file_page = first->file_page,
                      .slot = (uint16_t)slot,
                      .kind = column ? COLUMN : POSTINGS,
                      .base = UINT32_MAX,
                      .first_doc = column ? csd_column_entry_of(&first->range).first_doc : 0};
  uint32_t end = slot;
  do {
    const struct csd_page_range *range = &group->pages[end].range;
    const uint32_t least = column ? csd_column_entry_of(range).min : range->lead_first_doc;
    run->base = least < run->base ? least : run->base;
    end++;
  } while (end < CSD_GROUP_LBAS && csd_bit(group->present, end) &&
           continues(run, &group->pages[end - 1u], &group->pages[end]));
  run->count = (uint16_t)(end - slot);
  return end;
}

/* Sets how a run is packed with this much detail; returns its bytes. */
static uint32_t size_run(const struct csd_index_group *group, const struct detail *detail,
                         struct run *run) {
  const bool column = of_column(run);
  run->kind = column ? COLUMN : detail->impacts ? POSTINGS_WITH_IMPACTS : POSTINGS;
  run->shift = column ? detail->shift : 0;
  run->fold = detail->fold;
  uint32_t most[FIELDS] = {0}, numbers[FIELDS], docs_end = run->first_doc, with_parts = 0;
  uint64_t most_parts = 0;
  for (uint32_t i = 0; i < run->count; i++) {
    const struct csd_stored_page *page = &group->pages[run->slot + i];
    numbers_of(run, page, &docs_end, numbers);
    for (int f = 0; f < FIELDS; f++) {
      most[f] |= numbers[f];
    }
    const uint64_t parts = column && run->fold < NO_PARTS ? folded_parts(page, run->fold) : 0;
    with_parts += parts != 0;
    most_parts |= parts;
  }
  run->part_bits = (uint8_t)bits_of(most_parts);
  uint32_t bits = 0;
  for (int f = 0; f < FIELDS; f++) {
    run->bits[f] = (uint8_t)bits_of(most[f]);
    bits += run->bits[f] * run->count;
  }
  if (with_parts > 0) {
    run->kind = COLUMN_WITH_PARTS;
    bits += run->count + run->part_bits * with_parts;
  }
  return header_bytes(run) + (bits + 7u) / 8u;
}

static void put_bits(uint8_t *bytes, uint32_t *at, uint64_t number, uint32_t bits) {
  for (uint64_t left = number; bits > 0;) {
    const uint32_t here = 8u - *at % 8u, step = here < bits ? here : bits;
    bytes[*at / 8u] |= (uint8_t)((left & ((1u << step) - 1u)) << *at % 8u);
    left >>= step, *at += step, bits -= step;
  }
}

static uint64_t get_bits(const uint8_t *bytes, uint32_t *at, uint32_t bits) {
  uint64_t number = 0;
  for (uint32_t got = 0; got < bits;) {
    const uint32_t here = 8u - *at % 8u, step = here < bits - got ? here : bits - got;
    number |= (uint64_t)(bytes[*at / 8u] >> *at % 8u & ((1u << step) - 1u)) << got;
    got += step, *at += step;
  }
  return number;
}

static void write_run(const struct csd_index_group *group, const struct run *run, uint8_t *bytes) {
  memcpy(bytes, run, header_bytes(run));
  uint32_t at = header_bytes(run) * 8u, numbers[FIELDS], docs_end = run->first_doc;
  for (uint32_t i = 0; i < run->count; i++) {
    const struct csd_stored_page *page = &group->pages[run->slot + i];
    numbers_of(run, page, &docs_end, numbers);
    for (int f = 0; f < FIELDS; f++) {
      put_bits(bytes, &at, numbers[f], run->bits[f]);
    }
    if (run->kind == COLUMN_WITH_PARTS) {
      const uint64_t parts = folded_parts(page, run->fold);
      put_bits(bytes, &at, parts != 0, 1);
      put_bits(bytes, &at, parts, parts != 0 ? run->part_bits : 0);
    }
  }
}

/* The detail with which all runs fit; the least if they never do. */
static const struct detail *choose_detail(const struct csd_index_group *group) {
  for (uint32_t d = 0; d < DETAIL_COUNT - 1u; d++) {
    uint32_t bytes = 0;
    for (uint32_t slot = 0; slot < CSD_GROUP_LBAS && bytes <= BODY_BYTES;) {
      struct run run;
      if (!csd_bit(group->present, slot)) {
        slot++;
        continue;
      }
      slot = find_run(group, slot, &run);
      bytes += size_run(group, &DETAILS[d], &run);
    }
    if (bytes <= BODY_BYTES) {
      return &DETAILS[d];
    }
  }
  return &DETAILS[DETAIL_COUNT - 1u];
}

/* As much of a run as fits into `room` bytes: 0 or a number of entries. */
static uint32_t entries_that_fit(const struct csd_index_group *group, const struct detail *detail,
                                 const struct run *run, uint32_t room) {
  uint32_t low = 0, high = run->count;
  while (low < high) {
    struct run part = *run;
    part.count = (uint16_t)((low + high + 1u) / 2u);
    if (size_run(group, detail, &part) <= room) {
      low = part.count;
    } else {
      high = part.count - 1u;
    }
  }
  return low;
}

static void put_number(uint8_t *bytes, uint64_t number, uint32_t count) {
  memcpy(bytes, &number, count);
}

static uint64_t get_number(const uint8_t *bytes, uint32_t count) {
  uint64_t number = 0;
  memcpy(&number, bytes, count);
  return number;
}

uint32_t csd_index_encode(const struct csd_index_group *group, uint64_t number, uint8_t *page) {
  const struct detail *detail = choose_detail(group);
  uint32_t runs = 0, bytes = 0, left_out = 0;
  memset(page, 0, CSD_INDEX_PAGE_BYTES);
  for (uint32_t slot = 0; slot < CSD_GROUP_LBAS;) {
    struct run run;
    if (!csd_bit(group->present, slot)) {
      slot++;
      continue;
    }
    slot = find_run(group, slot, &run);
    const uint32_t kept = entries_that_fit(group, detail, &run, BODY_BYTES - bytes);
    left_out += run.count - kept;
    if (kept > 0) {
      run.count = (uint16_t)kept;
      const uint32_t length = size_run(group, detail, &run);
      write_run(group, &run, page + BODY_AT + bytes);
      bytes += length;
      runs++;
    }
  }
  put_number(page, INDEX_MAGIC, 4);
  memcpy(page + CSD_INDEX_PENDING_AT, group->pending, sizeof group->pending);
  put_number(page + CHECKED_AT, number, 8);
  put_number(page + RUNS_AT, runs, 2);
  put_number(page + LENGTH_AT, bytes, 2);
  put_number(page + CRC_AT, csd_crc32c(0, page + CHECKED_AT, CSD_INDEX_PAGE_BYTES - CHECKED_AT), 4);
  return left_out;
}

/* Whether the numbers of a run's header can be right, and its entries lie within `room` bytes. */
static bool run_is_sound(const struct run *run, uint32_t room) {
  uint32_t bits = 0;
  for (int f = 0; f < FIELDS; f++) {
    bits += run->bits[f];
    if (run->bits[f] > 32) {
      return false;
    }
  }
  const uint32_t impact_bits = run->kind == POSTINGS ? 0 : IMPACT_BITS;
  if (run->kind > COLUMN_WITH_PARTS || run->shift >= 32 ||
      (!of_column(run) && (run->bits[2] > impact_bits || run->bits[3] != 0))) {
    return false;
  }
  if (run->kind == COLUMN_WITH_PARTS &&
      (run->shift != 0 || run->fold >= NO_PARTS || run->part_bits > PARTS_BITS)) {
    return false;
  }
  return run->count > 0 && run->slot + run->count <= CSD_GROUP_LBAS &&
         (bits * run->count + 7u) / 8u <= room;
}

/* Reads the header of a run. Returns whether it is sound. */
static bool read_header(const uint8_t *bytes, uint32_t room, struct run *run) {
  memset(run, 0, sizeof *run);
  if (room < RUN_BYTES) {
    return false;
  }
  memcpy(run, bytes, RUN_BYTES);
  if (room < header_bytes(run)) {
    return false;
  }
  memcpy(run, bytes, header_bytes(run));
  return run_is_sound(run, room - header_bytes(run));
}

/* Reads the parts of an entry from bit *at of `end`. Returns whether they are sound. */
static bool read_parts(const struct run *run, const uint8_t *bytes, uint32_t end, uint32_t *at,
                       struct csd_page_range *range) {
  if (*at == end) {
    return false;
  }
  if (get_bits(bytes, at, 1) == 0) {
    return true;
  }
  const struct csd_column_entry entry = csd_column_entry_of(range);
  return run->part_bits <= end - *at &&
         csd_parts_unfold(get_bits(bytes, at, run->part_bits), entry.min, entry.max, run->fold,
                          &range->parts);
}

/* Reads a run; returns its bytes, or 0 if it is not sound. */
static uint32_t read_run(const uint8_t *bytes, uint32_t room, struct csd_index_group *group) {
  struct run run;
  if (!read_header(bytes, room, &run)) {
    return 0;
  }
  uint32_t at = header_bytes(&run) * 8u, numbers[FIELDS], bits = 0;
  for (int f = 0; f < FIELDS; f++) {
    bits += run.bits[f];
  }
  uint64_t docs_end = run.first_doc;
  for (uint32_t i = 0; i < run.count; i++) {
    if (bits > room * 8u - at) {
      return 0; /* entries with parts before it took more than they may */
    }
    for (int f = 0; f < FIELDS; f++) {
      numbers[f] = (uint32_t)get_bits(bytes, &at, run.bits[f]);
    }
    struct csd_stored_page *page = &group->pages[run.slot + i];
    const bool impacts_are_sound = of_column(&run) || (numbers[2] & 0xFF) != 0 || numbers[2] == 0;
    if (csd_bit(group->present, run.slot + i) || !impacts_are_sound ||
        !range_of(&run, numbers, &docs_end, &page->range) ||
        (run.kind == COLUMN_WITH_PARTS && !read_parts(&run, bytes, room * 8u, &at, &page->range))) {
      return 0;
    }
    page->stamp = run.stamp;
    page->file_page = run.file_page + i;
    csd_set_bit(group->present, run.slot + i);
  }
  return (at + 7u) / 8u;
}

static int fail(struct csd_index_group *group, uint64_t number, const char *what) {
  memset(group->present, 0, sizeof group->present);
  memset(group->pending, 0xFF, sizeof group->pending);
  return csd_fail(CSD_STATUS_PAGE_CORRUPT, "index page %llu: %s", (unsigned long long)number, what);
}

int csd_index_decode(const uint8_t *page, uint64_t number, struct csd_index_group *group) {
  memset(group->present, 0, sizeof group->present);
  memcpy(group->pending, page + CSD_INDEX_PENDING_AT, sizeof group->pending);
  const uint32_t magic = (uint32_t)get_number(page, 4);
  if (magic == 0) {
    return 0;
  }
  if (magic != INDEX_MAGIC) {
    return fail(group, number, "magic");
  }
  if (csd_crc32c(0, page + CHECKED_AT, CSD_INDEX_PAGE_BYTES - CHECKED_AT) !=
      get_number(page + CRC_AT, 4)) {
    return fail(group, number, "checksum");
  }
  const uint32_t length = (uint32_t)get_number(page + LENGTH_AT, 2);
  if (get_number(page + CHECKED_AT, 8) != number || length > BODY_BYTES) {
    return fail(group, number, "number or length");
  }
  uint32_t at = 0;
  for (uint64_t runs = get_number(page + RUNS_AT, 2); runs > 0; runs--) {
    const uint32_t bytes = read_run(page + BODY_AT + at, length - at, group);
    if (bytes == 0) {
      return fail(group, number, "run");
    }
    at += bytes;
  }
  return at == length ? 0 : fail(group, number, "length of runs");
}
