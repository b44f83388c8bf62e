/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.nvme;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.luceneoffload.device.DeviceSession.StopSignal;
import org.luceneoffload.device.SplitCounts;
import org.luceneoffload.sim.HostHalf;
import org.luceneoffload.util.CauseLog;
import org.luceneoffload.wire.OffloadException;
import org.luceneoffload.wire.OffloadWire;
import org.luceneoffload.wire.layout.PlanHeaderLayout;

/**
 * Plans of a session that host and device share: sends INIT_TSK, READ_PROC and FINAL as the host's
 * half asks, and copies the pages of what the device leaves to it.
 */
final class NvmeSplit implements Closeable {
  /** Fetches the rest of a result page, of which some bytes are here. */
  @FunctionalInterface
  interface Fetcher {
    void fetch(int bytes, int there) throws OffloadException;
  }

  private final NvmeCommands commands;
  private final int session;
  private final NvmeRawPages pages;
  private final HostHalf half;
  private final int firstBytes; // fetched in one flight with FINAL
  private boolean inTask;
  private int there; // bytes of the task's result page that came with FINAL
  private boolean lost;

  NvmeSplit(NvmeCommands commands, int session, NvmeRawPages pages, int firstBytes)
      throws OffloadException {
    this.commands = commands;
    this.session = session;
    this.pages = pages;
    this.firstBytes = firstBytes;
    this.half = pages.openHalf();
  }

  /**
   * Runs a plan.
   *
   * @param result the result page goes there
   * @return its bytes; 0 if the device has to run the plan as it is
   */
  int run(
      ByteBuffer plan,
      int planBytes,
      int windows,
      ByteBuffer result,
      Fetcher fetcher,
      StopSignal stop)
      throws IOException {
    try {
      return runOnce(plan, planBytes, windows, result, fetcher, stop);
    } catch (OffloadException e) {
      if (!half.failedHere() || lost) {
        throw e;
      }
      pages.forget(half.extents()); // they may be older than the plan
      return runOnce(plan, planBytes, windows, result, fetcher, stop);
    }
  }

  private int runOnce(
      ByteBuffer plan,
      int planBytes,
      int windows,
      ByteBuffer result,
      Fetcher fetcher,
      StopSignal stop)
      throws IOException {
    int liveDocs = PlanHeaderLayout.liveDocs(plan, 0);
    int here = pages.liveDocs(liveDocs);
    if (here < 0) {
      return 0;
    }
    there = 0;
    PlanHeaderLayout.liveDocs(plan, 0, here); // until the half has begun, which copies the plan
    try {
      return half.run(
          plan,
          planBytes,
          windows,
          result,
          (opcode, dwords) -> {
            PlanHeaderLayout.liveDocs(plan, 0, liveDocs);
            return send(opcode, dwords, plan, planBytes, result, fetcher, stop);
          },
          pages::copy,
          stop);
    } finally {
      PlanHeaderLayout.liveDocs(plan, 0, liveDocs);
      endTask();
    }
  }

  private int send(
      int opcode,
      int[] dwords,
      ByteBuffer plan,
      int planBytes,
      ByteBuffer result,
      Fetcher fetcher,
      StopSignal stop)
      throws OffloadException {
    try {
      switch (opcode) {
        case OffloadWire.Opcode.INIT_TSK -> {
          commands.initTask(session, plan, planBytes, dwords[1], dwords[2]);
          inTask = true;
          return 0;
        }
        case OffloadWire.Opcode.READ_PROC -> {
          return commands.readWindow(session, dwords[0], dwords[1], dwords[2]);
        }
        case OffloadWire.Opcode.FINAL -> {
          return finish(dwords[0], result, stop);
        }
        case OffloadWire.Opcode.FETCH -> {
          fetcher.fetch(dwords[1], Math.min(dwords[1], there));
          return dwords[1];
        }
        default ->
            throw new OffloadException(
                OffloadWire.Status.INTERNAL, "the host's half asks for opcode " + opcode);
      }
    } catch (OffloadException e) {
      lost |= e.status() == OffloadWire.Status.TIMED_OUT;
      throw e;
    }
  }

  private int finish(int flags, ByteBuffer result, StopSignal stop) throws OffloadException {
    inTask = false; // a FINAL that fails ends the task as well
    if (!commands.port().isPipelined()) {
      return commands.endTask(session, flags);
    }
    int bytes = commands.endTaskAndFetch(session, flags, result, firstBytes, stop);
    there = Math.min(bytes, firstBytes);
    return bytes;
  }

  /** Ends a task whose windows are of no use. */
  private void endTask() {
    if (!inTask) {
      return;
    }
    inTask = false;
    try {
      if (!lost) {
        commands.endTask(session, OffloadWire.FinalFlag.HAND_BACK);
      }
    } catch (OffloadException e) {
      lost = true;
      CauseLog.log(
          System.Logger.Level.DEBUG,
          "task not ended",
          "",
          "a task was not ended on an NVMe device: " + e.getMessage());
    }
  }

  /** Returns whether a task may still run: its session cannot be used again. */
  boolean isLost() {
    return lost;
  }

  /** What became of the windows of the latest plan. */
  SplitCounts counts() throws OffloadException {
    return half.counts();
  }

  @Override
  public void close() {
    half.close();
  }
}
