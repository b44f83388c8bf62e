/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.fuzz;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.luceneoffload.fuzz.generate.Recipe;
import org.luceneoffload.fuzz.run.FailedRound;

/**
 * A few seconds of fuzzing; hours of it by {@code build-tools/fuzz.sh}. {@code
 * -Dtests.seed=<number>} replays a seed.
 */
class TestDifferentialFuzz {
  private static final int SECONDS = Integer.getInteger("fuzz.seconds", 12);

  private static final int LONG_ROUNDS = Integer.getInteger("fuzz.longRounds", 2);

  @TempDir Path work;

  @Test
  void longListsDoNotDiffer() throws IOException {
    long seed = Long.getLong("tests.seed", System.nanoTime());
    Fuzzer fuzzer = new Fuzzer(work, System.out, 1, true, Recipe::hasLongLists);
    fuzzer.run(seed, Duration.ofMinutes(5), LONG_ROUNDS);
    List<String> complaints = fuzzer.report();
    assertEquals(List.of(), fuzzer.failures().stream().map(FailedRound::story).toList());
    assertEquals(List.of(), complaints);
  }

  @Test
  void nothingDiffers() throws IOException {
    long seed = Long.getLong("tests.seed", System.nanoTime());
    Fuzzer fuzzer = new Fuzzer(work, System.out, 1, true, round -> true);
    fuzzer.run(seed, Duration.ofSeconds(SECONDS), Long.MAX_VALUE);
    List<String> complaints = fuzzer.report();
    assertEquals(List.of(), fuzzer.failures().stream().map(FailedRound::story).toList());
    assertEquals(List.of(), complaints);
  }
}
