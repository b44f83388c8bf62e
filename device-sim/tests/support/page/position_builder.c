/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
#include "tests/support/page/position_builder.h"

#include <stdlib.h>
#include <string.h>

#include "core/kernels/crc32c.h"
#include "tests/support/check.h"
#include "tests/support/page/pack_bits.h"

enum { HEADER = sizeof(struct csd_position_page_header), DIRECTORY = 4 + 8 };

/* A list that is being added. */
struct adding {
  uint32_t values[CSD_MAX_POSITION_VALUES];
  uint32_t count;
  uint32_t first_doc;
  uint32_t last_doc;
  uint32_t rank;
  unsigned flags; /* FIRST_OF_LIST for the block that comes first */
  struct csd_list_ref *ref;
};

void position_builder_init(struct position_builder *builder, uint64_t seed, uint64_t stamp,
                           uint32_t first_file_page) {
  memset(builder, 0, sizeof *builder);
  builder->random = seed;
  builder->stamp = stamp;
  builder->first_file_page = first_file_page;
}

void position_builder_free(struct position_builder *builder) { free(builder->pages); }

void position_builder_finish(struct position_builder *builder) {
  if (builder->block_count == 0) {
    return;
  }
  if (builder->page_count == builder->page_limit) {
    builder->page_limit = 2 * builder->page_limit + 8;
    builder->pages = realloc(builder->pages, (size_t)builder->page_limit * CSD_PAGE_BYTES);
    if (builder->pages == NULL) {
      abort();
    }
  }
  uint8_t *page = builder->pages + (size_t)builder->page_count * CSD_PAGE_BYTES;
  const uint32_t n = builder->block_count;
  const uint32_t from = HEADER + n * DIRECTORY;
  uint32_t lead = 1;
  while (lead < n && (builder->entries[lead - 1].flags & CSD_POSITION_FLAG_LAST_OF_LIST) == 0) {
    lead++;
  }
  memset(page, 0, CSD_PAGE_BYTES);
  for (uint32_t b = 0; b < n; b++) {
    builder->entries[b].offset = (uint16_t)(builder->entries[b].offset + from);
  }
  memcpy(page + HEADER, builder->last_docs, 4 * (size_t)n);
  memcpy(page + HEADER + 4 * (size_t)n, builder->entries, 8 * (size_t)n);
  memcpy(page + from, builder->data, builder->data_bytes);
  const struct csd_position_page_header header = {
      .magic = CSD_POSITION_MAGIC,
      .version = CSD_WIRE_VERSION,
      .file_page = builder->first_file_page + builder->page_count,
      .stamp = builder->stamp,
      .block_count = (uint16_t)n,
      .lead_blocks = (uint16_t)lead,
      .used_bytes = (uint16_t)(from + builder->data_bytes),
      .lead_first_doc = builder->first_doc,
      .lead_last_doc = builder->last_docs[lead - 1]};
  memcpy(page, &header, sizeof header);
  const uint32_t crc = csd_crc32c(0, page + 12, CSD_PAGE_BYTES - 12);
  memcpy(page + offsetof(struct csd_position_page_header, crc32c), &crc, sizeof crc);
  builder->page_count++;
  builder->block_count = 0;
  builder->data_bytes = 0;
}

/* A width with no more exceptions than are allowed: any that is wide enough, or a narrow one. */
static uint32_t choose_width(struct position_builder *builder, const struct adding *list) {
  uint32_t widest = 0;
  for (uint32_t i = 0; i < list->count; i++) {
    widest = test_bits_of(list->values[i]) > widest ? test_bits_of(list->values[i]) : widest;
  }
  if (check_random_below(&builder->random, 2) == 0) {
    const uint32_t more = check_random_below(&builder->random, 4);
    return widest + more < 31 ? widest + more : 31;
  }
  uint32_t bits = widest;
  for (; bits > 0 && widest - (bits - 1) <= 8; bits--) {
    uint32_t exceptions = 0;
    for (uint32_t i = 0; i < list->count; i++) {
      exceptions += test_bits_of(list->values[i]) > bits - 1;
    }
    if (exceptions > CSD_MAX_POSITION_EXCEPTIONS) {
      break;
    }
  }
  return bits;
}

/* Writes the list's block behind the others of the page at work, or into a new one. */
static void flush(struct position_builder *builder, struct adding *list, unsigned last_flag) {
  uint8_t bytes[CSD_PAGE_BYTES] = {0};
  const uint32_t bits = choose_width(builder, list);
  const uint32_t base = list->rank != 0 ? 4 : 0;
  uint32_t size = base + (list->count * bits + 7) / 8;
  uint32_t exceptions = 0;
  memcpy(bytes, &list->rank, sizeof list->rank);
  memset(bytes + base, 0, 4);
  for (uint32_t i = 0; i < list->count; i++) {
    test_put_bits(bytes + base, i * bits, bits, list->values[i]);
  }
  for (uint32_t i = 0; i < list->count; i++) {
    if (list->values[i] >> bits != 0) {
      bytes[size++] = (uint8_t)i;
      bytes[size++] = (uint8_t)(i >> 8);
      bytes[size++] = (uint8_t)(list->values[i] >> bits);
      exceptions++;
    }
  }
  const uint32_t used = HEADER + builder->block_count * DIRECTORY + builder->data_bytes;
  if (builder->block_count == CSD_MAX_POSITION_BLOCKS || used + DIRECTORY + size > CSD_PAGE_BYTES) {
    position_builder_finish(builder);
  }
  const uint32_t b = builder->block_count++;
  if (b == 0) {
    builder->first_doc = list->first_doc;
  }
  builder->last_docs[b] = list->last_doc;
  builder->entries[b] = (struct csd_position_entry){
      .offset = (uint16_t)builder->data_bytes,
      .value_count = (uint16_t)list->count,
      .value_bits = (uint8_t)bits,
      .exceptions = (uint8_t)exceptions,
      .flags = (uint8_t)(list->flags | last_flag | (base != 0 ? CSD_POSITION_FLAG_INSIDE : 0u))};
  memcpy(builder->data + builder->data_bytes, bytes, size);
  builder->data_bytes += size;
  const uint32_t page = builder->first_file_page + builder->page_count;
  if (list->flags != 0) {
    list->ref->first_page = page;
    list->ref->slot = (uint16_t)b;
  }
  list->ref->page_count = page - list->ref->first_page + 1;
  list->flags = 0;
  list->rank += list->count;
  list->count = 0;
}

void position_builder_add(struct position_builder *builder, const uint32_t *docs,
                          const uint32_t *freqs, uint32_t count, test_positions positions,
                          const void *context, struct csd_list_ref *ref) {
  static struct adding list;
  list = (struct adding){.flags = CSD_POSITION_FLAG_FIRST_OF_LIST, .ref = ref};
  *ref = (struct csd_list_ref){.kind = CSD_LIST_KIND_POSITIONS, .posting_count = count};
  ref->inline_norm = (uint8_t)(check_random_below(&builder->random, 4) == 0); /* may be said */
  if (count == 1 && freqs[0] == 1) {
    positions(context, docs[0], 1, &ref->inline_freq);
    return;
  }
  ref->stamp = builder->stamp;
  for (uint32_t p = 0; p < count; p++) {
    const uint32_t freq = freqs[p];
    uint32_t *of_doc = malloc(freq * sizeof *of_doc);
    if (of_doc == NULL) {
      abort();
    }
    positions(context, docs[p], freq, of_doc);
    const bool apart = freq > CSD_MAX_POSITION_VALUES;
    const bool new_block = p % CSD_BLOCK_POSTINGS == 0;
    if (list.count > 0 && (new_block || apart || list.count + freq > CSD_MAX_POSITION_VALUES)) {
      flush(builder, &list, 0);
    }
    list.rank = new_block ? 0 : list.rank;
    list.first_doc = list.count == 0 ? docs[p] : list.first_doc;
    list.last_doc = docs[p];
    for (uint32_t i = 0; i < freq; i++) {
      if (list.count == CSD_MAX_POSITION_VALUES) {
        flush(builder, &list, 0);
        list.first_doc = docs[p];
      }
      list.values[list.count++] = of_doc[i] - (i > 0 ? of_doc[i - 1] : 0);
      ref->inline_norm |= i > 0 && of_doc[i] == of_doc[i - 1];
    }
    free(of_doc);
    if (apart && p + 1 < count) {
      flush(builder, &list, 0);
    }
  }
  flush(builder, &list, CSD_POSITION_FLAG_LAST_OF_LIST);
}
