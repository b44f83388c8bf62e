/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/**
 * A cursor over the positions of one posting list. It moves forward, posting by posting, and has at
 * most one page pinned at a time.
 *
 * Each page has been checked before the cursor sees it. The cursor checks that the values of a
 * posting are where its doc, rank and frequency say.
 */
#ifndef CSD_POSITION_CURSOR_H
#define CSD_POSITION_CURSOR_H

#include <stdbool.h>
#include <stdint.h>

#include "core/kernels/kernels.h"
#include "core/lists/page_run.h"
#include "core/positions/position_page.h"

struct csd_position_cursor {
  struct csd_page_run run;
  const struct csd_kernels *kernels;
  uint32_t one_position; /* of a list without pages */

  /* The page; all of it is void while `page` is NULL. */
  const uint8_t *page;
  uint32_t block_count;
  uint32_t slot;      /* the block's */
  uint32_t end_slot;  /* one past this list's last block in the page */
  uint32_t page_last; /* last doc of this list in the page */
  uint32_t next_page; /* pages 0 .. next_page - 1 of the list are done or pinned */

  /* The block: the first one with a doc at or after the last seek's target, or one behind it. */
  bool has_block;
  uint32_t last_doc;
  struct csd_position_block block;
  uint32_t exception;    /* its first one that is not before the values that were read last */
  uint32_t exception_at; /* which value it is of; UINT32_MAX: there is none */
};

/** A posting whose positions are read: what its list says of it. */
struct csd_position_posting {
  uint32_t doc;
  uint32_t rank; /* values of its posting block before its own */
  uint32_t freq; /* at least 1 */
};

/**
 * Sets a cursor up before its first block; reads nothing.
 *
 * @param ref      checked list reference of kind POSITIONS; not kept
 * @param extents  the file's extents, ref->extent_count of them; kept
 */
void csd_position_cursor_open(struct csd_position_cursor *cursor, const struct csd_list_ref *ref,
                              const struct csd_extent *extents,
                              const struct csd_page_source *source,
                              const struct csd_kernels *kernels, struct csd_work *work);

/** Puts the cursor back before its first block. */
void csd_position_cursor_rewind(struct csd_position_cursor *cursor);

/** Unpins the page that the cursor holds, if any. */
void csd_position_cursor_close(struct csd_position_cursor *cursor);

/**
 * Reads values of a posting: those from number `from` on, at most `room`, up to the end of their
 * block. Never goes back, neither to an earlier doc nor to earlier values of the same.
 *
 * @param base       position before the first of them, less whatever is to be taken from all of
 *                   them; modulo 2^32
 * @param positions  receives their positions, counted from the base; modulo 2^32. What lies behind
 *                   them becomes void, up to CSD_POSITIONS_SLACK entries beyond the room
 * @return how many, at least 1 of those that the posting has; or a negated status
 */
int csd_position_cursor_read(struct csd_position_cursor *cursor,
                             const struct csd_position_posting *posting, uint32_t from,
                             uint32_t base, uint32_t *positions, uint32_t room);

/** Postings of one list, as columns. */
struct csd_position_columns {
  const uint32_t *docs;  /* ascending where they are read */
  const uint32_t *ranks; /* as csd_position_posting */
  const uint32_t *freqs;
};

/**
 * Reads all values of `n` postings that have at most CSD_FEW_POSITIONS each. Never goes back, as
 * csd_position_cursor_read, which reads the same.
 *
 * @param index      which of the columns' postings they are, ascending
 * @param n          at most CSD_BLOCK_POSTINGS
 * @param base       of each posting
 * @param positions  receives CSD_FEW_POSITIONS of each posting, of which the last one is repeated;
 *                   and void ones, up to CSD_POSITIONS_SLACK
 * @return 0, or a negated status
 */
int csd_position_cursor_read_few(struct csd_position_cursor *cursor,
                                 const struct csd_position_columns *columns, const uint16_t *index,
                                 uint32_t n, uint32_t base, uint32_t *positions);

#endif
