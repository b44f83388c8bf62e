/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.search.session;

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
 * Open sessions of a device. A session is acquired for one plan, then released. A thread mostly
 * acquires the session that it released last, without a lock.
 *
 * <p>Threads that find no idle session wait in a queue. A session that is released goes to the
 * first of them, never to a thread that comes later. After a wait times out, the pool is exhausted:
 * later callers do not wait, unless they must, until a session is released.
 *
 * <p>A virtual thread that waits releases its carrier: there is no monitor here. While it runs a
 * plan in native code it keeps its carrier. A thread that holds a session waits for nothing else,
 * so it goes on.
 */
final class SessionPool implements Closeable {
  /** Idle sessions that are kept by thread; more of them are kept under the lock. */
  private static final int SLOTS = 16;

  private final Device device;
  private final OffloadStats stats;
  private final int maxSessions;
  private final long maxPlanNanos;
  private final Spares<PlanSession> slots = new Spares<>(SLOTS);
  private final ReentrantLock lock = new ReentrantLock();

  // Guarded by the lock.
  private final ArrayDeque<PlanSession> idle = new ArrayDeque<>();
  private final ArrayDeque<Waiter> waiters = new ArrayDeque<>();
  private int open;
  private boolean closed;
  private boolean exhausted;

  /**
   * True if a thread waits, the pool is exhausted, or it is closed. Written under the lock. A
   * thread that puts a session into a slot reads it afterwards; a thread that sets it looks at the
   * slots afterwards. So one of the two sees the other.
   */
  private volatile boolean contended;

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
   * @param maxSessions sessions that are open at once
   * @param maxPlanNanos the time that a plan may take, in nanoseconds
   */
  SessionPool(Device device, OffloadStats stats, int maxSessions, long maxPlanNanos) {
    this.device = device;
    this.stats = stats;
    this.maxSessions = Math.max(1, maxSessions);
    this.maxPlanNanos = maxPlanNanos;
  }

  /**
   * Acquires a session; {@link #release} or {@link #discard} follows.
   *
   * @param maxWaitNanos how long to wait for one; 0: not at all, and the pool forgets the call
   * @param evenIfExhausted whether to wait although another thread has just waited in vain
   * @return null if no session became free in that time
   * @throws OffloadException with status CLOSED, or what the device says
   */
  PlanSession acquire(long maxWaitNanos, boolean evenIfExhausted) throws IOException {
    PlanSession session = slots.take();
    return session != null ? session : acquireAny(maxWaitNanos, evenIfExhausted);
  }

  private PlanSession acquireAny(long maxWaitNanos, boolean evenIfExhausted) throws IOException {
    long deadline = System.nanoTime() + maxWaitNanos;
    boolean deviceIsFull = false;
    while (true) {
      Waiter served = serve(deadline, maxWaitNanos > 0, evenIfExhausted, !deviceIsFull);
      if (served == null || served.session != null) {
        return served == null ? null : served.session;
      }
      boolean success = false;
      try {
        DeviceSession opened = device.openSession();
        success = true;
        return new PlanSession(opened, stats.share(), maxPlanNanos, this::isContended);
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
  private Waiter serve(long deadline, boolean mayWait, boolean evenIfExhausted, boolean mayOpen)
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
      if (mayOpen && open < maxSessions) {
        open++;
        waiter.mayOpen = true;
        return waiter;
      }
      if (!mayWait || (exhausted && !evenIfExhausted)) {
        return null;
      }
      waiters.addLast(waiter);
      update();
      // From now on sessions come back under the lock; one may be in a slot already.
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
      exhausted |= inVain;
      return null;
    } finally {
      update();
      lock.unlock();
    }
  }

  private boolean takeIdle(Waiter waiter) {
    PlanSession session = idle.pollLast();
    waiter.session = session != null ? session : slots.takeAny();
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
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    } finally {
      stats.add(Counter.QUEUED_NANOS, System.nanoTime() - from);
      stats.increment(Counter.PLANS_QUEUED);
    }
  }

  private void update() {
    boolean now = closed || exhausted || !waiters.isEmpty();
    if (contended != now) {
      contended = now;
    }
  }

  /** Returns whether a thread waits for a session, or has just waited in vain. */
  boolean isContended() {
    return contended;
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

  /** Releases a session for the next plan. */
  void release(PlanSession session) throws IOException {
    PlanSession toShare = session;
    if (!contended && slots.put(session)) {
      if (!contended) {
        return;
      }
      toShare = slots.take();
      if (toShare == null) {
        return; // a thread that waited, or closes, has found it
      }
    }
    lock.lock();
    try {
      if (!closed) {
        exhausted = false;
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

  /** Closes a session that is not to be used again. */
  void discard(PlanSession session) {
    // Closed first: only then has the device room for the next.
    IOUtils.closeWhileHandlingException(session.device);
    stats.retire(session.counts);
    forget(true);
  }

  /** Closes the idle sessions: the device does not know them any more. */
  void discardIdle() {
    for (PlanSession session = anyIdle(); session != null; session = anyIdle()) {
      discard(session);
    }
  }

  private PlanSession anyIdle() {
    lock.lock();
    try {
      PlanSession session = idle.pollLast();
      return session != null ? session : slots.takeAny();
    } finally {
      lock.unlock();
    }
  }

  /**
   * Counts one open session less.
   *
   * @param isRoom whether the device has room for another one now
   */
  private void forget(boolean isRoom) {
    lock.lock();
    try {
      open--;
      if (isRoom && !closed) {
        exhausted = false;
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
      for (PlanSession session = slots.takeAny(); session != null; session = slots.takeAny()) {
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
