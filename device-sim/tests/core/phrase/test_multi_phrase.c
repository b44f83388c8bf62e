/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/* Phrases whose terms may move, or stand at one place with others, against naive frequencies. */
#include "core/phrase/multi_phrase.h"
#include "tests/core/phrase/phrase_world.h"

static float expected_frequency(const struct phrase_world *world, const struct naive_place *places,
                                uint32_t n) {
  return world->phrase.slop > 0
             ? naive_sloppy(places, n, world->phrase.slop, world->phrase.places[0].repeats)
             : (float)naive_occurrences(places, n);
}

/* Compares one doc after the other, each with memory that the others have used. */
static void compare(struct phrase_world *world, struct csd_multi_phrase *memory, bool all) {
  for (uint32_t i = 0; i < PHRASE_DOCS && check_failures == 0; i++) {
    struct naive_place places[PHRASE_MAX_TERMS];
    const uint32_t n = phrase_world_places(world, i, places);
    phrase_world_ask(world, i, 1);
    float freq = -1.0f;
    CHECK_OK(csd_multi_phrase_match(&world->phrase, &world->docs, 1, all, memory, &freq));
    const float expected = expected_frequency(world, places, n);
    if (all) {
      CHECK_MSG(freq == expected, "doc %u: %a, not %a", i, (double)freq, (double)expected);
    } else {
      CHECK_EQ(expected > 0.0f, freq > 0.0f);
    }
  }
}

static void compare_together(struct phrase_world *world, struct csd_multi_phrase *memory) {
  float freqs[PHRASE_DOCS];
  phrase_world_ask(world, 0, PHRASE_DOCS);
  CHECK_OK(csd_multi_phrase_match(&world->phrase, &world->docs, PHRASE_DOCS, true, memory, freqs));
  for (uint32_t i = 0; i < PHRASE_DOCS && check_failures == 0; i++) {
    struct naive_place places[PHRASE_MAX_TERMS];
    const uint32_t n = phrase_world_places(world, i, places);
    const float expected = expected_frequency(world, places, n);
    CHECK_MSG(freqs[i] == expected, "doc %u: %a, not %a", i, (double)freqs[i], (double)expected);
  }
}

static void against_naive(uint64_t first, bool exact) {
  static uint8_t grant[1 << 20];
  uint32_t matches = 0;
  for (uint64_t seed = first; seed < first + 400 && check_failures == 0; seed++) {
    struct csd_arena arena = {.next = grant, .left = sizeof grant};
    struct csd_multi_phrase memory;
    struct phrase_world *world = phrase_world_make(seed, true, exact ? 0 : 1 + (uint32_t)seed % 9);
    CHECK(csd_multi_phrase_take(&memory, &arena, world->phrase.count));
    compare(world, &memory, true);
    phrase_world_rewind(world);
    compare(world, &memory, false);
    phrase_world_rewind(world);
    compare_together(world, &memory);
    matches += phrase_world_matches(world);
    phrase_world_free(world);
  }
  CHECK_MSG(matches > 1000, "%u matches", matches);
}

static void exact_phrases(void) { against_naive(1000, true); }
static void sloppy_phrases(void) { against_naive(2000, false); }

/* A grant that is used up is told, wherever it ends. */
static void no_room(void) {
  static uint8_t grant[1 << 20];
  size_t enough = 0;
  for (size_t bytes = 0; enough == 0 && bytes < sizeof grant; bytes += 512) {
    struct csd_arena arena = {.next = grant, .left = bytes};
    struct csd_multi_phrase memory;
    enough = csd_multi_phrase_take(&memory, &arena, 5) ? bytes : 0;
  }
  CHECK_MSG(enough > 65536 && enough < 98304, "%zu bytes", enough);
}

int main(void) {
  RUN(exact_phrases);
  RUN(sloppy_phrases);
  RUN(no_room);
  return check_result();
}
