/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/* Memory of a grant: aligned, never beyond the grant, refused when it is used up. */
#include "core/plan/arena.h"
#include "tests/support/check.h"

static void pieces_are_aligned_and_apart(void) {
  static uint8_t grant[4096 + 64];
  for (size_t shift = 0; shift < 64; shift += 7) {
    struct csd_arena arena = {.next = grant + shift, .left = 4096};
    const uint8_t *end = grant + shift;
    uint8_t *piece;
    for (size_t bytes = 1; (piece = csd_arena_take(&arena, bytes)) != NULL; bytes = bytes * 2 + 1) {
      CHECK((uintptr_t)piece % 64 == 0);
      CHECK(piece >= end);
      end = piece + bytes;
      CHECK(end <= grant + shift + 4096);
      CHECK(end + arena.left == grant + shift + 4096);
    }
  }
}

static void a_grant_is_used_up_to_the_last_byte(void) {
  static _Alignas(64) uint8_t grant[256];
  struct csd_arena arena = {.next = grant, .left = sizeof grant};
  CHECK(csd_arena_take(&arena, 192) == grant);
  CHECK(csd_arena_take(&arena, 65) == NULL);
  CHECK(csd_arena_take(&arena, SIZE_MAX) == NULL);
  CHECK(csd_arena_take(&arena, 64) == grant + 192);
  CHECK(csd_arena_take(&arena, 1) == NULL);
}

static void too_little_for_the_alignment_is_refused(void) {
  static _Alignas(64) uint8_t grant[64];
  struct csd_arena arena = {.next = grant + 1, .left = 62};
  CHECK(csd_arena_take(&arena, 0) == NULL);
}

int main(void) {
  RUN(pieces_are_aligned_and_apart);
  RUN(a_grant_is_used_up_to_the_last_byte);
  RUN(too_little_for_the_alignment_is_refused);
  return check_result();
}
