/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/* Tests: tests/core/program/test_program_sort.c, which compares programs with a plain evaluation.
 */
/*
 * Where values follow doc order, as dates do, the best docs may stand last, and each would be
 * better than all before. So docs of a few pages that the index shows to be best are offered first,
 * which gives a bound that rules out most of the others.
 */
#include "core/sort/sorter_seed.h"

#include "core/columns/page/column_entry.h"
#include "core/sort/sort_key.h"
#include "core/sort/sorter_filter.h"

/* At most so many pages are looked up first to find the best; then those around it are. */
#define LOOKS 32u

/* It pays if no more than one page in so many can have better docs than the worst of the best. */
#define PAYS_TO_SHARE 4u

/* About one page in so many is looked at first, at most. */
#define SEED_SHARE 16u

/* It does not pay for fewer pages. */
#define MIN_PAGES 4u

/* What is known of a page: the leads of its docs, flipped and rounded outwards. */
struct look {
  uint32_t first_doc;
  uint32_t last_doc;
  uint32_t best;
  uint32_t worst;
};

static bool look_up(struct csd_sorter *sorter, uint32_t at, struct look *look) {
  const struct csd_sorter_key *lead = &sorter->keys[sorter->lead];
  struct csd_column_entry entry;
  if (!csd_column_cursor_peek(&sorter->keys[sorter->lead].column, at, &entry)) {
    return false;
  }
  const bool reverse = lead->flip != 0;
  look->first_doc = entry.first_doc;
  look->last_doc = entry.last_doc;
  look->best = reverse ? ~entry.max : entry.min;
  look->worst = reverse ? ~entry.min : entry.max;
  return true;
}

/* Whether docs of a page can be better than the bound, which the filter has been made for. */
static bool is_open(const struct csd_sorter *sorter, const struct look *look) {
  const struct csd_sorter_key *lead = &sorter->keys[sorter->lead];
  const bool reverse = lead->flip != 0;
  const uint32_t min = reverse ? ~look->worst : look->best;
  const uint32_t max = reverse ? ~look->best : look->worst;
  return min <= lead->column.hi_down && max >= lead->column.lo_up;
}

/* Whether all docs of a page are asked for. */
static bool is_whole(const struct csd_plan_header *header, const struct look *look) {
  return look->first_doc >= header->min_doc && look->last_doc < header->limit_doc;
}

/* Takes a better one of the pages between the best one and those looked at before and behind it. */
static void refine(struct csd_sorter *sorter, const struct csd_plan_header *header, uint32_t step,
                   struct look *best, uint32_t *page) {
  const uint32_t pages = sorter->keys[sorter->lead].column.ref.page_count;
  const uint32_t from = *page < step ? 0 : *page - step + 1u;
  const uint32_t end = pages - *page < step ? pages : *page + step;
  for (uint32_t at = from; at < end; at++) {
    struct look look;
    if (look_up(sorter, at, &look) && look.worst < best->worst && is_whole(header, &look)) {
      *best = look;
      *page = at;
    }
  }
}

/*
 * Finds a page whose worst doc is better than those of most others, if few of these can have docs
 * as good as that, and not as few are open anyway.
 */
static bool find_best(struct csd_sorter *sorter, const struct csd_plan_header *header,
                      uint32_t *page) {
  const uint32_t pages = sorter->keys[sorter->lead].column.ref.page_count;
  const uint32_t step = pages / LOOKS + 1u;
  struct look looks[LOOKS];
  uint32_t count = 0, open = 0;
  struct look best = {.worst = UINT32_MAX};
  bool found = false;
  for (uint32_t at = 0; at < pages; at += step) {
    struct look *look = &looks[count];
    if (!look_up(sorter, at, look)) {
      return false;
    }
    if (look->last_doc < header->min_doc || look->first_doc >= header->limit_doc) {
      continue;
    }
    count++;
    open += is_open(sorter, look);
    if (is_whole(header, look) && (!found || look->worst < best.worst)) {
      best = *look;
      *page = at;
      found = true;
    }
  }
  if (found && step > 1) {
    refine(sorter, header, step, &best, page);
  }
  uint32_t rivals = 0;
  for (uint32_t i = 0; i < count; i++) {
    rivals += looks[i].best <= best.worst;
  }
  return found && rivals <= count / PAYS_TO_SHARE && open > count / PAYS_TO_SHARE;
}

/* Adds neighbours to a page, the better one first, until there are so many. */
static void grow(struct csd_sorter *sorter, uint32_t page, uint32_t wanted) {
  const uint32_t pages = sorter->keys[sorter->lead].column.ref.page_count;
  uint32_t first = page;
  uint32_t last = page;
  struct look before, behind;
  while (last - first + 1u < wanted) {
    const bool has_before = first > 0 && look_up(sorter, first - 1u, &before);
    const bool has_behind = last + 1u < pages && look_up(sorter, last + 1u, &behind);
    if (has_before && (!has_behind || before.worst < behind.worst)) {
      first--;
    } else if (has_behind) {
      last++;
    } else {
      break;
    }
  }
  if (look_up(sorter, first, &before) && look_up(sorter, last, &behind) &&
      before.first_doc <= behind.last_doc) {
    sorter->seed_from = before.first_doc;
    sorter->seed_limit = behind.last_doc + 1u;
  }
}

bool csd_sorter_choose_seed(struct csd_sorter *sorter, const struct csd_plan_header *header,
                            uint64_t matches) {
  if (sorter->lead == sorter->key_count || sorter->non_competitive || sorter->has_after ||
      sorter->keys[sorter->lead].kind != CSD_SORT_KIND_COLUMN) {
    return false;
  }
  const struct csd_sorter_key *lead = &sorter->keys[sorter->lead];
  const struct csd_column_ref *ref = &lead->column.ref;
  if (ref->page_count < MIN_PAGES || matches < CSD_SORTER_SEED_PAYS_FROM ||
      !csd_sort_rises(lead->transform, ref->min, ref->max)) {
    return false;
  }
  csd_sorter_refresh(sorter, header->min_doc);
  uint32_t page = 0;
  if (!find_best(sorter, header, &page) || page < ref->page_count / SEED_SHARE) {
    return false;
  }
  /* So many pages that about 2 k docs match in them, if matches are spread evenly. */
  const double share = (double)matches / ((double)header->max_doc + 1.0);
  const double page_matches = share * (double)ref->doc_count / (double)ref->page_count;
  const double wanted = 2.0 * (double)header->k / (page_matches + 0.001) + 1.0;
  const uint32_t most = ref->page_count / SEED_SHARE + 1u;
  grow(sorter, page, wanted < (double)most ? (uint32_t)wanted : most);
  sorter->seeding = sorter->seed_from < sorter->seed_limit &&
                    sorter->seed_from >= header->min_doc && sorter->seed_limit <= header->limit_doc;
  if (!sorter->seeding) {
    sorter->seed_from = 0; /* it may have grown beyond the docs that are asked for */
    sorter->seed_limit = 0;
  }
  return sorter->seeding;
}
