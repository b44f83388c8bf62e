/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.searcher.split;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.luceneoffload.device.Device;
import org.luceneoffload.device.DeviceSession;
import org.luceneoffload.device.ExecutingSession;
import org.luceneoffload.device.FilterDevice;
import org.luceneoffload.device.SplitPlans;
import org.luceneoffload.wire.OffloadWire;

/** A device that cuts every plan, however small, into as many windows as a test wants. */
final class ForcedSplits extends FilterDevice {
  /** What becomes of a plan that is under way. */
  @FunctionalInterface
  interface Fate {
    /** Asked as each plan begins, with its number from 0 on. */
    DeviceSession.StopSignal of(int plan);
  }

  /** Windows of all plans: cut, done by the device, refused by it, handed back by it. */
  final AtomicLong windows = new AtomicLong();

  final AtomicLong onDevice = new AtomicLong();
  final AtomicLong raw = new AtomicLong();
  final AtomicLong handedBack = new AtomicLong();

  private final AtomicInteger plans = new AtomicInteger();
  private volatile int cuts = 2;
  private volatile Fate fate = plan -> DeviceSession.StopSignal.NEVER;

  ForcedSplits(Device in) {
    super(in);
  }

  /** Cuts plans into so many windows from now on. */
  void cutInto(int count) {
    cuts = count;
  }

  /** Asks this from now on what becomes of a plan. */
  void meet(Fate next) {
    plans.set(0);
    fate = next;
  }

  @Override
  public DeviceSession openSession() throws IOException {
    return new Session(in.openSession());
  }

  private final class Session extends ExecutingSession {
    Session(DeviceSession session) {
      super(session);
    }

    @Override
    public ByteBuffer execute(int planBytes, StopSignal stop) throws IOException {
      StopSignal own = fate.of(plans.getAndIncrement());
      SplitPlans splits = in.as(SplitPlans.class);
      ByteBuffer page =
          splits.executeSplit(
              planBytes, cuts, OffloadWire.TaskMode.DYNAMIC, () -> stop.stop() || own.stop());
      SplitPlans.Counts counts = splits.splitCounts();
      windows.addAndGet(counts.windows());
      onDevice.addAndGet(counts.onDevice());
      raw.addAndGet(counts.raw());
      handedBack.addAndGet(counts.handedBack());
      return page;
    }
  }
}
