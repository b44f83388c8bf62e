/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/*
 * Property: whatever parameters a synthetic workload is given, and whatever memory its programs, it
 * is refused, or it is made, run and recorded within its arrays; and lists of any docs, ascending
 * or not, are run through without an access outside them.
 *
 * Input: parameters, then the docs of lists.
 */
#include <stdlib.h>
#include <string.h>

#include "csd/csd_model_classic.h"
#include "fuzz_input.h"
#include "tests/model/model_world.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Larger ones are fine, and slow. */
enum { MAX_ENTRIES = 6000, MAX_UNIVERSE = 1 << 20, MAX_LENGTH = 600 };

static void may(int64_t status) {
  if (status == -CSD_STATUS_INTERNAL) {
    abort();
  }
}

static void run_workload(struct fuzz_input *input) {
  const uint8_t how = fuzz_u8(input), operation = fuzz_u8(input) % 4u;
  struct csd_classic_workload workload = {.lists = fuzz_u8(input) % 12u,
                                          .longest = fuzz_u16(input),
                                          .skew = fuzz_u16(input),
                                          .ratio_ppm = fuzz_u32(input) % 1100000u,
                                          .universe = fuzz_u32(input),
                                          .seed = fuzz_u8(input)};
  const uint64_t memory = fuzz_u32(input);
  if (how & 1) {
    workload.longest = fuzz_u32(input);
  }
  for (int i = 0; (how & 2) && i < (int)CSD_CLASSIC_MAX_LISTS; i++) {
    workload.lengths[i] = fuzz_u16(input);
  }
  uint64_t entries, scratch;
  if (csd_classic_workload_size(&workload, &entries, &scratch) != 0) {
    return;
  }
  if (entries > MAX_ENTRIES || workload.universe > MAX_UNIVERSE || workload.universe == 0) {
    return;
  }
  struct csd_model_classic_pair pair;
  const int status = csd_model_classic_record_workload(
      &workload, (enum csd_classic_operation)operation, how & 4, how & 8, memory, how & 16, &pair);
  may(status);
  if (status == 0) {
    const struct csd_model_profile profile = model_profile();
    model_play_one(&profile, CSD_MODEL_SIDE_DEVICE, &pair.device);
    model_play_one(&profile, CSD_MODEL_SIDE_HOST, &pair.host);
  }
  csd_model_classic_free(&pair);
}

/* Lists as the input has them, each in memory of its very size. */
static void run_lists(struct fuzz_input *input) {
  struct csd_classic_list lists[CSD_CLASSIC_MAX_LISTS];
  struct csd_classic_entry *entries[CSD_CLASSIC_MAX_LISTS];
  const uint8_t how = fuzz_u8(input);
  const uint32_t count = 2 + how % 7u;
  uint64_t sum = 0;
  for (uint32_t i = 0; i < count; i++) {
    const uint32_t length = fuzz_u16(input) % MAX_LENGTH;
    entries[i] = calloc(length + (size_t)(length == 0), sizeof *entries[i]);
    uint32_t doc = fuzz_u8(input);
    for (uint32_t j = 0; j < length; j++) {
      entries[i][j] = (struct csd_classic_entry){.doc = doc, .freq = 1, .score = doc % 7u};
      const uint8_t gap = fuzz_u8(input);
      doc = gap < 250 ? doc + 1 + gap % 5u : fuzz_u32(input);
    }
    lists[i] = (struct csd_classic_list){.entries = entries[i], .length = length};
    sum += length;
  }
  const struct csd_classic_request request = {
      .operation = (enum csd_classic_operation)(fuzz_u8(input) % 3u),
      .ranked = (how & 64) != 0,
      .list_count = count,
      .lists = lists};
  const size_t memory_bytes =
      how & 128 ? (size_t)csd_classic_whole_bytes(&request) : fuzz_u16(input) * 8u;
  void *memory = malloc(memory_bytes + (memory_bytes == 0));
  const uint32_t capacity = fuzz_u8(input) < 200 ? (uint32_t)sum + CSD_CLASSIC_TOP : fuzz_u8(input);
  struct csd_classic_result *results = calloc((size_t)capacity + 1, sizeof *results);
  const struct csd_classic_device device = {.memory = memory, .memory_bytes = memory_bytes};
  struct csd_classic_counts counts;
  const int got = csd_classic_run(&request, &device, results, capacity, &counts);
  may(got);
  if (got > 0 && (uint32_t)got > capacity) {
    abort();
  }
  free(results);
  free(memory);
  for (uint32_t i = 0; i < count; i++) {
    free(entries[i]);
  }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  struct fuzz_input input = {data, size};
  if (fuzz_u8(&input) & 1) {
    run_workload(&input);
  } else {
    run_lists(&input);
  }
  return 0;
}
