/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/* Exact phrases in docs of few and of many positions, against naive counts. */
#include "core/phrase/phrase_match.h"
#include "tests/core/phrase/phrase_world.h"

static void compare(struct phrase_world *world, bool all) {
  static struct csd_phrase_positions memory;
  static struct csd_position_stream streams[PHRASE_MAX_TERMS];
  uint32_t counts[PHRASE_DOCS];
  memory.streams = streams;
  CHECK_OK(csd_phrase_count(&world->phrase, &world->docs, PHRASE_DOCS, all, &memory, counts));
  for (uint32_t i = 0; i < PHRASE_DOCS && check_failures == 0; i++) {
    struct naive_place places[PHRASE_MAX_TERMS];
    const uint32_t n = phrase_world_places(world, i, places);
    const uint32_t expected = naive_occurrences(places, n);
    if (all) {
      CHECK_EQ(expected, counts[i]);
    } else {
      CHECK_EQ(expected > 0, counts[i] > 0);
    }
  }
}

static void against_naive_counts(void) {
  uint32_t matches = 0;
  for (uint64_t seed = 1; seed <= 400 && check_failures == 0; seed++) {
    struct phrase_world *world = phrase_world_make(seed, false, 0);
    compare(world, true);
    phrase_world_rewind(world);
    compare(world, false);
    matches += phrase_world_matches(world);
    phrase_world_free(world);
  }
  CHECK_MSG(matches > 1000, "%u matches", matches);
}

int main(void) {
  RUN(against_naive_counts);
  return check_result();
}
