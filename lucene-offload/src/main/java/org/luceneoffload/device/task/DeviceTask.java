/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.device.task;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.luceneoffload.device.DeviceSession;
import org.luceneoffload.device.DeviceSession.StopSignal;
import org.luceneoffload.device.TaskCommands;
import org.luceneoffload.wire.OffloadWire;

/**
 * A plan that a device runs window by window, on threads of its own: INIT_TSK, READ_PROC, READ_FILT
 * and FINAL of Summarizer (Koo et al., MICRO 2017), section 6b of the wire. A window is a range of
 * docs. Windows ascend, do not overlap, and may leave out docs. {@link HostProgram} has the host's
 * half. For one thread at a time.
 */
public final class DeviceTask implements Closeable {
  /** What becomes of a window that finds the task's queue full, and what a window leaves. */
  public enum Mode {
    /** It waits; all windows together leave one page. Of all plans but SCORED_DOCS. */
    STATIC(OffloadWire.TaskMode.STATIC),
    /** It is the host's; all others together leave one page. Of the same plans. */
    DYNAMIC(OffloadWire.TaskMode.DYNAMIC),
    /** It waits, and leaves a page of its own: of DOCS and SCORED_DOCS, for a host that goes on. */
    HAND_CODED(OffloadWire.TaskMode.HAND);

    private final int wire;

    Mode(int wire) {
      this.wire = wire;
    }
  }

  private final TaskCommands tasks;
  private final Mode mode;
  private final StopSignal stop;
  private boolean open;

  private DeviceTask(TaskCommands tasks, Mode mode, StopSignal stop) {
    this.tasks = tasks;
    this.mode = mode;
    this.stop = stop;
  }

  /**
   * Begins a task.
   *
   * @param session has the plan in its plan buffer, and runs nothing else until the task ends
   * @param planBytes of the plan
   * @param waiting windows that may wait in the device at once; 0: as many as it thinks fit
   * @param stop asked now and then by commands that wait; true ends them with status ABORTED
   */
  public static DeviceTask init(
      DeviceSession session, int planBytes, Mode mode, int waiting, StopSignal stop)
      throws IOException {
    TaskCommands tasks = TaskCommands.of(session);
    DeviceTask task = new DeviceTask(tasks, mode, stop);
    tasks.taskCommand(OffloadWire.Opcode.INIT_TSK, planBytes, mode.wire, waiting, stop);
    task.open = true;
    return task;
  }

  /** Returns the mode, which says what becomes of windows. */
  public Mode mode() {
    return mode;
  }

  /**
   * Offers the docs from {@code minDoc} up to {@code limitDoc} to the device: READ_PROC.
   *
   * @return false if they are the host's
   */
  public boolean read(int minDoc, int limitDoc) throws IOException {
    return read(minDoc, limitDoc, 0f);
  }

  /**
   * Offers docs of a TOP_K plan to the device.
   *
   * @param leastScore hits that score less are not wanted; 0: all are
   */
  public boolean read(int minDoc, int limitDoc, float leastScore) throws IOException {
    int bits = Float.floatToIntBits(leastScore);
    int answer = tasks.taskCommand(OffloadWire.Opcode.READ_PROC, minDoc, limitDoc, bits, stop);
    return answer == OffloadWire.TaskAnswer.TAKEN;
  }

  /**
   * Has the device filter the docs from {@code minDoc} up to {@code limitDoc}, and waits for them:
   * READ_FILT. A page with MORE is gone on with from its {@code next_doc} on.
   *
   * @return a result page, valid until the session is used again
   */
  public ByteBuffer filter(int minDoc, int limitDoc) throws IOException {
    int bytes = tasks.taskCommand(OffloadWire.Opcode.READ_FILT, minDoc, limitDoc, 0, stop);
    return tasks.taskPage(bytes);
  }

  /**
   * Ends the task: FINAL.
   *
   * @param handBack whether windows that have not begun are left to the host
   * @return a result page about the first {@code windows} (of its header) of those that the device
   *     took, valid until the session is used again
   */
  public ByteBuffer end(boolean handBack) throws IOException {
    open = false; // one that fails ends the task as well
    int flags = handBack ? OffloadWire.FinalFlag.HAND_BACK : 0;
    return tasks.taskPage(tasks.taskCommand(OffloadWire.Opcode.FINAL, flags, 0, 0, stop));
  }

  /** Ends a task that was not ended, whatever it has found. */
  @Override
  public void close() throws IOException {
    if (open) {
      open = false;
      tasks.taskCommand(
          OffloadWire.Opcode.FINAL, OffloadWire.FinalFlag.HAND_BACK, 0, 0, StopSignal.NEVER);
    }
  }
}
