/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.fuzz;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.luceneoffload.fuzz.device.Mutation;
import org.luceneoffload.fuzz.device.WatchedDeviceProvider;
import org.luceneoffload.fuzz.probe.Difference;
import org.luceneoffload.fuzz.run.FailedRound;

/** A device with a small fault is found soon: the fuzzer can fail. */
class TestFuzzFindsFaults {
  /** One round in two shows any of the faults: so many that chance alone hides none. */
  private static final int MAX_ROUNDS = 60;

  private static final int EVERY_NTH_ANSWER = 10;

  @TempDir Path work;

  @AfterEach
  void mend() {
    WatchedDeviceProvider.setMutation(null);
  }

  @ParameterizedTest
  @EnumSource(Mutation.Kind.class)
  void aFaultIsFound(Mutation.Kind kind) throws IOException {
    Mutation mutation = new Mutation(kind, EVERY_NTH_ANSWER);
    WatchedDeviceProvider.setMutation(mutation);
    ByteArrayOutputStream text = new ByteArrayOutputStream();
    Fuzzer fuzzer =
        new Fuzzer(
            work, new PrintStream(text, true, StandardCharsets.UTF_8), 1, false, round -> true);
    long seed = Long.getLong("tests.seed", System.nanoTime());
    fuzzer.run(seed, Duration.ofHours(1), MAX_ROUNDS);
    String report = kind + ", seed " + seed + ":\n" + text.toString(StandardCharsets.UTF_8);
    System.out.println(kind + " (seed " + seed + ") found after " + fuzzer.summary());
    assertTrue(mutation.applied() > 0, report);
    assertEquals(1, fuzzer.failures().size(), report);
    FailedRound failure = fuzzer.failures().get(0);
    assertTrue(failure.error() instanceof Difference, report);
    assertNotNull(failure.focus(), report);
    assertTrue(report.contains("replay: "), report);
  }
}
