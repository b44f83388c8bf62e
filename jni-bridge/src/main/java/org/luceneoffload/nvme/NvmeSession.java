/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.nvme;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.function.Consumer;
import org.luceneoffload.device.DeviceInfo;
import org.luceneoffload.device.DeviceSession;
import org.luceneoffload.device.SplitPlans;
import org.luceneoffload.device.TaskCommands;
import org.luceneoffload.util.CauseLog;
import org.luceneoffload.wire.OffloadException;
import org.luceneoffload.wire.OffloadWire;
import org.luceneoffload.wire.layout.ResultHeaderLayout;

/**
 * A session of a namespace: SUBMIT, then FETCH until the whole result page is here.
 *
 * <p>In the driver a plan cannot be stopped while it runs: it returns when the device answers, or
 * when the time limit is over. The stop signal is asked before a plan is sent and before its result
 * is fetched. A port that is pipelined sends both commands at once, and asks it meanwhile.
 */
final class NvmeSession implements DeviceSession, SplitPlans, TaskCommands {
  /** Device memory that a session asks for, in bytes. */
  static final int GRANT_BYTES = 4 << 20;

  /** Bytes of the largest result page that is asked for. */
  static final int RESULT_BYTES = GRANT_BYTES / 8;

  private final NvmeCommands commands;
  private final int maxPlanBytes;
  private final int maxTransferBytes;
  private final ByteBuffer plan;
  private final ByteBuffer result;
  private final NvmeRawPages pages; // null: the device knows no tasks
  private final Consumer<NvmeSession> onClose;
  private final int number;
  private final NvmeTask task;
  private NvmeSplit split; // null: no plan has been split yet
  private SplitPlans.Counts splitCounts = SplitPlans.Counts.NONE;
  private StagedCommands staged; // null before the first
  private volatile boolean lost; // a plan was given up

  // Guarded by the monitor.
  private boolean running;
  private boolean closed;

  NvmeSession(
      NvmeCommands commands,
      DeviceInfo info,
      int grantBytes,
      NvmeRawPages pages,
      Consumer<NvmeSession> onClose)
      throws OffloadException {
    this.pages = pages;
    this.commands = commands;
    this.maxPlanBytes = info.maxPlanBytes();
    this.maxTransferBytes = info.maxTransferBytes();
    this.onClose = onClose;
    this.number = commands.open(grantBytes);
    this.plan = AlignedMemory.allocate(maxPlanBytes);
    this.result = AlignedMemory.allocate(info.maxResultBytes());
    plan.limit(maxPlanBytes);
    int first = Math.min(result.capacity(), maxTransferBytes);
    this.task = new NvmeTask(commands, number, plan, result, first, this::fetch);
  }

  @Override
  public ByteBuffer planBuffer() {
    return plan;
  }

  @Override
  public ByteBuffer execute(int planBytes, StopSignal stop) throws IOException {
    checkPlanBytes(planBytes);
    begin();
    try {
      return result.clear().limit(run(planBytes, stop));
    } finally {
      end();
    }
  }

  private void checkPlanBytes(int planBytes) {
    if (planBytes < 0 || planBytes > maxPlanBytes) {
      throw new IllegalArgumentException(
          "planBytes must be between 0 and " + maxPlanBytes + ", got " + planBytes);
    }
  }

  /** Lets the device run a plan; returns the bytes of the result page. */
  private int run(int planBytes, StopSignal stop) throws OffloadException {
    checkStop(stop);
    if (commands.port().isPipelined()) {
      return runInOneFlight(planBytes, stop);
    }
    int bytes = submit(planBytes);
    checkStop(stop);
    fetch(bytes, 0);
    return bytes;
  }

  /** Returns a facet, if the device knows tasks. */
  @Override
  public <T> T as(Class<T> facet) {
    return pages == null ? null : DeviceSession.super.as(facet);
  }

  /**
   * Returns whether the device knows tasks, and this host has the engine, so that they share plans.
   */
  @Override
  public boolean canSplit() {
    return pages.areThere();
  }

  @Override
  public ByteBuffer executeSplit(int planBytes, int windows, int mode, StopSignal stop)
      throws IOException {
    if (windows < 1) {
      throw new IllegalArgumentException("windows must be at least 1, got " + windows);
    }
    checkPlanBytes(planBytes);
    begin();
    try {
      splitCounts = SplitPlans.Counts.NONE;
      int bytes =
          windows > 1 && pages != null && canSplit() ? runSplit(planBytes, windows, mode, stop) : 0;
      return result.clear().limit(bytes > 0 ? bytes : run(planBytes, stop));
    } finally {
      end();
    }
  }

  private int runSplit(int planBytes, int windows, int mode, StopSignal stop) throws IOException {
    if (split == null) {
      split = new NvmeSplit(task, pages);
    }
    try {
      int bytes = split.run(planBytes, windows, mode, stop);
      if (bytes > 0) {
        splitCounts = split.counts();
      }
      return bytes;
    } finally {
      lost |= task.isLost();
    }
  }

  @Override
  public int taskCommand(int opcode, int dword11, int dword12, int dword13, StopSignal stop)
      throws IOException {
    if (opcode == OffloadWire.Opcode.INIT_TSK) {
      checkPlanBytes(dword11);
    }
    begin();
    try {
      checkStop(stop);
      return task.command(opcode, dword11, dword12, dword13, stop);
    } finally {
      lost |= task.isLost();
      end();
    }
  }

  @Override
  public ByteBuffer taskPage(int bytes) throws IOException {
    begin();
    try {
      task.page(bytes);
      return result.clear().limit(bytes);
    } finally {
      end();
    }
  }

  @Override
  public SplitPlans.Counts splitCounts() {
    return splitCounts;
  }

  @Override
  public boolean stage(int planBytes, int resultBytes) {
    if (!commands.port().isPipelined() || resultBytes > maxTransferBytes) {
      return false;
    }
    if (staged == null) {
      staged = new StagedCommands(commands, number);
    }
    return staged.add(plan, planBytes, resultBytes);
  }

  @Override
  public List<Staged> executeStaged(StopSignal stop) throws IOException {
    begin();
    try {
      checkStop(stop);
      List<Staged> results = staged.run(stop);
      Staged last = results.getLast(); // answers come in the order of the plans
      if (!last.answered()) {
        noteLoss(last.failure());
      }
      return results;
    } catch (OffloadException e) {
      noteLoss(e);
      throw e;
    } finally {
      staged.clear();
      end();
    }
  }

  private static void checkStop(StopSignal stop) throws OffloadException {
    if (stop.stop()) {
      throw new OffloadException(OffloadWire.Status.ABORTED, "the caller stopped the plan");
    }
  }

  private int submit(int planBytes) throws OffloadException {
    try {
      return commands.submit(number, plan, planBytes);
    } catch (OffloadException e) {
      noteLoss(e);
      throw e;
    }
  }

  private int runInOneFlight(int planBytes, StopSignal stop) throws OffloadException {
    int first = commands.firstFetchBytes(Math.min(result.capacity(), maxTransferBytes));
    int bytes;
    try {
      bytes = commands.submitAndFetch(number, plan, planBytes, result, first, stop);
    } catch (OffloadException e) {
      noteLoss(e);
      throw e;
    }
    if (bytes > first) {
      checkStop(stop);
    }
    fetch(bytes, Math.min(bytes, first));
    return bytes;
  }

  /** Notes that a plan was given up: it may still run, and read its bytes. */
  private void noteLoss(OffloadException e) {
    lost |= e.status() == OffloadWire.Status.TIMED_OUT;
  }

  @Override
  public boolean isUsable() {
    return !lost;
  }

  /** Fetches the result page, of which {@code there} bytes are here already. */
  private void fetch(int bytes, int there) throws OffloadException {
    if (bytes < ResultHeaderLayout.BYTES || bytes > result.capacity()) {
      throw new OffloadException(
          OffloadWire.Status.INTERNAL,
          "the device has a result page of " + (bytes & 0xFFFFFFFFL) + " bytes");
    }
    for (int from = there; from < bytes; ) {
      int got = commands.fetch(number, from, result, Math.min(bytes - from, maxTransferBytes));
      if (got == 0) {
        throw new OffloadException(
            OffloadWire.Status.INTERNAL, "the result page ends at byte " + from + " of " + bytes);
      }
      from += got;
    }
  }

  private synchronized void begin() throws OffloadException {
    if (closed) {
      throw new OffloadException(OffloadWire.Status.CLOSED, "the session is closed");
    }
    if (running) {
      throw new OffloadException(
          OffloadWire.Status.BUSY, "the session runs a plan of another thread");
    }
    running = true;
  }

  private void end() {
    boolean last;
    synchronized (this) {
      running = false;
      last = closed;
    }
    if (last) {
      free();
    }
  }

  /** Lets the session go; one that runs a plan goes when that has ended. */
  @Override
  public void close() {
    boolean idle;
    synchronized (this) {
      if (closed) {
        return;
      }
      closed = true;
      idle = !running;
    }
    if (idle) {
      free();
    }
    onClose.accept(this);
  }

  /** Closes the session. One that cannot be closed now goes with the connection. */
  private void free() {
    if (split != null) {
      split.close();
    }
    try {
      commands.close(number);
    } catch (OffloadException e) {
      CauseLog.log(
          System.Logger.Level.DEBUG,
          "session not closed",
          "",
          "a session was not closed on an NVMe device: " + e.getMessage());
    }
  }
}
