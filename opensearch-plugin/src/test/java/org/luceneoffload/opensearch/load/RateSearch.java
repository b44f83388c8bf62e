/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.opensearch.load;

/**
 * Looks for the highest rate at which something holds, by steps whose factor gets smaller. It is
 * taken to hold below the rate that is sought, and not above.
 */
final class RateSearch {
  private static final double FIRST_FACTOR = 2;
  private static final double LAST_FACTOR = 1.05;

  private double best;
  private double rate;
  private double factor = FIRST_FACTOR;
  private boolean failed;

  /** Starts with a rate, per second. */
  RateSearch(double start) {
    rate = start;
  }

  /** The rate to try next. */
  double rate() {
    return rate;
  }

  /** Whether the steps are small enough. */
  boolean isDone() {
    return factor <= LAST_FACTOR;
  }

  /** The highest rate at which it held; 0 if it never did. */
  double best() {
    return best;
  }

  /** Takes what came of {@link #rate()}. */
  void tried(boolean holds) {
    failed |= !holds;
    if (holds) {
      best = Math.max(best, rate);
    }
    if (best == 0) {
      rate /= factor;
      return;
    }
    factor = failed ? Math.sqrt(factor) : factor;
    rate = best * factor;
  }
}
