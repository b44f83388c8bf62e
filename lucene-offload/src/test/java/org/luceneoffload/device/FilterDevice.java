/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.device;

import java.io.IOException;
import java.nio.ByteBuffer;

/** Hands on the calls that every device has to take; what a test wants otherwise, it overrides. */
public abstract class FilterDevice implements Device {
  /** The device behind it. */
  protected final Device in;

  protected FilterDevice(Device in) {
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
    return in.openSession();
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
}
