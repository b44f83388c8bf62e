/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.suite;

import java.util.Set;
import org.apache.lucene.tests.util.LuceneTestCase;
import org.luceneoffload.QuickRun;

/** The sample of the larger suites that a run takes: some of their tests, by the run's seed. */
public final class Sampling {
  /** The switch of the long run, which takes all. */
  public static final boolean LONG = Boolean.getBoolean("tests.long");

  private static final String METHOD = System.getProperty("tests.method", "");

  /** Ten seconds and more each. */
  private static final Set<String> SLOW =
      Set.of("testDocIDRunEnd", "testSortedSetDocValuesWithSkipperMedium");

  private static volatile boolean tookMost = true;

  private Sampling() {}

  /** Has the tests of a class begin. */
  static void begin() {
    tookMost = true;
  }

  /** Returns whether so many tests of the class at hand were run that each kind is among them. */
  static boolean tookMost() {
    return tookMost;
  }

  /**
   * Skips the test at hand if it is not the one in {@code n}, of three times as many in the quick
   * run; none is skipped in the long run, or if it was asked for by name.
   */
  public static void oneIn(int n, LuceneTestCase test) {
    int of = QuickRun.times(3 * n, n);
    boolean taken = LuceneTestCase.random().nextInt(of) == 0;
    if (LONG || !METHOD.isEmpty()) {
      return;
    }
    tookMost &= taken || !QuickRun.QUICK;
    LuceneTestCase.assumeFalse(
        "slow; -Dtests.long=true runs it", SLOW.contains(test.getTestName()));
    LuceneTestCase.assumeTrue(
        "this run takes one test in " + of + " by seed; -Dtests.long=true runs all", taken);
  }
}
