/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.papers.study;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** What holds of the verdicts of every paper on its own device. */
public final class Verdicts {
  private Verdicts() {}

  /** Checks that all figures are judged, and that what is missed is what reasons are given for. */
  public static void check(PaperReport report, Map<String, String> reasons) throws IOException {
    assertEquals(Published.of(report.paper()).size(), report.figures().size());
    Set<String> missed = new TreeSet<>();
    for (Figure figure : report.figures()) {
      if (!figure.verdict().equals("pass")) {
        assertEquals("MISS", figure.verdict(), figure::toString);
        missed.add(figure.published().id());
      }
    }
    for (TrendLine trend : report.trends()) {
      if (!trend.verdict().equals("pass")) {
        assertEquals("MISS", trend.verdict(), trend::toString);
        missed.add(trend.text());
      }
    }
    assertEquals(new TreeSet<>(reasons.keySet()), missed);
  }
}
