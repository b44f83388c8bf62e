/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.cli;

/**
 * How long one kind of work is run before it is measured: by default until either side has run so
 * many queries that the JVM's last compiler has long seen its hot methods (it looks at a method
 * after some thousand calls), unless a time limit ends that earlier.
 */
final class BenchWarmup {
  /** Queries that each side runs by default. */
  static final int EXECUTIONS = 20_000;

  /** Seconds after which the default ends, done or not. */
  static final int SECONDS = 60;

  private final int needed;
  private final long limitNanos;
  private final int queries;
  private final long start = System.nanoTime();
  private int rounds;
  private boolean limited;

  private BenchWarmup(int needed, long limitNanos, int queries) {
    this.needed = needed;
    this.limitNanos = limitNanos;
    this.queries = queries;
  }

  /** A fixed number of rounds over some queries. */
  static BenchWarmup ofRounds(int rounds, int queries) {
    return new BenchWarmup(rounds, Long.MAX_VALUE, queries);
  }

  /** As many rounds as give {@link #EXECUTIONS}, or as fit in a time. */
  static BenchWarmup ofExecutions(int queries, int seconds) {
    return new BenchWarmup(Math.ceilDiv(EXECUTIONS, queries), seconds * 1_000_000_000L, queries);
  }

  /** Whether to run another round; counts it. */
  boolean next() {
    if (rounds == needed) {
      return false;
    } else if (System.nanoTime() - start > limitNanos) {
      limited = true;
      return false;
    }
    rounds++;
    return true;
  }

  /** What was done, once {@link #next} has said no. */
  BenchReport.Warmup report(BenchKind kind) {
    return new BenchReport.Warmup(
        kind.name(),
        rounds,
        (long) rounds * queries,
        Figures.round((System.nanoTime() - start) / 1e9),
        limited);
  }
}
