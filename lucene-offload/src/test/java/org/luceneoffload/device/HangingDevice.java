/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.device;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.EnumSet;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.luceneoffload.wire.OffloadException;

/**
 * A device over another one whose calls hang when told to, until they are let go, and which ignores
 * stop signals meanwhile, as a command does that waits for hardware; for tests.
 */
public final class HangingDevice extends FilterDevice {
  /** Kinds of calls. */
  public enum Kind {
    /** Becoming writable. */
    OPEN_FOR_WRITING,
    /** Reading LBAs. */
    READ,
    /** Writing LBAs. */
    WRITE,
    /** Flushing. */
    FLUSH,
    /** Trimming. */
    TRIM,
    /** Opening and closing sessions. */
    SESSION,
    /** Running plans. */
    PLAN,
    /** Live docs. */
    RESOURCE,
    /** Closing the device. */
    CLOSE
  }

  private final Set<Kind> hanging = EnumSet.noneOf(Kind.class);
  private final AtomicInteger hangingCalls = new AtomicInteger();
  private final AtomicInteger calls = new AtomicInteger();
  private int letGo; // how often
  private int plansToHang; // more of them do not, if PLAN does not
  private AssertionError broken; // a rule that the caller broke
  private OffloadException failure; // what calls that are to hang throw at once instead

  /** A device that does not hang yet. */
  public HangingDevice(Device in) {
    super(in);
  }

  /** Lets calls hang from now on. */
  public synchronized void hang(Kind... kinds) {
    hanging.addAll(Set.of(kinds));
  }

  /** Lets the next plans hang, but none that come after them. */
  public synchronized void hangPlans(int plans) {
    plansToHang = plans;
  }

  /** Lets calls fail from now on. */
  public synchronized void fail(OffloadException how, Kind... kinds) {
    failure = how;
    hanging.addAll(Set.of(kinds));
  }

  /** Lets all calls go, those that hang and those that are still to come. */
  public synchronized void letGo() {
    hanging.clear();
    plansToHang = 0;
    letGo++;
    failure = null;
    notifyAll();
  }

  /** Calls that hang now. */
  public int hangingCalls() {
    return hangingCalls.get();
  }

  /** Calls so far. */
  public int calls() {
    return calls.get();
  }

  private void meet(Kind kind) throws OffloadException {
    calls.incrementAndGet();
    synchronized (this) {
      boolean alone = kind == Kind.PLAN && plansToHang > 0;
      if (!alone && !hanging.contains(kind)) {
        return;
      }
      plansToHang -= alone ? 1 : 0;
      int since = letGo;
      if (failure != null) {
        throw new OffloadException(failure.status(), "injected");
      }
      hangingCalls.incrementAndGet();
      while (since == letGo) {
        try {
          wait();
        } catch (InterruptedException e) {
          // As a call into the kernel that cannot be interrupted.
        }
      }
      hangingCalls.decrementAndGet();
    }
  }

  @Override
  public boolean mayBlock() {
    return true;
  }

  @Override
  public String name() {
    return "hanging";
  }

  @Override
  public void openForWriting() throws IOException {
    meet(Kind.OPEN_FOR_WRITING);
    in.openForWriting();
  }

  @Override
  public void read(long lba, ByteBuffer dst) throws IOException {
    meet(Kind.READ);
    in.read(lba, dst);
  }

  @Override
  public void write(long lba, ByteBuffer src) throws IOException {
    meet(Kind.WRITE);
    in.write(lba, src);
  }

  @Override
  public void flush() throws IOException {
    meet(Kind.FLUSH);
    in.flush();
  }

  @Override
  public void trim(long lba, long count) throws IOException {
    meet(Kind.TRIM);
    in.trim(lba, count);
  }

  @Override
  public DeviceSession openSession() throws IOException {
    meet(Kind.SESSION);
    return new Session(in.openSession());
  }

  @Override
  public int putLiveDocs(ByteBuffer bits) throws IOException {
    meet(Kind.RESOURCE);
    return in.putLiveDocs(bits);
  }

  @Override
  public void dropResource(int resource) throws IOException {
    meet(Kind.RESOURCE);
    in.dropResource(resource);
  }

  @Override
  public void close() throws IOException {
    meet(Kind.CLOSE);
    in.close();
    if (broken != null) {
      throw broken;
    }
  }

  private final class Session extends ExecutingSession {
    private boolean closed;

    Session(DeviceSession session) {
      super(session);
    }

    @Override
    public ByteBuffer execute(int planBytes, StopSignal stop) throws IOException {
      meet(Kind.PLAN);
      synchronized (this) {
        if (closed) {
          broken = new AssertionError("the session was closed under a plan");
          throw broken;
        }
        return in.execute(planBytes, stop);
      }
    }

    @Override
    public void close() throws IOException {
      meet(Kind.SESSION);
      synchronized (this) {
        closed = true;
        in.close();
      }
    }
  }
}
