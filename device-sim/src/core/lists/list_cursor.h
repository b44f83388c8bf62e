/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/**
 * A cursor over one posting list. It moves forward by posting block, reads pages only when it must
 * and decodes columns only when asked. It has at most one page pinned at a time.
 *
 * In this folder, "block" and "page" alone mean posting block and posting page.
 *
 * Each page has been checked before the cursor sees it. The cursor checks that the pages make up
 * the list of the list_ref: flags, counts and base docs continue from block to block.
 */
#ifndef CSD_LIST_CURSOR_H
#define CSD_LIST_CURSOR_H

#include <stdbool.h>
#include <stdint.h>

#include "core/kernels/kernels.h"
#include "core/lists/page_run.h"
#include "csd/csd_wire.h"

/** block_end of a cursor that has passed its last block. */
#define CSD_CURSOR_END 0xFFFFFFFFu

/** Entries of an array for the docs of a block: list_bits makes them of a bitmap. */
#define CSD_DOCS_ROOM (CSD_BLOCK_POSTINGS + CSD_LIST_BITS_SLACK)

/** Counters of a program for result_header, and its work so far in units of about a posting. */
struct csd_work {
  uint64_t units;
  uint64_t postings_decoded;
  uint64_t docs_scored;
  uint32_t pages_read;
  uint32_t pages_skipped; /* set at the end, as blocks_skipped */
  uint32_t blocks_decoded;
  uint32_t blocks_skipped;
  /* Counters for a recorder only; see record.h. */
  uint32_t blocks_entered;    /* directory entries read */
  uint32_t blocks_stepped;    /* skipped in a page by their last docs */
  uint64_t postings_gathered; /* freq and norm unpacked by position */
  uint64_t positions_decoded; /* positions of postings */
  uint64_t docs_ranked;       /* compared with the minimum competitive score */
  uint64_t keys_compared;     /* hits of which a sort key was compared with the bound */
  uint64_t column_values;     /* unpacked for aggregates */
  uint64_t aggregate_values;  /* added to aggregates */
  uint64_t results_taken;     /* entered into the top hits or the result page */
};

/** What the page index tells of a list behind the page that a cursor has pinned. */
struct csd_list_ahead {
  uint32_t from;    /* the target that it was asked for */
  uint32_t start;   /* from `from` on, no doc is before this one */
  uint32_t end;     /* the next of the docs before this one is in the page; 0: nothing is told */
  uint32_t page;    /* its number; page_count: there is none */
  uint64_t impacts; /* bound the docs from `from` to `end`; 0: unknown */
};

struct csd_list_cursor {
  struct csd_page_run run; /* its pages; page_count 0: INLINE */
  const struct csd_kernels *kernels;
  struct csd_work *work;
  uint64_t list_impacts;
  uint32_t posting_count;
  uint32_t block_total;
  uint32_t max_doc;

  /* The page; all of it is void while `page` is NULL. */
  const uint8_t *page;
  uint64_t page_impacts; /* bound of this list's blocks in the page; 0: unknown */
  uint32_t page_last;    /* last doc of this list in the page */
  uint32_t block_count;
  uint32_t start_slot; /* this list's first block in the page */
  uint32_t impacts_at; /* byte of its impacts in the page; 0: it has none, being the whole list */
  uint32_t end_slot;   /* one past this list's last block in the page */
  uint32_t slot;       /* the block's, if block_end > 0 */
  uint32_t next_page;  /* pages 0 .. next_page - 1 of the list are done or pinned */
  uint32_t blocks_before; /* blocks of the list before the page; UINT32_MAX: pages were skipped */
  uint32_t chain_doc;     /* last doc of the page before, CSD_NO_DOC if that page was not read */
  struct csd_list_ahead ahead;

  /* The block: the first one with a doc at or after the last seek's target. */
  bool unread;            /* see csd_list_cursor_approach */
  uint32_t block_base;    /* its docs are greater; CSD_NO_DOC: from 0 on */
  uint32_t block_end;     /* its last doc + 1; 0 before the first seek, CSD_CURSOR_END at the end */
  uint64_t block_impacts; /* 0: unknown */
  uint32_t count;         /* postings */
  const uint8_t *bitmap;  /* its docs as bits, of which bit 0 is doc block_base + 1; else NULL */
  bool counted;           /* in `work` */
  bool docs_ready;
  bool freqs_ready;
  bool norms_ready;
  uint32_t docs[CSD_DOCS_ROOM]; /* 0xFFFFFFFF from count up to CSD_BLOCK_POSTINGS */
  uint32_t freqs[CSD_BLOCK_POSTINGS];
  uint8_t norms[CSD_BLOCK_POSTINGS];
};

/**
 * Sets a cursor up before its list's first block; reads nothing.
 *
 * @param ref      checked list reference; not kept
 * @param extents  the file's extents, ref->extent_count of them; kept
 */
void csd_list_cursor_open(struct csd_list_cursor *cursor, const struct csd_list_ref *ref,
                          const struct csd_extent *extents, uint32_t max_doc,
                          const struct csd_page_source *source, const struct csd_kernels *kernels,
                          struct csd_work *work);

/** Puts the cursor back before its list's first block. */
void csd_list_cursor_rewind(struct csd_list_cursor *cursor);

/** Unpins the page that the cursor holds, if any. */
void csd_list_cursor_close(struct csd_list_cursor *cursor);

/** The part of csd_list_cursor_seek that leaves the block. */
int csd_list_cursor_seek_on(struct csd_list_cursor *cursor, uint32_t target);

/**
 * Makes the first block that ends at or after `target` the current one; never goes back. Decodes
 * nothing. Afterwards block_end > target, which CSD_CURSOR_END is for every doc ID.
 *
 * @return 0, or a negated status: those of a pin, LIST_CORRUPT
 */
static inline int csd_list_cursor_seek(struct csd_list_cursor *cursor, uint32_t target) {
  return target < cursor->block_end && !cursor->unread ? 0
                                                       : csd_list_cursor_seek_on(cursor, target);
}

/** The part of csd_list_cursor_approach that leaves the block. */
int csd_list_cursor_approach_on(struct csd_list_cursor *cursor, uint32_t target);

/**
 * As csd_list_cursor_seek, but reads no page of which the page index tells: the block then stands
 * for all docs that the list has in that page, from its first one or `target` on, and is `unread`.
 * Its start, end and impacts are bounds like those of a block. A seek to any doc from `target` on
 * reads the page.
 */
static inline int csd_list_cursor_approach(struct csd_list_cursor *cursor, uint32_t target) {
  return target < cursor->block_end ? 0 : csd_list_cursor_approach_on(cursor, target);
}

/** Lower bound of the docs of the current block. */
static inline uint32_t csd_list_cursor_block_start(const struct csd_list_cursor *cursor) {
  return cursor->docs_ready ? cursor->docs[0] : cursor->block_base + 1u;
}

/** Words of the current block's bitmap. */
static inline uint32_t csd_list_cursor_bitmap_words(const struct csd_list_cursor *cursor) {
  return (cursor->block_end - cursor->block_base + 62u) / 64u;
}

/** Counts, once, that the current block's docs have been read, as docs or as bits. */
static inline void csd_list_cursor_count_block(struct csd_list_cursor *cursor) {
  if (!cursor->counted) {
    cursor->counted = true;
    cursor->work->blocks_decoded++;
    cursor->work->postings_decoded += cursor->count;
    /* Most of the work for a bitmap is to get there. */
    cursor->work->units +=
        cursor->bitmap != NULL ? 16u + csd_list_cursor_bitmap_words(cursor) : cursor->count;
  }
}

/** Decodes the current block's docs into docs[0 .. count); 0 or -LIST_CORRUPT. */
int csd_list_cursor_load_docs(struct csd_list_cursor *cursor);

/* ---- list_runs.c: runs over the full blocks of a page, behind the current one ---- */

/**
 * Sets the bits of the docs of the blocks behind the current one that end before `end`, up to the
 * end of the page. The caller is done with the current block. It may stop earlier, and does at a
 * block that is not right: the seek that enters that block finds the error.
 *
 * @param base  doc of bit 0; block_end is not below it
 * @param bits  as many words as there are from `base` to `end`, and two more
 */
void csd_list_cursor_add_bits(struct csd_list_cursor *cursor, uint32_t end, uint32_t base,
                              uint64_t *bits);

/**
 * As csd_list_cursor_add_bits, but lists the docs.
 *
 * @param docs  receives whole blocks, up to `room` docs; has CSD_LIST_BITS_SLACK more
 * @return how many docs they are
 */
uint32_t csd_list_cursor_add_docs(struct csd_list_cursor *cursor, uint32_t end, uint32_t *docs,
                                  uint32_t room);

/**
 * Finds which of `n` docs are in the blocks behind the current one, up to the end of the page. All
 * of them are greater than the docs of the current block. It may stop earlier, as
 * csd_list_cursor_add_bits. Afterwards the current block is the one where the last of these docs
 * would be.
 *
 * @param map    CSD_INTERSECT_MAP_BYTES of scratch
 * @param index  receives the hits' indices in `docs`; room for hits + CSD_INTERSECT_ROOM
 * @param hits   set to how many they are
 * @return how many of the docs it looked for
 */
uint32_t csd_list_cursor_match(struct csd_list_cursor *cursor, const uint32_t *docs, uint32_t n,
                               uint8_t *map, uint16_t *index, uint32_t *hits);

/** How many of `n` ascending docs are below `end`; the first one is. */
uint32_t csd_list_docs_below(const uint32_t *docs, uint32_t n, uint32_t end);

/** Decodes the current block's frequencies; 0 or -LIST_CORRUPT. */
int csd_list_cursor_load_freqs(struct csd_list_cursor *cursor);

/** Decodes the current block's norms; 0 or -LIST_CORRUPT. */
int csd_list_cursor_load_norms(struct csd_list_cursor *cursor);

/**
 * Gathers frequencies and norms of some postings of the current block.
 *
 * @param position  indices in the block, each below its count
 * @param n         how many, at most CSD_BLOCK_POSTINGS
 * @return 0 or -LIST_CORRUPT
 */
int csd_list_cursor_gather(struct csd_list_cursor *cursor, const uint8_t *position, unsigned n,
                           uint32_t *freqs, uint8_t *norms);

/**
 * Gathers frequencies and ranks of some postings of the current block: a rank is the sum of the
 * frequencies before, modulo 2^32.
 *
 * @param position  indices in the block, ascending, each below its count
 * @param n         how many
 * @return 0 or -LIST_CORRUPT
 */
int csd_list_cursor_ranks(struct csd_list_cursor *cursor, const uint8_t *position, unsigned n,
                          uint32_t *freqs, uint32_t *ranks);

/** Blocks of a list as the directory of their page describes them; valid until the next seek. */
struct csd_block_heads {
  const uint8_t *last_docs; /* u32 each, on any byte */
  const uint8_t *impacts;   /* u64 each, on any byte */
  uint32_t count;
};

/**
 * The blocks from the current one to the page's last one of the list.
 *
 * @return false if there is no directory of them, as the list is one block or the cursor at its end
 */
bool csd_list_cursor_heads(const struct csd_list_cursor *cursor, struct csd_block_heads *heads);

/**
 * Gives impacts that bound every posting with a doc in [block_base + 1, to): those of a few blocks,
 * of the page or of the list, whichever is the smallest that covers the range.
 *
 * @param words  receives up to CSD_RANGE_IMPACTS words; the bound is the greatest of theirs
 * @return how many; 0: no posting is in the range
 */
#define CSD_RANGE_IMPACTS 4u
unsigned csd_list_cursor_range_impacts(const struct csd_list_cursor *cursor, uint32_t to,
                                       uint64_t *words);

#endif
