/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/* A list's docs as bits: the whole blocks of a page one after the other, without entering each. */
#include "bits.h"
#include "list_block.h"

/* What a run works on. */
struct run {
  struct csd_list_cursor *cursor;
  const uint8_t *entries;
  uint64_t *bits;
  uint32_t base; /* doc of bit 0 */
};

static inline unsigned entry_u8(const uint8_t *entry, size_t field) {
  return entry[field];
}

/* The docs in (before, last] as bits of a bitmap; false if it does not fit the page. */
static bool add_bitmap(struct run *run, const uint8_t *entry, uint32_t before, uint32_t last) {
  const uint32_t offset = csd_load_u16(entry + offsetof(struct csd_block_entry, offset));
  const uint32_t words = (last - before + 63u) / 64u;
  if (8u * words > CSD_MAX_BITMAP_BYTES || offset + 8u * words > CSD_PAGE_BYTES) {
    return false;
  }
  struct csd_list_cursor *cursor = run->cursor;
  cursor->kernels->or_bitmap(run->bits, before + 1u - run->base, cursor->page + offset, words);
  cursor->work->units += 16u + words;
  return true;
}

/* The docs in (before, last] as packed deltas; false if the column or its docs are not right. */
static bool add_deltas(struct run *run, const uint8_t *entry, uint32_t before, uint32_t last) {
  const uint32_t offset = csd_load_u16(entry + offsetof(struct csd_block_entry, offset));
  const unsigned width = entry_u8(entry, offsetof(struct csd_block_entry, doc_bits));
  const uint32_t count = CSD_BLOCK_POSTINGS;
  /* Docs of wider deltas may wrap round, which takes a closer look. */
  if (width > CSD_SURE_DOC_BITS || offset + width * count / 8u > CSD_PAGE_BYTES) {
    return false;
  }
  struct csd_list_cursor *cursor = run->cursor;
  uint32_t *docs = cursor->docs; /* of the block before, which is done with */
  cursor->kernels->unpack_docs(cursor->page + offset, width, count, before, docs);
  if (docs[count - 1u] != last) {
    return false;
  }
  cursor->kernels->set_bits(run->bits, run->base, docs, count);
  cursor->work->units += count;
  return true;
}

/* Adds the block at `slot` if it is a full one within its list. */
static bool add_block(struct run *run, uint32_t slot, uint32_t before, uint32_t last) {
  const uint8_t *entry = run->entries + sizeof(struct csd_block_entry) * slot;
  const unsigned flags = entry_u8(entry, offsetof(struct csd_block_entry, flags));
  if ((flags & CSD_WHOLE_LIST) != 0 || last <= before ||
      entry_u8(entry, offsetof(struct csd_block_entry, count)) != CSD_BLOCK_POSTINGS) {
    return false;
  }
  return (flags & CSD_BLOCK_FLAG_DOC_BITMAP) != 0 ? add_bitmap(run, entry, before, last)
                                                  : add_deltas(run, entry, before, last);
}

void csd_list_cursor_add_bits(struct csd_list_cursor *cursor, uint32_t end, uint32_t base,
                              uint64_t *bits) {
  if (cursor->page == NULL) {
    return;
  }
  struct run run = {.cursor = cursor, .bits = bits, .base = base};
  run.entries = cursor->page + CSD_LAST_DOCS_AT + 4u * cursor->block_count;
  cursor->docs_ready = false; /* the array is used for the blocks to come */
  const uint32_t first = cursor->slot + 1u;
  uint32_t before = cursor->block_end - 1u;
  uint32_t slot = first;
  for (; slot < cursor->end_slot; slot++) {
    const uint32_t last = csd_last_doc_of(cursor, slot);
    if (last >= end || !add_block(&run, slot, before, last)) {
      break;
    }
    before = last;
  }
  if (slot == first) {
    return;
  }
  const uint32_t blocks = slot - first;
  cursor->work->blocks_decoded += blocks;
  cursor->work->postings_decoded += (uint64_t)blocks * CSD_BLOCK_POSTINGS;
  cursor->work->units += blocks;
  cursor->slot = slot - 1u;
  cursor->block_end = before + 1u;
  cursor->block_base = before; /* nothing of it is left */
  cursor->bitmap = NULL;
  cursor->freqs_ready = false;
  cursor->norms_ready = false;
}
