/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.fuzz;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.function.LongPredicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.luceneoffload.QuickRun;
import org.luceneoffload.fuzz.generate.Recipe;
import org.luceneoffload.fuzz.run.FailedRound;

/**
 * A few rounds of fuzzing; hours of it by {@code build-tools/fuzz.sh}. {@code
 * -Dtests.seed=<number>} replays a seed.
 */
class TestDifferentialFuzz {
  private static final int ROUNDS = Integer.getInteger("fuzz.rounds", QuickRun.times(2, 24));
  private static final int LONG_ROUNDS = Integer.getInteger("fuzz.longRounds", 4);

  @TempDir Path work;

  @Test
  void longListsDoNotDiffer() throws IOException {
    QuickRun.skipLong();
    run(Recipe::hasLongLists, LONG_ROUNDS);
  }

  @Test
  void nothingDiffers() throws IOException {
    run(round -> true, ROUNDS);
  }

  private void run(LongPredicate wanted, int rounds) throws IOException {
    long seed = Long.getLong("tests.seed", System.nanoTime());
    Fuzzer fuzzer = new Fuzzer(work, System.out, 1, true, wanted);
    fuzzer.run(seed, Duration.ofHours(1), rounds);
    List<String> complaints = fuzzer.report();
    assertEquals(List.of(), fuzzer.failures().stream().map(FailedRound::story).toList());
    assertEquals(List.of(), complaints);
  }
}
