/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.cli.bench;

import java.lang.management.CompilationMXBean;
import java.lang.management.ManagementFactory;
import java.util.function.LongSupplier;
import org.luceneoffload.cli.output.Figures;

/**
 * How long one kind of work is run before it is measured: by default until either side has run many
 * queries and, for many more, the JVM's compilers have found next to nothing to do, unless a time
 * limit ends that earlier. Neither is enough alone: the last compiler wants some thousand calls of
 * a method, and it may take up a rarer one long after that.
 */
final class BenchWarmup {
  /** Queries that each side runs by default, at least. */
  static final int EXECUTIONS = 20_000;

  /** Queries that each side runs at the end while the compilers are quiet. */
  static final int QUIET_EXECUTIONS = 10_000;

  /** Seconds after which the default ends, done or not. */
  static final int SECONDS = 30;

  /** The same for a shape of a sweep: most of the code is that of the shapes before. */
  static final int SHAPE_SECONDS = 3;

  private static final int SLICE_EXECUTIONS = 1000;
  private static final double QUIET_SHARE = 0.1;

  private final int needed; // rounds
  private final int neededQuiet;
  private final int slice; // rounds after which the compilers are looked at
  private final long limitNanos;
  private final int queries;
  private final LongSupplier jitMillis;
  private final long start = System.nanoTime();
  private long sliceStart = start;
  private long sliceJit;
  private int rounds;
  private int quiet;
  private boolean limited;

  private BenchWarmup(
      int needed, int neededQuiet, long limitNanos, int queries, LongSupplier jitMillis) {
    this.needed = needed;
    this.neededQuiet = neededQuiet;
    this.slice = Math.ceilDiv(SLICE_EXECUTIONS, queries);
    this.limitNanos = limitNanos;
    this.queries = queries;
    this.jitMillis = jitMillis;
    sliceJit = jitMillis.getAsLong();
  }

  /** Warms up with a fixed number of rounds over some queries. */
  static BenchWarmup ofRounds(int rounds, int queries) {
    return new BenchWarmup(rounds, 0, Long.MAX_VALUE, queries, () -> 0);
  }

  /**
   * Warms up with as many rounds as it takes, or as fit in a time.
   *
   * @param jitMillis milliseconds that the compilers have spent so far
   */
  static BenchWarmup untilWarm(int queries, int seconds, LongSupplier jitMillis) {
    return new BenchWarmup(
        Math.ceilDiv(EXECUTIONS, queries),
        Math.ceilDiv(QUIET_EXECUTIONS, queries),
        seconds * 1_000_000_000L,
        queries,
        jitMillis);
  }

  /** Returns how many milliseconds the JVM's compilers have worked so far; 0 if it does not say. */
  static long jitMillis() {
    CompilationMXBean compiler = ManagementFactory.getCompilationMXBean();
    return compiler != null && compiler.isCompilationTimeMonitoringSupported()
        ? compiler.getTotalCompilationTime()
        : 0;
  }

  /** Returns whether another round is to be run, and counts it. */
  boolean next() {
    long now = System.nanoTime();
    if (rounds > 0 && rounds % slice == 0) {
      long jit = jitMillis.getAsLong();
      boolean busy = (jit - sliceJit) * 1e6 > QUIET_SHARE * (now - sliceStart);
      quiet = busy ? 0 : quiet + slice;
      sliceStart = now;
      sliceJit = jit;
    }
    if (rounds >= needed && quiet >= neededQuiet) {
      return false;
    } else if (now - start > limitNanos) {
      limited = true;
      return false;
    }
    rounds++;
    return true;
  }

  /** Returns what was done, once {@link #next} has said no. */
  BenchReport.Warmup report(String name) {
    return new BenchReport.Warmup(
        name,
        rounds,
        (long) rounds * queries,
        Figures.round((System.nanoTime() - start) / 1e9),
        limited);
  }
}
