/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.device;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import org.apache.lucene.util.IOSupplier;
import org.apache.lucene.util.IOUtils;
import org.luceneoffload.wire.OffloadException;

/** A session of a {@link CheckedDevice}: throws nothing but {@link OffloadException} either. */
final class CheckedSession extends FilterSession implements SplitPlans, TaskCommands {
  private final ByteBuffer planBuffer;
  private final SplitPlans splits; // of the session behind; null: it lacks them
  private final TaskCommands tasks; // likewise

  private CheckedSession(DeviceSession in) {
    super(in);
    this.planBuffer = Objects.requireNonNull(in.planBuffer(), "planBuffer");
    this.splits = DeviceFailures.callOr(null, () -> in.as(SplitPlans.class));
    this.tasks = DeviceFailures.callOr(null, () -> in.as(TaskCommands.class));
  }

  /** Returns the facet; null, as if the session lacked it, if the session does not say. */
  @Override
  public <T> T as(Class<T> facet) {
    return DeviceFailures.callOr(null, () -> super.as(facet));
  }

  @Override
  protected <T> T call(String what, IOSupplier<T> call, Consumer<T> late) throws IOException {
    return DeviceFailures.call(call);
  }

  /** Returns a session over one that has just been opened, which is closed if this fails. */
  static CheckedSession of(DeviceSession session) throws OffloadException {
    try {
      return new CheckedSession(session);
    } catch (Throwable t) {
      OffloadException failure = OffloadException.of(t);
      IOUtils.closeWhileSuppressingExceptions(failure, session);
      throw failure;
    }
  }

  @Override
  public ByteBuffer planBuffer() {
    return planBuffer;
  }

  @Override
  public ByteBuffer execute(int planBytes, StopSignal stop) throws IOException {
    try {
      return Objects.requireNonNull(in.execute(planBytes, stop), "result page");
    } catch (Throwable t) {
      throw OffloadException.of(t);
    }
  }

  @Override
  public ByteBuffer executeDocs(int planBytes, StopSignal stop) throws IOException {
    try {
      return Objects.requireNonNull(in.executeDocs(planBytes, stop), "result page");
    } catch (Throwable t) {
      throw OffloadException.of(t);
    }
  }

  @Override
  public boolean hasAsked() {
    return DeviceFailures.callOr(false, in::hasAsked);
  }

  /** Asks for pages ahead; a failure is ignored, since the plans read what they need. */
  @Override
  public void ask(long[] runs, int count) {
    DeviceFailures.callOr(
        null,
        () -> {
          in.ask(runs, count);
          return null;
        });
  }

  @Override
  public boolean stage(int planBytes, int resultBytes) {
    return DeviceFailures.callOr(false, () -> in.stage(planBytes, resultBytes));
  }

  @Override
  public List<Staged> executeStaged(StopSignal stop) throws IOException {
    try {
      return Objects.requireNonNull(in.executeStaged(stop), "results of staged plans");
    } catch (Throwable t) {
      throw OffloadException.of(t);
    }
  }

  @Override
  public boolean canSplit() {
    return DeviceFailures.callOr(false, splits::canSplit);
  }

  @Override
  public int windowPages() {
    return Math.max(1, DeviceFailures.callOr(DEFAULT_WINDOW_PAGES, in::windowPages));
  }

  @Override
  public ByteBuffer executeSplit(int planBytes, int windows, int mode, StopSignal stop)
      throws IOException {
    try {
      return Objects.requireNonNull(
          splits.executeSplit(planBytes, windows, mode, stop), "result page");
    } catch (Throwable t) {
      throw OffloadException.of(t);
    }
  }

  @Override
  public int taskCommand(int opcode, int dword11, int dword12, int dword13, StopSignal stop)
      throws IOException {
    try {
      return tasks.taskCommand(opcode, dword11, dword12, dword13, stop);
    } catch (Throwable t) {
      throw OffloadException.of(t);
    }
  }

  @Override
  public ByteBuffer taskPage(int bytes) throws IOException {
    try {
      return Objects.requireNonNull(tasks.taskPage(bytes), "page of a task");
    } catch (Throwable t) {
      throw OffloadException.of(t);
    }
  }

  @Override
  public SplitPlans.Counts splitCounts() {
    return DeviceFailures.callOr(SplitPlans.Counts.NONE, splits::splitCounts);
  }

  /** Copies doc IDs by the device's own session, as the page itself may lack them. */
  @Override
  public boolean copyAscending(ByteBuffer page, int from, int count, int[] docs)
      throws OffloadException {
    try {
      return in.copyAscending(page, from, count, docs);
    } catch (Throwable t) {
      throw OffloadException.of(t);
    }
  }

  @Override
  public boolean isUsable() {
    return DeviceFailures.callOr(false, in::isUsable);
  }

  @Override
  public void close() throws IOException {
    DeviceFailures.act(in::close);
  }
}
