/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.papers.classic;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.luceneoffload.model.DeviceProfile;
import org.luceneoffload.model.Profiles;
import org.luceneoffload.planner.CostModel;
import org.luceneoffload.report.PlanExplanation.LeafEstimate;

/** Estimates of classic programs: monotonic, and right where the paper says who wins. */
class TestClassicEstimate {
  private static final int MAX_DOC = 10_000_000;
  private static final int TEN_MB = 327_680;

  private static LeafEstimate estimate(
      String profile, Operation operation, boolean ranked, Integer... lengths) throws IOException {
    return ClassicEstimate.of(
        new CostModel(Profiles.load(profile)),
        new ClassicRequest(operation, ranked, true, List.of(lengths), MAX_DOC));
  }

  @Test
  void longerListsTakeLonger() throws IOException {
    for (String profile : Profiles.names()) {
      for (Operation operation : Operation.values()) {
        for (boolean ranked : new boolean[] {false, true}) {
          LeafEstimate before = new LeafEstimate(0, 0);
          // From a ratio of 4 on lists are searched by bisection: stay on one side of it.
          for (int length = 100_000; length < 2_000_000; length += length / 3) {
            LeafEstimate now = estimate(profile, operation, ranked, 20_000, length);
            String what = profile + " " + operation + " " + length;
            assertTrue(now.deviceNs() >= before.deviceNs(), what);
            assertTrue(now.hostNs() > before.hostNs(), what);
            before = now;
          }
        }
      }
    }
  }

  @Test
  void moreListsTakeLonger() throws IOException {
    for (String profile : Profiles.names()) {
      for (Operation operation : List.of(Operation.INTERSECTION, Operation.UNION)) {
        LeafEstimate before = new LeafEstimate(0, 0);
        for (int lists = 2; lists <= 8; lists++) {
          List<Integer> lengths = new ArrayList<>(Collections.nCopies(lists, TEN_MB));
          lengths.set(0, 3277);
          LeafEstimate now = estimate(profile, operation, true, lengths.toArray(new Integer[0]));
          assertTrue(now.deviceNs() >= before.deviceNs(), profile + " " + operation + lists);
          assertTrue(now.hostNs() > before.hostNs(), profile + " " + operation + lists);
          before = now;
        }
      }
    }
  }

  @Test
  void theHostHasNoSessionToOpen() throws IOException {
    DeviceProfile profile =
        Profiles.load("smart-ssd-sas").with("device.session_open_ns", 500_000_000, "a test");
    ClassicRequest tiny =
        new ClassicRequest(Operation.INTERSECTION, false, true, List.of(20, 300), MAX_DOC);
    assertFalse(ClassicEstimate.of(new CostModel(profile), tiny).prefersDevice());
    ClassicRequest large =
        new ClassicRequest(Operation.INTERSECTION, false, true, List.of(20, 10 * TEN_MB), MAX_DOC);
    assertTrue(ClassicEstimate.of(new CostModel(profile), large).prefersDevice());
  }

  @Test
  void whatThePaperFound() throws IOException {
    String device = "smart-ssd-sas";
    assertTrue(estimate(device, Operation.INTERSECTION, false, 3277, TEN_MB).prefersDevice());
    assertTrue(estimate(device, Operation.INTERSECTION, true, 3277, TEN_MB).prefersDevice());
    assertTrue(estimate(device, Operation.DIFFERENCE, false, 3277, TEN_MB).prefersDevice());
    assertTrue(estimate(device, Operation.DIFFERENCE, false, TEN_MB, TEN_MB).prefersDevice());
    // Skew 0.1 and 0.01, and the ranked unions.
    assertFalse(estimate(device, Operation.DIFFERENCE, false, TEN_MB, 32_768).prefersDevice());
    assertFalse(estimate(device, Operation.DIFFERENCE, false, TEN_MB, 3277).prefersDevice());
    assertFalse(estimate(device, Operation.UNION, true, TEN_MB, TEN_MB).prefersDevice());
    assertFalse(
        estimate(device, Operation.UNION, true, TEN_MB, TEN_MB, TEN_MB, TEN_MB).prefersDevice());
  }

  @Test
  void moreOftenLessMemory() throws IOException {
    DeviceProfile whole = Profiles.load("smart-ssd-sas");
    DeviceProfile little = whole.with("device.dram_bytes", 4_000_000, "a test");
    ClassicRequest request =
        new ClassicRequest(
            Operation.INTERSECTION, false, true, List.of(TEN_MB, 2 * TEN_MB), MAX_DOC);
    LeafEstimate fits = ClassicEstimate.of(new CostModel(whole), request);
    LeafEstimate chunked = ClassicEstimate.of(new CostModel(little), request);
    assertTrue(chunked.deviceNs() > 1.5 * fits.deviceNs());
    assertEquals(fits.hostNs(), chunked.hostNs());
  }

  @Test
  void emptyListsAndNonsense() throws IOException {
    LeafEstimate empty = estimate("pcie5-csd", Operation.INTERSECTION, false, 0, TEN_MB);
    assertTrue(empty.deviceNs() > 0 && empty.hostNs() > 0);
    assertThrows(
        IllegalArgumentException.class,
        () -> estimate("pcie5-csd", Operation.DIFFERENCE, false, 1, 2, 3));
    assertThrows(
        IllegalArgumentException.class, () -> estimate("pcie5-csd", Operation.UNION, false, 1));
    assertThrows(
        IllegalArgumentException.class,
        () -> estimate("pcie5-csd", Operation.UNION, false, 1, MAX_DOC + 1));
  }
}
