/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/* The counting kernels: none is left out, and no count depends on whose kernels do the work. */
#include "tests/support/check.h"
#include "timing/record_kernels.h"

static const struct csd_kernels *list[CSD_MAX_KERNELS];
static unsigned list_count;

/* Every member of the table but its name, its value kernels and its threshold is a function. The
   value kernels stay whose they are: csd_work counts values. */
static void every_kernel_is_counted(void) {
  const struct csd_kernels counting = csd_counting_kernels(list[0]);
  const size_t first = offsetof(struct csd_kernels, unpack_docs);
  const size_t end = offsetof(struct csd_kernels, values);
  void (*theirs)(void);
  void (*ours)(void);
  CHECK_EQ(first, sizeof list[0]->name);
  for (size_t at = first; at < end; at += sizeof ours) {
    memcpy(&ours, (const char *)&counting + at, sizeof ours);
    memcpy(&theirs, (const char *)list[0] + at, sizeof theirs);
    CHECK_MSG(ours != NULL && ours != theirs, "the kernel at byte %zu of the table", at);
  }
  CHECK_EQ(end + sizeof(void *), offsetof(struct csd_kernels, merge_pays_to));
  CHECK(counting.values == list[0]->values);
  for (unsigned i = 0; i < list_count; i++) {
    CHECK_EQ(csd_kernels_scalar.merge_pays_to, csd_counting_kernels(list[i]).merge_pays_to);
  }
}

/* Calls of known sizes: 128 deltas of 5 bits are 80 bytes, and so on. */
static void counts_are_of_elements(void) {
  static uint8_t column[4096 + 64];
  static uint32_t docs[4096 + 64], out[8192 + 64];
  static uint16_t index[4096 + 64];
  static uint8_t position[4096 + 64], map[CSD_INTERSECT_MAP_BYTES];
  static uint64_t bits[64 + 1];
  for (unsigned i = 0; i < list_count; i++) {
    const struct csd_kernels counting = csd_counting_kernels(list[i]);
    struct csd_tally tally = {.kernels = list[i]};
    CHECK(csd_tally_set(&tally) == NULL);
    counting.unpack_docs(column, 5, 128, 0, docs);
    CHECK_EQ(128, tally.values_decoded);
    CHECK_EQ(80, tally.bytes_streamed);
    CHECK_EQ(128, docs[127]);
    counting.intersect(docs + 10, 2, docs, 128, map, index, position);
    CHECK_EQ(16, tally.docs_searched); /* one by one */
    counting.intersect(docs, 100, docs, 128, map, index, position);
    CHECK_EQ(16 + 228, tally.docs_searched); /* merged */
    counting.merge_docs(docs, 128, docs, 100, out);
    CHECK_EQ(16 + 228 + 228, tally.docs_searched);
    bits[0] = 0xFF;
    CHECK_EQ(8, counting.list_bits(bits, 64, 0, out));
    CHECK_EQ(64, tally.bitmap_words);
    CHECK_EQ(136, tally.values_decoded);
    CHECK(csd_tally_set(NULL) == &tally);
  }
}

int main(void) {
  list_count = csd_kernels_list(list);
  RUN(every_kernel_is_counted);
  RUN(counts_are_of_elements);
  return check_result();
}
