/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.wire.page;

import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.zip.CRC32C;
import org.luceneoffload.wire.OffloadWire;
import org.luceneoffload.wire.layout.ColumnPageHeaderLayout;
import org.luceneoffload.wire.page.PageEncoder.PageSink;

/**
 * Lays the values of a field into column pages (WIRE.md, section 2b). A page takes docs as long as
 * they fit; a full page goes to the sink. Of the forms that a page may have it takes the one with
 * the fewest bytes. One thread at a time.
 */
public final class ColumnPageEncoder {
  private static final int CRC_FROM = 12;

  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private final long stamp;
  private final PageSink sink;
  private final byte[] page = new byte[OffloadWire.PAGE_BYTES];
  private final ByteBuffer view = ByteBuffer.wrap(page).order(ByteOrder.LITTLE_ENDIAN);
  private final CRC32C crc = new CRC32C();
  private final ColumnPage pending = new ColumnPage();
  private final long[] single = new long[1];
  private int filePage;

  // The packed part under way: where it goes on, and what is not written of it.
  private int to;
  private long packed;
  private int packedBits;

  // Of the column so far.
  private final int firstPage;
  private int docCount;
  private long valueCount;
  private long min = Long.MAX_VALUE;
  private long max = Long.MIN_VALUE;

  /**
   * An encoder of one column.
   *
   * @param stamp stamp of the file
   * @param firstPage number of the column's first page in the file
   * @param sink takes the pages in ascending order
   */
  public ColumnPageEncoder(long stamp, int firstPage, PageSink sink) {
    this.stamp = stamp;
    this.firstPage = firstPage;
    this.filePage = firstPage;
    this.sink = sink;
  }

  /** Adds a doc with one value, behind those that were added. */
  public void add(int doc, long value) throws IOException {
    single[0] = value;
    add(doc, single, 1);
  }

  /**
   * Adds a doc behind those that were added.
   *
   * @param values its values, ascending
   * @param count how many, at least 1
   * @return false if so many values do not fit into a page: the field can have no column
   */
  public boolean add(int doc, long[] values, int count) throws IOException {
    pending.add(doc, values, 0, count);
    if (!pending.fits()) {
      if (pending.docCount() == 1) {
        return false;
      }
      startPage(doc, values, count);
      if (!pending.fits()) {
        return false;
      }
    }
    docCount++;
    valueCount += count;
    min = Math.min(min, values[0]);
    max = Math.max(max, values[count - 1]);
    return true;
  }

  /** Writes the page without the doc that is one too many, which begins the next one. */
  private void startPage(int doc, long[] values, int count) throws IOException {
    pending.removeLast();
    write(pending);
    pending.clear();
    pending.add(doc, values, 0, count);
  }

  /** Writes the last page; nothing can be added afterwards. */
  public void finish() throws IOException {
    if (pending.docCount() > 0) {
      write(pending);
      pending.clear();
    }
  }

  /** Returns the number of pages that have been written. */
  public int pageCount() {
    return filePage - firstPage;
  }

  /** Returns the number of docs that were added. */
  public int docCount() {
    return docCount;
  }

  /** Returns the number of values that were added. */
  public long valueCount() {
    return valueCount;
  }

  /** Returns the least value, if any was added. */
  public long min() {
    return min;
  }

  /** Returns the greatest value, if any was added. */
  public long max() {
    return max;
  }

  private void write(ColumnPage from) throws IOException {
    Arrays.fill(page, (byte) 0);
    int entries = from.tableSize();
    int at = ColumnPageHeaderLayout.BYTES;
    for (int i = 0; i < entries; i++, at += Long.BYTES) {
      view.putLong(at, from.table()[i]);
    }
    at = writeDocs(from, at);
    if (from.isMulti()) {
      at = writeCounts(from, at);
    }
    at = writeValues(from, entries, at);
    writeHeader(from, entries, at);
    crc.reset();
    crc.update(page, CRC_FROM, page.length - CRC_FROM);
    ColumnPageHeaderLayout.crc32c(view, 0, (int) crc.getValue());
    sink.page(page);
    filePage++;
  }

  private void writeHeader(ColumnPage from, int entries, int used) {
    int flags =
        (entries > 0 ? OffloadWire.ColumnFlag.TABLE : 0)
            | (from.isMulti() ? OffloadWire.ColumnFlag.MULTI : 0);
    boolean list = from.presence() == OffloadWire.ColumnPresence.LIST;
    ColumnPageHeaderLayout.magic(view, 0, OffloadWire.COLUMN_MAGIC);
    ColumnPageHeaderLayout.version(view, 0, OffloadWire.VERSION);
    ColumnPageHeaderLayout.presence(view, 0, from.presence());
    ColumnPageHeaderLayout.flags(view, 0, flags);
    ColumnPageHeaderLayout.filePage(view, 0, filePage);
    ColumnPageHeaderLayout.stamp(view, 0, stamp);
    ColumnPageHeaderLayout.firstDoc(view, 0, from.doc(0));
    ColumnPageHeaderLayout.docSpan(view, 0, from.span());
    ColumnPageHeaderLayout.docCount(view, 0, from.docCount());
    ColumnPageHeaderLayout.valueCount(view, 0, from.valueCount());
    ColumnPageHeaderLayout.min(view, 0, from.min());
    ColumnPageHeaderLayout.max(view, 0, from.max());
    ColumnPageHeaderLayout.unit(view, 0, entries > 0 ? entries : from.unit());
    ColumnPageHeaderLayout.valueBits(view, 0, from.valueBits());
    ColumnPageHeaderLayout.docBits(view, 0, list ? from.docBits() : 0);
    ColumnPageHeaderLayout.countBits(view, 0, from.isMulti() ? from.countBits() : 0);
    ColumnPageHeaderLayout.usedBytes(view, 0, used);
  }

  /** Writes which docs have a value; returns the offset behind it. */
  private int writeDocs(ColumnPage from, int at) {
    switch (from.presence()) {
      case OffloadWire.ColumnPresence.LIST -> {
        int bits = from.docBits();
        startPart(at);
        for (int rank = 0; rank < from.docCount(); rank++) {
          pack(from.doc(rank) - from.doc(0), bits);
        }
        return endPart();
      }
      case OffloadWire.ColumnPresence.BITMAP -> {
        int ranks = at + (from.span() + Long.SIZE - 1) / Long.SIZE * Long.BYTES;
        int blocks = (int) ColumnPage.blocks(from.span());
        int rank = 0;
        for (int block = 0; block < blocks; block++) {
          view.putShort(ranks + block * Short.BYTES, (short) rank);
          int end = (block + 1) * OffloadWire.COLUMN_BLOCK_DOCS;
          for (; rank < from.docCount() && from.doc(rank) - from.doc(0) < end; rank++) {
            int bit = from.doc(rank) - from.doc(0);
            page[at + (bit >>> 3)] |= (byte) (1 << (bit & 7));
          }
        }
        return ranks + blocks * Short.BYTES;
      }
      default -> {
        return at;
      }
    }
  }

  /** Writes how many values each doc has; returns the offset behind it. */
  private int writeCounts(ColumnPage from, int at) {
    startPart(at + (int) ColumnPage.blocks(from.docCount()) * Short.BYTES);
    int bits = from.countBits();
    int before = 0;
    for (int rank = 0; rank < from.docCount(); rank++) {
      if (rank % OffloadWire.COLUMN_BLOCK_DOCS == 0) {
        int block = rank / OffloadWire.COLUMN_BLOCK_DOCS;
        view.putShort(at + block * Short.BYTES, (short) before);
      }
      pack(from.count(rank) - 1, bits);
      before += from.count(rank);
    }
    return endPart();
  }

  /** Writes the packed values; returns the offset behind them. */
  private int writeValues(ColumnPage from, int entries, int at) {
    int bits = from.valueBits();
    if (bits == 0) {
      return at;
    }
    long[] values = from.values();
    long min = from.min();
    long unit = from.unit();
    startPart(at);
    for (int i = 0; i < from.valueCount(); i++) {
      long value = values[i];
      if (entries > 0) {
        pack(Arrays.binarySearch(from.table(), 0, entries, value), bits);
      } else {
        pack(unit == 1 ? value - min : Long.divideUnsigned(value - min, unit), bits);
      }
    }
    return endPart();
  }

  /** Begins a part of packed values. */
  private void startPart(int at) {
    to = at;
    packed = 0;
    packedBits = 0;
  }

  /** Adds a value below 2^bits to the part. */
  private void pack(long value, int bits) {
    packed |= value << packedBits;
    packedBits += bits;
    if (packedBits >= Long.SIZE) {
      LONG.set(page, to, packed);
      to += Long.BYTES;
      packedBits -= Long.SIZE;
      packed = packedBits == 0 ? 0 : value >>> (bits - packedBits);
    }
  }

  /** Ends the part; returns the offset behind it. */
  private int endPart() {
    for (; packedBits > 0; packedBits -= Byte.SIZE) {
      page[to++] = (byte) packed;
      packed >>>= Byte.SIZE;
    }
    return to;
  }
}
