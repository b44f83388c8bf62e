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
import org.luceneoffload.util.Spares;
import org.luceneoffload.wire.OffloadException;
import org.luceneoffload.wire.OffloadWire;

/**
 * Open sessions of a device that wait for the next plan. Sessions are acquired for the time of one
 * plan only, so a thread that has to wait for one waits briefly. A thread mostly finds the one it
 * used last, without a lock.
 *
 * <p>A virtual thread that waits lets its carrier go: there is no monitor here. While it runs a
 * plan in native code it keeps its carrier, and as a session is not held across anything else that
 * waits, whoever holds one goes on.
 */
final class SessionPool implements Closeable {
  /** Sessions that wait near their threads; more of them wait under the lock. */
  private static final int NEAR = 16;

  private final Device device;
  private final OffloadStats stats;
  private final int mostSessions;
  private final long mostWaitNanos;
  private final Spares<PlanSession> near = new Spares<>(NEAR);
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition change = lock.newCondition();

  // Guarded by the lock.
  private final ArrayDeque<PlanSession> idle = new ArrayDeque<>();
  private int open;

  // Written under the lock. Who puts a session near its thread looks at both afterwards; who sets
  // one of them looks at the sessions afterwards: one of the two sees the other.
  private volatile int waiting;
  private volatile boolean closed;

  /**
   * A pool without sessions.
   *
   * @param mostWaitNanos how long to wait for a session; also what a plan may take
   */
  SessionPool(Device device, OffloadStats stats, long mostWaitNanos) {
    this.device = device;
    this.stats = stats;
    this.mostSessions = Math.max(1, device.info().maxSessions());
    this.mostWaitNanos = mostWaitNanos;
  }

  /**
   * Lends a session; give it back with {@link #release} or {@link #discard}.
   *
   * @throws OffloadException with status CLOSED or TOO_MANY_SESSIONS, or what the device says
   */
  PlanSession acquire() throws IOException {
    PlanSession session = near.take();
    return session != null ? session : acquireAny();
  }

  private PlanSession acquireAny() throws IOException {
    PlanSession session = idleOrNone(true);
    if (session != null) {
      return session;
    }
    boolean success = false;
    try {
      DeviceSession opened = device.openSession();
      success = true;
      return new PlanSession(opened, stats.share(), mostWaitNanos);
    } catch (OffloadException e) {
      // Others may use the device too: then those that are open here have to do.
      if (!isForLackOfRoom(e) || !othersAreOpen()) {
        throw e;
      }
    } finally {
      if (!success) {
        forget();
      }
    }
    return idleOrNone(false);
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
   * A session that nobody uses, waiting for it if need be.
   *
   * @param mayOpen whether the caller can open one; null says that it has to
   */
  private PlanSession idleOrNone(boolean mayOpen) throws OffloadException {
    long left = mostWaitNanos;
    boolean counted = false;
    lock.lock();
    try {
      while (true) {
        if (closed) {
          throw new OffloadException(OffloadWire.Status.CLOSED, "the session pool is closed");
        }
        PlanSession session = idle.pollLast();
        if (session == null) {
          session = near.takeAny();
        }
        if (session != null) {
          return session;
        }
        if (mayOpen && open < mostSessions) {
          open++;
          return null;
        }
        if (!counted) {
          // From now on sessions come back under the lock; one may be near its thread already.
          counted = true;
          waiting++;
        } else {
          left = await(left);
        }
      }
    } finally {
      if (counted) {
        waiting--;
      }
      lock.unlock();
    }
  }

  private long await(long nanos) throws OffloadException {
    if (nanos <= 0) {
      throw new OffloadException(
          OffloadWire.Status.TOO_MANY_SESSIONS, "all " + mostSessions + " sessions are in use");
    }
    try {
      return change.awaitNanos(nanos);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new OffloadException(
          OffloadWire.Status.TOO_MANY_SESSIONS, "interrupted while waiting for a session", e);
    }
  }

  /** Takes a session back for the next plan. */
  void release(PlanSession session) throws IOException {
    PlanSession toShare = session;
    if (near.put(session)) {
      if (!closed && waiting == 0) {
        return;
      }
      toShare = near.take();
      if (toShare == null) {
        return; // whoever waited, or closes, has found it
      }
    }
    lock.lock();
    try {
      if (!closed) {
        idle.addLast(toShare);
        change.signal();
        return;
      }
    } finally {
      lock.unlock();
    }
    discard(toShare);
  }

  /** Takes back a session that is not to be used again. */
  void discard(PlanSession session) {
    // Closed first: only then has the device room for the next.
    IOUtils.closeWhileHandlingException(session.device);
    stats.retire(session.counts);
    forget();
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

  private void forget() {
    lock.lock();
    try {
      open--;
      change.signal();
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void close() throws IOException {
    List<PlanSession> toClose;
    lock.lock();
    try {
      closed = true;
      toClose = new ArrayList<>(idle);
      idle.clear();
      for (PlanSession session = near.takeAny(); session != null; session = near.takeAny()) {
        toClose.add(session);
      }
      open -= toClose.size();
      change.signalAll();
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
