/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.fuzz.probe;

import java.io.IOException;
import java.util.List;
import java.util.Random;

/** A way to ask a searcher; the answer comes as lines that are the same if the answers are. */
public enum Probe {
  TOP(TopProbes::top),
  TOP_DEFAULT(TopProbes::topDefault),
  TOP_AFTER(TopProbes::after),
  TOP_BY_COLLECTOR(TopProbes::byCollector),
  SORTED(SortProbes::sorted),
  SORTED_AFTER(SortProbes::after),
  COUNT(CollectorProbes::count),
  TOTAL_HIT_COUNT(CollectorProbes::totalHitCount),
  ALL_SCORED(CollectorProbes::allScored),
  ALL_DOCS(CollectorProbes::allDocs),
  ALL_COUNTED(CollectorProbes::allCounted),
  EARLY_TERMINATED(CollectorProbes::earlyTerminated),
  SEVERAL_COLLECTORS(CollectorProbes::several),
  OLD_COLLECTOR(CollectorProbes::oldCollector),
  AGGREGATIONS(AggregateProbes::some),
  FACETS(FacetProbes::facets),
  EXPLAIN(DetailProbes::explain),
  MATCHES(DetailProbes::matches),
  SCORER(DetailProbes::scorer),
  TIMEOUT(TimeoutProbes::firing);

  /** How to ask. */
  @FunctionalInterface
  private interface Way {
    List<String> ask(ProbedQuery asked, Random random) throws IOException;
  }

  private final Way way;

  Probe(Way way) {
    this.way = way;
  }

  /**
   * Asks. Every searcher that is asked gets random numbers of the same seed. An exception is an
   * answer, too.
   */
  public List<String> ask(ProbedQuery asked, long seed) throws IOException {
    try {
      return way.ask(asked, new Random(seed));
    } catch (RuntimeException | AssertionError e) {
      // Asserts of stock Lucene, too: if it is stock that fails them, nothing is to be learnt.
      String where = e instanceof AssertionError ? " in " + e.getStackTrace()[0] : "";
      return List.of(THROWS + e.getClass().getName() + ": " + firstLine(e.getMessage()) + where);
    }
  }

  public static final String THROWS = "throws ";

  private static String firstLine(String message) {
    return message == null ? "" : message.lines().findFirst().orElse("");
  }

  /** Returns whether what stock throws is no more than a limit, and tells nothing. */
  public static boolean isException(List<String> answer) {
    return answer.size() == 1 && answer.get(0).startsWith(THROWS);
  }

  /** Returns whether all that was answered is an assert that failed. */
  public static boolean isFailedAssert(List<String> answer) {
    return isException(answer) && answer.get(0).startsWith(THROWS + AssertionError.class.getName());
  }
}
