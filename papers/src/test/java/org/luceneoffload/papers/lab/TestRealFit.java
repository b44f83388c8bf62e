/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.papers.lab;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.luceneoffload.QuickRun;
import org.luceneoffload.model.Profiles;

/** The constants of the real workload are those that the fit finds. */
class TestRealFit {
  @Test
  void fittingGivesTheConstantsAgain() throws Exception {
    QuickRun.skipLong();
    Map<String, Long> used = RealFit.inUse();
    Map<String, Long> fitted = RealFit.fit(Profiles.load("smart-ssd-sas"));
    assertEquals(2, fitted.size());
    Map<String, Long> expected = new LinkedHashMap<>(used);
    expected.keySet().retainAll(fitted.keySet());
    assertEquals(expected, fitted);
    used.keySet()
        .forEach(
            name ->
                assertTrue(
                    RealFit.source(name)
                        .startsWith(fitted.containsKey(name) ? "fitted" : "assumed"),
                    name));
  }

  /** A drive whose pages take longer needs shorter lists for the same times. */
  @Test
  void theFitFollowsTheDrive() throws Exception {
    QuickRun.skipLong();
    long slow =
        RealFit.longest(
            Profiles.load("smart-ssd-sas").with("host.read_wait_ns", 300_000, "a test"));
    assertTrue(slow < RealFit.inUse().get("workload.mean_longest"), "" + slow);
  }
}
