/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/*
 * Property: whatever bytes the backing file holds, and wherever it ends, the device opens or
 * refuses to; reads give the file's bytes, with zeros behind them; plans over them give an answer
 * or a clear refusal; nothing is changed by any of it.
 *
 * Input: flags, first LBA, bytes of the plan (u16), the plan, what the file holds from that LBA on.
 */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "fuzz_input.h"
#include "tests/support/client.h"
#include "tests/support/page/page_builder.h"
#include "tests/support/scratch.h"
#include "tests/vectors/vector_file.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
size_t fuzz_seed(const struct vector_file *vector, uint8_t *input, size_t room);

enum { LBAS = 600, MAX_LBAS = 16, RESULT_BYTES = 1 << 16, MAX_PLANS = 4 };
enum { SEAL = 1, READ_ONLY = 2, SMALL = 4, MODELLED = 8, READ_FIRST = 16 };

/* The file's bytes, with checksums set right if that is asked for: else few pages get through. */
static void make_file(const char *path, uint64_t lba, const uint8_t *bytes, size_t count,
                      bool seal) {
  const int file = open(path, O_RDWR | O_CREAT | O_TRUNC, 0600);
  if (file < 0) {
    abort();
  }
  uint8_t page[CSD_PAGE_BYTES];
  for (size_t at = 0; at < count; at += sizeof page) {
    const size_t here = count - at < sizeof page ? count - at : sizeof page;
    memcpy(page, bytes + at, here);
    if (seal && here == sizeof page) {
      page_builder_seal(page);
    }
    if (pwrite(file, page, here, (off_t)(lba * CSD_LBA_BYTES + at)) != (ssize_t)here) {
      abort();
    }
  }
  close(file);
}

/* What is read is what the file holds. */
static void read_all(struct csd_queue *queue, const char *path, uint64_t lba) {
  static uint8_t expected[MAX_LBAS * CSD_LBA_BYTES], read[MAX_LBAS * CSD_LBA_BYTES];
  memset(expected, 0, sizeof expected);
  const int file = open(path, O_RDONLY);
  if (file < 0 || pread(file, expected, sizeof expected, (off_t)(lba * CSD_LBA_BYTES)) < 0) {
    abort();
  }
  close(file);
  if (client_read(queue, lba, read, MAX_LBAS) != 0) {
    abort();
  }
  if (memcmp(expected, read, sizeof read) != 0) {
    abort();
  }
}

/* Runs the plan in every mode that it can be turned into with its size unchanged. */
static void run_plans(struct csd_queue *queue, const uint8_t *plan, size_t bytes) {
  uint8_t *copy = malloc(bytes + 1), *result = malloc(RESULT_BYTES);
  const int64_t session = client_session(queue, CSD_MIN_GRANT_BYTES * 4);
  if (copy == NULL || result == NULL || session <= 0) {
    abort();
  }
  for (uint8_t mode = 0; mode < MAX_PLANS; mode++) {
    memcpy(copy, plan, bytes);
    if (mode > 0 && bytes >= sizeof(struct csd_plan_header)) {
      struct csd_plan_header header;
      memcpy(&header, copy, sizeof header);
      header.mode = mode;
      header.k = mode == CSD_MODE_TOP_K ? 10 : 0;
      memcpy(copy, &header, sizeof header);
    }
    const int64_t got =
        client_plan(queue, (uint32_t)session, copy, (uint32_t)bytes, result, RESULT_BYTES, 50000);
    if (got == -CSD_STATUS_INTERNAL || got > RESULT_BYTES) {
      abort();
    }
  }
  if (client_close_session(queue, (uint32_t)session) != 0) {
    abort();
  }
  free(copy);
  free(result);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  struct fuzz_input input = {data, size};
  const uint8_t flags = fuzz_u8(&input), first = fuzz_u8(&input);
  const size_t wanted = fuzz_u16(&input);
  const size_t plan_bytes = wanted < input.left ? wanted : input.left;
  const uint8_t *plan = input.at;
  input.at += plan_bytes, input.left -= plan_bytes;
  if (input.left > MAX_LBAS * CSD_LBA_BYTES) {
    input.left = MAX_LBAS * CSD_LBA_BYTES;
  }
  const char *path = scratch_path("store");
  make_file(path, first, input.at, input.left, flags & SEAL);

  struct csd_device_options options = {.path = path,
                                       .capacity_bytes = LBAS * CSD_LBA_BYTES,
                                       .dram_bytes = 1 << 17,
                                       .max_sessions = 2,
                                       .read_only = (flags & READ_ONLY) != 0,
                                       .read_first = (flags & READ_FIRST) != 0};
  if (flags & SMALL) {
    options.capacity_bytes = 8 * CSD_LBA_BYTES;
  }
  const bool fits = first * (uint64_t)CSD_LBA_BYTES + input.left <= options.capacity_bytes;
  struct csd_device *device;
  const int status = csd_device_open(&options, &device);
  if (status != 0) {
    if (fits || input.left == 0 || status != -CSD_STATUS_INVALID_ARGUMENT) {
      abort();
    }
    return 0;
  }
  if (!fits && input.left > 0) {
    abort();
  }
  struct csd_queue *queue = client_queue(device);
  if (!(flags & SMALL)) {
    read_all(queue, path, first);
  }
  run_plans(queue, plan, plan_bytes);
  const int writable = csd_device_open_for_writing(device);
  if (writable != 0 && (writable != -CSD_STATUS_READ_ONLY || !options.read_only)) {
    abort();
  }
  if (!(flags & SMALL)) {
    read_all(queue, path, first);
  }
  csd_queue_destroy(queue);
  csd_device_close(device);
  return 0;
}

/* The first page of a program's vector, and its plan. */
size_t fuzz_seed(const struct vector_file *vector, uint8_t *input, size_t room) {
  const struct vector_section *plan = vector_section_of(vector, "plan", 0);
  const struct vector_section *page = vector_section_of(vector, "page", 0);
  if (plan == NULL || page == NULL || plan->size > UINT16_MAX) {
    return 0;
  }
  const size_t size = 4 + plan->size + CSD_PAGE_BYTES;
  const unsigned lba = (unsigned)atoi(page->title + strlen("page "));
  if (size > room || lba > 255) {
    return 0;
  }
  const uint16_t plan_bytes = (uint16_t)plan->size;
  input[0] = SEAL;
  input[1] = (uint8_t)lba;
  memcpy(input + 2, &plan_bytes, sizeof plan_bytes);
  memcpy(input + 4, plan->bytes, plan->size);
  memcpy(input + 4 + plan->size, page->bytes, CSD_PAGE_BYTES);
  return size;
}
