/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
#include "core/kernels/crc32c.h"
#include "tests/support/check.h"

/* Known answers: RFC 3720, appendix B.4, and the usual check value of the nine digits. */
static void known_answers(void) {
  uint8_t bytes[32] = {0};
  CHECK_EQ(0x8A9136AAu, csd_crc32c(0, bytes, 32));
  memset(bytes, 0xFF, 32);
  CHECK_EQ(0x62A8AB43u, csd_crc32c(0, bytes, 32));
  for (int i = 0; i < 32; i++) {
    bytes[i] = (uint8_t)i;
  }
  CHECK_EQ(0x46DD794Eu, csd_crc32c(0, bytes, 32));
  CHECK_EQ(0xE3069283u, csd_crc32c(0, (const uint8_t *)"123456789", 9));
  CHECK_EQ(0, csd_crc32c(0, bytes, 0));
}

static void both_ways_agree_at_every_split(void) {
  uint8_t bytes[301];
  uint64_t seed = 1;
  for (size_t i = 0; i < sizeof bytes; i++) {
    bytes[i] = (uint8_t)check_random(&seed);
  }
  const uint32_t whole = csd_crc32c_portable(0, bytes, sizeof bytes);
  for (size_t cut = 0; cut <= sizeof bytes; cut++) {
    uint32_t crc = csd_crc32c(0, bytes, cut);
    CHECK_EQ(csd_crc32c_portable(0, bytes, cut), crc);
    CHECK_EQ(whole, csd_crc32c(crc, bytes + cut, sizeof bytes - cut));
  }
}

int main(void) {
  RUN(known_answers);
  RUN(both_ways_agree_at_every_split);
  return check_result();
}
