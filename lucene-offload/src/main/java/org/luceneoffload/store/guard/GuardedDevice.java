/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.store.guard;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Consumer;
import org.apache.lucene.util.IOSupplier;
import org.luceneoffload.device.Device;
import org.luceneoffload.device.DeviceInfo;
import org.luceneoffload.device.DeviceSession;
import org.luceneoffload.device.FilterDevice;
import org.luceneoffload.store.volume.Transfers;
import org.luceneoffload.wire.OffloadException;
import org.luceneoffload.wire.OffloadWire;
import org.luceneoffload.wire.OffloadWire.Status;
import org.luceneoffload.wire.layout.PlanHeaderLayout;
import org.luceneoffload.wire.layout.PlanNodeLayout;
import org.luceneoffload.wire.plan.PlanRequest;
import org.luceneoffload.wire.plan.PlanWriter;

/**
 * A device that may hang, so guarded that no caller does: every call ends within the device's
 * timeout, of the time in which the host itself runs, and none is made while the circuit breaker is
 * open. See {@link Device#mayBlock()}.
 *
 * <p>A call that was given up may still read from or write to its buffer: transfers go through
 * buffers of their own.
 */
final class GuardedDevice extends FilterDevice {
  private final DeviceInfo info;
  private final CircuitBreaker breaker;
  private final DeviceCalls calls;
  private final PlanWatch plans;

  /** Sessions that could not be closed while the circuit breaker was open. */
  private final Queue<DeviceSession> toClose = new ConcurrentLinkedQueue<>();

  /** Live docs that could not be dropped while the circuit breaker was open. */
  private final Queue<Integer> toDrop = new ConcurrentLinkedQueue<>();

  private GuardedDevice(Device in, CircuitBreaker breaker) {
    super(in);
    this.info = in.info();
    this.breaker = breaker;
    this.calls = new DeviceCalls(in.name(), breaker);
    this.plans = new PlanWatch(breaker.timeoutNanos(), this::tryOut);
    breaker.probeWith(() -> calls.start(this::probe), calls::release);
  }

  /** Returns the device itself if it cannot hang, else a guarded one. */
  static Device of(Device device, CircuitBreaker breaker) {
    return device.mayBlock() ? new GuardedDevice(device, breaker) : device;
  }

  /** Returns the device that is guarded; the device itself if none is. */
  static Device unwrap(Device device) {
    return device instanceof GuardedDevice guarded ? guarded.in : device;
  }

  @Override
  public DeviceInfo info() {
    return info;
  }

  @Override
  public boolean mayBlock() {
    return true;
  }

  /** Returns 1: sessions stage no plans, as each is watched by itself. */
  @Override
  public int mostStaged() {
    return 1;
  }

  @Override
  public boolean hasUnfinishedWrites() {
    return calls.hasUnfinishedWrites() || in.hasUnfinishedWrites();
  }

  @Override
  protected <T> T call(String what, IOSupplier<T> call, Consumer<T> late) throws IOException {
    return calls.make(what, false, call, late::accept);
  }

  private void act(String what, boolean writes, Action action) throws IOException {
    IOSupplier<Void> call =
        () -> {
          action.run();
          return null;
        };
    calls.make(what, writes, call, unused -> {});
  }

  @Override
  public void read(long lba, ByteBuffer dst) throws IOException {
    ByteBuffer own = buffer(dst.remaining());
    act("reading at LBA " + lba, false, () -> in.read(lba, own));
    dst.put(own.flip());
    Transfers.release(own);
  }

  @Override
  public void write(long lba, ByteBuffer src) throws IOException {
    ByteBuffer own = buffer(src.remaining());
    own.put(src.duplicate()).flip();
    act("writing at LBA " + lba, true, () -> in.write(lba, own));
    src.position(src.limit());
    Transfers.release(own);
  }

  /** Returns a buffer for a transfer; one whose call was given up is left to the collector. */
  private static ByteBuffer buffer(int bytes) {
    ByteBuffer pooled = Transfers.acquire();
    if (bytes <= pooled.capacity()) {
      return pooled.limit(bytes);
    }
    Transfers.release(pooled);
    return ByteBuffer.allocateDirect(bytes).order(ByteOrder.LITTLE_ENDIAN);
  }

  @Override
  public void flush() throws IOException {
    act("flushing", true, in::flush);
  }

  @Override
  public void trim(long lba, long count) throws IOException {
    act("trimming at LBA " + lba, true, () -> in.trim(lba, count));
  }

  @Override
  public DeviceSession openSession() throws IOException {
    DeviceSession session =
        calls.make("opening a session", false, in::openSession, this::closeLate);
    return new GuardedSession(session, this);
  }

  @Override
  public int putLiveDocs(ByteBuffer bits) throws IOException {
    // Not from the pool: rare, and perhaps large.
    ByteBuffer own = ByteBuffer.allocateDirect(bits.remaining()).order(ByteOrder.LITTLE_ENDIAN);
    own.put(bits.duplicate()).flip();
    int resource =
        calls.make("sending live docs", false, () -> in.putLiveDocs(own), this::dropLate);
    bits.position(bits.limit());
    return resource;
  }

  @Override
  public void dropResource(int resource) throws IOException {
    if (breaker.isOpen()) {
      toDrop.add(resource);
      giveBackIfClosed();
    } else {
      act("dropping resource " + resource, false, () -> in.dropResource(resource));
    }
  }

  /**
   * Releases what could not be released while the breaker was open, and waits for that no longer
   * than for any other call. For a device that stays open while it is not used here.
   */
  void letGo() throws IOException {
    if (toClose.isEmpty() && toDrop.isEmpty()) {
      return;
    }
    IOSupplier<Void> call =
        () -> {
          giveBackLeft();
          return null;
        };
    calls.make("giving back", false, call, unused -> {}, DeviceCalls.Stopping.NEVER);
  }

  private void giveBackLeft() throws IOException {
    for (DeviceSession left = toClose.poll(); left != null; left = toClose.poll()) {
      left.close();
    }
    for (Integer left = toDrop.poll(); left != null; left = toDrop.poll()) {
      in.dropResource(left);
    }
  }

  /** Closes the device, and waits for that no longer than for any other call. */
  @Override
  public void close() throws IOException {
    IOSupplier<Void> call =
        () -> {
          in.close();
          return null;
        };
    try {
      calls.make("closing", false, call, unused -> {}, DeviceCalls.Stopping.NEVER);
    } finally {
      calls.close();
    }
  }

  @Override
  public String toString() {
    return "GuardedDevice(" + in + ")";
  }

  /** Begins to watch a plan. */
  PlanWatch.Watched watch() {
    return plans.begin();
  }

  /** Runs a plan; see {@link DeviceCalls#make}. */
  ByteBuffer runPlan(
      IOSupplier<ByteBuffer> plan, DeviceCalls.Late<ByteBuffer> late, DeviceCalls.Stopping stopping)
      throws IOException {
    return calls.make("running a plan", false, plan, late, stopping);
  }

  /** Closes a session, now or, if the circuit breaker is open, when the device answers again. */
  void closeSession(DeviceSession session) throws IOException {
    if (breaker.isOpen()) {
      toClose.add(session);
      giveBackIfClosed();
    } else {
      act("closing a session", false, session::close);
    }
  }

  /**
   * Closes, on a thread of the device, a session that came, or became free, after the wait for it
   * had ended.
   */
  void closeLate(DeviceSession session) {
    if (session == null) {
      return;
    }
    toClose.add(session);
    giveBackLate();
  }

  /** Drops, on a thread of the device, live docs that arrived after the wait for them had ended. */
  private void dropLate(Integer resource) {
    if (resource != null) {
      toDrop.add(resource);
      giveBackLate();
    }
  }

  /**
   * Gives back what is left, on the thread of a caller who has left something: the breaker may have
   * closed meanwhile.
   */
  private void giveBackIfClosed() throws IOException {
    if (!breaker.isOpen()) {
      letGo();
    }
  }

  /**
   * Gives back what is left, on a thread of the device, unless the breaker is open. The next probe
   * does so then: a caller who leaves something looks at the breaker afterwards, and a probe looks
   * at what is left once it has closed the breaker.
   */
  private void giveBackLate() {
    try {
      if (!breaker.isOpen()) {
        giveBackLeft();
      }
    } catch (IOException e) {
      // Nobody waits for it, and the next call finds out what ails the device.
    }
  }

  /** Finds out whether the device can be used again, on a thread of the device, one at a time. */
  private void probe() {
    long start = System.nanoTime();
    try {
      tryOut();
      if (System.nanoTime() - start > breaker.timeoutNanos()) {
        throw new OffloadException(Status.TIMED_OUT, "the probe took too long");
      }
      breaker.succeeded();
      giveBackLate();
    } catch (OffloadException e) {
      probeFailed(e);
    } catch (Throwable t) {
      probeFailed(new OffloadException(Status.IO_ERROR, String.valueOf(t), t));
    }
  }

  /**
   * Tries what plans and images need.
   *
   * @return whether a plan was run; false if every session is in use
   * @throws IOException if the device fails; that it refuses the plan is no failure
   */
  private boolean tryOut() throws IOException {
    in.read(0, ByteBuffer.allocateDirect(info.lbaBytes()).order(ByteOrder.LITTLE_ENDIAN));
    giveBackLeft();
    try (DeviceSession session = in.openSession()) {
      session.execute(writeLeastPlan(session.planBuffer()), DeviceSession.StopSignal.NEVER);
      return true;
    } catch (OffloadException e) {
      if (CircuitBreaker.concernsDevice(e.status())) {
        throw e;
      }
      return e.status() != Status.TOO_MANY_SESSIONS && e.status() != Status.NO_MEMORY;
    }
  }

  /** Writes a plan that reads nothing: to count the one doc of a segment; returns its bytes. */
  private static int writeLeastPlan(ByteBuffer buffer) {
    int bytes = PlanHeaderLayout.BYTES + PlanNodeLayout.BYTES;
    PlanRequest count = PlanRequest.of(OffloadWire.Mode.COUNT, 0, 1, PlanRequest.MIN_RESULT_BYTES);
    PlanWriter.writeHeader(buffer, count, PlanWriter.Counts.of(bytes, 1));
    PlanWriter.Node all = PlanWriter.Node.of(OffloadWire.Op.ALL, OffloadWire.Occur.MUST, 0, 1f);
    PlanWriter.writeNode(buffer, PlanHeaderLayout.BYTES, all);
    return bytes;
  }

  private void probeFailed(OffloadException failure) {
    breaker.failed(
        CircuitBreaker.concernsDevice(failure.status())
            ? failure
            : new OffloadException(Status.IO_ERROR, "the probe failed: " + failure.getMessage()));
  }
}
