/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.contract;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicLong;
import org.luceneoffload.device.Device;
import org.luceneoffload.device.DeviceInfo;
import org.luceneoffload.device.DeviceSession;

/** A device that splits every plan, however small, into another number of windows each time. */
final class SplittingDevice implements Device {
  /** Windows that plans of all such devices were cut into, and those that the devices did. */
  static final AtomicLong WINDOWS = new AtomicLong();

  static final AtomicLong ON_DEVICE = new AtomicLong();

  private static final int MOST_WINDOWS = 29;

  private final Device in;
  private final AtomicLong plans = new AtomicLong();

  SplittingDevice(Device in) {
    this.in = in;
  }

  @Override
  public String name() {
    return in.name();
  }

  @Override
  public DeviceInfo info() {
    return in.info();
  }

  @Override
  public void openForWriting() throws IOException {
    in.openForWriting();
  }

  @Override
  public void read(long lba, ByteBuffer dst) throws IOException {
    in.read(lba, dst);
  }

  @Override
  public void write(long lba, ByteBuffer src) throws IOException {
    in.write(lba, src);
  }

  @Override
  public void flush() throws IOException {
    in.flush();
  }

  @Override
  public void trim(long lba, long count) throws IOException {
    in.trim(lba, count);
  }

  @Override
  public DeviceSession openSession() throws IOException {
    return new Session(in.openSession());
  }

  @Override
  public int putLiveDocs(ByteBuffer bits) throws IOException {
    return in.putLiveDocs(bits);
  }

  @Override
  public void dropResource(int resource) throws IOException {
    in.dropResource(resource);
  }

  @Override
  public void close() throws IOException {
    in.close();
  }

  private final class Session implements DeviceSession {
    private final DeviceSession session;

    Session(DeviceSession session) {
      this.session = session;
    }

    @Override
    public ByteBuffer planBuffer() {
      return session.planBuffer();
    }

    @Override
    public ByteBuffer execute(int planBytes, StopSignal stop) throws IOException {
      int windows = 2 + (int) (plans.incrementAndGet() % (MOST_WINDOWS - 1));
      ByteBuffer page = session.executeSplit(planBytes, windows, stop);
      WINDOWS.addAndGet(session.splitCounts().windows());
      ON_DEVICE.addAndGet(session.splitCounts().onDevice());
      return page;
    }

    @Override
    public boolean copyAscending(ByteBuffer page, int from, int count, int[] docs) {
      return session.copyAscending(page, from, count, docs);
    }

    @Override
    public void close() throws IOException {
      session.close();
    }
  }
}
