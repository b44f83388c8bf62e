/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/* Flat Boolean queries as bits in windows, also where bits would not pay. */
#include "core/eval/eval_bits.h"
#include "tests/core/eval/eval_world.h"

static void bits(struct program_world *world) {
  struct eval_case c;
  eval_plan_init(world, false);
  if (below(world, 2) == 0) {
    eval_plan_flat(world, 1 + below(world, 4), 0, below(world, 3), 0);
  } else {
    eval_plan_flat(world, 0, 1 + below(world, 6), below(world, 3), 1);
  }
  eval_case_begin(&c, world);
  c.eval->wide = csd_bits_make(&c.arena, 64 * (1 + below(world, CSD_WIDE_DOCS / 64)));
  REQUIRE(c.eval->wide != NULL);
  eval_case_compare(&c, csd_bits_produce, true);
  eval_case_end(&c);
}

static void windows(void) { eval_worlds(6400, bits); }

/* Bits outside the range are cleared, those inside stay. */
static void trimming(void) {
  enum { WORDS = 4, BASE = 640 };
  for (uint32_t from = BASE; from < BASE + 64; from++) {
    for (uint32_t end = from + 1; end <= BASE + 64 * WORDS; end++) {
      uint64_t words[WORDS + 2];
      for (uint32_t w = 0; w < WORDS + 2; w++) {
        words[w] = UINT64_MAX;
      }
      csd_bits_trim(words, BASE, from, end);
      const uint32_t used = (end - BASE) / 64 + 2;
      for (uint32_t doc = BASE; doc < BASE + 64 * used && check_failures == 0; doc++) {
        const bool set = (words[(doc - BASE) / 64] >> (doc % 64) & 1) != 0;
        CHECK_MSG(set == (doc >= from && doc < end), "doc %u of [%u, %u)", doc, from, end);
      }
    }
  }
}

int main(void) {
  RUN(trimming);
  RUN(windows);
  return check_result();
}
