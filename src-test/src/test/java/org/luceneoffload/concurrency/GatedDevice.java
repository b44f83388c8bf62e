/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.concurrency;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.EnumMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.luceneoffload.device.Device;
import org.luceneoffload.device.DeviceSession;
import org.luceneoffload.device.ExecutingSession;
import org.luceneoffload.device.FilterDevice;

/**
 * A device over another one that counts what of it is open, and in which one call of a kind can be
 * held while all others pass.
 */
final class GatedDevice extends FilterDevice {
  /** Kinds of calls. */
  enum Call {
    OPEN_FOR_WRITING,
    READ,
    WRITE,
    FLUSH,
    TRIM,
    OPEN_SESSION,
    EXECUTE,
    PUT_LIVE_DOCS,
    DROP_RESOURCE
  }

  /** Holds the first call that comes. */
  static final class Gate {
    private final AtomicBoolean taken = new AtomicBoolean();
    private final CountDownLatch arrived = new CountDownLatch(1);
    private final CountDownLatch opened = new CountDownLatch(1);

    /** Waits until a call is held; false if none came in time. */
    boolean awaitCaller(int seconds) throws InterruptedException {
      return arrived.await(seconds, TimeUnit.SECONDS);
    }

    void open() {
      taken.set(true);
      opened.countDown();
    }

    private void pass() throws IOException {
      if (!taken.compareAndSet(false, true)) {
        return;
      }
      arrived.countDown();
      try {
        if (!opened.await(10, TimeUnit.MINUTES)) {
          throw new IOException("nobody opened the gate");
        }
      } catch (InterruptedException e) {
        throw new IOException(e);
      }
    }
  }

  private final Map<Call, Gate> gates = new EnumMap<>(Call.class);
  private final AtomicInteger sessions = new AtomicInteger();
  private final Set<Integer> resources = ConcurrentHashMap.newKeySet();

  GatedDevice(Device in) {
    super(in);
  }

  /** Has the next call of this kind held. */
  Gate hold(Call call) {
    Gate gate = new Gate();
    synchronized (gates) {
      gates.put(call, gate);
    }
    return gate;
  }

  int openSessions() {
    return sessions.get();
  }

  int openResources() {
    return resources.size();
  }

  private void pass(Call call) throws IOException {
    Gate gate;
    synchronized (gates) {
      gate = gates.get(call);
    }
    if (gate != null) {
      gate.pass();
    }
  }

  @Override
  public String name() {
    return "gated " + in.name();
  }

  @Override
  public void openForWriting() throws IOException {
    pass(Call.OPEN_FOR_WRITING);
    in.openForWriting();
  }

  @Override
  public void read(long lba, ByteBuffer dst) throws IOException {
    pass(Call.READ);
    in.read(lba, dst);
  }

  @Override
  public void write(long lba, ByteBuffer src) throws IOException {
    pass(Call.WRITE);
    in.write(lba, src);
  }

  @Override
  public void flush() throws IOException {
    pass(Call.FLUSH);
    in.flush();
  }

  @Override
  public void trim(long lba, long count) throws IOException {
    pass(Call.TRIM);
    in.trim(lba, count);
  }

  @Override
  public DeviceSession openSession() throws IOException {
    pass(Call.OPEN_SESSION);
    DeviceSession session = in.openSession();
    sessions.incrementAndGet();
    return new Session(session);
  }

  @Override
  public int putLiveDocs(ByteBuffer bits) throws IOException {
    pass(Call.PUT_LIVE_DOCS);
    int resource = in.putLiveDocs(bits);
    resources.add(resource);
    return resource;
  }

  @Override
  public void dropResource(int resource) throws IOException {
    pass(Call.DROP_RESOURCE);
    in.dropResource(resource);
    if (!resources.remove(resource)) {
      throw new IllegalStateException("resource " + resource + " is dropped twice");
    }
  }

  private final class Session extends ExecutingSession {
    private final AtomicBoolean running = new AtomicBoolean();
    private final AtomicBoolean closed = new AtomicBoolean();

    Session(DeviceSession session) {
      super(session);
    }

    @Override
    public ByteBuffer execute(int planBytes, StopSignal stop) throws IOException {
      if (!running.compareAndSet(false, true)) {
        throw new IllegalStateException("two plans at once in one session");
      }
      try {
        pass(Call.EXECUTE);
        return in.execute(planBytes, stop);
      } finally {
        running.set(false);
      }
    }

    @Override
    public void close() throws IOException {
      if (closed.compareAndSet(false, true)) {
        sessions.decrementAndGet();
      }
      in.close();
    }
  }
}
