/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
#include "core/lists/list_cursor.h"

#include "core/kernels/bits.h"
#include "core/lists/list_block.h"
#include "core/lists/list_pages.h"

#define CACHE_LINE 64u

/* Number of a list's blocks in a page from which on their columns are prefetched together. */
#define PREFETCH_FROM 3u

static const uint32_t NO_SLOT = UINT32_MAX;

void csd_list_cursor_open(struct csd_list_cursor *cursor, const struct csd_list_ref *ref,
                          const struct csd_extent *extents, uint32_t max_doc,
                          const struct csd_page_source *source, const struct csd_kernels *kernels,
                          struct csd_work *work) {
  csd_page_run_open(&cursor->run, ref, extents, source, work, CSD_PAGE_MAGIC);
  cursor->kernels = kernels;
  cursor->work = work;
  cursor->list_impacts = ref->impacts;
  cursor->posting_count = ref->posting_count;
  cursor->block_total = (ref->posting_count - 1u) / CSD_BLOCK_POSTINGS + 1u;
  cursor->max_doc = max_doc;
  cursor->page = NULL;
  if (ref->kind == CSD_LIST_KIND_INLINE) {
    /* Its one block is decoded for good. */
    const uint32_t freq = ref->inline_freq;
    const uint32_t freq_byte = freq < CSD_IMPACT_FREQ_UNBOUNDED ? freq : CSD_IMPACT_FREQ_UNBOUNDED;
    cursor->run.page_count = 0;
    cursor->list_impacts = freq_byte | (uint32_t)ref->inline_norm << 8;
    memset(cursor->docs, 0xFF, sizeof cursor->docs);
    cursor->docs[0] = ref->inline_doc;
    cursor->freqs[0] = freq;
    cursor->norms[0] = ref->inline_norm;
  }
  csd_page_run_ask(&cursor->run);
  csd_list_cursor_rewind(cursor);
}

void csd_list_cursor_close(struct csd_list_cursor *cursor) {
  if (cursor->page != NULL) {
    cursor->run.source->unpin(cursor->run.source->context, cursor->page);
    cursor->page = NULL;
  }
}

void csd_list_cursor_rewind(struct csd_list_cursor *cursor) {
  csd_list_cursor_close(cursor);
  cursor->next_page = 0;
  cursor->blocks_before = 0;
  cursor->end_slot = 0;
  cursor->slot = NO_SLOT;
  cursor->chain_doc = CSD_NO_DOC;
  cursor->ahead.end = 0;
  cursor->unread = false;
  cursor->block_base = CSD_NO_DOC;
  cursor->block_end = 0;
  cursor->block_impacts = cursor->list_impacts;
  cursor->page_impacts = cursor->list_impacts;
  cursor->count = 1;
  cursor->bitmap = NULL;
  const bool ready = cursor->run.page_count == 0;
  cursor->counted = ready; /* a posting that came with the plan is not decoded */
  cursor->docs_ready = ready;
  cursor->freqs_ready = ready;
  cursor->norms_ready = ready;
}

static int at_end(struct csd_list_cursor *cursor) {
  csd_list_cursor_close(cursor);
  cursor->unread = false;
  cursor->block_end = CSD_CURSOR_END;
  cursor->block_base = CSD_CURSOR_END - 1u; /* starts nowhere */
  cursor->bitmap = NULL;
  cursor->docs_ready = false;
  return 0;
}

/* Where the impacts of the list's blocks in the page begin: behind those of the blocks before. A
   list of one block has none. */
static uint32_t find_impacts(const struct csd_list_cursor *cursor, uint32_t start) {
  uint32_t at = (uint32_t)CSD_LAST_DOCS_AT + 4u * cursor->block_count;
  const uint8_t *flags = cursor->page + at + offsetof(struct csd_block_entry, flags);
  at += (uint32_t)sizeof(struct csd_block_entry) * cursor->block_count;
  for (uint32_t slot = 0; slot < start; slot++, flags += sizeof(struct csd_block_entry)) {
    at += (*flags & CSD_WHOLE_LIST) == CSD_WHOLE_LIST ? 0u : 8u;
  }
  return at;
}

/* Impacts of the current block, which is its whole list: what its columns cannot exceed. */
static uint64_t impacts_of_widths(const struct csd_list_cursor *cursor) {
  const uint32_t bits = CSD_ENTRY_U8(cursor, freq_bits);
  const uint64_t freq = bits < 8 ? 1u << bits : CSD_IMPACT_FREQ_UNBOUNDED;
  return freq | (uint64_t)CSD_ENTRY_U8(cursor, norm_base) << 8;
}

/* ---- pages ---- */

/* Called before page `page` is entered: remembers what it must continue. */
static void note_passed(struct csd_list_cursor *cursor, uint32_t page) {
  if (page != cursor->next_page) {
    cursor->chain_doc = CSD_NO_DOC;
    cursor->blocks_before = UINT32_MAX;
  } else if (cursor->page != NULL) {
    cursor->chain_doc = cursor->page_last;
    if (cursor->blocks_before != UINT32_MAX) {
      const uint32_t start = cursor->next_page == 1 ? cursor->run.first_slot : 0;
      cursor->blocks_before += cursor->end_slot - start;
    }
  }
}

/* Whether `blocks` more blocks fit the length of the list; true if pages were skipped. */
static bool length_fits(const struct csd_list_cursor *cursor, uint32_t blocks, bool last_page) {
  if (cursor->blocks_before == UINT32_MAX) {
    return true;
  }
  const uint32_t sum = cursor->blocks_before + blocks;
  return last_page ? sum == cursor->block_total : sum < cursor->block_total;
}

/*
 * Prefetches the columns of the list's blocks in the page, all at once. Always inline: gcc takes it
 * for a function without effect and drops the call.
 */
static inline __attribute__((always_inline)) void prefetch_columns(
    const struct csd_list_cursor *cursor) {
  const uint8_t *entries = cursor->page + CSD_LAST_DOCS_AT + 4u * cursor->block_count +
                           offsetof(struct csd_block_entry, offset);
  const uint32_t last = cursor->end_slot - 1u;
  const uint32_t from = csd_load_u16(entries + sizeof(struct csd_block_entry) * cursor->start_slot);
  const uint32_t to = csd_load_u16(entries + sizeof(struct csd_block_entry) * last) + CACHE_LINE;
  for (uint32_t at = from; at < to && at < CSD_PAGE_BYTES; at += CACHE_LINE) {
    __builtin_prefetch(cursor->page + at);
  }
}

/* Pins page `page` and finds which of its blocks are this list's. */
static int turn_to(struct csd_list_cursor *cursor, uint32_t page) {
  const bool expected = cursor->page != NULL && page == cursor->next_page;
  note_passed(cursor, page);
  csd_list_cursor_close(cursor);
  const uint8_t *bytes;
  const int status = csd_page_run_pin(&cursor->run, page, &bytes);
  if (status < 0) {
    return status;
  }
  cursor->page = bytes;
  cursor->next_page = page + 1u;
  cursor->work->units += 8;
  const uint32_t blocks = csd_load_u16(bytes + offsetof(struct csd_page_header, block_count));
  const uint32_t lead = csd_load_u16(bytes + offsetof(struct csd_page_header, lead_blocks));
  const uint32_t start = page == 0 ? cursor->run.first_slot : 0;
  const bool last_page = page == cursor->run.page_count - 1u;
  uint32_t end = blocks;
  if (cursor->run.page_count == 1) {
    end = start + cursor->block_total;
  } else if (last_page) {
    end = lead;
  } else if (start == 0 && lead != blocks) {
    return -CSD_STATUS_LIST_CORRUPT; /* another list follows, though this one goes on */
  }
  if (blocks > CSD_MAX_BLOCKS_PER_PAGE || end > blocks || start >= end ||
      !length_fits(cursor, end - start, last_page)) {
    return -CSD_STATUS_LIST_CORRUPT;
  }
  cursor->block_count = blocks;
  cursor->end_slot = end;
  cursor->slot = start - 1u; /* before the first; wraps round to NO_SLOT */
  cursor->start_slot = start;
  cursor->impacts_at = cursor->block_total > 1 ? find_impacts(cursor, start) : 0;
  cursor->page_last = csd_last_doc_of(cursor, end - 1u);
  if (!expected && end - start >= PREFETCH_FROM) {
    prefetch_columns(cursor); /* else they came with the page before */
  }
  csd_page_run_prefetch(&cursor->run, page + 1u, true);
  /* The header's impacts are those of the blocks that lead the page: are these the list's? */
  cursor->page_impacts = start == 0 && lead == end
                             ? csd_load_u64(bytes + offsetof(struct csd_page_header, lead_impacts))
                             : cursor->list_impacts;
  return 0;
}

/* ---- blocks ---- */

/* Checks that the block at `slot` continues the list, as far as the cursor knows it. */
static int check_block(const struct csd_list_cursor *cursor, uint32_t target) {
  const uint32_t start = cursor->next_page == 1 ? cursor->run.first_slot : 0;
  const bool first = cursor->next_page == 1 && cursor->slot == start;
  const bool last =
      cursor->next_page == cursor->run.page_count && cursor->slot == cursor->end_slot - 1u;
  const uint32_t full = CSD_BLOCK_POSTINGS;
  const uint32_t count = last ? (cursor->posting_count - 1u) % full + 1u : full;
  const unsigned flags =
      (first ? CSD_BLOCK_FLAG_FIRST_OF_LIST : 0u) | (last ? CSD_BLOCK_FLAG_LAST_OF_LIST : 0u);
  const uint32_t base = cursor->block_base;
  const unsigned place = CSD_ENTRY_U8(cursor, flags) & CSD_WHOLE_LIST;
  if (place != flags || cursor->count != count ||
      csd_last_doc_of(cursor, cursor->slot) >= cursor->max_doc) {
    return -CSD_STATUS_LIST_CORRUPT;
  }
  if (first) {
    return 0;
  }
  /* Without the block before, the cursor knows only that its docs are below the target. */
  const uint32_t before =
      cursor->slot > start ? csd_last_doc_of(cursor, cursor->slot - 1u) : cursor->chain_doc;
  const bool follows = before != CSD_NO_DOC ? base == before : base < target;
  return follows && base < csd_last_doc_of(cursor, cursor->slot) ? 0 : -CSD_STATUS_LIST_CORRUPT;
}

/* Last doc of the block before the current one in its list, CSD_NO_DOC if it is the first. */
static uint32_t base_of(const struct csd_list_cursor *cursor) {
  if (CSD_ENTRY_U8(cursor, flags) & CSD_BLOCK_FLAG_FIRST_OF_LIST) {
    return CSD_NO_DOC;
  }
  return cursor->slot > 0
             ? csd_last_doc_of(cursor, cursor->slot - 1u)
             : csd_load_u32(cursor->page + offsetof(struct csd_page_header, lead_base_doc));
}

/* The current block's bitmap, not checked yet; NULL if its docs are packed. */
static const uint8_t *bitmap_of(const struct csd_list_cursor *cursor) {
  if ((CSD_ENTRY_U8(cursor, flags) & CSD_BLOCK_FLAG_DOC_BITMAP) == 0) {
    return NULL;
  }
  return cursor->page + CSD_ENTRY_U16(cursor, offset);
}

/* Whether the current block's bitmap, if it has one, is of a right size and inside the page. */
static bool bitmap_fits(const struct csd_list_cursor *cursor) {
  if (cursor->bitmap == NULL) {
    return true;
  }
  const uint32_t bytes = 8u * csd_list_cursor_bitmap_words(cursor);
  return bytes <= CSD_MAX_BITMAP_BYTES && CSD_ENTRY_U16(cursor, offset) + bytes <= CSD_PAGE_BYTES;
}

/* Makes `slot` of the pinned page the current block. */
static int enter_block(struct csd_list_cursor *cursor, uint32_t slot, uint32_t target) {
  cursor->work->units++;
  cursor->work->blocks_entered++;
  cursor->slot = slot;
  cursor->unread = false;
  cursor->block_base = base_of(cursor);
  cursor->block_end = csd_last_doc_of(cursor, slot) + 1u;
  cursor->block_impacts =
      cursor->impacts_at != 0 ? csd_impacts_of(cursor, slot) : impacts_of_widths(cursor);
  cursor->count = CSD_ENTRY_U8(cursor, count);
  cursor->counted = false;
  cursor->docs_ready = false;
  cursor->freqs_ready = false;
  cursor->norms_ready = false;
  cursor->bitmap = bitmap_of(cursor);
  const int status = check_block(cursor, target);
  return status == 0 && !bitmap_fits(cursor) ? -CSD_STATUS_LIST_CORRUPT : status;
}

int csd_list_cursor_seek_on(struct csd_list_cursor *cursor, uint32_t target) {
  if (cursor->run.page_count == 0) { /* INLINE */
    if (cursor->block_end != 0 || cursor->docs[0] < target) {
      return at_end(cursor);
    }
    cursor->block_end = cursor->docs[0] + 1u;
    return 0;
  }
  while (cursor->page == NULL || target > cursor->page_last) {
    if (cursor->next_page == cursor->run.page_count) {
      return at_end(cursor);
    }
    uint32_t page;
    int status = csd_list_page_find(cursor, target, &page);
    if (status < 0) {
      return status;
    }
    if (page == cursor->run.page_count) {
      return at_end(cursor);
    }
    status = turn_to(cursor, page);
    if (status < 0) {
      return status;
    }
  }
  const uint32_t next = cursor->slot + 1u;
  const uint32_t slot = csd_find_slot(cursor, next, cursor->end_slot, target);
  cursor->work->blocks_stepped += slot - next;
  return enter_block(cursor, slot, target);
}

int csd_list_cursor_approach_on(struct csd_list_cursor *cursor, uint32_t target) {
  if (cursor->run.page_count == 0 || (cursor->page != NULL && target <= cursor->page_last) ||
      !csd_list_page_look_ahead(cursor, target)) {
    return csd_list_cursor_seek_on(cursor, target);
  }
  const struct csd_list_ahead *ahead = &cursor->ahead;
  if (ahead->page == cursor->run.page_count) {
    return at_end(cursor);
  }
  cursor->unread = true;
  cursor->block_base = (target > ahead->start ? target : ahead->start) - 1u;
  cursor->block_end = ahead->end;
  cursor->block_impacts = ahead->impacts;
  cursor->docs_ready = false;
  return 0;
}

/* ---- impacts ---- */

bool csd_list_cursor_heads(const struct csd_list_cursor *cursor, struct csd_block_heads *heads) {
  if (cursor->page == NULL || cursor->impacts_at == 0 || cursor->slot == NO_SLOT) {
    return false;
  }
  heads->last_docs = cursor->page + CSD_LAST_DOCS_AT + 4u * cursor->slot;
  heads->impacts = cursor->page + cursor->impacts_at + 8u * (cursor->slot - cursor->start_slot);
  heads->count = cursor->end_slot - cursor->slot;
  return true;
}

unsigned csd_list_cursor_range_impacts(const struct csd_list_cursor *cursor, uint32_t to,
                                       uint64_t *words) {
  if (cursor->block_end == CSD_CURSOR_END || csd_list_cursor_block_start(cursor) >= to) {
    return 0;
  }
  words[0] = cursor->block_impacts;
  if (to <= cursor->block_end || cursor->run.page_count == 0) {
    return 1;
  }
  if (cursor->unread) {
    words[0] = cursor->list_impacts;
    return 1;
  }
  /* A few blocks of the page by their own impacts, then coarser. */
  for (unsigned n = 1; n < CSD_RANGE_IMPACTS && cursor->slot + n < cursor->end_slot; n++) {
    words[n] = csd_impacts_of(cursor, cursor->slot + n);
    if (to <= csd_last_doc_of(cursor, cursor->slot + n) + 1u) {
      return n + 1u;
    }
  }
  const bool in_page = to <= cursor->page_last + 1u || cursor->next_page == cursor->run.page_count;
  words[0] = in_page ? cursor->page_impacts : cursor->list_impacts;
  return 1;
}
