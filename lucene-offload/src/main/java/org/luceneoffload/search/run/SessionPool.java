/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.search.run;

import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.apache.lucene.util.IOUtils;
import org.luceneoffload.device.Device;
import org.luceneoffload.device.DeviceSession;
import org.luceneoffload.report.OffloadStats;
import org.luceneoffload.report.OffloadStats.Counter;
import org.luceneoffload.util.Spares;
import org.luceneoffload.wire.OffloadException;
import org.luceneoffload.wire.OffloadWire;

/**
 * Open sessions of a device that wait for the next plan. A session is acquired for the time of one
 * plan. A thread mostly finds the one it used last, without a lock.
 *
 * <p>Threads that find no session wait in a queue. A session that is released goes to the first of
 * them, never to a thread that comes later. Once a thread has waited in vain, the pool is clogged
 * until a session comes back: until then nobody waits who can do without the device.
 *
 * <p>A virtual thread that waits releases its carrier: there is no monitor here. While it runs a
 * plan in native code it keeps its carrier. A session is not held across anything else that waits,
 * so whoever holds one goes on.
 */
final class SessionPool implements Closeable {
  /** Sessions that wait near their threads; more of them wait under the lock. */
  private static final int NEAR = 16;

  private final Device device;
  private final OffloadStats stats;
  private final int mostSessions;
  private final long mostPlanNanos;
  private final Runnable whenShort;
  private final Spares<PlanSession> near = new Spares<>(NEAR);
  private final ReentrantLock lock = new ReentrantLock();

  // Guarded by the lock.
  private final ArrayDeque<PlanSession> idle = new ArrayDeque<>();
  private final ArrayDeque<Waiter> waiters = new ArrayDeque<>();
  private int open;
  private boolean closed;
  private boolean clogged;

  /**
   * True if a thread waits, the pool is clogged, or it is closed. Written under the lock. A thread
   * that puts a session near itself reads it afterwards; a thread that sets it looks at those
   * sessions afterwards. So one of the two sees the other.
   */
  private volatile boolean wanted;

  /** A thread that waits. Its fields are guarded by the lock. */
  private final class Waiter {
    final Condition served = lock.newCondition();
    PlanSession session;
    boolean mayOpen;

    boolean isServed() {
      return session != null || mayOpen;
    }
  }

  /**
   * A pool without sessions.
   *
   * @param mostSessions sessions that are open at once
   * @param mostPlanNanos the time that a plan may take, in nanoseconds
   * @param whenShort run when a thread finds no session
   */
  SessionPool(
      Device device, OffloadStats stats, int mostSessions, long mostPlanNanos, Runnable whenShort) {
    this.device = device;
    this.stats = stats;
    this.mostSessions = Math.max(1, mostSessions);
    this.mostPlanNanos = mostPlanNanos;
    this.whenShort = whenShort;
  }

  /**
   * Acquires a session; {@link #release} or {@link #discard} follows.
   *
   * @param mostWaitNanos how long to wait for one; 0: not at all, as if nobody had asked
   * @param evenIfClogged whether to wait although others have just waited in vain
   * @return null if no session was to be had in that time
   * @throws OffloadException with status CLOSED, or what the device says
   */
  PlanSession acquire(long mostWaitNanos, boolean evenIfClogged) throws IOException {
    PlanSession session = near.take();
    return session != null ? session : acquireAny(mostWaitNanos, evenIfClogged);
  }

  private PlanSession acquireAny(long mostWaitNanos, boolean evenIfClogged) throws IOException {
    long deadline = System.nanoTime() + mostWaitNanos;
    boolean deviceIsFull = false;
    while (true) {
      Waiter served = serve(deadline, mostWaitNanos > 0, evenIfClogged, !deviceIsFull);
      if (served == null || served.session != null) {
        return served == null ? null : served.session;
      }
      boolean success = false;
      try {
        DeviceSession opened = device.openSession();
        success = true;
        return new PlanSession(opened, stats.share(), mostPlanNanos, this::isWanted);
      } catch (OffloadException e) {
        // Others may use the device too: then those that are open here have to do.
        if (!isForLackOfRoom(e) || !othersAreOpen()) {
          throw e;
        }
        deviceIsFull = true;
      } finally {
        if (!success) {
          forget(!deviceIsFull);
        }
      }
    }
  }

  private static boolean isForLackOfRoom(OffloadException e) {
    return e.status() == OffloadWire.Status.TOO_MANY_SESSIONS
        || e.status() == OffloadWire.Status.NO_MEMORY;
  }

  private boolean othersAreOpen() {
    lock.lock();
    try {
      return open > 1;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Waits for a session, or for leave to open one.
   *
   * @param mayWait whether to wait at all
   * @param mayOpen whether the caller can open one at once
   * @return null if there was neither in time
   */
  private Waiter serve(long deadline, boolean mayWait, boolean evenIfClogged, boolean mayOpen)
      throws OffloadException {
    Waiter waiter = new Waiter();
    lock.lock();
    try {
      if (closed) {
        throw closedFailure();
      }
      if (waiters.isEmpty() && takeIdle(waiter)) {
        return waiter;
      }
      if (mayOpen && open < mostSessions) {
        open++;
        waiter.mayOpen = true;
        return waiter;
      }
      if (!mayWait || (clogged && !evenIfClogged)) {
        return null;
      }
      whenShort.run();
      waiters.addLast(waiter);
      update();
      // From now on sessions come back under the lock; one may be near its thread already.
      if (takeIdle(waiters.getFirst())) {
        waiters.removeFirst().served.signal();
      }
      boolean inVain = await(waiter, deadline);
      if (waiter.isServed()) {
        return waiter;
      }
      waiters.remove(waiter);
      if (closed) {
        throw closedFailure();
      }
      clogged |= inVain;
      return null;
    } finally {
      update();
      lock.unlock();
    }
  }

  private boolean takeIdle(Waiter waiter) {
    PlanSession session = idle.pollLast();
    waiter.session = session != null ? session : near.takeAny();
    return waiter.session != null;
  }

  private static OffloadException closedFailure() {
    return new OffloadException(OffloadWire.Status.CLOSED, "the session pool is closed");
  }

  /** Waits until the waiter is served; returns true if the time is over before. */
  private boolean await(Waiter waiter, long deadline) {
    long from = System.nanoTime();
    try {
      long left = deadline - from;
      while (!waiter.isServed() && !closed && left > 0) {
        left = waiter.served.awaitNanos(left);
      }
      return !waiter.isServed() && !closed;
    } catch (
        @SuppressWarnings("unused")
        InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    } finally {
      stats.add(Counter.QUEUED_NANOS, System.nanoTime() - from);
      stats.increment(Counter.PLANS_QUEUED);
    }
  }

  private void update() {
    boolean now = closed || clogged || !waiters.isEmpty();
    if (wanted != now) {
      wanted = now;
    }
  }

  /** Returns whether a thread waits for a session, or has just waited in vain. */
  boolean isWanted() {
    return wanted;
  }

  /** Returns how many threads wait for a session; for tests. */
  int waiting() {
    lock.lock();
    try {
      return waiters.size();
    } finally {
      lock.unlock();
    }
  }

  /** Takes a session back for the next plan. */
  void release(PlanSession session) throws IOException {
    PlanSession toShare = session;
    if (!wanted && near.put(session)) {
      if (!wanted) {
        return;
      }
      toShare = near.take();
      if (toShare == null) {
        return; // a thread that waited, or closes, has found it
      }
    }
    lock.lock();
    try {
      if (!closed) {
        clogged = false;
        Waiter first = waiters.pollFirst();
        if (first == null) {
          idle.addLast(toShare);
        } else {
          first.session = toShare;
          first.served.signal();
        }
        return;
      }
    } finally {
      update();
      lock.unlock();
    }
    discard(toShare);
  }

  /** Takes back a session that is not to be used again. */
  void discard(PlanSession session) {
    // Closed first: only then has the device room for the next.
    IOUtils.closeWhileHandlingException(session.device);
    stats.retire(session.counts);
    forget(true);
  }

  /** Closes the sessions that nobody uses: the device does not know them any more. */
  void discardIdle() {
    for (PlanSession session = anyIdle(); session != null; session = anyIdle()) {
      discard(session);
    }
  }

  private PlanSession anyIdle() {
    lock.lock();
    try {
      PlanSession session = idle.pollLast();
      return session != null ? session : near.takeAny();
    } finally {
      lock.unlock();
    }
  }

  /**
   * One session fewer is open.
   *
   * @param isRoom whether the device has room for another one now
   */
  private void forget(boolean isRoom) {
    lock.lock();
    try {
      open--;
      if (isRoom && !closed) {
        clogged = false;
        Waiter first = waiters.pollFirst();
        if (first != null) {
          open++;
          first.mayOpen = true;
          first.served.signal();
        }
      }
    } finally {
      update();
      lock.unlock();
    }
  }

  @Override
  public void close() throws IOException {
    List<PlanSession> toClose;
    lock.lock();
    try {
      closed = true;
      update();
      toClose = new ArrayList<>(idle);
      idle.clear();
      for (PlanSession session = near.takeAny(); session != null; session = near.takeAny()) {
        toClose.add(session);
      }
      open -= toClose.size();
      for (Waiter waiter : waiters) {
        waiter.served.signal();
      }
    } finally {
      lock.unlock();
    }
    List<DeviceSession> sessions = new ArrayList<>();
    for (PlanSession session : toClose) {
      stats.retire(session.counts);
      sessions.add(session.device);
    }
    IOUtils.close(sessions);
  }
}
