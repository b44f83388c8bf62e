/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.nvme;

import java.nio.ByteBuffer;
import org.luceneoffload.device.DeviceSession.StopSignal;
import org.luceneoffload.util.CauseLog;
import org.luceneoffload.wire.OffloadException;
import org.luceneoffload.wire.OffloadWire;

/**
 * The tasks of a session, one after the other: their commands, and whether one is under way. For
 * one thread at a time.
 */
final class NvmeTask {
  /** Fetches the rest of a result page, of which some bytes are here. */
  @FunctionalInterface
  interface Fetcher {
    void fetch(int bytes, int there) throws OffloadException;
  }

  private final NvmeCommands commands;
  private final int session;
  final ByteBuffer plan;
  final ByteBuffer result;
  private final int firstBytes; // fetched in one flight with FINAL
  private final Fetcher fetcher;
  private boolean open;
  private int there; // bytes of the result page that came with FINAL
  private boolean lost;

  /**
   * @param plan the session's buffer for plans
   * @param result where result pages go
   * @param firstBytes of a page that are asked for together with it
   * @param fetcher of pages into {@code result}
   */
  NvmeTask(
      NvmeCommands commands,
      int session,
      ByteBuffer plan,
      ByteBuffer result,
      int firstBytes,
      Fetcher fetcher) {
    this.commands = commands;
    this.session = session;
    this.plan = plan;
    this.result = result;
    this.firstBytes = firstBytes;
    this.fetcher = fetcher;
  }

  /** Runs a command: see {@link org.luceneoffload.device.TaskCommands#taskCommand}. */
  int command(int opcode, int dword11, int dword12, int dword13, StopSignal stop)
      throws OffloadException {
    there = 0;
    try {
      switch (opcode) {
        case OffloadWire.Opcode.INIT_TSK -> {
          commands.initTask(session, plan, dword11, dword12, dword13);
          open = true;
          return 0;
        }
        case OffloadWire.Opcode.READ_PROC -> {
          return commands.readWindow(session, dword11, dword12, dword13);
        }
        case OffloadWire.Opcode.READ_FILT -> {
          return commands.filterWindow(session, dword11, dword12);
        }
        case OffloadWire.Opcode.FINAL -> {
          return finish(dword11, stop);
        }
        default ->
            throw new OffloadException(
                OffloadWire.Status.INVALID_ARGUMENT, "no command of a task: opcode " + opcode);
      }
    } catch (OffloadException e) {
      lost |= e.status() == OffloadWire.Status.TIMED_OUT;
      throw e;
    }
  }

  private int finish(int flags, StopSignal stop) throws OffloadException {
    open = false; // a FINAL that fails ends the task as well
    if (!commands.port().isPipelined()) {
      return commands.endTask(session, flags);
    }
    int bytes = commands.endTaskAndFetch(session, flags, result, firstBytes, stop);
    there = Math.min(bytes, firstBytes);
    return bytes;
  }

  /** Fetches the page that the latest command has left. */
  void page(int bytes) throws OffloadException {
    fetcher.fetch(bytes, Math.min(bytes, there));
  }

  /** Ends a task whose windows are of no use. */
  void giveUp() {
    if (!open) {
      return;
    }
    open = false;
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
}
