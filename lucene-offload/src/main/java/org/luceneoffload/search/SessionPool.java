/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.search;

import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.apache.lucene.util.IOUtils;
import org.luceneoffload.device.Device;
import org.luceneoffload.device.DeviceSession;
import org.luceneoffload.device.OffloadException;
import org.luceneoffload.wire.OffloadWire;

/**
 * Open sessions of a device that wait for the next plan. Sessions are lent for the time of one plan
 * only, so a thread that has to wait for one waits briefly.
 */
final class SessionPool implements Closeable {
  private static final long MOST_WAIT_NANOS = 10_000_000_000L;

  private final Device device;
  private final int mostSessions;
  private final ArrayDeque<DeviceSession> idle = new ArrayDeque<>();
  private int open;
  private boolean closed;

  SessionPool(Device device) {
    this.device = device;
    this.mostSessions = Math.max(1, device.info().maxSessions());
  }

  /**
   * Lends a session; give it back with {@link #giveBack} or {@link #discard}.
   *
   * @throws OffloadException with status CLOSED or TOO_MANY_SESSIONS, or what the device says
   */
  DeviceSession lend() throws IOException {
    synchronized (this) {
      long deadline = 0;
      while (true) {
        if (closed) {
          throw new OffloadException(OffloadWire.Status.CLOSED, "the session pool is closed");
        }
        DeviceSession session = idle.pollLast();
        if (session != null) {
          return session;
        }
        if (open < mostSessions) {
          open++;
          break;
        }
        if (deadline == 0) {
          deadline = System.nanoTime() + MOST_WAIT_NANOS;
        }
        waitUntil(deadline);
      }
    }
    boolean success = false;
    try {
      DeviceSession session = device.openSession();
      success = true;
      return session;
    } finally {
      if (!success) {
        forget();
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
  void giveBack(DeviceSession session) throws IOException {
    synchronized (this) {
      if (!closed) {
        idle.addLast(session);
        notify();
        return;
      }
    }
    discard(session);
  }

  /** Takes back a session that is not to be used again. */
  void discard(DeviceSession session) {
    forget();
    IOUtils.closeWhileHandlingException(session);
  }

  private synchronized void forget() {
    open--;
    notify();
  }

  @Override
  public void close() throws IOException {
    List<DeviceSession> toClose;
    synchronized (this) {
      closed = true;
      toClose = new ArrayList<>(idle);
      open -= idle.size();
      idle.clear();
      notifyAll();
    }
    IOUtils.close(toClose);
  }
}
