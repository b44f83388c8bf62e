/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.store.guard;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicBoolean;
import org.luceneoffload.device.DeviceSession;
import org.luceneoffload.device.SplitCounts;
import org.luceneoffload.wire.OffloadException;
import org.luceneoffload.wire.OffloadWire.Status;

/**
 * A session of a guarded device. Once a plan was given up the session is the plan's alone: it is
 * closed when the plan ends, if ever, and no other plan runs in it.
 */
final class GuardedSession implements DeviceSession, DeviceCalls.Late<ByteBuffer> {
  private static final ByteBuffer NO_PAGE = ByteBuffer.allocate(0);

  private final DeviceSession in;
  private final GuardedDevice device;
  private volatile boolean givenUp;
  private volatile PlanWatch.Watched plan; // the latest one

  GuardedSession(DeviceSession in, GuardedDevice device) {
    this.in = in;
    this.device = device;
  }

  @Override
  public ByteBuffer planBuffer() {
    return in.planBuffer();
  }

  @Override
  public ByteBuffer execute(int planBytes, StopSignal stop) throws IOException {
    return run(signal -> in.execute(planBytes, signal), stop);
  }

  /** The page has its doc IDs: to copy them must not be a call of the device, which may hang. */
  @Override
  public ByteBuffer executeDocs(int planBytes, StopSignal stop) throws IOException {
    return execute(planBytes, stop);
  }

  @Override
  public boolean hasTasks() {
    return !givenUp && in.hasTasks();
  }

  @Override
  public int taskCommand(int opcode, int dword11, int dword12, int dword13, StopSignal stop)
      throws IOException {
    int[] answer = new int[1];
    run(
        signal -> {
          answer[0] = in.taskCommand(opcode, dword11, dword12, dword13, signal);
          return NO_PAGE;
        },
        stop);
    return answer[0];
  }

  @Override
  public ByteBuffer taskPage(int bytes) throws IOException {
    return run(signal -> in.taskPage(bytes), StopSignal.NEVER);
  }

  @Override
  public boolean canSplit() {
    return !givenUp && in.canSplit();
  }

  @Override
  public int windowPages() {
    return in.windowPages();
  }

  /** The host's half runs on the thread of the call, too. */
  @Override
  public ByteBuffer executeSplit(int planBytes, int windows, StopSignal stop) throws IOException {
    return run(signal -> in.executeSplit(planBytes, windows, signal), stop);
  }

  @Override
  public SplitCounts splitCounts() {
    return givenUp ? SplitCounts.NONE : in.splitCounts();
  }

  /** A plan, with a signal that may be asked for as long as it runs. */
  @FunctionalInterface
  private interface Plan {
    ByteBuffer run(StopSignal stop) throws IOException;
  }

  private ByteBuffer run(Plan run, StopSignal stop) throws IOException {
    if (givenUp) {
      throw new OffloadException(Status.CLOSED, "an earlier plan of the session was given up");
    }
    // The caller's signal is asked on the caller's thread: it may be gone when the plan is not.
    AtomicBoolean toStop = new AtomicBoolean();
    plan = device.watch();
    DeviceCalls.Stopping stopping = new DeviceCalls.Stopping(stop, () -> toStop.set(true), plan);
    boolean ended = false;
    try {
      ByteBuffer page = device.runPlan(() -> run.run(toStop::get), this, stopping);
      ended = true;
      return page;
    } finally {
      if (!ended) {
        toStop.set(true);
      }
    }
  }

  @Override
  public void givenUp() {
    givenUp = true;
    plan.giveUp();
  }

  @Override
  public void ended(ByteBuffer result) {
    plan.endedLate();
    device.closeLate(in);
  }

  @Override
  public boolean copyAscending(ByteBuffer page, int from, int count, int[] docs)
      throws OffloadException {
    return in.copyAscending(page, from, count, docs);
  }

  @Override
  public boolean isUsable() {
    return !givenUp && in.isUsable();
  }

  @Override
  public ByteBuffer modelData(int data) throws IOException {
    return in.modelData(data);
  }

  @Override
  public void close() throws IOException {
    if (!givenUp) {
      device.closeSession(in);
    }
  }
}
