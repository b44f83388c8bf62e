/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.nvme;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import org.luceneoffload.device.DeviceSession.Staged;
import org.luceneoffload.device.DeviceSession.StopSignal;
import org.luceneoffload.nvme.port.NvmeCommand;
import org.luceneoffload.wire.OffloadException;
import org.luceneoffload.wire.OffloadWire;
import org.luceneoffload.wire.layout.ResultHeaderLayout;

/**
 * Plans of a session that go to the device in one flight, each a SUBMIT and a FETCH of its whole
 * page. A queue's commands are executed in their order, so that one session does for all.
 */
final class StagedCommands {
  /** Most plans at once. */
  static final int MAX_COMMANDS = 16;

  // So little that sockets take it in: whoever sends plans takes no results meanwhile.
  private static final int PLAN_BYTES = 32 << 10;

  /** Results of an exchange that most have room for. */
  private static final int RESULT_BYTES = 128 << 10;

  /** Results of an exchange at most. */
  private static final int MAX_RESULT_BYTES = 2 << 20;

  private final NvmeCommands commands;
  private final int session;
  private final ByteBuffer plans = AlignedMemory.allocate(PLAN_BYTES);
  private ByteBuffer results = AlignedMemory.allocate(RESULT_BYTES);
  private final List<NvmeCommand> flight = new ArrayList<>(2 * MAX_COMMANDS);
  private int planEnd;
  private int resultEnd;

  StagedCommands(NvmeCommands commands, int session) {
    this.commands = commands;
    this.session = session;
  }

  /** Stages a plan, see {@link org.luceneoffload.device.DeviceSession#stage}. */
  boolean add(ByteBuffer plan, int planBytes, int resultBytes) {
    if (planBytes > PLAN_BYTES - planEnd
        || resultBytes > MAX_RESULT_BYTES - resultEnd
        || flight.size() == 2 * MAX_COMMANDS) {
      return false;
    }
    if (resultBytes > results.capacity() - resultEnd) {
      // Commands that are staged already keep the buffer that they have.
      results = AlignedMemory.allocate(MAX_RESULT_BYTES);
    }
    plans.put(planEnd, plan, 0, planBytes);
    flight.add(commands.submission(session, plans, planEnd, planBytes));
    flight.add(commands.fetching(session, 0, results, resultEnd, resultBytes));
    planEnd += aligned(planBytes);
    resultEnd += aligned(resultBytes);
    return true;
  }

  private static int aligned(int bytes) {
    return bytes + 7 & ~7;
  }

  /** Runs the staged plans, see {@link org.luceneoffload.device.DeviceSession#executeStaged}. */
  List<Staged> run(StopSignal stop) throws OffloadException {
    OffloadException lost = null;
    try {
      commands.all(session, stop, flight.toArray(NvmeCommand[]::new));
    } catch (OffloadException e) {
      // What came before the connection was lost is whole. Who stops an exchange wants none of it.
      if (e.status() == OffloadWire.Status.ABORTED || !flight.get(1).isAnswered()) {
        throw e;
      }
      lost = e;
    }
    List<Staged> all = new ArrayList<>(flight.size() / 2);
    for (int i = 0; i < flight.size(); i += 2) {
      boolean answered = flight.get(i + 1).isAnswered();
      all.add(answered ? result(flight.get(i), flight.get(i + 1)) : Staged.unanswered(lost));
    }
    return all;
  }

  /** Forgets the plans. */
  void clear() {
    flight.clear();
    planEnd = 0;
    resultEnd = 0;
  }

  private Staged result(NvmeCommand submit, NvmeCommand fetch) {
    try {
      int bytes = commands.resultBytes("running a plan", submit, fetch);
      if (bytes < ResultHeaderLayout.BYTES || bytes > fetch.dword(12)) {
        throw new OffloadException(
            OffloadWire.Status.INTERNAL, "the device has a result page of " + bytes + " bytes");
      }
      ByteBuffer page =
          fetch.data().slice(fetch.dataOffset(), bytes).order(ByteOrder.LITTLE_ENDIAN);
      return new Staged(page, null);
    } catch (OffloadException e) {
      return new Staged(null, e);
    }
  }
}
