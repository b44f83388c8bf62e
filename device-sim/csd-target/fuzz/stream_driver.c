/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/*
 * Feeds fuzz_target without a fuzzer: the streams of fuzz_streams.c, and so many alterations of
 * them, the same for the same seed.
 *
 *   stream_driver <alterations> [seed]
 *   stream_driver --corpus <folder>     writes the streams, for libFuzzer to start from
 *   stream_driver <file>                repeats a finding
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "fuzz_target.h"
#include "tests/support/check.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { HANG_SECONDS = 30 };

static uint8_t stream[2 * FUZZ_STREAM_BYTES], other[FUZZ_STREAM_BYTES];

/* Where things begin: mostly at a PDU's head, as far as it can be told. */
static size_t some_place(const uint8_t *bytes, size_t size, uint64_t *seed) {
  size_t at = 1;
  const uint32_t skip = check_random_below(seed, 24);
  for (uint32_t i = 0; i < skip; i++) {
    uint32_t length;
    if (at + 8 > size) {
      break;
    }
    memcpy(&length, bytes + at + 4, 4);
    if (length < 8 || length > size - at) {
      break;
    }
    at += length;
  }
  if (check_random_below(seed, 4) == 0) {
    at = check_random_below(seed, (uint32_t)size);
  }
  return at < size ? at : size - 1;
}

static size_t alter(uint8_t *bytes, size_t size, uint64_t *seed) {
  static const uint32_t odd[] = {0,   1,   2,    4,     24,         72,         127,
                                 128, 255, 4096, 16384, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF};
  const size_t at = some_place(bytes, size, seed);
  const size_t field = at + check_random_below(seed, 80);
  const uint32_t value = odd[check_random_below(seed, sizeof odd / sizeof odd[0])];
  switch (check_random_below(seed, 8)) {
    case 0:
    case 1: /* a bit */
      if (field < size) {
        bytes[field] = (uint8_t)(bytes[field] ^ 1u << check_random_below(seed, 8));
      }
      break;
    case 2: /* a byte */
      if (field < size) {
        bytes[field] = (uint8_t)value;
      }
      break;
    case 3: /* a dword */
      if (field + 4 < size) {
        memcpy(bytes + field, &value, 4);
      }
      break;
    case 4: /* the end is missing */
      return at > 1 ? at + check_random_below(seed, 40) % (uint32_t)(size - at) : size;
    case 5: { /* something is missing */
      const size_t gap = 1 + check_random_below(seed, 200);
      if (at + gap >= size) {
        break;
      }
      memmove(bytes + at, bytes + at + gap, size - at - gap);
      return size - gap;
    }
    case 6: { /* something comes twice */
      const size_t twice = 1 + check_random_below(seed, 5000);
      if (at + twice > size || size + twice > sizeof stream) {
        break;
      }
      memmove(bytes + at + twice, bytes + at, size - at);
      return size + twice;
    }
    default: { /* something of another stream */
      const size_t count = fuzz_stream((int)check_random_below(seed, FUZZ_STREAMS), other);
      const size_t from = some_place(other, count, seed);
      const size_t bytes_left = count - from < 3000 ? count - from : 3000;
      if (at + bytes_left > sizeof stream) {
        break;
      }
      memcpy(bytes + at, other + from, bytes_left);
      return at + bytes_left > size ? at + bytes_left : size;
    }
  }
  return size;
}

static void feed(const uint8_t *bytes, size_t size) {
  uint8_t *input = malloc(size); /* of its very size, for the sanitizers */
  if (input == NULL) {
    abort();
  }
  memcpy(input, bytes, size);
  alarm(HANG_SECONDS);
  LLVMFuzzerTestOneInput(input, size);
  alarm(0);
  free(input);
}

static int write_corpus(const char *folder) {
  size_t size;
  for (int i = 0; (size = fuzz_stream(i, stream)) > 0; i++) {
    char path[1024];
    snprintf(path, sizeof path, "%s/stream%d", folder, i);
    FILE *file = fopen(path, "wb");
    if (file == NULL || fwrite(stream, 1, size, file) != size || fclose(file) != 0) {
      return 1;
    }
  }
  return 0;
}

static int feed_file(const char *path) {
  FILE *file = fopen(path, "rb");
  if (file == NULL) {
    return 1;
  }
  const size_t size = fread(stream, 1, sizeof stream, file);
  fclose(file);
  feed(stream, size);
  return 0;
}

int main(int argc, char **argv) {
  if (argc == 3 && strcmp(argv[1], "--corpus") == 0) {
    return write_corpus(argv[2]);
  }
  if (argc < 2) {
    return 2;
  }
  if (argv[1][0] < '0' || argv[1][0] > '9') {
    return feed_file(argv[1]);
  }
  const int alterations = atoi(argv[1]);
  uint64_t seed = argc > 2 ? strtoull(argv[2], NULL, 0) : 1;
  int streams = 0;
  while (fuzz_stream(streams, stream) > 0) {
    feed(stream, fuzz_stream(streams, stream));
    streams++;
  }
  for (int i = 0; i < alterations; i++) {
    size_t size = fuzz_stream((int)check_random_below(&seed, (uint32_t)streams), stream);
    const uint32_t changes = 1 + check_random_below(&seed, 4);
    for (uint32_t k = 0; k < changes && size > 1; k++) {
      size = alter(stream, size, &seed);
    }
    feed(stream, size);
  }
  printf("%d streams, %d alterations\n", streams, alterations);
  return 0;
}
