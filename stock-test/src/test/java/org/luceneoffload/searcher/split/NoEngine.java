/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.searcher.split;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.luceneoffload.device.Device;
import org.luceneoffload.device.DeviceSession;
import org.luceneoffload.device.ExecutingSession;
import org.luceneoffload.device.FilterDevice;
import org.luceneoffload.device.SplitPlans;
import org.luceneoffload.device.TaskCommands;

/**
 * A device that knows tasks, as a host without an engine in the process sees it; each page of a
 * plan is worth a window.
 */
final class NoEngine extends FilterDevice {
  /** Told of each command of a task before it is sent. */
  @FunctionalInterface
  interface Watcher {
    void command(int opcode);
  }

  private final boolean mayBlock;
  private final boolean hidesEngine;
  private volatile Watcher watcher = opcode -> {};

  /**
   * @param mayBlock as of a device behind the kernel's driver, which is called through a guard
   * @param hidesEngine false: there is none in this process anyway
   */
  NoEngine(Device in, boolean mayBlock, boolean hidesEngine) {
    super(in);
    this.mayBlock = mayBlock;
    this.hidesEngine = hidesEngine;
  }

  void watch(Watcher next) {
    watcher = next;
  }

  @Override
  public boolean mayBlock() {
    return mayBlock;
  }

  @Override
  public DeviceSession openSession() throws IOException {
    return new Session(in.openSession());
  }

  private final class Session extends ExecutingSession implements SplitPlans, TaskCommands {
    private final SplitPlans splits;
    private final TaskCommands tasks;

    Session(DeviceSession session) {
      super(session);
      splits = in.as(SplitPlans.class);
      tasks = in.as(TaskCommands.class);
    }

    @Override
    public ByteBuffer execute(int planBytes, StopSignal stop) throws IOException {
      return in.execute(planBytes, stop);
    }

    @Override
    public boolean canSplit() {
      return !hidesEngine && splits.canSplit();
    }

    @Override
    public <T> T as(Class<T> facet) {
      return in.as(facet) == null ? null : super.as(facet);
    }

    @Override
    public ByteBuffer executeSplit(int planBytes, int windows, int mode, StopSignal stop)
        throws IOException {
      return splits.executeSplit(planBytes, windows, mode, stop);
    }

    @Override
    public SplitPlans.Counts splitCounts() {
      return splits.splitCounts();
    }

    @Override
    public int windowPages() {
      return 1;
    }

    @Override
    public int taskCommand(int opcode, int dword11, int dword12, int dword13, StopSignal stop)
        throws IOException {
      watcher.command(opcode);
      return tasks.taskCommand(opcode, dword11, dword12, dword13, stop);
    }

    @Override
    public ByteBuffer taskPage(int bytes) throws IOException {
      return tasks.taskPage(bytes);
    }
  }
}
