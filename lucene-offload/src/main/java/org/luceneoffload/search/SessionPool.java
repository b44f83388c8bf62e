/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.search;

import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.apache.lucene.util.IOUtils;
import org.luceneoffload.OffloadStats;
import org.luceneoffload.device.Device;
import org.luceneoffload.device.DeviceSession;
import org.luceneoffload.device.OffloadException;
import org.luceneoffload.store.Spares;
import org.luceneoffload.wire.OffloadWire;

/**
 * Open sessions of a device that wait for the next plan. Sessions are lent for the time of one plan
 * only, so a thread that has to wait for one waits briefly. A thread mostly finds the one it used
 * last, without a lock.
 */
final class SessionPool implements Closeable {
  private static final long MOST_WAIT_NANOS = 10_000_000_000L;

  /** Sessions that wait near their threads; more of them wait under the lock. */
  private static final int NEAR = 16;

  private final Device device;
  private final OffloadStats stats;
  private final int mostSessions;
  private final Spares<PlanSession> near = new Spares<>(NEAR);
  private final ArrayDeque<PlanSession> idle = new ArrayDeque<>();
  private int open;

  // Written under the lock. Who puts a session near its thread looks at both afterwards; who sets
  // one of them looks at the sessions afterwards: one of the two sees the other.
  private volatile int waiting;
  private volatile boolean closed;

  SessionPool(Device device, OffloadStats stats) {
    this.device = device;
    this.stats = stats;
    this.mostSessions = Math.max(1, device.info().maxSessions());
  }

  /**
   * Lends a session; give it back with {@link #giveBack} or {@link #discard}.
   *
   * @throws OffloadException with status CLOSED or TOO_MANY_SESSIONS, or what the device says
   */
  PlanSession lend() throws IOException {
    PlanSession session = near.take();
    return session != null ? session : lendAny();
  }

  private PlanSession lendAny() throws IOException {
    synchronized (this) {
      PlanSession session = idleOrNone();
      if (session != null) {
        return session;
      }
    }
    boolean success = false;
    try {
      DeviceSession session = device.openSession();
      success = true;
      return new PlanSession(session, stats.share());
    } finally {
      if (!success) {
        forget();
      }
    }
  }

  /** A session that nobody uses, waiting for it if need be; null if the caller has to open one. */
  private PlanSession idleOrNone() throws OffloadException {
    long deadline = 0;
    boolean counted = false;
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
        if (open < mostSessions) {
          open++;
          return null;
        }
        if (!counted) {
          // From now on sessions come back under the lock; one may be near its thread already.
          counted = true;
          waiting++;
          deadline = System.nanoTime() + MOST_WAIT_NANOS;
        } else {
          waitUntil(deadline);
        }
      }
    } finally {
      if (counted) {
        waiting--;
      }
    }
  }

  private void waitUntil(long deadline) throws OffloadException {
    long left = deadline - System.nanoTime();
    if (left <= 0) {
      throw new OffloadException(
          OffloadWire.Status.TOO_MANY_SESSIONS, "all " + mostSessions + " sessions are in use");
    }
    try {
      wait(left / 1_000_000 + 1);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new OffloadException(
          OffloadWire.Status.TOO_MANY_SESSIONS, "interrupted while waiting for a session", e);
    }
  }

  /** Takes a session back for the next plan. */
  void giveBack(PlanSession session) throws IOException {
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
    synchronized (this) {
      if (!closed) {
        idle.addLast(toShare);
        notify();
        return;
      }
    }
    discard(toShare);
  }

  /** Takes back a session that is not to be used again. */
  void discard(PlanSession session) {
    forget();
    stats.retire(session.counts);
    IOUtils.closeWhileHandlingException(session.device);
  }

  private synchronized void forget() {
    open--;
    notify();
  }

  @Override
  public void close() throws IOException {
    List<PlanSession> toClose;
    synchronized (this) {
      closed = true;
      toClose = new ArrayList<>(idle);
      idle.clear();
      for (PlanSession session = near.takeAny(); session != null; session = near.takeAny()) {
        toClose.add(session);
      }
      open -= toClose.size();
      notifyAll();
    }
    List<DeviceSession> sessions = new ArrayList<>();
    for (PlanSession session : toClose) {
      stats.retire(session.counts);
      sessions.add(session.device);
    }
    IOUtils.close(sessions);
  }
}
