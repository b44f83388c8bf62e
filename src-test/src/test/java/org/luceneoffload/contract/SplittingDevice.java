/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.contract;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.luceneoffload.device.Device;
import org.luceneoffload.device.DeviceSession;
import org.luceneoffload.device.ExecutingSession;
import org.luceneoffload.device.FilterDevice;
import org.luceneoffload.device.SplitPlans;
import org.luceneoffload.wire.OffloadWire;

/** A device that splits every plan, however small, into another number of windows each time. */
public final class SplittingDevice extends FilterDevice {
  /** Windows that plans were cut into, and those that the device did. */
  private final AtomicLong windows = new AtomicLong();

  private final AtomicLong onDevice = new AtomicLong();

  private static final int MAX_WINDOWS = 29;

  private final AtomicLong plans = new AtomicLong();

  public SplittingDevice(Device in) {
    super(in);
  }

  /** Checks that devices did some of the windows, and the host others. */
  public static void checkBothSidesHadWindows(List<SplittingDevice> devices) {
    long windows = devices.stream().mapToLong(device -> device.windows.get()).sum();
    long onDevice = devices.stream().mapToLong(device -> device.onDevice.get()).sum();
    assertTrue(onDevice > 0, "no device has done a window");
    assertTrue(windows > onDevice, "devices have done all windows");
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
      int cuts = 2 + (int) (plans.incrementAndGet() % (MAX_WINDOWS - 1));
      SplitPlans splits = in.as(SplitPlans.class);
      ByteBuffer page = splits.executeSplit(planBytes, cuts, OffloadWire.TaskMode.DYNAMIC, stop);
      windows.addAndGet(splits.splitCounts().windows());
      onDevice.addAndGet(splits.splitCounts().onDevice());
      return page;
    }
  }
}
