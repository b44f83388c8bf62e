/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/**
 * Where a program gets posting pages: the interface between the plan interpreter and the device. A
 * device implements it over its store, page index and DRAM; tests implement it over an array.
 */
#ifndef CSD_PAGE_SOURCE_H
#define CSD_PAGE_SOURCE_H

#include <stdbool.h>
#include <stdint.h>

#include "csd/csd_wire.h"

/** What the page index (the FTL entry) knows of a page without reading it; see page_header. */
struct csd_page_range {
  uint32_t lead_first_doc;
  uint32_t lead_last_doc;
  uint64_t lead_impacts;
  uint64_t parts; /* of a column page: which parts of its range have values; 0: not known */
};

/** Bit of lead_first_doc, which as a doc ID does not have it: the entry is of a column page. */
#define CSD_PAGE_RANGE_COLUMN UINT32_C(0x80000000)

struct csd_column_memo;

struct csd_page_source {
  void *context;

  const struct csd_kernels *kernels; /**< to decode and score with; NULL: the machine's best */

  /**
   * Makes a page resident and keeps it there until the matching unpin.
   *
   * The page is already validated: checksum, header and every directory entry hold, every column
   * lies inside the page, every block decodes to ascending doc IDs that end at its last_doc. At
   * least 64 bytes beyond the page may be read (their contents are unspecified).
   *
   * @param lba        where the page is
   * @param stamp      stamp that the page must carry
   * @param file_page  file page number that it must carry
   * @param page       set to the CSD_PAGE_BYTES bytes of the page; they do not change while pinned,
   *                   even if the LBA is written or trimmed meanwhile
   * @return 0, or a negated status: PAGE_CORRUPT, PAGE_STALE, OUT_OF_RANGE, NO_MEMORY, IO_ERROR,
   *         UNSUPPORTED_VERSION
   */
  int (*pin)(void *context, uint64_t lba, uint64_t stamp, uint32_t file_page, const uint8_t **page);

  /**
   * Undoes one pin.
   *
   * @param page  what pin gave: the bytes, not the LBA, name the pin, because an LBA that is
   *              rewritten while pinned has two pages for a time
   */
  void (*unpin)(void *context, const uint8_t *page);

  /**
   * Looks a page up in the page index; reads no page.
   *
   * @return true and *range if the index has an entry for the page with this stamp and number
   */
  bool (*peek)(void *context, uint64_t lba, uint64_t stamp, uint32_t file_page,
               struct csd_page_range *range);

  /** Whether peek would not have to read to know a page. NULL: it never has to. */
  bool (*peeks_at_once)(void *context, uint64_t lba);

  /** Prefetches a resident page that may be pinned soon. NULL: not supported. */
  void (*prefetch)(void *context, uint64_t lba);

  /** As prefetch, but the whole page and not only its head. NULL: not supported. */
  void (*prefetch_whole)(void *context, uint64_t lba);

  /**
   * Set by prefetch and pin once a page was not resident: only then is anything asked for ahead.
   */
  bool cold;

  /**
   * Asks for pages that will be pinned soon, so that those that are not resident come while the
   * program works or asks for more; and, if they do, for what peek has to read. Does not wait.
   * NULL: not supported.
   *
   * @param count   pages that will be pinned; 0: peek alone will be asked
   * @param peeked  pages from `lba` on of which peek will be asked; at least `count`, or 0: of none
   */
  void (*ask)(void *context, uint64_t lba, uint32_t count, uint32_t peeked);

  /** What is kept of column pages from program to program. NULL: nothing, and neither of the next
   * two is called. */
  struct csd_column_memo *memo;

  /** What pin_again has to know of a page that is pinned. */
  uint64_t (*place_of)(void *context, const uint8_t *page);

  /**
   * Pins a page where it was, if it is there still: the same bytes, of the same LBA.
   *
   * @param page   where it was while it was pinned
   * @param place  from place_of, then
   * @return whether it is pinned; if not, it has to be pinned as any other
   */
  bool (*pin_again)(void *context, uint64_t lba, const uint8_t *page, uint64_t place);

  /**
   * Pages that a program may pin at once beside one for each list and column; a pin more than that
   * may keep other programs from theirs.
   */
  uint32_t spare_pins;

  /**
   * Looks a resource of docs' bits up: the plan's live docs, or those of one of its DOC_SETs. It
   * stays until csd_program_end, even if it is dropped.
   *
   * @return words of 64 bits, at least `doc_count` bits; NULL if there is none of that size
   */
  const uint64_t *(*doc_bits)(void *context, uint32_t resource, uint32_t doc_count);
};

#endif
