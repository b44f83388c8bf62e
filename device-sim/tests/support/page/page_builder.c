/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
#include "tests/support/page/page_builder.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/kernels/crc32c.h"
#include "tests/support/page/pack_bits.h"

enum {
  LAST_DOC_BYTES = 4,
  DIRECTORY_BYTES = LAST_DOC_BYTES + sizeof(struct csd_block_entry),
  IMPACTS_BYTES = 8,
  WHOLE_LIST = CSD_BLOCK_FLAG_FIRST_OF_LIST | CSD_BLOCK_FLAG_LAST_OF_LIST
};

/* Widths of a block's columns. */
struct widths {
  uint8_t doc_bits, freq_bits, norm_bits, norm_base;
  uint32_t doc_bytes, exceptions;
  bool bitmap; /* the doc column is one; doc_bits is 0 */
};

static void fail(const char *what) {
  fprintf(stderr, "page_builder: %s\n", what);
  abort();
}

static uint32_t column_bytes(uint32_t count, uint32_t bits) { return (count * bits + 7) / 8; }

static uint32_t doc_value(const struct page_builder_block *block, uint32_t i) {
  /* base_doc NO_DOC is -1: unsigned wrap-around makes the first value doc[0] itself. */
  return block->doc[i] - (i == 0 ? block->base_doc : block->doc[i - 1]) - 1;
}

static bool is_whole_list(const struct page_builder_block *block) {
  return (block->flags & WHOLE_LIST) == WHOLE_LIST;
}

/* Freqs that do not fit a width; their number is UINT32_MAX if that is no width for exceptions. */
static uint32_t exceptions_at(const struct page_builder_block *block, uint32_t bits) {
  uint32_t exceptions = 0;
  for (uint32_t i = 0; i < block->count; i++) {
    const uint32_t high = (block->freq[i] - 1) >> bits;
    if (high > UINT8_MAX) {
      return UINT32_MAX;
    }
    exceptions += high != 0;
  }
  return bits <= CSD_MAX_EXCEPTION_BITS && exceptions <= CSD_MAX_FREQ_EXCEPTIONS ? exceptions
                                                                                 : UINT32_MAX;
}

/* The width that takes the fewest bytes with its exceptions; the widest of several such. */
static void choose_exceptions(const struct page_builder_block *block, struct widths *w) {
  uint32_t least = column_bytes(block->count, w->freq_bits);
  for (uint32_t bits = w->freq_bits; bits-- > 0;) {
    const uint32_t exceptions = exceptions_at(block, bits);
    if (exceptions == UINT32_MAX) {
      continue;
    }
    const uint32_t bytes = column_bytes(block->count, bits) + exceptions * CSD_EXCEPTION_BYTES;
    if (bytes < least) {
      least = bytes;
      w->freq_bits = (uint8_t)bits;
      w->exceptions = exceptions;
    }
  }
}

static struct widths widths_of(const struct page_builder_block *block) {
  uint32_t doc = 0, freq = 0;
  uint8_t low = 255, high = 0;
  for (uint32_t i = 0; i < block->count; i++) {
    doc |= doc_value(block, i);
    freq |= block->freq[i] - 1;
    if (block->norm[i] < low) {
      low = block->norm[i];
    }
    if (block->norm[i] > high) {
      high = block->norm[i];
    }
  }
  struct widths w = {test_bits_of(doc),
                     test_bits_of(freq),
                     test_bits_of((uint32_t)(high - low)),
                     low,
                     0,
                     0,
                     false};
  if (!is_whole_list(block)) {
    choose_exceptions(block, &w);
  }
  w.doc_bytes = column_bytes(block->count, w.doc_bits);
  /* base_doc NO_DOC is -1 here, too. */
  const uint32_t bitmap_bytes = (block->doc[block->count - 1] - block->base_doc + 63) / 64 * 8;
  const uint32_t by_count = block->count + block->count / 2;
  const uint32_t allowed = w.doc_bytes > by_count ? w.doc_bytes : by_count;
  if (bitmap_bytes <= allowed && bitmap_bytes <= CSD_MAX_BITMAP_BYTES) {
    w.bitmap = true;
    w.doc_bytes = bitmap_bytes;
    w.doc_bits = 0;
  }
  return w;
}

static uint32_t block_bytes(const struct page_builder_block *block) {
  const struct widths w = widths_of(block);
  return (uint32_t)DIRECTORY_BYTES + (is_whole_list(block) ? 0 : (uint32_t)IMPACTS_BYTES) +
         w.doc_bytes + column_bytes(block->count, w.freq_bits) +
         w.exceptions * CSD_EXCEPTION_BYTES + column_bytes(block->count, w.norm_bits);
}

struct point {
  uint32_t freq, norm;
};

/* The Pareto frontier, by freq ascending and norm ascending; returns its size. */
static uint32_t frontier(const uint32_t *freqs, const uint8_t *norms, uint32_t count,
                         struct point *points) {
  uint32_t min_norm[CSD_IMPACT_FREQ_UNBOUNDED + 1];
  memset(min_norm, 0xFF, sizeof min_norm);
  for (uint32_t i = 0; i < count; i++) {
    uint32_t freq = freqs == NULL ? 1 : freqs[i];
    const uint32_t norm = norms == NULL ? 1 : norms[i];
    if (freq > CSD_IMPACT_FREQ_UNBOUNDED) {
      freq = CSD_IMPACT_FREQ_UNBOUNDED;
    }
    if (norm < min_norm[freq]) {
      min_norm[freq] = norm;
    }
  }
  uint32_t size = 0, bound = UINT32_MAX;
  for (uint32_t freq = CSD_IMPACT_FREQ_UNBOUNDED; freq > 0; freq--) {
    if (min_norm[freq] < bound) {
      bound = min_norm[freq];
      points[size++] = (struct point){freq, bound};
    }
  }
  for (uint32_t i = 0; i < size / 2; i++) {
    const struct point swap = points[i];
    points[i] = points[size - 1 - i];
    points[size - 1 - i] = swap;
  }
  return size;
}

uint64_t page_builder_impacts(const uint32_t *freqs, const uint8_t *norms, uint32_t count) {
  struct point points[CSD_IMPACT_FREQ_UNBOUNDED];
  uint32_t size = frontier(freqs, norms, count, points);
  while (size > CSD_IMPACT_PAIRS) {
    /* Merge the neighbours that lie nearest to each other; the result bounds both. */
    uint32_t best = 0, best_cost = UINT32_MAX;
    for (uint32_t i = 0; i + 1 < size; i++) {
      const uint32_t cost =
          (points[i + 1].freq - points[i].freq) * (points[i + 1].norm - points[i].norm);
      if (cost < best_cost) {
        best = i, best_cost = cost;
      }
    }
    points[best].freq = points[best + 1].freq;
    memmove(points + best + 1, points + best + 2, (size - best - 2) * sizeof points[0]);
    size--;
  }
  uint64_t word = 0;
  for (uint32_t i = 0; i < size; i++) {
    word |= (uint64_t)(points[i].freq | points[i].norm << 8) << (16 * i);
  }
  return word;
}

void page_builder_seal(uint8_t *page) {
  const uint32_t crc = csd_crc32c(0, page + 12, CSD_PAGE_BYTES - 12);
  memcpy(page + offsetof(struct csd_page_header, crc32c), &crc, sizeof crc);
}

/* Impacts over the blocks of the list that owns block 0. */
static uint64_t lead_impacts(const struct page_builder *builder, uint32_t lead_blocks) {
  const uint32_t most = lead_blocks * CSD_BLOCK_POSTINGS;
  uint32_t *freqs = malloc(most * sizeof *freqs);
  uint8_t *norms = malloc(most);
  if (freqs == NULL || norms == NULL) {
    fail("out of memory");
  }
  uint32_t count = 0;
  for (uint32_t b = 0; b < lead_blocks; b++) {
    const struct page_builder_block *block = &builder->blocks[b];
    memcpy(freqs + count, block->freq, block->count * sizeof *freqs);
    memcpy(norms + count, block->norm, block->count);
    count += block->count;
  }
  const uint64_t word = page_builder_impacts(freqs, norms, count);
  free(freqs);
  free(norms);
  return word;
}

static void write_bitmap(const struct page_builder_block *block, uint8_t *column) {
  for (uint32_t i = 0; i < block->count; i++) {
    test_put_bits(column, block->doc[i] - block->base_doc - 1, 1, 1);
  }
}

/* Writes the columns of a block, whose entry has its widths; returns where they end. */
static uint32_t write_columns(const struct page_builder_block *block,
                              const struct csd_block_entry *entry, uint8_t *page) {
  const struct widths w = widths_of(block);
  const uint32_t freqs = entry->offset + w.doc_bytes;
  uint32_t exceptions = freqs + column_bytes(block->count, w.freq_bits);
  const uint32_t norms = exceptions + w.exceptions * CSD_EXCEPTION_BYTES;
  if (w.bitmap) {
    write_bitmap(block, page + entry->offset);
  }
  for (uint32_t i = 0; i < block->count; i++) {
    const uint32_t freq = block->freq[i] - 1, norm = (uint32_t)(block->norm[i] - w.norm_base);
    if (!w.bitmap) {
      test_put_bits(page + entry->offset, i * w.doc_bits, w.doc_bits, doc_value(block, i));
    }
    test_put_bits(page + freqs, i * w.freq_bits, w.freq_bits, freq);
    test_put_bits(page + norms, i * w.norm_bits, w.norm_bits, norm);
    if (w.exceptions != 0 && freq >> w.freq_bits != 0) {
      page[exceptions++] = (uint8_t)i;
      page[exceptions++] = (uint8_t)(freq >> w.freq_bits);
    }
  }
  return norms + column_bytes(block->count, w.norm_bits);
}

static uint8_t *new_page(struct page_builder *builder) {
  if (builder->page_count == builder->page_limit) {
    builder->page_limit = builder->page_limit == 0 ? 8 : builder->page_limit * 2;
    builder->pages = realloc(builder->pages, (size_t)builder->page_limit * CSD_PAGE_BYTES);
    if (builder->pages == NULL) {
      fail("out of memory");
    }
  }
  uint8_t *page = builder->pages + (size_t)builder->page_count * CSD_PAGE_BYTES;
  memset(page, 0, CSD_PAGE_BYTES);
  return page;
}

void page_builder_finish(struct page_builder *builder) {
  const uint32_t blocks = builder->block_count;
  if (blocks == 0) {
    return;
  }
  uint8_t *page = new_page(builder);
  struct csd_block_entry entries[CSD_MAX_BLOCKS_PER_PAGE];
  uint8_t *last_docs = page + sizeof(struct csd_page_header);
  uint8_t *impacts = last_docs + blocks * (uint32_t)DIRECTORY_BYTES;
  uint32_t end = (uint32_t)(impacts - page), lead_blocks = blocks;
  for (uint32_t b = blocks; b-- > 0;) {
    if (builder->blocks[b].flags & CSD_BLOCK_FLAG_LAST_OF_LIST) {
      lead_blocks = b + 1;
    }
    if (!is_whole_list(&builder->blocks[b])) {
      end += IMPACTS_BYTES;
    }
  }
  for (uint32_t b = 0; b < blocks; b++) {
    const struct page_builder_block *block = &builder->blocks[b];
    const struct widths w = widths_of(block);
    entries[b] = (struct csd_block_entry){
        .offset = (uint16_t)end,
        .count = (uint8_t)block->count,
        .doc_bits = w.doc_bits,
        .freq_bits = w.freq_bits,
        .norm_bits = w.norm_bits,
        .norm_base = w.norm_base,
        .flags = (uint8_t)(block->flags | (w.bitmap ? CSD_BLOCK_FLAG_DOC_BITMAP : 0) |
                           w.exceptions << CSD_EXCEPTIONS_SHIFT)};
    memcpy(last_docs + b * LAST_DOC_BYTES, &block->doc[block->count - 1], LAST_DOC_BYTES);
    if (!is_whole_list(block)) {
      const uint64_t word = page_builder_impacts(block->freq, block->norm, block->count);
      memcpy(impacts, &word, sizeof word);
      impacts += sizeof word;
    }
    end = write_columns(block, &entries[b], page);
  }
  memcpy(last_docs + blocks * LAST_DOC_BYTES, entries, blocks * sizeof entries[0]);
  const struct page_builder_block *lead = &builder->blocks[lead_blocks - 1];
  const struct csd_page_header header = {
      .magic = CSD_PAGE_MAGIC,
      .version = CSD_WIRE_VERSION,
      .file_page = builder->first_file_page + builder->page_count,
      .stamp = builder->stamp,
      .block_count = (uint16_t)blocks,
      .lead_blocks = (uint16_t)lead_blocks,
      .used_bytes = (uint16_t)end,
      .lead_first_doc = builder->blocks[0].doc[0],
      .lead_last_doc = lead->doc[lead->count - 1],
      .lead_base_doc = builder->blocks[0].base_doc,
      .lead_impacts = lead_impacts(builder, lead_blocks)};
  memcpy(page, &header, sizeof header);
  page_builder_seal(page);
  builder->page_count++;
  builder->block_count = 0;
  builder->used_bytes = sizeof(struct csd_page_header);
}

/* Adds a block to the page at work, or to the next one if it is full. */
static void add_block(struct page_builder *builder, const struct page_builder_block *block) {
  const uint32_t bytes = block_bytes(block);
  if (builder->block_count == CSD_MAX_BLOCKS_PER_PAGE ||
      builder->used_bytes + bytes > CSD_PAGE_BYTES) {
    page_builder_finish(builder);
  }
  builder->blocks[builder->block_count++] = *block;
  builder->used_bytes += bytes;
}

void page_builder_init(struct page_builder *builder, uint64_t stamp, uint32_t first_file_page) {
  memset(builder, 0, sizeof *builder);
  builder->stamp = stamp;
  builder->first_file_page = first_file_page;
  builder->used_bytes = sizeof(struct csd_page_header);
}

void page_builder_add_paged(struct page_builder *builder, const uint32_t *docs,
                            const uint32_t *freqs, const uint8_t *norms, uint32_t count,
                            struct csd_list_ref *ref) {
  if (count == 0) {
    fail("a list has a posting at least");
  }
  struct page_builder_block block;
  uint32_t base = CSD_NO_DOC;
  for (uint32_t from = 0; from < count; from += block.count) {
    memset(&block, 0, sizeof block);
    const uint32_t left = count - from;
    block.base_doc = base;
    block.count = left < CSD_BLOCK_POSTINGS ? left : CSD_BLOCK_POSTINGS;
    block.flags = (uint8_t)((from == 0 ? CSD_BLOCK_FLAG_FIRST_OF_LIST : 0) |
                            (left <= CSD_BLOCK_POSTINGS ? CSD_BLOCK_FLAG_LAST_OF_LIST : 0));
    for (uint32_t i = 0; i < block.count; i++) {
      const uint32_t doc = docs[from + i];
      if ((from + i > 0 && doc <= docs[from + i - 1]) || doc >= CSD_MAX_DOC) {
        fail("docs must ascend and lie below CSD_MAX_DOC");
      }
      block.doc[i] = doc;
      block.freq[i] = freqs == NULL ? 1 : freqs[from + i];
      block.norm[i] = norms == NULL ? 1 : norms[from + i];
      if (block.freq[i] == 0 || block.freq[i] > INT32_MAX) {
        fail("a freq is 1 to INT32_MAX");
      }
    }
    base = block.doc[block.count - 1];
    add_block(builder, &block);
    if (from == 0) {
      *ref = (struct csd_list_ref){.kind = CSD_LIST_KIND_PAGED,
                                   .slot = (uint16_t)(builder->block_count - 1),
                                   .first_page = builder->first_file_page + builder->page_count,
                                   .posting_count = count,
                                   .stamp = builder->stamp,
                                   .impacts = page_builder_impacts(freqs, norms, count),
                                   .extent_count = 1};
    }
  }
  ref->page_count = builder->first_file_page + builder->page_count - ref->first_page + 1;
}

void page_builder_add(struct page_builder *builder, const uint32_t *docs, const uint32_t *freqs,
                      const uint8_t *norms, uint32_t count, struct csd_list_ref *ref) {
  if (count != 1) {
    page_builder_add_paged(builder, docs, freqs, norms, count, ref);
    return;
  }
  *ref = (struct csd_list_ref){.kind = CSD_LIST_KIND_INLINE,
                               .posting_count = 1,
                               .impacts = page_builder_impacts(freqs, norms, count),
                               .inline_doc = docs[0],
                               .inline_freq = freqs == NULL ? 1 : freqs[0],
                               .inline_norm = norms == NULL ? 1 : norms[0]};
}

void page_builder_free(struct page_builder *builder) {
  free(builder->pages);
  memset(builder, 0, sizeof *builder);
}
