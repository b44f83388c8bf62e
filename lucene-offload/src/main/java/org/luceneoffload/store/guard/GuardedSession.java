/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.store.guard;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.apache.lucene.util.IOFunction;
import org.apache.lucene.util.IOSupplier;
import org.luceneoffload.device.DeviceSession;
import org.luceneoffload.device.FilterSession;
import org.luceneoffload.device.SplitPlans;
import org.luceneoffload.device.TaskCommands;
import org.luceneoffload.wire.OffloadException;
import org.luceneoffload.wire.OffloadWire.Status;

/**
 * A session of a guarded device. Once a plan was given up the session is the plan's alone: it is
 * closed when the plan ends, if ever, and no other plan runs in it.
 */
final class GuardedSession extends FilterSession
    implements SplitPlans, TaskCommands, DeviceCalls.Late<ByteBuffer> {
  private static final ByteBuffer NO_PAGE = ByteBuffer.allocate(0);

  private final GuardedDevice device;
  private final SplitPlans splits; // of the session behind; null: it lacks them
  private final TaskCommands tasks; // likewise
  private volatile boolean givenUp;
  private volatile PlanWatch.Watched plan; // the latest one

  GuardedSession(DeviceSession in, GuardedDevice device) {
    super(in);
    this.splits = in.as(SplitPlans.class);
    this.tasks = in.as(TaskCommands.class);
    this.device = device;
  }

  @Override
  public ByteBuffer execute(int planBytes, StopSignal stop) throws IOException {
    return run(signal -> in.execute(planBytes, signal), stop);
  }

  /**
   * Executes a plan whose page has its doc IDs: to copy them must not be a call of the device,
   * which may hang.
   */
  @Override
  public ByteBuffer executeDocs(int planBytes, StopSignal stop) throws IOException {
    return execute(planBytes, stop);
  }

  @Override
  public <T> T as(Class<T> facet) {
    return givenUp ? null : super.as(facet);
  }

  @Override
  protected <T> T call(String what, IOSupplier<T> call, Consumer<T> late) throws IOException {
    return device.call(what, call, late);
  }

  /** Stages nothing: each plan is watched by itself. */
  @Override
  public boolean stage(int planBytes, int resultBytes) {
    return false;
  }

  /** Asks for no pages ahead: the call might not come back. */
  @Override
  public void ask(long[] runs, int count) {}

  @Override
  public boolean hasAsked() {
    return false;
  }

  @Override
  public int taskCommand(int opcode, int dword11, int dword12, int dword13, StopSignal stop)
      throws IOException {
    int[] answer = new int[1];
    run(
        signal -> {
          answer[0] = tasks.taskCommand(opcode, dword11, dword12, dword13, signal);
          return NO_PAGE;
        },
        stop);
    return answer[0];
  }

  @Override
  public ByteBuffer taskPage(int bytes) throws IOException {
    return run(signal -> tasks.taskPage(bytes), StopSignal.NEVER);
  }

  @Override
  public boolean canSplit() {
    return !givenUp && splits.canSplit();
  }

  /** Runs the host's half on the thread of the call, too. */
  @Override
  public ByteBuffer executeSplit(int planBytes, int windows, int mode, StopSignal stop)
      throws IOException {
    return run(signal -> splits.executeSplit(planBytes, windows, mode, signal), stop);
  }

  @Override
  public SplitPlans.Counts splitCounts() {
    return givenUp ? SplitPlans.Counts.NONE : splits.splitCounts();
  }

  private ByteBuffer run(IOFunction<StopSignal, ByteBuffer> run, StopSignal stop)
      throws IOException {
    if (givenUp) {
      throw new OffloadException(Status.CLOSED, "an earlier plan of the session was given up");
    }
    // The caller's signal is asked on the caller's thread: it may be gone when the plan is not.
    AtomicBoolean toStop = new AtomicBoolean();
    plan = device.watch();
    DeviceCalls.Stopping stopping = new DeviceCalls.Stopping(stop, () -> toStop.set(true), plan);
    boolean ended = false;
    try {
      ByteBuffer page = device.runPlan(() -> run.apply(toStop::get), this, stopping);
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
  public boolean isUsable() {
    return !givenUp && in.isUsable();
  }

  @Override
  public void close() throws IOException {
    if (!givenUp) {
      device.closeSession(in);
    }
  }
}
