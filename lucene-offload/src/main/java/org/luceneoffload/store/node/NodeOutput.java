/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.store.node;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.function.Consumer;
import org.luceneoffload.report.OffloadStats.Counter;
import org.luceneoffload.store.guard.DeviceHandle;
import org.luceneoffload.store.volume.Transfers;
import org.luceneoffload.store.volume.VolumeWriter;

/**
 * The bytes of a file on their way to a node. A file of at most a page goes into the volume's
 * metadata, as long as these have room; others into pages. The file gets its name when this is
 * closed, and is durable with the next sync.
 */
final class NodeOutput extends OutputStream {
  private final DeviceHandle handle;
  private final NodeCache cache;
  private final String name; // in the volume
  private final long stamp;
  private final long expectedBytes;
  private final Consumer<NodeOutput> onClose;
  private byte[] page = new byte[NodePage.BYTES];
  private int filled; // of the page's payload
  private int pages;
  private VolumeWriter writer; // null as long as there is but a page
  private ByteBuffer buffer;
  private boolean failed;
  private boolean closed;

  /**
   * An output.
   *
   * @param stamp what its pages carry
   * @param expectedBytes guess of its length; 0: none
   * @param onClose told when it is closed, well or not
   */
  NodeOutput(
      DeviceHandle handle,
      NodeCache cache,
      String name,
      long stamp,
      long expectedBytes,
      Consumer<NodeOutput> onClose) {
    this.handle = handle;
    this.cache = cache;
    this.name = name;
    this.stamp = stamp;
    this.expectedBytes = expectedBytes;
    this.onClose = onClose;
  }

  /** Returns the number of bytes written so far. */
  long length() {
    return (long) pages * NodePage.PAYLOAD + filled;
  }

  @Override
  public void write(int b) throws IOException {
    write(new byte[] {(byte) b}, 0, 1);
  }

  @Override
  public void write(byte[] b, int offset, int count) throws IOException {
    int from = offset;
    int rest = count;
    while (rest > 0) {
      if (filled == NodePage.PAYLOAD) {
        pageDone();
      }
      int taken = Math.min(rest, NodePage.PAYLOAD - filled);
      System.arraycopy(b, from, page, filled, taken);
      filled += taken;
      from += taken;
      rest -= taken;
    }
  }

  private void pageDone() throws IOException {
    boolean done = false;
    try {
      if (writer == null) {
        writer = handle.volume().create(name, expectedBytes, stamp);
        buffer = Transfers.acquire();
      }
      NodePage.seal(page, stamp, pages);
      buffer.put(page);
      cache.put(stamp, pages, page);
      page = new byte[NodePage.BYTES];
      pages++;
      filled = 0;
      if (buffer.remaining() < NodePage.BYTES) {
        flushBuffer();
      }
      done = true;
    } finally {
      failed |= !done;
    }
  }

  private void flushBuffer() throws IOException {
    handle.stats().add(Counter.NODE_PAGES_WRITTEN, buffer.position() / NodePage.BYTES);
    writer.append(buffer.flip());
    buffer.clear();
  }

  @Override
  public void close() throws IOException {
    if (closed) {
      return;
    }
    closed = true;
    try {
      finish();
    } finally {
      if (writer != null) {
        writer.abort(); // harmless after success
      }
      if (buffer != null) {
        Transfers.release(buffer);
        buffer = null;
      }
      onClose.accept(this);
    }
  }

  private void finish() throws IOException {
    if (failed) {
      throw new IOException(name + " was not written whole, and is given up");
    }
    if (writer == null && handle.volume().tryCreateInline(name, Arrays.copyOf(page, filled))) {
      return;
    }
    long length = length();
    if (filled > 0 || writer == null) {
      pageDone();
    }
    if (buffer.position() > 0) {
      flushBuffer();
    }
    writer.finish(length);
  }
}
