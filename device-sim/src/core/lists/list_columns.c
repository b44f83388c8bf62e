/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/* Tests: tests/core/lists/test_list_cursor.c, through the cursor whose block it decodes. */
/* The columns of a cursor's current block: docs, frequencies, norms. */
#include "core/kernels/bits.h"
#include "core/lists/list_block.h"

/* Where the current block's freqs and norms are; nothing is checked. */
struct columns {
  uint32_t freqs;
  uint32_t freq_bits;
  uint32_t exceptions;
  uint32_t exception_count;
  uint32_t norms;
};

static inline __attribute__((always_inline)) struct columns columns_of(
    const struct csd_list_cursor *cursor) {
  const uint32_t doc_bytes = cursor->bitmap != NULL
                                 ? 8u * csd_list_cursor_bitmap_words(cursor)
                                 : (CSD_ENTRY_U8(cursor, doc_bits) * cursor->count + 7u) / 8u;
  struct columns columns;
  columns.freqs = CSD_ENTRY_U16(cursor, offset) + doc_bytes;
  columns.freq_bits = CSD_ENTRY_U8(cursor, freq_bits);
  columns.exceptions = columns.freqs + (columns.freq_bits * cursor->count + 7u) / 8u;
  columns.exception_count = CSD_ENTRY_U8(cursor, flags) >> CSD_EXCEPTIONS_SHIFT;
  columns.norms = columns.exceptions + columns.exception_count * CSD_EXCEPTION_BYTES;
  return columns;
}

static bool column_fits(uint32_t offset, uint32_t bits, uint32_t count) {
  return bits <= 31 && offset + (bits * count + 7u) / 8u <= CSD_PAGE_BYTES;
}

/* Whether the freqs and their exceptions are inside the page and of right widths. */
static bool freqs_fit(const struct columns *columns) {
  const uint32_t max_bits = columns->exception_count == 0 ? 31 : CSD_MAX_EXCEPTION_BITS;
  return columns->freq_bits <= max_bits && columns->norms <= CSD_PAGE_BYTES &&
         columns->exception_count <= CSD_MAX_FREQ_EXCEPTIONS;
}

/* Whether docs that were summed up modulo 2^32 ascend; only wide deltas can wrap round. */
static bool docs_ascend(const struct csd_list_cursor *cursor, uint32_t bits) {
  if (bits > CSD_SURE_DOC_BITS) {
    uint32_t before = cursor->block_base;
    for (uint32_t i = 0; i < cursor->count; i++) {
      if (cursor->docs[i] - before > CSD_MAX_DOC || (i > 0 && cursor->docs[i] <= before)) {
        return false;
      }
      before = cursor->docs[i];
    }
  }
  return cursor->docs[cursor->count - 1u] == cursor->block_end - 1u;
}

/* Lists the bitmap's docs; whether they are as many as the block has postings. */
static bool docs_of_bitmap(struct csd_list_cursor *cursor) {
  uint64_t bits[CSD_MAX_BITMAP_BYTES / 8];
  const uint32_t words = csd_list_cursor_bitmap_words(cursor);
  memcpy(bits, cursor->bitmap, 8u * words); /* aligned */
  if (cursor->kernels->count_bits(bits, words) != cursor->count) {
    return false;
  }
  cursor->kernels->list_bits(bits, words, cursor->block_base + 1u, cursor->docs);
  return cursor->docs[cursor->count - 1u] == cursor->block_end - 1u;
}

static bool docs_of_deltas(struct csd_list_cursor *cursor) {
  const uint32_t offset = CSD_ENTRY_U16(cursor, offset);
  const uint32_t bits = CSD_ENTRY_U8(cursor, doc_bits);
  if (!column_fits(offset, bits, cursor->count)) {
    return false;
  }
  cursor->kernels->unpack_docs(cursor->page + offset, bits, cursor->count, cursor->block_base,
                               cursor->docs);
  return docs_ascend(cursor, bits);
}

int csd_list_cursor_load_docs(struct csd_list_cursor *cursor) {
  if (cursor->docs_ready) {
    return 0;
  }
  if (cursor->bitmap != NULL ? !docs_of_bitmap(cursor) : !docs_of_deltas(cursor)) {
    return -CSD_STATUS_LIST_CORRUPT;
  }
  for (uint32_t i = cursor->count; i < CSD_BLOCK_POSTINGS; i++) {
    cursor->docs[i] = UINT32_MAX;
  }
  cursor->docs_ready = true;
  csd_list_cursor_count_block(cursor);
  return 0;
}

int csd_list_cursor_load_freqs(struct csd_list_cursor *cursor) {
  if (cursor->freqs_ready) {
    return 0;
  }
  const struct columns columns = columns_of(cursor);
  if (!freqs_fit(&columns)) {
    return -CSD_STATUS_LIST_CORRUPT;
  }
  cursor->kernels->unpack_freqs(cursor->page + columns.freqs, columns.freq_bits, cursor->count,
                                cursor->freqs);
  const uint8_t *exception = cursor->page + columns.exceptions;
  for (uint32_t i = 0; i < columns.exception_count; i++, exception += CSD_EXCEPTION_BYTES) {
    if (exception[0] >= cursor->count) {
      return -CSD_STATUS_LIST_CORRUPT;
    }
    cursor->freqs[exception[0]] += (uint32_t)exception[1] << columns.freq_bits;
  }
  cursor->freqs_ready = true;
  return 0;
}

int csd_list_cursor_load_norms(struct csd_list_cursor *cursor) {
  if (cursor->norms_ready) {
    return 0;
  }
  const uint32_t offset = columns_of(cursor).norms;
  const uint32_t bits = CSD_ENTRY_U8(cursor, norm_bits);
  if (bits > 8 || !column_fits(offset, bits, cursor->count)) {
    return -CSD_STATUS_LIST_CORRUPT;
  }
  cursor->kernels->unpack_norms(cursor->page + offset, bits, cursor->count,
                                CSD_ENTRY_U8(cursor, norm_base), cursor->norms);
  cursor->norms_ready = true;
  return 0;
}

int csd_list_cursor_gather(struct csd_list_cursor *cursor, const uint8_t *position, unsigned n,
                           uint32_t *freqs, uint8_t *norms) {
  /* Unpacking a value by its position costs about three times a value of a whole column. */
  if (n >= cursor->count / 3u && !(cursor->freqs_ready && cursor->norms_ready)) {
    int status = csd_list_cursor_load_freqs(cursor);
    if (status == 0) {
      status = csd_list_cursor_load_norms(cursor);
    }
    if (status < 0) {
      return status;
    }
  }
  if (cursor->freqs_ready && cursor->norms_ready) {
    for (unsigned i = 0; i < n; i++) {
      freqs[i] = cursor->freqs[position[i]];
      norms[i] = cursor->norms[position[i]];
    }
    return 0;
  }
  const struct columns columns = columns_of(cursor);
  const uint32_t norm_bits = CSD_ENTRY_U8(cursor, norm_bits);
  const uint32_t norm_base = CSD_ENTRY_U8(cursor, norm_base);
  if (!freqs_fit(&columns) || norm_bits > 8 ||
      !column_fits(columns.norms, norm_bits, cursor->count)) {
    return -CSD_STATUS_LIST_CORRUPT;
  }
  cursor->work->postings_gathered += n;
  const uint8_t *page = cursor->page;
  cursor->kernels->gather_freqs(page + columns.freqs, columns.freq_bits, cursor->count,
                                page + columns.exceptions, columns.exception_count, position, n,
                                freqs);
  cursor->kernels->gather_norms(page + columns.norms, norm_bits, cursor->count, (uint8_t)norm_base,
                                position, n, norms);
  return 0;
}

/* Whether all frequencies of the current block are 1, as its directory entry says. */
static bool all_freqs_are_one(const struct csd_list_cursor *cursor) {
  return cursor->page != NULL && CSD_ENTRY_U8(cursor, freq_bits) == 0 &&
         CSD_ENTRY_U8(cursor, flags) >> CSD_EXCEPTIONS_SHIFT == 0;
}

/* Adds what the current block's exceptions say of some postings to their frequencies and ranks. */
static void add_exceptions(const struct csd_list_cursor *cursor, const struct columns *columns,
                           const uint8_t *position, unsigned n, uint32_t *freqs, uint32_t *ranks) {
  const uint8_t *exception = cursor->page + columns->exceptions;
  const uint8_t *end = exception + columns->exception_count * CSD_EXCEPTION_BYTES;
  uint32_t high = 0;                 /* what exceptions add to the ranks */
  for (unsigned i = 0; i < n; i++) { /* both ascend */
    for (; exception < end && exception[0] < position[i]; exception += CSD_EXCEPTION_BYTES) {
      high += (uint32_t)exception[1] << columns->freq_bits;
    }
    const bool raised = exception < end && exception[0] == position[i];
    ranks[i] += high;
    freqs[i] += raised ? (uint32_t)exception[1] << columns->freq_bits : 0u;
  }
}

int csd_list_cursor_ranks(struct csd_list_cursor *cursor, const uint8_t *position, unsigned n,
                          uint32_t *freqs, uint32_t *ranks) {
  if (all_freqs_are_one(cursor)) {
    for (unsigned i = 0; i < n; i++) {
      freqs[i] = 1;
      ranks[i] = position[i];
    }
    return 0;
  }
  if (cursor->page == NULL) { /* INLINE: one posting */
    for (unsigned i = 0; i < n; i++) {
      freqs[i] = cursor->freqs[0];
      ranks[i] = 0;
    }
    return 0;
  }
  const struct columns columns = columns_of(cursor);
  if (!freqs_fit(&columns)) {
    return -CSD_STATUS_LIST_CORRUPT;
  }
  if (n == 0) {
    return 0;
  }
  cursor->kernels->rank_freqs(cursor->page + columns.freqs, columns.freq_bits, position, n, freqs,
                              ranks);
  cursor->work->postings_gathered += n;
  if (columns.exception_count > 0) {
    add_exceptions(cursor, &columns, position, n, freqs, ranks);
  }
  return 0;
}
