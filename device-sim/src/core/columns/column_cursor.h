/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/**
 * A cursor over the pages of one column, for one range of values or a set of them. It moves forward
 * by page, and does not read a page that the page index shows to match as a whole or not at all. At
 * any time at most one page is pinned.
 */
#ifndef CSD_COLUMN_CURSOR_H
#define CSD_COLUMN_CURSOR_H

#include <stdbool.h>
#include <stdint.h>

#include "core/columns/column_index.h"
#include "csd/csd_wire.h"

/**
 * Sets a cursor up before its column's first page; reads nothing.
 *
 * @param ref      checked column reference
 * @param range    checked range of values
 * @param extents  the file's extents, ref->extent_count of them; kept
 */
void csd_column_cursor_open(struct csd_column_cursor *cursor, const struct csd_column_ref *ref,
                            const struct csd_value_range *range, const struct csd_extent *extents,
                            uint32_t max_doc, const struct csd_page_source *source,
                            const struct csd_kernels *kernels, struct csd_work *work);

/**
 * Pins page `at` for the caller, wherever the cursor is.
 *
 * @param least  the page has no doc before it
 * @return 0, or a negated status: those of a pin, LIST_CORRUPT
 */
int csd_column_cursor_read(struct csd_column_cursor *cursor, uint32_t at, uint32_t least,
                           struct csd_column_page *page);

/** Undoes csd_column_cursor_read. */
static inline void csd_column_cursor_release(const struct csd_column_cursor *cursor,
                                             const struct csd_column_page *page) {
  cursor->source->unpin(cursor->source->context, page->bytes);
}

/** Wants other values from now on; the current page's verdict may remain one of those before. */
void csd_column_cursor_want(struct csd_column_cursor *cursor, const struct csd_value_range *range);

/**
 * Wants some values of a range from now on, before the first page.
 *
 * @param wanted  what `wants` is asked with: a set or an area; kept
 */
void csd_column_cursor_want_some(struct csd_column_cursor *cursor,
                                 const struct csd_value_range *hull,
                                 const struct csd_column_wants *wants, void *wanted);

/**
 * Reads the current page if it has not been; the cursor is not at its end.
 *
 * @return 0, or a negated status: those of a pin, LIST_CORRUPT
 */
int csd_column_cursor_pin(struct csd_column_cursor *cursor);

/** Puts the cursor back before its column's first page. */
void csd_column_cursor_rewind(struct csd_column_cursor *cursor);

/** Unpins the page that the cursor holds, if any. */
void csd_column_cursor_close(struct csd_column_cursor *cursor);

/**
 * A doc behind the current page, up to which it is worth to look for matches at once: where the run
 * of pages ends that may have some, as far as the index shows that, and in some way ahead.
 *
 * @return at most `limit`
 */
uint32_t csd_column_cursor_run_end(struct csd_column_cursor *cursor, uint32_t limit);

/** The part of csd_column_cursor_seek that leaves the page. */
int csd_column_cursor_seek_on(struct csd_column_cursor *cursor, uint32_t target);

/**
 * Makes the first page that ends behind `target` the current one; never goes back.
 *
 * @return 0, or a negated status: those of a pin, LIST_CORRUPT
 */
static inline int csd_column_cursor_seek(struct csd_column_cursor *cursor, uint32_t target) {
  return target < cursor->end ? 0 : csd_column_cursor_seek_on(cursor, target);
}

/* ---- column_match.c: the docs that have a wanted value ---- */

/**
 * About how many docs have a value in a range, and what it takes to find them, in docs that are
 * looked up elsewhere; 0 if there are none.
 */
uint64_t csd_column_cost(const struct csd_column_ref *ref, const struct csd_value_range *range);

/** Of a column's cost, what it takes to find the docs, however few they are. */
uint64_t csd_column_search_cost(const struct csd_column_cursor *cursor);

/**
 * Passes over pages without a match, as far as `limit`, and over some hundred of them at most, so
 * that a step of a program in which none matches comes to an end.
 *
 * @param start  set to a doc from `from` on before which none matches: the first one that may
 * match, or the first behind those pages; `limit` or more if none does
 * @return 0, or a negated status, as csd_column_cursor_seek
 */
int csd_column_cursor_next(struct csd_column_cursor *cursor, uint32_t from, uint32_t limit,
                           uint32_t *start);

/**
 * Sets the bits of the docs in [from, end) that match.
 *
 * @param base  doc of bit 0, a multiple of 64
 * @param bits  a word for every 64 docs from `base` to `end`
 * @return 0, or a negated status, as csd_column_cursor_seek
 */
int csd_column_cursor_set_bits(struct csd_column_cursor *cursor, uint32_t from, uint32_t end,
                               uint32_t base, uint64_t *bits);

/**
 * Finds which of `n` ascending docs match.
 *
 * @param index  receives their indices in `docs`; room for n + 1
 * @param hits   set to how many they are
 * @return 0, or a negated status, as csd_column_cursor_seek
 */
int csd_column_cursor_probe(struct csd_column_cursor *cursor, const uint32_t *docs, uint32_t n,
                            uint16_t *index, uint32_t *hits);

/* ---- column_sample.c ---- */

/**
 * About how many docs have a wanted value: the index is asked about a few pages, and two of those
 * that may have some are read, unless pages have to be waited for: such then count as `otherwise`
 * says. The cursor is before its first
 * page, and is there afterwards.
 *
 * @param otherwise  returned if that cannot be told so
 * @param span       set to about what share of the segment's docs lies between the first and the
 *                   last one with a wanted value; 1 if that cannot be told
 */
uint64_t csd_column_cursor_sample(struct csd_column_cursor *cursor, uint64_t otherwise,
                                  double *span);

#endif
