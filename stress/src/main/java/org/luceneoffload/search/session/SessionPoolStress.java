/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.search.session;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.concurrent.TimeUnit;
import org.luceneoffload.report.OffloadStats;
import org.luceneoffload.wire.OffloadException;
import org.luceneoffload.wire.OffloadWire;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;
import org.openjdk.jcstress.infra.results.II_Result;
import org.openjdk.jcstress.infra.results.I_Result;

/** {@link SessionPool}: no session stays open, none is closed twice, nobody waits in vain. */
public final class SessionPoolStress {
  /** Far more than a thread waits, unless it is never woken. */
  private static final long WAIT_NANOS = TimeUnit.SECONDS.toNanos(20);

  private SessionPoolStress() {}

  private static SessionPool pool(CountingDevice device) {
    return new SessionPool(device, new OffloadStats(), device.info().maxSessions(), WAIT_NANOS);
  }

  /**
   * Uses a session. Returns 0; 1 if the pool was closed; 2 if none came back in time; 3 if it
   * failed.
   */
  private static int use(SessionPool pool) {
    try {
      PlanSession session = pool.acquire(WAIT_NANOS, true);
      if (session == null) {
        return 2;
      }
      pool.release(session);
      return 0;
    } catch (OffloadException e) {
      return e.status() == OffloadWire.Status.CLOSED ? 1 : 3;
    } catch (IOException e) {
      return 3;
    }
  }

  /** A session comes back while the pool is closed. */
  @JCStressTest
  @Outcome(id = "0", expect = Expect.ACCEPTABLE, desc = "every session was closed once")
  @Outcome(expect = Expect.FORBIDDEN, desc = "a session stays open, or was closed twice")
  @State
  public static class ClosedMeanwhile {
    private final CountingDevice device = new CountingDevice(2);
    private final SessionPool pool = pool(device);

    /** Uses a session. */
    @Actor
    public void use() {
      SessionPoolStress.use(pool);
    }

    /** Closes. */
    @Actor
    public void close() {
      try {
        pool.close();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    /** Counts. */
    @Arbiter
    public void count(I_Result result) {
      result.r1 = device.open();
    }
  }

  /** Two threads and one session: each gets it. */
  @JCStressTest
  @Outcome(id = "0, 0", expect = Expect.ACCEPTABLE, desc = "both had the session")
  @Outcome(expect = Expect.FORBIDDEN, desc = "a thread waited although the session was free")
  @State
  public static class OneForTwo {
    private final SessionPool pool = pool(new CountingDevice(1));

    /** Uses the session. */
    @Actor
    public void first(II_Result result) {
      result.r1 = use(pool);
    }

    /** Uses the session. */
    @Actor
    public void second(II_Result result) {
      result.r2 = use(pool);
    }
  }

  /** Three threads and one session, which each thread hands over to the next that waits. */
  @JCStressTest
  @Outcome(id = "0, 0, 0", expect = Expect.ACCEPTABLE, desc = "all had the session")
  @Outcome(expect = Expect.FORBIDDEN, desc = "a session that was handed over got lost")
  @State
  public static class OneForThree {
    private final SessionPool pool = pool(new CountingDevice(1));

    /** Uses the session. */
    @Actor
    public void first(III_Result result) {
      result.r1 = use(pool);
    }

    /** Uses the session. */
    @Actor
    public void second(III_Result result) {
      result.r2 = use(pool);
    }

    /** Uses the session. */
    @Actor
    public void third(III_Result result) {
      result.r3 = use(pool);
    }
  }

  /** One thread waits too briefly while another releases the session: it does not get lost. */
  @JCStressTest
  @Outcome(id = "0, 1", expect = Expect.ACCEPTABLE, desc = "one session, free for the next")
  @Outcome(expect = Expect.FORBIDDEN, desc = "a session got lost, or too many are open")
  @State
  public static class GivesUpMeanwhile {
    private final CountingDevice device = new CountingDevice(1);
    private final SessionPool pool = pool(device);

    /** Uses the session. */
    @Actor
    public void use() {
      SessionPoolStress.use(pool);
    }

    /** Waits for a nanosecond. */
    @Actor
    public void useIfFree() {
      try {
        PlanSession session = pool.acquire(1, false);
        if (session != null) {
          pool.release(session);
        }
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    /** Uses the session once more, and counts. */
    @Arbiter
    public void count(II_Result result) {
      result.r1 = SessionPoolStress.use(pool);
      result.r2 = device.open();
    }
  }
}
