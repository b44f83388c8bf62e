/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.nvme;

import java.io.Closeable;
import java.io.IOException;
import org.luceneoffload.device.DeviceSession.StopSignal;
import org.luceneoffload.device.SplitPlans;
import org.luceneoffload.sim.HostExecutor;
import org.luceneoffload.wire.OffloadException;
import org.luceneoffload.wire.OffloadWire;
import org.luceneoffload.wire.layout.PlanHeaderLayout;

/**
 * Plans of a session that host and device share: sends what the host's executor asks for, and
 * copies the pages of what the device leaves to it.
 */
final class NvmeSplit implements Closeable {
  private final NvmeTask task;
  private final NvmeRawPages pages;
  private final HostExecutor host;

  NvmeSplit(NvmeTask task, NvmeRawPages pages) throws OffloadException {
    this.task = task;
    this.pages = pages;
    this.host = pages.openExecutor();
  }

  /**
   * Runs the plan in the task's buffer, which ends as its result page.
   *
   * @return its bytes; 0 if the device has to run the plan as it is
   */
  int run(int planBytes, int windows, int mode, StopSignal stop) throws IOException {
    try {
      return runOnce(planBytes, windows, mode, stop);
    } catch (OffloadException e) {
      if (!host.failedHere() || task.isLost()) {
        throw e;
      }
      pages.forget(host.extents()); // they may be older than the plan
      return runOnce(planBytes, windows, mode, stop);
    }
  }

  private int runOnce(int planBytes, int windows, int mode, StopSignal stop) throws IOException {
    int liveDocs = PlanHeaderLayout.liveDocs(task.plan, 0);
    int here = pages.liveDocs(liveDocs);
    if (here < 0) {
      return 0;
    }
    PlanHeaderLayout.liveDocs(
        task.plan, 0, here); // until the executor has begun: it copies the plan
    try {
      return host.run(
          task.plan,
          planBytes,
          windows,
          mode,
          task.result,
          (opcode, dwords) -> {
            PlanHeaderLayout.liveDocs(task.plan, 0, liveDocs);
            return send(opcode, dwords, stop);
          },
          pages::copy,
          stop);
    } finally {
      PlanHeaderLayout.liveDocs(task.plan, 0, liveDocs);
      task.giveUp();
    }
  }

  private int send(int opcode, int[] dwords, StopSignal stop) throws OffloadException {
    if (opcode == OffloadWire.Opcode.FETCH) {
      task.page(dwords[1]);
      return dwords[1];
    }
    return task.command(opcode, dwords[0], dwords[1], dwords[2], stop);
  }

  /** Returns what became of the windows of the latest plan. */
  SplitPlans.Counts counts() throws OffloadException {
    return host.counts();
  }

  @Override
  public void close() {
    host.close();
  }
}
