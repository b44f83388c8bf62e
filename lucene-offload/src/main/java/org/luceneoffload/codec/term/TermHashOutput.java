/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.codec.term;

import java.io.IOException;
import java.util.zip.CRC32C;
import org.apache.lucene.store.DataOutput;
import org.apache.lucene.store.IndexOutput;
import org.apache.lucene.util.ArrayUtil;
import org.apache.lucene.util.BitUtil;

/** Writes the pages of a term hash, and keeps a checksum of each: 4 bytes for 4096. */
public final class TermHashOutput extends DataOutput {
  private final IndexOutput out;
  private final byte[] page = new byte[TermHashPages.PAGE_BYTES];
  private final CRC32C crc = new CRC32C();
  private int used;
  private long before; // bytes in the pages before this one
  private int[] sums = new int[16];
  private int count;

  /** An output into a file that is empty. */
  public TermHashOutput(IndexOutput out) {
    this.out = out;
  }

  /** Returns the position in the file of the next byte. */
  public long position() {
    return before + used;
  }

  @Override
  public void writeByte(byte b) throws IOException {
    if (used == page.length) {
      flush();
    }
    page[used++] = b;
  }

  @Override
  public void writeBytes(byte[] bytes, int offset, int length) throws IOException {
    int from = offset;
    int left = length;
    while (left > 0) {
      if (used == page.length) {
        flush();
      }
      int step = Math.min(left, page.length - used);
      System.arraycopy(bytes, from, page, used, step);
      used += step;
      from += step;
      left -= step;
    }
  }

  @Override
  public void writeLong(long value) throws IOException {
    if (used == page.length) {
      flush();
    }
    if (used <= page.length - Long.BYTES) {
      BitUtil.VH_LE_LONG.set(page, used, value);
      used += Long.BYTES;
    } else {
      super.writeLong(value);
    }
  }

  /** Writes zeros up to a position that is a multiple of 8, and returns it. */
  public long alignToLong() throws IOException {
    while (used % Long.BYTES != 0) {
      writeByte((byte) 0);
    }
    return position();
  }

  /**
   * Ends the last page and writes the checksums of all; what comes after goes into the file
   * directly.
   *
   * @return position in the file of the first checksum
   */
  public long finish() throws IOException {
    if (used > 0) {
      flush();
    }
    for (int i = 0; i < count; i++) {
      out.writeInt(sums[i]);
    }
    return before;
  }

  private void flush() throws IOException {
    crc.reset();
    crc.update(page, 0, used);
    sums = ArrayUtil.grow(sums, count + 1);
    sums[count++] = (int) crc.getValue();
    out.writeBytes(page, 0, used);
    before += used;
    used = 0;
  }
}
