/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.cli.bench.machine;

import java.util.Random;

/**
 * A log of queries as users send them: some again and again, most seldom. The query of rank r is
 * sent in proportion to 1/r (Zipf); ranks are dealt at random, the same for the same seed.
 */
public final class QueryLog {
  private QueryLog() {}

  /**
   * Makes a log.
   *
   * @param queries different queries, 1 at least
   * @param length of the log
   * @return numbers of queries
   */
  public static int[] of(int queries, int length, long seed) {
    Random random = new Random(seed);
    int[] ranked = new int[queries];
    double[] upTo = new double[queries]; // share of the ranks up to each
    double sum = 0;
    for (int i = 0; i < queries; i++) {
      int other = random.nextInt(i + 1);
      ranked[i] = ranked[other];
      ranked[other] = i;
      sum += 1.0 / (i + 1);
      upTo[i] = sum;
    }
    int[] log = new int[length];
    for (int i = 0; i < length; i++) {
      double at = random.nextDouble() * sum;
      int rank = 0;
      while (rank < queries - 1 && upTo[rank] < at) {
        rank++;
      }
      log[i] = ranked[rank];
    }
    return log;
  }
}
