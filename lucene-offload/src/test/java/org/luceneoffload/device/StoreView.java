/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.device;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.luceneoffload.wire.OffloadException;
import org.luceneoffload.wire.OffloadWire;

/** A device over the contents of another, to be closed and made again. For tests. */
final class StoreView implements Device {
  private final RamBlockDevice contents;
  private final boolean readOnly;
  private final Lock lock;
  private volatile boolean writable;
  private boolean closed;

  /** The right to write. */
  interface Lock {
    void take() throws IOException;

    void release();
  }

  StoreView(RamBlockDevice contents, boolean readOnly, Lock lock) {
    this.contents = contents;
    this.readOnly = readOnly;
    this.lock = lock;
  }

  @Override
  public String name() {
    return "testram";
  }

  @Override
  public DeviceInfo info() {
    DeviceInfo info = contents.info();
    return DeviceInfos.like(info, readOnly, info.maxResultBytes());
  }

  @Override
  public void openForWriting() throws IOException {
    checkOpen();
    Device.super.openForWriting();
    if (!writable) {
      lock.take();
      writable = true;
    }
  }

  @Override
  public void read(long lba, ByteBuffer dst) throws IOException {
    checkOpen();
    contents.read(lba, dst);
  }

  @Override
  public void write(long lba, ByteBuffer src) throws IOException {
    checkWritable();
    contents.write(lba, src);
  }

  @Override
  public void flush() throws IOException {
    checkOpen();
    contents.flush();
  }

  @Override
  public void trim(long lba, long count) throws IOException {
    checkWritable();
    contents.trim(lba, count);
  }

  @Override
  public DeviceSession openSession() throws IOException {
    checkOpen();
    return contents.openSession();
  }

  @Override
  public int putLiveDocs(ByteBuffer bits) throws IOException {
    checkOpen();
    return contents.putLiveDocs(bits);
  }

  @Override
  public void dropResource(int resource) {
    contents.dropResource(resource);
  }

  @Override
  public synchronized void close() {
    if (!closed) {
      closed = true;
      if (writable) {
        lock.release();
      }
    }
  }

  private synchronized void checkOpen() throws OffloadException {
    if (closed) {
      throw new OffloadException(OffloadWire.Status.CLOSED, "testram");
    }
  }

  private void checkWritable() throws OffloadException {
    checkOpen();
    if (!writable) {
      throw new OffloadException(OffloadWire.Status.READ_ONLY, "testram");
    }
  }
}
