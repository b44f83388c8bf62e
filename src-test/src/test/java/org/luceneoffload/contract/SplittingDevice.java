/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.contract;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicLong;
import org.luceneoffload.device.Device;
import org.luceneoffload.device.DeviceSession;
import org.luceneoffload.device.FilterDevice;
import org.luceneoffload.device.FilterSession;

/** A device that splits every plan, however small, into another number of windows each time. */
final class SplittingDevice extends FilterDevice {
  /** Windows that plans were cut into, and those that the device did. */
  final AtomicLong windows = new AtomicLong();

  final AtomicLong onDevice = new AtomicLong();

  private static final int MOST_WINDOWS = 29;

  private final AtomicLong plans = new AtomicLong();

  SplittingDevice(Device in) {
    super(in);
  }

  @Override
  public DeviceSession openSession() throws IOException {
    return new Session(in.openSession());
  }

  private final class Session extends FilterSession {
    Session(DeviceSession session) {
      super(session);
    }

    @Override
    public ByteBuffer execute(int planBytes, StopSignal stop) throws IOException {
      int cuts = 2 + (int) (plans.incrementAndGet() % (MOST_WINDOWS - 1));
      ByteBuffer page = session.executeSplit(planBytes, cuts, stop);
      windows.addAndGet(session.splitCounts().windows());
      onDevice.addAndGet(session.splitCounts().onDevice());
      return page;
    }
  }
}
