/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/* Tests: also tests/core/lists/test_list_cursor.c, through the cursors of the pages. */
#include "core/lists/page_run.h"

#include <stddef.h>

#include "core/kernels/bits.h"
#include "core/lists/extents.h"
#include "core/lists/list_cursor.h"

/* Pages to ask for ahead of a page: behind others that were passed over, and at most. */
enum { MIN_AHEAD = 4, MAX_AHEAD = 32 };

/* Pages of a list of which the index is asked for at once at most: 16 MiB of them. */
#define MAX_PEEKED 4096u

#define SAME_PLACE(field)                                                                          \
  _Static_assert(                                                                                  \
      offsetof(struct csd_page_header, field) == offsetof(struct csd_position_page_header, field), \
      "headers of both kinds have the docs of the lead in one place")
SAME_PLACE(magic);
SAME_PLACE(lead_first_doc);
SAME_PLACE(lead_last_doc);

void csd_page_run_open(struct csd_page_run *run, const struct csd_list_ref *ref,
                       const struct csd_extent *extents, const struct csd_page_source *source,
                       struct csd_work *work, uint32_t magic) {
  run->source = source;
  run->work = work;
  run->extents = extents;
  run->extent_count = ref->extent_count;
  run->extent = 0;
  run->stamp = ref->stamp;
  run->first_page = ref->first_page;
  run->page_count = ref->page_count;
  run->first_slot = ref->slot;
  run->magic = magic;
  run->next = 0;
  run->asked_to = 0;
  run->ahead = MIN_AHEAD;
  run->pinned = 0;
}

/* LBA of page `page` of the list. */
static uint64_t lba_of(struct csd_page_run *run, uint32_t page) {
  return csd_extent_lba(run->extents, run->extent_count, &run->extent, run->first_page + page);
}

static uint32_t least(uint32_t a, uint32_t b) { return a < b ? a : b; }

/* Asks for pages [run->asked_to, to) of the list, extent by extent. */
static void ask_to(struct csd_page_run *run, uint32_t to) {
  while (run->asked_to < to) {
    const uint32_t from = run->asked_to;
    uint32_t left;
    const uint64_t lba = csd_extent_run(run->extents, run->extent_count, &run->extent,
                                        run->first_page + from, &left);
    const uint32_t count = least(to - from, left);
    const uint32_t peeked = least(least(run->page_count - from, left), MAX_PEEKED);
    run->source->ask(run->source->context, lba, count,
                     run->page_count <= CSD_FEW_PAGES ? 0
                     : count > peeked                 ? count
                                                      : peeked);
    run->asked_to = from + count;
  }
}

void csd_page_run_ask(struct csd_page_run *run) {
  if (run->source->cold && run->source->ask != NULL) {
    ask_to(run, least(run->page_count, CSD_FIRST_PAGES));
  }
}

/* Asks for what is likely to follow a page that is pinned now, once half of it has been used. */
static void ask_ahead(struct csd_page_run *run, uint32_t page) {
  if (page == run->next) {
    run->ahead = least(2u * run->ahead, MAX_AHEAD);
  } else if (page > run->next) {
    run->ahead = MIN_AHEAD;
  }
  run->next = page + 1u;
  if (run->source->cold && run->source->ask != NULL && run->asked_to < run->page_count &&
      page + run->ahead / 2u >= run->asked_to) {
    run->asked_to = run->asked_to > page ? run->asked_to : page;
    ask_to(run, least(page + 1u + run->ahead, run->page_count));
  }
}

void csd_page_run_prefetch(struct csd_page_run *run, uint32_t page, bool whole) {
  const struct csd_page_source *source = run->source;
  if (page >= run->page_count) {
    return;
  }
  if (whole && source->prefetch_whole != NULL) {
    source->prefetch_whole(source->context, lba_of(run, page));
  } else if (source->prefetch != NULL) {
    source->prefetch(source->context, lba_of(run, page));
  }
}

int csd_page_run_pin(struct csd_page_run *run, uint32_t page, const uint8_t **bytes) {
  run->work->pages_read++;
  run->pinned++;
  ask_ahead(run, page);
  const int status = run->source->pin(run->source->context, lba_of(run, page), run->stamp,
                                      run->first_page + page, bytes);
  if (status == 0 && csd_load_u32(*bytes) != run->magic) {
    run->source->unpin(run->source->context, *bytes);
    return -CSD_STATUS_LIST_CORRUPT; /* a page of another kind */
  }
  return status;
}

/* Whether the page index is worth to be asked of a page. */
static bool may_peek(const struct csd_page_run *run, uint64_t lba) {
  const struct csd_page_source *source = run->source;
  return run->page_count > CSD_FEW_PAGES || !source->cold || source->peeks_at_once == NULL ||
         source->peeks_at_once(source->context, lba);
}

/* What the page index knows of the leading list of a page, else what the page says if it may be
   read. Returns 0, CSD_PAGE_RUN_UNKNOWN, or a negated status. */
static int range_of(struct csd_page_run *run, uint32_t page, bool may_read,
                    struct csd_page_range *range) {
  const uint64_t lba = lba_of(run, page);
  if (may_peek(run, lba) &&
      run->source->peek(run->source->context, lba, run->stamp, run->first_page + page, range) &&
      (range->lead_first_doc & CSD_PAGE_RANGE_COLUMN) == 0) {
    return 0;
  }
  if (!may_read) {
    return CSD_PAGE_RUN_UNKNOWN;
  }
  const uint8_t *bytes;
  const int status = csd_page_run_pin(run, page, &bytes);
  if (status < 0) {
    return status;
  }
  range->lead_first_doc = csd_load_u32(bytes + offsetof(struct csd_page_header, lead_first_doc));
  range->lead_last_doc = csd_load_u32(bytes + offsetof(struct csd_page_header, lead_last_doc));
  range->lead_impacts = run->magic == CSD_PAGE_MAGIC
                            ? csd_load_u64(bytes + offsetof(struct csd_page_header, lead_impacts))
                            : 0;
  run->source->unpin(run->source->context, bytes);
  return 0;
}

/* Whether a doc may be in the first page, which another list leads: only the second page tells
   where ours ends in it. Positions of the doc that the second page begins with may end in the
   first, too. Returns a status as range_of. */
static int is_in_first(struct csd_page_run *run, uint32_t target, bool may_read, bool *first,
                       struct csd_page_range *range) {
  *first = true;
  if (run->page_count == 1) {
    return 0;
  }
  const int status = range_of(run, 1, may_read, range);
  *first = status == 0 && (target < range->lead_first_doc ||
                           (target == range->lead_first_doc && run->magic == CSD_POSITION_MAGIC));
  return status;
}

int csd_page_run_find(struct csd_page_run *run, uint32_t next, uint32_t target, bool may_read,
                      uint32_t *page, struct csd_page_range *range) {
  uint32_t low = next;
  if (low == 0 && run->first_slot != 0) {
    bool first;
    const int status = is_in_first(run, target, may_read, &first, range);
    if (status != 0 || first) {
      *page = 0;
      return status;
    }
    low = 1;
  }
  /* Gallop to a page that ends late enough, then search between the last two steps. */
  uint32_t high = low;
  for (uint32_t step = 1; high < run->page_count; step *= 2) {
    const int status = range_of(run, high, may_read, range);
    if (status != 0) {
      return status;
    }
    if (range->lead_last_doc >= target) {
      break;
    }
    low = high + 1u;
    high = step < run->page_count - high ? high + step : run->page_count;
  }
  while (low < high) {
    const uint32_t middle = low + (high - low) / 2u;
    struct csd_page_range looked;
    const int status = range_of(run, middle, may_read, &looked);
    if (status != 0) {
      return status;
    }
    if (looked.lead_last_doc >= target) {
      high = middle;
      *range = looked;
    } else {
      low = middle + 1u;
    }
  }
  *page = low;
  return 0;
}
