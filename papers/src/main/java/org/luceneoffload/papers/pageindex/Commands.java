/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.papers.pageindex;

import org.luceneoffload.model.DeviceProfile;
import org.luceneoffload.model.ModelReport;
import org.luceneoffload.model.ProfileException;
import org.luceneoffload.papers.classic.EventLog;
import org.luceneoffload.wire.OffloadWire;

/**
 * What a host does to a device, command by command, and how long the model says that it takes. Each
 * command has its system call, its way to the device, the pages that it reads there, the work of
 * the device's core for it, its answer, and what the host does with that. Commands that follow each
 * other are under way together, as many as the profile's {@code host.read_ahead} says, except over
 * a {@link #barrier}.
 */
final class Commands {
  private static final int PPM = 1_000_000;
  private static final int SLOTS = 4096;

  private final EventLog.Builder events = new EventLog.Builder();
  private final long[] hostWork = new long[OffloadWire.MODEL_WORK_SLOTS];
  private final long[] deviceWork = new long[OffloadWire.MODEL_WORK_SLOTS];
  private boolean open;
  private int answer;
  private long commands;

  /** Counts work of the device's core, for the command or the read that follows. */
  Commands device(int work, long units) {
    deviceWork[work] += units;
    return this;
  }

  /** Counts work of the host on the answer of the command before, or of the first one. */
  Commands host(int work, long units) {
    hostWork[work] += units;
    return this;
  }

  /** Reads a page of a table or a tree to the host. */
  Commands read(long lba) {
    return command(lba, PagedTable.PAGE_BYTES, PagedTable.PAGE_BYTES);
  }

  /** Sends a command for which the device reads no page, and answers bytes. */
  Commands ask(int answerBytes) {
    return command(0, 0, answerBytes);
  }

  private Commands command(long lba, int bytes, int answerBytes) {
    endCommand();
    takeDeviceWork();
    events.task(lba, bytes);
    open = true;
    answer = answerBytes;
    commands++;
    return this;
  }

  private void endCommand() {
    if (!open) {
      return;
    }
    for (int i = 0; i < hostWork.length; i++) {
      events.work(i, hostWork[i]);
      hostWork[i] = 0;
    }
    events.rest(answer);
    open = false;
  }

  private void takeDeviceWork() {
    for (int i = 0; i < deviceWork.length; i++) {
      events.work(i, deviceWork[i]);
      deviceWork[i] = 0;
    }
  }

  /** Has the device read bytes for itself, after all commands before. */
  Commands inside(long lba, int bytes) {
    endCommand();
    takeDeviceWork();
    events.load(lba, bytes);
    return this;
  }

  /** Announces what {@link #inside} will read, of which the device reads some ahead. */
  Commands ahead(long lba, int bytes) {
    endCommand();
    takeDeviceWork();
    events.readAhead(lba, bytes);
    return this;
  }

  /** Has what follows wait for all commands before. */
  Commands barrier() {
    endCommand();
    takeDeviceWork();
    events.send(0);
    return this;
  }

  /** Has the flash program a page; only the end waits for it. */
  Commands program(long flashPage) {
    endCommand();
    takeDeviceWork();
    events.program(flashPage);
    return this;
  }

  /** Returns how many commands were sent. */
  long commands() {
    return commands;
  }

  /** Returns how many milliseconds all of it takes on a device. */
  double play(DeviceProfile profile) throws ProfileException {
    endCommand();
    byte[] device =
        profile
            .with("device.link_queue_depth", profile.get("host.read_ahead"), "read-ahead")
            .wireArray();
    try (EventLog log = events.end(0, true)) {
      EventLog.Played played = log.play(device, new EventLog.Split(SLOTS, PPM, false, false));
      return ModelReport.read(played.total()).elapsedMs();
    }
  }
}
