/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.store.image;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import org.apache.lucene.store.AlreadyClosedException;
import org.apache.lucene.store.IndexInput;
import org.luceneoffload.store.guard.DeviceHandle;
import org.luceneoffload.store.volume.Extent;
import org.luceneoffload.store.volume.VolumeReader;
import org.luceneoffload.wire.OffloadWire;

/**
 * Reads a posting image from a volume. Clones and slices share the file, which closes with the
 * input that it was opened with.
 */
public final class ImageInput extends IndexInput {
  private static final int PAGE_BYTES = OffloadWire.PAGE_BYTES;
  private static final int READ_AHEAD_PAGES = 16;

  private final DeviceHandle handle;
  private final VolumeReader reader;
  private final boolean root;
  private final long base;
  private final long length;
  private long position;
  private volatile boolean closed;

  // Pages of the file from bufferStart on; null before the first read.
  private ByteBuffer buffer;
  private long bufferStart;

  /** An input over a whole file; takes over a reference of the handle. */
  ImageInput(String name, DeviceHandle handle, VolumeReader reader) {
    this(
        ImageFiles.kind(name) + " " + name + " on device " + handle.device().name(),
        handle,
        reader,
        true,
        0,
        reader.length());
  }

  private ImageInput(
      String description,
      DeviceHandle handle,
      VolumeReader reader,
      boolean root,
      long base,
      long length) {
    super(description);
    this.handle = handle;
    this.reader = reader;
    this.root = root;
    this.base = base;
    this.length = length;
  }

  /** Returns the device with the image. */
  public DeviceHandle handle() {
    return handle;
  }

  /** Returns where the file is on the device, ascending by file page. */
  public List<Extent> extents() {
    return reader.extents();
  }

  /** Reads one page of the file into a direct buffer, from its position. */
  public void readPage(int filePage, ByteBuffer dst) throws IOException {
    ensureOpen();
    reader.read(filePage, dst.limit(dst.position() + PAGE_BYTES));
  }

  @Override
  public void close() throws IOException {
    if (root && !closed) {
      closed = true;
      try {
        reader.close();
      } finally {
        handle.release();
      }
    }
    closed = true;
  }

  @Override
  public long getFilePointer() {
    return position;
  }

  @Override
  public void seek(long pos) throws IOException {
    ensureOpen();
    if (pos < 0) {
      throw new IllegalArgumentException("position must be >= 0, got " + pos + ": " + this);
    }
    if (pos > length) {
      throw new EOFException("position " + pos + " is past the end " + length + ": " + this);
    }
    position = pos;
  }

  @Override
  public long length() {
    return length;
  }

  @Override
  public byte readByte() throws IOException {
    int available = fill(1);
    if (available < 1) {
      throw eof(1);
    }
    byte b = buffer.get((int) (base + position - bufferStart));
    position++;
    return b;
  }

  @Override
  public void readBytes(byte[] b, int offset, int count) throws IOException {
    if (count > length - position) {
      ensureOpen();
      throw eof(count);
    }
    int to = offset;
    int rest = count;
    while (rest > 0) {
      int taken = Math.min(rest, fill(rest));
      buffer.get((int) (base + position - bufferStart), b, to, taken);
      to += taken;
      rest -= taken;
      position += taken;
    }
  }

  @Override
  public ImageInput clone() {
    ensureOpen();
    ImageInput clone = new ImageInput(toString(), handle, reader, false, base, length);
    clone.position = position;
    return clone;
  }

  @Override
  public IndexInput slice(String description, long offset, long sliceLength) {
    ensureOpen();
    if (offset < 0 || sliceLength < 0 || offset > length - sliceLength) {
      throw new IllegalArgumentException(
          "slice " + description + " from " + offset + " of " + sliceLength + " bytes: " + this);
    }
    return new ImageInput(
        getFullSliceDescription(description), handle, reader, false, base + offset, sliceLength);
  }

  /** Has bytes at the position in the buffer; returns how many, 0 at the end. */
  private int fill(int wanted) throws IOException {
    ensureOpen();
    long at = base + position;
    if (buffer == null || at < bufferStart || at >= bufferStart + buffer.limit()) {
      if (position >= length) {
        return 0;
      }
      refill(at, wanted);
    }
    return (int) Math.min(length - position, bufferStart + buffer.limit() - at);
  }

  private void refill(long at, int wanted) throws IOException {
    boolean sequential = buffer != null && at == bufferStart + buffer.limit();
    int filePage = Math.toIntExact(at / PAGE_BYTES);
    int lastPage = Math.toIntExact((base + length - 1) / PAGE_BYTES);
    int pages = sequential || wanted > PAGE_BYTES ? READ_AHEAD_PAGES : 1;
    pages = Math.min(pages, lastPage - filePage + 1);
    if (buffer == null || buffer.capacity() < pages * PAGE_BYTES) {
      buffer = ByteBuffer.allocateDirect(pages * PAGE_BYTES).order(ByteOrder.LITTLE_ENDIAN);
    }
    buffer.clear().limit(pages * PAGE_BYTES);
    boolean read = false;
    try {
      reader.read(filePage, buffer);
      bufferStart = (long) filePage * PAGE_BYTES;
      read = true;
    } finally {
      if (!read) {
        buffer = null; // holds neither the old pages nor the new
      }
    }
  }

  private void ensureOpen() {
    if (closed) {
      throw new AlreadyClosedException(toString());
    }
  }

  private EOFException eof(int wanted) {
    return new EOFException(
        "read of " + wanted + " bytes at " + position + " of " + length + ": " + this);
  }
}
