/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/*
 * Runs over posting blocks in the middle of a list, one after the other, with as few checks for
 * each as possible. A run ends at a block that is not right. The seek that enters that block then
 * finds the error.
 */
#include <string.h>

#include "core/kernels/bits.h"
#include "core/lists/list_block.h"

/* A full block within its list, with its docs in the page. */
struct posting_block {
  uint32_t before; /* last doc of the block before */
  uint32_t last;
  const uint8_t *docs;
  unsigned width; /* of a delta, if it is no bitmap */
  uint32_t words; /* of the bitmap; 0: it is none */
};

/* The slot where runs end. They leave out the list's last block, whose flags and count differ. */
static inline uint32_t end_of(const struct csd_list_cursor *cursor) {
  return cursor->next_page == cursor->run.page_count ? cursor->end_slot - 1u : cursor->end_slot;
}

/* Describes the block at `slot`; false if it is none for a run. */
static inline bool describe(const struct csd_list_cursor *cursor, uint32_t slot, uint32_t before,
                            struct posting_block *block) {
  const uint8_t *entry = cursor->page + CSD_LAST_DOCS_AT + 4u * cursor->block_count +
                         sizeof(struct csd_block_entry) * slot;
  const unsigned flags = entry[offsetof(struct csd_block_entry, flags)];
  const uint32_t offset = csd_load_u16(entry + offsetof(struct csd_block_entry, offset));
  block->before = before;
  block->last = csd_last_doc_of(cursor, slot);
  block->docs = cursor->page + offset;
  block->width = entry[offsetof(struct csd_block_entry, doc_bits)];
  block->words = 0;
  uint32_t bytes = block->width * CSD_BLOCK_POSTINGS / 8u;
  if ((flags & CSD_BLOCK_FLAG_DOC_BITMAP) != 0) {
    block->words = (block->last - before + 63u) / 64u;
    bytes = 8u * block->words;
  }
  /* Docs of wider deltas may wrap round, which needs more checks. */
  return (flags & CSD_WHOLE_LIST) == 0 && block->last > before &&
         entry[offsetof(struct csd_block_entry, count)] == CSD_BLOCK_POSTINGS &&
         block->width <= CSD_SURE_DOC_BITS && block->words <= CSD_MAX_BITMAP_BYTES / 8u &&
         offset + bytes <= CSD_PAGE_BYTES;
}

/* Unpacks the docs of a block that is no bitmap; false if they are not right. */
static inline bool unpack(const struct csd_list_cursor *cursor, const struct posting_block *block,
                          uint32_t *docs) {
  cursor->kernels->unpack_docs(block->docs, block->width, CSD_BLOCK_POSTINGS, block->before, docs);
  return docs[CSD_BLOCK_POSTINGS - 1u] == block->last;
}

/* Lists the docs of a bitmap; false if they are not right. */
static bool list_bitmap(const struct csd_list_cursor *cursor, const struct posting_block *block,
                        uint32_t *docs) {
  uint64_t bits[CSD_MAX_BITMAP_BYTES / 8];
  memcpy(bits, block->docs, 8u * block->words); /* aligned */
  return cursor->kernels->count_bits(bits, block->words) == CSD_BLOCK_POSTINGS &&
         cursor->kernels->list_bits(bits, block->words, block->before + 1u, docs) ==
             CSD_BLOCK_POSTINGS &&
         docs[CSD_BLOCK_POSTINGS - 1u] == block->last;
}

/* Counts `blocks` blocks as decoded. */
static void count_blocks(struct csd_list_cursor *cursor, uint32_t blocks) {
  struct csd_work *work = cursor->work;
  work->blocks_entered += blocks;
  work->blocks_decoded += blocks;
  work->postings_decoded += (uint64_t)blocks * CSD_BLOCK_POSTINGS;
}

static inline uint32_t units_of(const struct posting_block *block) {
  return 1u + (block->words > 0 ? 16u + block->words : CSD_BLOCK_POSTINGS);
}

/* Makes the block at `slot` the current one, with nothing decoded: the caller is done with it. */
static void leave(struct csd_list_cursor *cursor, uint32_t slot, uint32_t last) {
  cursor->slot = slot;
  cursor->block_end = last + 1u;
  cursor->block_base = last;
  cursor->bitmap = NULL;
  cursor->counted = true;
  cursor->freqs_ready = false;
  cursor->norms_ready = false;
}

void csd_list_cursor_add_bits(struct csd_list_cursor *cursor, uint32_t end, uint32_t base,
                              uint64_t *bits) {
  if (cursor->page == NULL) {
    return;
  }
  const struct csd_kernels *kernels = cursor->kernels;
  cursor->docs_ready = false; /* the array is used for the blocks to come */
  const uint32_t end_slot = end_of(cursor);
  const uint32_t first = cursor->slot + 1u;
  uint32_t before = cursor->block_end - 1u;
  uint32_t slot = first;
  uint32_t units = 0;
  struct posting_block block;
  for (; slot < end_slot && csd_last_doc_of(cursor, slot) < end; slot++) {
    if (!describe(cursor, slot, before, &block)) {
      break;
    }
    if (block.words > 0) {
      kernels->or_bitmap(bits, before + 1u - base, block.docs, block.words);
    } else if (unpack(cursor, &block, cursor->docs)) {
      kernels->set_bits(bits, base, cursor->docs, CSD_BLOCK_POSTINGS);
    } else {
      break;
    }
    units += units_of(&block);
    before = block.last;
  }
  if (slot > first) {
    cursor->work->units += units;
    count_blocks(cursor, slot - first);
    leave(cursor, slot - 1u, before);
  }
}

uint32_t csd_list_cursor_add_docs(struct csd_list_cursor *cursor, uint32_t end, uint32_t *docs,
                                  uint32_t room) {
  if (cursor->page == NULL) {
    return 0;
  }
  const uint32_t end_slot = end_of(cursor);
  const uint32_t first = cursor->slot + 1u;
  uint32_t before = cursor->block_end - 1u;
  uint32_t slot = first;
  uint32_t n = 0;
  uint32_t units = 0;
  struct posting_block block;
  for (; slot < end_slot && csd_last_doc_of(cursor, slot) < end && n + CSD_BLOCK_POSTINGS <= room;
       slot++) {
    if (!describe(cursor, slot, before, &block) ||
        !(block.words > 0 ? list_bitmap(cursor, &block, docs + n)
                          : unpack(cursor, &block, docs + n))) {
      break;
    }
    n += CSD_BLOCK_POSTINGS;
    units += units_of(&block);
    before = block.last;
  }
  if (slot > first) {
    cursor->docs_ready = false;
    cursor->work->units += units;
    count_blocks(cursor, slot - first);
    leave(cursor, slot - 1u, before);
  }
  return n;
}

uint32_t csd_list_docs_below(const uint32_t *docs, uint32_t n, uint32_t end) {
  if (docs[n - 1] < end) {
    return n;
  }
  uint32_t low = 0; /* below */
  uint32_t step = 1;
  while (low + step < n && docs[low + step] < end) {
    low += step;
    step *= 2;
  }
  uint32_t high = low + step < n ? low + step : n - 1; /* not below */
  while (high - low > 1) {
    const uint32_t middle = low + (high - low) / 2;
    if (docs[middle] < end) {
      low = middle;
    } else {
      high = middle;
    }
  }
  return high;
}

/* Makes the block at `slot` the current one; its docs are in the array unless it is a bitmap. */
static void stay(struct csd_list_cursor *cursor, uint32_t slot, const struct posting_block *block) {
  leave(cursor, slot, block->last);
  cursor->block_base = block->before;
  cursor->block_impacts = csd_impacts_of(cursor, slot);
  cursor->bitmap = block->words > 0 ? block->docs : NULL;
  cursor->docs_ready = block->words == 0;
  cursor->count = CSD_BLOCK_POSTINGS;
}

uint32_t csd_list_cursor_match(struct csd_list_cursor *cursor, const uint32_t *docs, uint32_t n,
                               uint8_t *map, uint16_t *index, uint32_t *hits) {
  *hits = 0;
  const uint32_t end = cursor->page != NULL ? end_of(cursor) : 0;
  if (end == 0 || cursor->slot + 1u >= end) {
    return 0;
  }
  const uint32_t end_doc = csd_last_doc_of(cursor, end - 1u);
  const struct csd_kernels *kernels = cursor->kernels;
  uint8_t positions[CSD_BLOCK_POSTINGS + CSD_INTERSECT_ROOM];
  uint32_t slot = cursor->slot;
  uint32_t blocks = 0;
  uint32_t stepped = 0;
  uint32_t units = 0;
  uint32_t found = 0;
  uint32_t i = 0;
  struct posting_block block;
  struct posting_block done;
  while (i < n && docs[i] <= end_doc) {
    const uint32_t next = csd_find_slot(cursor, slot + 1u, end, docs[i]);
    if (!describe(cursor, next, csd_last_doc_of(cursor, next - 1u), &block)) {
      break;
    }
    const uint32_t part = csd_list_docs_below(docs + i, n - i, block.last + 1u);
    unsigned m;
    if (block.words > 0) {
      m = kernels->intersect_bitmap(docs + i, part, block.docs, block.words, block.before + 1u,
                                    index + found, NULL);
    } else {
      cursor->docs_ready = false;
      if (!unpack(cursor, &block, cursor->docs)) {
        break;
      }
      m = kernels->intersect(docs + i, part, cursor->docs, CSD_BLOCK_POSTINGS, map, index + found,
                             positions);
    }
    for (unsigned j = 0; j < m; j++) {
      index[found + j] = (uint16_t)(index[found + j] + i);
    }
    stepped += next - slot - 1u;
    slot = next;
    done = block;
    found += m;
    i += part;
    units += units_of(&block) + part;
    blocks++;
  }
  if (blocks > 0) {
    cursor->work->units += units;
    cursor->work->blocks_stepped += stepped;
    count_blocks(cursor, blocks);
    stay(cursor, slot, &done);
  }
  *hits = found;
  return i;
}
