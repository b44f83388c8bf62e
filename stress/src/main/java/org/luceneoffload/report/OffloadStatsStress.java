/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.report;

import org.luceneoffload.report.OffloadStats.Counter;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.JJ_Result;
import org.openjdk.jcstress.infra.results.J_Result;

/** Counters of one thread that others read, and that are retired meanwhile. */
public final class OffloadStatsStress {
  private static final Counter COUNTER = Counter.LEAVES_OFFLOADED;
  private static final long BOTH_HALVES = 1L << 32 | 1;

  private OffloadStatsStress() {}

  /** A reader sees counts that were there, in order, never half of one. */
  @JCStressTest
  @Outcome(id = "0, 0", expect = Expect.ACCEPTABLE)
  @Outcome(id = "0, 4294967297", expect = Expect.ACCEPTABLE)
  @Outcome(id = "4294967297, 4294967297", expect = Expect.ACCEPTABLE)
  @Outcome(expect = Expect.FORBIDDEN, desc = "torn, or backwards")
  @State
  public static class Read {
    private final OffloadStats stats = new OffloadStats();
    private final OffloadStats.Share share = stats.share();

    /** Counts. */
    @Actor
    public void count() {
      share.add(COUNTER, BOTH_HALVES);
    }

    /** Reads twice. */
    @Actor
    public void read(JJ_Result result) {
      result.r1 = stats.get(COUNTER);
      result.r2 = stats.get(COUNTER);
    }
  }

  /** While a share is retired its count is there once, not twice and not never. */
  @JCStressTest
  @Outcome(id = "7", expect = Expect.ACCEPTABLE)
  @Outcome(expect = Expect.FORBIDDEN, desc = "not counted, or twice")
  @State
  public static class Retired {
    private final OffloadStats stats = new OffloadStats();
    private final OffloadStats.Share share = stats.share();

    /** Counts. */
    public Retired() {
      share.add(COUNTER, 7);
    }

    /** Retires the share. */
    @Actor
    public void retire() {
      stats.retire(share);
    }

    /** Reads. */
    @Actor
    public void read(J_Result result) {
      result.r1 = stats.get(COUNTER);
    }
  }
}
