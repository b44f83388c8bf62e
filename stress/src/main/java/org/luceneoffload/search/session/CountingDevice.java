/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.search.session;

import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicInteger;
import org.luceneoffload.device.Device;
import org.luceneoffload.device.DeviceInfo;
import org.luceneoffload.device.DeviceSession;

/** A device whose sessions do nothing; it counts those that are open. */
final class CountingDevice implements Device {
  private final AtomicInteger open = new AtomicInteger();
  private final DeviceInfo info;

  CountingDevice(int maxSessions) {
    info =
        new DeviceInfo(
            "counting",
            "",
            false,
            4096,
            4096,
            1,
            0,
            4096,
            4096,
            4096,
            maxSessions,
            0,
            0,
            false,
            false);
  }

  /** Returns how many sessions are open; below zero if one was closed twice. */
  int open() {
    return open.get();
  }

  @Override
  public DeviceSession openSession() {
    open.incrementAndGet();
    return new Session();
  }

  @Override
  public String name() {
    return "counting";
  }

  @Override
  public DeviceInfo info() {
    return info;
  }

  @Override
  public void read(long lba, ByteBuffer dst) {
    throw new UnsupportedOperationException();
  }

  @Override
  public void write(long lba, ByteBuffer src) {
    throw new UnsupportedOperationException();
  }

  @Override
  public void flush() {}

  @Override
  public void trim(long lba, long count) {}

  @Override
  public int putLiveDocs(ByteBuffer bits) {
    throw new UnsupportedOperationException();
  }

  @Override
  public void dropResource(int resource) {}

  @Override
  public void close() {}

  private final class Session implements DeviceSession {
    @Override
    public ByteBuffer planBuffer() {
      throw new UnsupportedOperationException();
    }

    @Override
    public ByteBuffer execute(int planBytes, StopSignal stop) {
      throw new UnsupportedOperationException();
    }

    @Override
    public void close() {
      open.decrementAndGet();
    }
  }
}
