/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/* Tests: tests/core/eval/test_eval_term_set.c. */
#include "core/lists/list_series.h"

#include <stddef.h>

#include "core/kernels/bits.h"
#include "core/lists/extents.h"
#include "core/lists/list_block.h"

/* Postings of a block up to which they are unpacked one by one, straight into the bits. */
#define FEW_POSTINGS 24u

/* A block as its page describes it. */
struct series_block {
  uint32_t before; /* last doc of the block before; NO_DOC in a list's first */
  uint32_t last;
  uint32_t count;
  unsigned width;
  bool is_bitmap;
  const uint8_t *docs;
};

void csd_series_reader_open(struct csd_series_reader *reader, const struct csd_extent *extents,
                            uint32_t max_doc, const struct csd_page_source *source,
                            const struct csd_kernels *kernels, struct csd_work *work) {
  reader->source = source;
  reader->extents = extents;
  reader->kernels = kernels;
  reader->work = work;
  reader->max_doc = max_doc;
  reader->page = NULL;
}

void csd_series_reader_close(struct csd_series_reader *reader) {
  if (reader->page != NULL) {
    reader->source->unpin(reader->source->context, reader->page);
    reader->page = NULL;
  }
}

/* Pins page `page` of a series, unless it is pinned. */
static int turn_to(struct csd_series_reader *reader, const struct csd_list_series *series,
                   uint32_t page, uint32_t *extent) {
  const struct csd_page_source *source = reader->source;
  const struct csd_extent *extents = reader->extents + series->first_extent;
  const uint32_t file_page = series->first_page + page;
  const uint64_t lba = csd_extent_lba(extents, series->extent_count, extent, file_page);
  if (reader->page != NULL && reader->lba == lba && reader->file_page == file_page &&
      reader->stamp == series->stamp) {
    return 0;
  }
  csd_series_reader_close(reader);
  reader->work->pages_read++;
  const int status = source->pin(source->context, lba, series->stamp, file_page, &reader->page);
  if (status < 0) {
    reader->page = NULL;
    return status;
  }
  reader->lba = lba;
  reader->file_page = file_page;
  reader->stamp = series->stamp;
  if (page + 1u < series->page_count && source->prefetch_whole != NULL) {
    source->prefetch_whole(source->context,
                           csd_extent_lba(extents, series->extent_count, extent, file_page + 1u));
  }
  return csd_load_u32(reader->page) == CSD_PAGE_MAGIC ? 0 : -CSD_STATUS_LIST_CORRUPT;
}

/* Whether the block's docs are below max_doc, and its bitmap, if it is one, inside the page. */
static bool is_sound(const struct csd_series_reader *reader, const struct series_block *block) {
  const uint32_t bytes = (block->last - block->before + 63u) / 64u * 8u;
  return block->last < reader->max_doc &&
         (block->before == CSD_NO_DOC || block->before < block->last) &&
         (!block->is_bitmap || (bytes <= CSD_MAX_BITMAP_BYTES &&
                                (size_t)(block->docs - reader->page) + bytes <= CSD_PAGE_BYTES));
}

/* Unpacks docs one by one, and sets the bits of those in the window. */
static bool add_each(const struct series_block *block, const struct csd_doc_window *window) {
  const uint32_t span = window->end - window->base;
  uint32_t doc = block->before;
  for (uint32_t i = 0; i < block->count; i++) {
    doc += csd_load_packed(block->docs, block->width, i) + 1u;
    if (doc > block->last) {
      return false;
    }
    const uint32_t at = doc - window->base;
    if (at < span) {
      window->bits[at / 64u] |= UINT64_C(1) << (at & 63u);
    }
  }
  return true;
}

/* Sets the bits of a bitmap's docs that are in the window. */
static void add_part_of_bitmap(const struct series_block *block,
                               const struct csd_doc_window *window) {
  const uint32_t span = window->end - window->base;
  const uint32_t words = (block->last - block->before + 63u) / 64u;
  for (uint32_t w = 0; w < words; w++) {
    for (uint64_t left = csd_load_u64(block->docs + 8u * w); left != 0; left &= left - 1u) {
      const uint32_t at =
          block->before + 1u + 64u * w + (uint32_t)__builtin_ctzll(left) - window->base;
      if (at < span) {
        window->bits[at / 64u] |= UINT64_C(1) << (at & 63u);
      }
    }
  }
}

/* Sets the bits of a block's docs in the window; false if the block is not right. */
static bool add_block(struct csd_series_reader *reader, const struct series_block *block,
                      const struct csd_doc_window *window) {
  const struct csd_kernels *kernels = reader->kernels;
  const bool inside = block->before + 1u >= window->base && block->last < window->end;
  if (!is_sound(reader, block)) {
    return false;
  }
  if (block->is_bitmap && inside) {
    const uint32_t words = (block->last - block->before + 63u) / 64u;
    kernels->or_bitmap(window->bits, block->before + 1u - window->base, block->docs, words);
    return true;
  }
  if (block->is_bitmap) {
    add_part_of_bitmap(block, window);
    return true;
  }
  if (block->count <= FEW_POSTINGS || !inside || block->width > CSD_SURE_DOC_BITS) {
    return add_each(block, window);
  }
  kernels->unpack_docs(block->docs, block->width, block->count, block->before, reader->docs);
  if (reader->docs[block->count - 1u] != block->last) {
    return false;
  }
  kernels->set_bits(window->bits, window->base, reader->docs, block->count);
  return true;
}

/* Adds the blocks [slot, end) of the pinned page, and counts the lists that end there. */
static bool add_blocks(struct csd_series_reader *reader, struct csd_list_series *series,
                       uint32_t slot, uint32_t end, const struct csd_doc_window *window,
                       uint32_t *lists) {
  const uint8_t *page = reader->page;
  const uint8_t *last_docs = page + CSD_LAST_DOCS_AT;
  const uint32_t blocks = csd_load_u16(page + offsetof(struct csd_page_header, block_count));
  const uint8_t *entry = last_docs + 4u * blocks + sizeof(struct csd_block_entry) * slot;
  uint32_t last = slot > 0 ? csd_load_u32(last_docs + 4u * (slot - 1u))
                           : csd_load_u32(page + offsetof(struct csd_page_header, lead_base_doc));
  uint64_t postings = 0;
  uint32_t decoded = 0;
  for (uint32_t at = slot; at < end; at++, entry += sizeof(struct csd_block_entry)) {
    const unsigned flags = entry[offsetof(struct csd_block_entry, flags)];
    const uint32_t before = (flags & CSD_BLOCK_FLAG_FIRST_OF_LIST) != 0 ? CSD_NO_DOC : last;
    last = csd_load_u32(last_docs + 4u * at);
    *lists += (flags & CSD_BLOCK_FLAG_LAST_OF_LIST) != 0;
    if (last < window->base) {
      continue;
    }
    if (last >= window->end) {
      const uint32_t start = before + 1u > window->end ? before + 1u : window->end;
      series->next = start < series->next ? start : series->next;
      if (before + 1u >= window->end) {
        continue;
      }
    }
    const struct series_block block = {
        .before = before,
        .last = last,
        .count = entry[offsetof(struct csd_block_entry, count)],
        .width = entry[offsetof(struct csd_block_entry, doc_bits)],
        .is_bitmap = (flags & CSD_BLOCK_FLAG_DOC_BITMAP) != 0,
        .docs = page + csd_load_u16(entry + offsetof(struct csd_block_entry, offset)),
    };
    if (!add_block(reader, &block, window)) {
      return false;
    }
    postings += block.count;
    decoded++;
  }
  struct csd_work *work = reader->work;
  work->units += end - slot + postings;
  work->blocks_entered += end - slot;
  work->blocks_decoded += decoded;
  work->postings_decoded += postings;
  return true;
}

/* Whether block `slot` of the pinned page is flagged so. */
static bool is_flagged(const struct csd_series_reader *reader, uint32_t slot, unsigned flag) {
  const uint32_t blocks =
      csd_load_u16(reader->page + offsetof(struct csd_page_header, block_count));
  const size_t at = CSD_LAST_DOCS_AT + 4u * blocks + sizeof(struct csd_block_entry) * slot;
  return (reader->page[at + offsetof(struct csd_block_entry, flags)] & flag) != 0;
}

int csd_series_add_bits(struct csd_series_reader *reader, struct csd_list_series *series,
                        const struct csd_doc_window *window) {
  uint32_t left = series->block_count;
  uint32_t lists = 0;
  uint32_t extent = 0;
  uint32_t slot = series->slot;
  series->next = CSD_CURSOR_END;
  for (uint32_t page = 0; page < series->page_count; page++, slot = 0) {
    const int status = turn_to(reader, series, page, &extent);
    if (status < 0) {
      return status;
    }
    const uint32_t blocks =
        csd_load_u16(reader->page + offsetof(struct csd_page_header, block_count));
    const bool last_page = page + 1u == series->page_count;
    /* A page before the last one is the series' up to its end. */
    if (blocks > CSD_MAX_BLOCKS_PER_PAGE || slot >= blocks ||
        (last_page ? left > blocks - slot : left <= blocks - slot)) {
      return -CSD_STATUS_LIST_CORRUPT;
    }
    const uint32_t end = last_page ? slot + left : blocks;
    if ((page == 0 && !is_flagged(reader, slot, CSD_BLOCK_FLAG_FIRST_OF_LIST)) ||
        (last_page && !is_flagged(reader, end - 1u, CSD_BLOCK_FLAG_LAST_OF_LIST)) ||
        !add_blocks(reader, series, slot, end, window, &lists)) {
      return -CSD_STATUS_LIST_CORRUPT;
    }
    left -= end - slot;
  }
  return lists == series->list_count ? 0 : -CSD_STATUS_LIST_CORRUPT;
}
