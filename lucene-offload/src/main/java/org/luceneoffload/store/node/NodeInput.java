/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.store.node;

import java.io.EOFException;
import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Optional;
import org.apache.lucene.store.AlreadyClosedException;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.store.RandomAccessInput;

/**
 * Reads a file on a node, page by page. Pages that are read one behind the other come in runs that
 * grow. Clones and slices share the file, which closes with the input that it was opened with.
 */
final class NodeInput extends IndexInput implements RandomAccessInput {
  private static final VarHandle SHORTS =
      MethodHandles.byteArrayViewVarHandle(short[].class, ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle INTS =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  private static final byte[] NO_PAGE = {};

  private final NodeFile file;
  private final boolean root;
  private final int firstRun;
  private final long base;
  private final long end; // in the file, as all positions here
  private long position;
  private boolean closed;

  // The page that is read, and which bytes of the file it has, as far as they are this input's.
  private byte[] page = NO_PAGE;
  private long pageStart;
  private long pageEnd;
  private int lastNumber = Integer.MIN_VALUE;
  private int run;

  /**
   * An input over a whole file, which it takes over.
   *
   * @param firstRun pages that the first read takes
   */
  NodeInput(String description, NodeFile file, int firstRun) {
    this(description, file, true, firstRun, 0, file.length());
  }

  private NodeInput(
      String description, NodeFile file, boolean root, int firstRun, long base, long end) {
    super(description);
    this.file = file;
    this.root = root;
    this.firstRun = firstRun;
    this.run = firstRun;
    this.base = base;
    this.end = end;
    this.position = base;
  }

  @Override
  public void close() throws IOException {
    if (closed) {
      return;
    }
    closed = true;
    page = NO_PAGE;
    pageStart = 0;
    pageEnd = 0;
    if (root) {
      file.close();
    }
  }

  @Override
  public long getFilePointer() {
    return position - base;
  }

  @Override
  public long length() {
    return end - base;
  }

  @Override
  public void seek(long pos) throws IOException {
    ensureOpen();
    if (pos < 0) {
      throw new IllegalArgumentException("position must be >= 0, got " + pos + ": " + this);
    }
    if (pos > length()) {
      throw new EOFException("position " + pos + " is past the end " + length() + ": " + this);
    }
    position = base + pos;
  }

  @Override
  public byte readByte() throws IOException {
    if (position < pageStart || position >= pageEnd) {
      fill(position, 1);
    }
    return page[(int) (position++ - pageStart)];
  }

  @Override
  public void readBytes(byte[] b, int offset, int count) throws IOException {
    readAt(position, b, offset, count);
    position += count;
  }

  private void readAt(long from, byte[] b, int offset, int count) throws IOException {
    if (count > end - from) {
      ensureOpen();
      throw eof(from, count);
    }
    long at = from;
    int to = offset;
    int rest = count;
    while (rest > 0) {
      if (at < pageStart || at >= pageEnd) {
        fill(at, rest / NodePage.PAYLOAD + 1);
      }
      int taken = (int) Math.min(rest, pageEnd - at);
      System.arraycopy(page, (int) (at - pageStart), b, to, taken);
      at += taken;
      to += taken;
      rest -= taken;
    }
  }

  @Override
  public short readShort() throws IOException {
    long at = position;
    if (at >= pageStart && at + Short.BYTES <= pageEnd) {
      position = at + Short.BYTES;
      return (short) SHORTS.get(page, (int) (at - pageStart));
    }
    return super.readShort();
  }

  @Override
  public int readInt() throws IOException {
    long at = position;
    if (at >= pageStart && at + Integer.BYTES <= pageEnd) {
      position = at + Integer.BYTES;
      return (int) INTS.get(page, (int) (at - pageStart));
    }
    return super.readInt();
  }

  @Override
  public long readLong() throws IOException {
    long at = position;
    if (at >= pageStart && at + Long.BYTES <= pageEnd) {
      position = at + Long.BYTES;
      return (long) LONGS.get(page, (int) (at - pageStart));
    }
    return super.readLong();
  }

  @Override
  public byte readByte(long pos) throws IOException {
    long at = at(pos);
    if (at < pageStart || at >= pageEnd) {
      fill(at, 1);
    }
    return page[(int) (at - pageStart)];
  }

  @Override
  public void readBytes(long pos, byte[] b, int offset, int count) throws IOException {
    readAt(at(pos), b, offset, count);
  }

  @Override
  public short readShort(long pos) throws IOException {
    return has(at(pos), Short.BYTES)
        ? (short) SHORTS.get(page, (int) (base + pos - pageStart))
        : (short) (readByte(pos) & 0xFF | readByte(pos + 1) << 8);
  }

  @Override
  public int readInt(long pos) throws IOException {
    return has(at(pos), Integer.BYTES)
        ? (int) INTS.get(page, (int) (base + pos - pageStart))
        : readShort(pos) & 0xFFFF | readShort(pos + 2) << 16;
  }

  @Override
  public long readLong(long pos) throws IOException {
    return has(at(pos), Long.BYTES)
        ? (long) LONGS.get(page, (int) (base + pos - pageStart))
        : readInt(pos) & 0xFFFFFFFFL | (long) readInt(pos + 4) << 32;
  }

  private long at(long pos) {
    if (pos < 0) {
      throw new IllegalArgumentException("position must be >= 0, got " + pos + ": " + this);
    }
    return base + pos;
  }

  /** Fetches the page with a byte; returns whether it has some more behind it. */
  private boolean has(long at, int bytes) throws IOException {
    if (at < pageStart || at >= pageEnd) {
      fill(at, 1);
    }
    return at + bytes <= pageEnd;
  }

  @Override
  public void prefetch(long offset, long count) {
    ensureOpen();
    if (offset < 0 || count < 0 || offset > length() - count) {
      throw new IllegalArgumentException(
          "prefetch from " + offset + " of " + count + " bytes: " + this);
    }
    if (count > 0) {
      file.prefetch(NodePage.number(base + offset), NodePage.number(base + offset + count - 1));
    }
  }

  @Override
  public Optional<Boolean> isLoaded() {
    return Optional.empty();
  }

  @Override
  public NodeInput clone() {
    ensureOpen();
    NodeInput clone = new NodeInput(toString(), file, false, firstRun, base, end);
    clone.position = position;
    return clone;
  }

  @Override
  public NodeInput slice(String description, long offset, long sliceLength) {
    ensureOpen();
    if (offset < 0 || sliceLength < 0 || offset > length() - sliceLength) {
      throw new IllegalArgumentException(
          "slice " + description + " from " + offset + " of " + sliceLength + " bytes: " + this);
    }
    long from = base + offset;
    return new NodeInput(
        getFullSliceDescription(description), file, false, firstRun, from, from + sliceLength);
  }

  /**
   * Fetches the page with a byte.
   *
   * @param wanted pages that are about to be read
   */
  private void fill(long at, int wanted) throws IOException {
    ensureOpen();
    if (at < base || at >= end) {
      throw eof(at, 1);
    }
    int number = NodePage.number(at);
    run = number == lastNumber + 1 ? Math.min(NodeFile.MAX_RUN, 2 * run) : firstRun;
    page = file.page(number, Math.max(run, Math.min(NodeFile.MAX_RUN, wanted)));
    lastNumber = number;
    long start = (long) number * NodePage.PAYLOAD;
    pageStart = start;
    pageEnd = Math.min(start + NodePage.PAYLOAD, end);
  }

  private void ensureOpen() {
    if (closed) {
      throw new AlreadyClosedException(toString());
    }
    file.ensureOpen();
  }

  private EOFException eof(long at, int wanted) {
    return new EOFException(
        "read of " + wanted + " bytes at " + (at - base) + " of " + length() + ": " + this);
  }
}
