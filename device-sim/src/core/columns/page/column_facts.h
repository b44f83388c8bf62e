/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/**
 * What programs need of a column page's header, and where the page was when it was last read. A
 * session keeps the facts of some pages from plan to plan, so that the next one neither asks the
 * page index for them nor reads their headers. Facts do not change: a page is named by the stamp of
 * its file and its number in it. Where it is, is a hint.
 */
#ifndef CSD_COLUMN_FACTS_H
#define CSD_COLUMN_FACTS_H

#include <stdbool.h>
#include <stdint.h>

#include "core/columns/page/column_entry.h"
#include "core/columns/page/column_page.h"

struct csd_column_facts {
  _Alignas(64) uint64_t stamp;
  const uint8_t *page; /* where it was: a hint for csd_page_source.pin_again */
  uint64_t place;
  uint32_t file_page;
  uint32_t first_doc;
  uint32_t last_doc;
  bool all_docs : 1; /* each doc from first_doc to last_doc has a value */
  bool exact : 1;    /* min and max are values of the page; else no value is outside */
  bool plain : 1;    /* each of the docs has one value, and nothing says which do */
  bool table : 1;    /* of a plain page: what is packed are numbers of a table's entries */
  uint8_t value_bits;
  uint16_t values_at;
  int64_t min;
  int64_t max;
  uint64_t unit;
};

/** Facts of some pages, which are where their numbers say: at most of one with the same remainder.
 */
struct csd_column_memo {
  struct csd_column_facts *facts; /* a unit of 0: none */
  uint32_t count;                 /* a power of two */
  bool cleared;                   /* the first put does it: most sessions read no column */
};

/** Makes a memo of no page in memory that is aligned for facts. */
void csd_column_memo_open(struct csd_column_memo *memo, void *memory, uint64_t bytes);

/** Makes it a memo of no page again. */
void csd_column_memo_clear(struct csd_column_memo *memo);

/** The facts of a page; NULL if they are not known. */
static inline const struct csd_column_facts *csd_column_memo_find(
    const struct csd_column_memo *memo, uint64_t stamp, uint32_t file_page) {
  if (!memo->cleared) {
    return NULL;
  }
  const struct csd_column_facts *facts =
      &memo->facts[((uint32_t)(stamp >> 32) + file_page) & (memo->count - 1u)];
  return facts->stamp == stamp && facts->file_page == file_page && facts->unit != 0 ? facts : NULL;
}

/** Keeps the facts of a page that has been read. */
static inline void csd_column_memo_put(struct csd_column_memo *memo,
                                       const struct csd_column_facts *facts) {
  if (!memo->cleared) {
    csd_column_memo_clear(memo);
  }
  memo->facts[((uint32_t)(facts->stamp >> 32) + facts->file_page) & (memo->count - 1u)] = *facts;
}

/** What an entry of the page index tells. */
struct csd_column_facts csd_column_facts_of_entry(const struct csd_column_entry *entry);

/** The facts of a page that has been read. */
struct csd_column_facts csd_column_facts_of_page(const struct csd_column_page *page,
                                                 uint64_t place);

#endif
