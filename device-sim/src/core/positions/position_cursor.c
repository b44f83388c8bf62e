/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
#include "core/positions/position_cursor.h"

#include "core/kernels/bits.h"
#include "core/lists/list_cursor.h"

void csd_position_cursor_open(struct csd_position_cursor *cursor, const struct csd_list_ref *ref,
                              const struct csd_extent *extents,
                              const struct csd_page_source *source,
                              const struct csd_kernels *kernels, struct csd_work *work) {
  csd_page_run_open(&cursor->run, ref, extents, source, work, CSD_POSITION_MAGIC);
  csd_page_run_ask(&cursor->run);
  cursor->kernels = kernels;
  cursor->one_position = ref->inline_freq;
  cursor->page = NULL;
  csd_position_cursor_rewind(cursor);
}

void csd_position_cursor_close(struct csd_position_cursor *cursor) {
  if (cursor->page != NULL) {
    cursor->run.source->unpin(cursor->run.source->context, cursor->page);
    cursor->page = NULL;
  }
}

void csd_position_cursor_rewind(struct csd_position_cursor *cursor) {
  csd_position_cursor_close(cursor);
  cursor->next_page = 0;
  cursor->has_block = false;
}

/* One past the list's last block in a page where it begins at `slot` and which is its only one. */
static uint32_t find_end(const uint8_t *page, uint32_t block_count, uint32_t slot) {
  while (slot < block_count && (csd_position_flags(csd_position_entry_at(page, block_count, slot)) &
                                CSD_POSITION_FLAG_LAST_OF_LIST) == 0) {
    slot++;
  }
  return slot + 1u;
}

/* Pins page `page` and finds which of its blocks are this list's. */
static int turn_to(struct csd_position_cursor *cursor, uint32_t page) {
  csd_position_cursor_close(cursor);
  cursor->has_block = false;
  const uint8_t *bytes;
  const int status = csd_page_run_pin(&cursor->run, page, &bytes);
  if (status < 0) {
    return status;
  }
  cursor->page = bytes;
  cursor->next_page = page + 1u;
  cursor->run.work->units += 8;
  struct csd_position_page_header header;
  memcpy(&header, bytes, sizeof header);
  const uint32_t start = page == 0 ? cursor->run.first_slot : 0;
  const bool last_page = page == cursor->run.page_count - 1u;
  uint32_t end = header.block_count;
  if (cursor->run.page_count == 1) {
    end = find_end(bytes, header.block_count, start);
  } else if (last_page) {
    end = header.lead_blocks;
  } else if (start == 0 && header.lead_blocks != header.block_count) {
    return -CSD_STATUS_LIST_CORRUPT; /* another list follows, though this one goes on */
  }
  if (header.block_count > CSD_MAX_POSITION_BLOCKS || end > header.block_count || start >= end) {
    return -CSD_STATUS_LIST_CORRUPT;
  }
  const unsigned flags =
      csd_position_flags(csd_position_entry_at(bytes, header.block_count, start));
  if (((flags & CSD_POSITION_FLAG_FIRST_OF_LIST) != 0) != (page == 0)) {
    return -CSD_STATUS_LIST_CORRUPT;
  }
  cursor->block_count = header.block_count;
  cursor->end_slot = end;
  cursor->slot = start;
  cursor->page_last = csd_position_last_doc(bytes, end - 1u);
  return 0;
}

/* Where exception `i` of the current block is. */
static inline const uint8_t *exception_of(const struct csd_position_cursor *cursor, uint32_t i) {
  return cursor->page + cursor->block.exceptions + i * CSD_POSITION_EXCEPTION_BYTES;
}

/* Makes exception `i` of the current block, or none, the first one to come. */
static inline void await_exception(struct csd_position_cursor *cursor, uint32_t i) {
  cursor->exception = i;
  cursor->exception_at =
      i < cursor->block.exception_count ? csd_load_u16(exception_of(cursor, i)) : UINT32_MAX;
}

/* Makes `slot` of the pinned page the current block. */
static int enter_block(struct csd_position_cursor *cursor, uint32_t slot) {
  cursor->run.work->units++;
  cursor->slot = slot;
  cursor->has_block = true;
  cursor->last_doc = csd_position_last_doc(cursor->page, slot);
  if (!csd_position_block_at(cursor->page, cursor->block_count, slot, &cursor->block)) {
    return -CSD_STATUS_LIST_CORRUPT;
  }
  await_exception(cursor, 0);
  return 0;
}

/* First slot from the current one on whose block ends at or after `doc`, as one does. */
static uint32_t find_slot(const struct csd_position_cursor *cursor, uint32_t doc) {
  uint32_t low = cursor->slot;
  uint32_t slot = low;
  for (uint32_t step = 1;
       slot < cursor->end_slot && csd_position_last_doc(cursor->page, slot) < doc; step *= 2) {
    low = slot + 1u;
    slot += step;
  }
  uint32_t high = slot < cursor->end_slot ? slot : cursor->end_slot - 1u;
  while (low < high) {
    const uint32_t middle = (low + high) / 2u;
    if (csd_position_last_doc(cursor->page, middle) >= doc) {
      high = middle;
    } else {
      low = middle + 1u;
    }
  }
  return low;
}

/* Makes the first block that ends at or after `doc` the current one. */
static int seek(struct csd_position_cursor *cursor, uint32_t doc) {
  while (cursor->page == NULL || doc > cursor->page_last) {
    struct csd_page_range range;
    uint32_t page = cursor->next_page;
    if (page + 1u < cursor->run.page_count) { /* nobody need be asked where the last page is */
      const int status =
          csd_page_run_find(&cursor->run, cursor->next_page, doc, true, &page, &range);
      if (status < 0) {
        return status;
      }
    }
    if (page == cursor->run.page_count) {
      return -CSD_STATUS_LIST_CORRUPT; /* the list has the doc, so its positions should be here */
    }
    const int status = turn_to(cursor, page);
    if (status < 0) {
      return status;
    }
  }
  return enter_block(cursor, find_slot(cursor, doc));
}

/* Makes the block behind the current one the current one. */
static int next_block(struct csd_position_cursor *cursor) {
  if (cursor->slot + 1u < cursor->end_slot) {
    return enter_block(cursor, cursor->slot + 1u);
  }
  if (cursor->next_page == cursor->run.page_count) {
    return -CSD_STATUS_LIST_CORRUPT;
  }
  const int status = turn_to(cursor, cursor->next_page);
  return status < 0 ? status : enter_block(cursor, cursor->slot);
}

/* Adds what exceptions say of the `n` values from `at` on to their sums. The values are read in
   their order, so that exceptions before them are done with. */
static void add_exceptions(struct csd_position_cursor *cursor, uint32_t at, uint32_t n,
                           uint32_t *sums) {
  while (cursor->exception_at < at) {
    await_exception(cursor, cursor->exception + 1u);
  }
  const uint32_t bits = cursor->block.value_bits;
  for (uint32_t i = cursor->exception; i < cursor->block.exception_count; i++) {
    const uint8_t *exception = exception_of(cursor, i);
    const uint32_t first = csd_load_u16(exception) - at;
    const uint32_t high = (uint32_t)exception[2] << bits;
    if (first >= n) {
      break;
    }
    for (uint32_t j = first; j < n; j++) {
      sums[j] += high;
    }
  }
}

int csd_position_cursor_read(struct csd_position_cursor *cursor,
                             const struct csd_position_posting *posting, uint32_t from,
                             uint32_t base, uint32_t *positions, uint32_t room) {
  if (cursor->run.page_count == 0) {
    positions[0] = base + cursor->one_position;
    return 1;
  }
  if (!cursor->has_block || cursor->last_doc < posting->doc) {
    const int status = seek(cursor, posting->doc);
    if (status < 0) {
      return status;
    }
  }
  const uint32_t rank = posting->rank + from;
  if (rank - cursor->block.rank >= cursor->block.value_count) {
    /* Only a doc with more values than a block may have goes on in the next one. */
    if (posting->freq <= CSD_MAX_POSITION_VALUES || cursor->last_doc != posting->doc) {
      return -CSD_STATUS_LIST_CORRUPT;
    }
    const int status = next_block(cursor);
    if (status < 0) {
      return status;
    }
    if (rank != cursor->block.rank) {
      return -CSD_STATUS_LIST_CORRUPT;
    }
  }
  const struct csd_position_block *block = &cursor->block;
  const uint32_t at = rank - block->rank;
  const uint32_t here = block->value_count - at;
  uint32_t n = posting->freq - from;
  if (n > here) {
    if (posting->freq <= CSD_MAX_POSITION_VALUES) {
      return -CSD_STATUS_LIST_CORRUPT;
    }
    n = here;
  }
  n = n < room ? n : room;
  cursor->kernels->unpack_positions(cursor->page + block->values, block->value_bits, at, n, base,
                                    positions);
  if (cursor->exception_at < at + n) {
    add_exceptions(cursor, at, n, positions);
  }
  cursor->run.work->units += n;
  cursor->run.work->positions_decoded += n;
  return (int)n;
}

/* ---- postings of few positions ---- */

/* Postings of the pinned page whose values have been found, and are not unpacked yet. */
struct few {
  uint32_t n;
  uint32_t highs; /* what exceptions add */
  struct csd_few_values values[CSD_BLOCK_POSTINGS];
  uint16_t high_at[CSD_BLOCK_POSTINGS * CSD_FEW_POSITIONS]; /* of which position on */
  uint32_t high[CSD_BLOCK_POSTINGS * CSD_FEW_POSITIONS];
};

/* Notes what the exceptions say of the posting that was found last, from value `at` on. */
static void note_exceptions(struct csd_position_cursor *cursor, uint32_t at, uint32_t freq,
                            struct few *few) {
  while (cursor->exception_at < at) {
    await_exception(cursor, cursor->exception + 1u);
  }
  for (uint32_t i = cursor->exception; i < cursor->block.exception_count; i++) {
    const uint8_t *exception = exception_of(cursor, i);
    const uint32_t j = csd_load_u16(exception) - at;
    if (j >= freq || few->highs == CSD_BLOCK_POSTINGS * CSD_FEW_POSITIONS) {
      break; /* a value has one exception, so that there is room */
    }
    few->high_at[few->highs] = (uint16_t)((few->n - 1u) * CSD_FEW_POSITIONS + j);
    few->high[few->highs++] = (uint32_t)exception[2] << cursor->block.value_bits;
  }
}

/* Unpacks what has been found; returns where the positions of the next posting go. */
static uint32_t *unpack_few(const struct csd_position_cursor *cursor, struct few *few,
                            uint32_t base, uint32_t *positions) {
  cursor->kernels->unpack_few(few->values, few->n, base, positions);
  for (uint32_t i = 0; i < few->highs; i++) {
    for (uint32_t j = few->high_at[i]; j % CSD_FEW_POSITIONS != 0 || j == few->high_at[i]; j++) {
      positions[j] += few->high[i];
    }
  }
  positions += few->n * CSD_FEW_POSITIONS;
  few->n = 0;
  few->highs = 0;
  return positions;
}

/* Finds the values of a posting in the current block; false if they are not there. */
static bool find_few(struct csd_position_cursor *cursor, uint32_t rank, uint32_t freq,
                     struct few *few) {
  const struct csd_position_block *block = &cursor->block;
  const uint32_t at = rank - block->rank;
  if (at >= block->value_count || freq > block->value_count - at) {
    return false;
  }
  const uint32_t bit = at * block->value_bits;
  few->values[few->n++] = (struct csd_few_values){.at = cursor->page + block->values + (bit >> 3),
                                                  .bits = (uint8_t)block->value_bits,
                                                  .odd = (uint8_t)(bit & 7u),
                                                  .count = (uint8_t)freq};
  if (cursor->exception_at < at + freq) {
    note_exceptions(cursor, at, freq, few);
  }
  cursor->run.work->units += freq;
  cursor->run.work->positions_decoded += freq;
  return true;
}

/* As csd_position_cursor_read_few, of one posting whose values are too wide for that. */
static int read_wide(struct csd_position_cursor *cursor, const struct csd_position_posting *posting,
                     uint32_t base, uint32_t *positions) {
  const int status = csd_position_cursor_read(cursor, posting, 0, base, positions, posting->freq);
  for (uint32_t j = (uint32_t)status; j < CSD_FEW_POSITIONS && status > 0; j++) {
    positions[j] = positions[status - 1];
  }
  return status < 0 ? status : 0;
}

int csd_position_cursor_read_few(struct csd_position_cursor *cursor,
                                 const struct csd_position_columns *columns, const uint16_t *index,
                                 uint32_t n, uint32_t base, uint32_t *positions) {
  struct few few;
  few.n = 0;
  few.highs = 0;
  for (uint32_t k = 0; k < n; k++) {
    const struct csd_position_posting posting = {.doc = columns->docs[index[k]],
                                                 .rank = columns->ranks[index[k]],
                                                 .freq = columns->freqs[index[k]]};
    if (cursor->run.page_count > 0 && (!cursor->has_block || cursor->last_doc < posting.doc)) {
      if (posting.doc > cursor->page_last && few.n > 0) {
        positions = unpack_few(cursor, &few, base, positions); /* before their page is let go of */
      }
      const int status = seek(cursor, posting.doc);
      if (status < 0) {
        return status;
      }
    }
    if (cursor->run.page_count == 0 || cursor->block.value_bits > CSD_FEW_WIDTH) {
      positions = unpack_few(cursor, &few, base, positions);
      const int status = read_wide(cursor, &posting, base, positions);
      if (status < 0) {
        return status;
      }
      positions += CSD_FEW_POSITIONS;
    } else if (!find_few(cursor, posting.rank, posting.freq, &few)) {
      return -CSD_STATUS_LIST_CORRUPT;
    }
  }
  unpack_few(cursor, &few, base, positions);
  return 0;
}
