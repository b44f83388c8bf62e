/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.wire.page;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.zip.CRC32C;
import org.luceneoffload.wire.OffloadWire;
import org.luceneoffload.wire.layout.PositionEntryLayout;
import org.luceneoffload.wire.layout.PositionPageHeaderLayout;

/**
 * Lays position blocks back to back into position pages. A block goes into the current page if it
 * fits there and else opens the next one; a full page goes to the sink. One thread at a time; no
 * allocation after construction.
 *
 * <p>Pages go to the sink before it is known which number in the file they have: {@link #seal}
 * completes them.
 */
public final class PositionPageEncoder {
  private static final int MAX_BLOCKS = OffloadWire.MAX_POSITION_BLOCKS;
  private static final int LAST_DOC_BYTES = Integer.BYTES;
  private static final int DIRECTORY_BYTES = LAST_DOC_BYTES + PositionEntryLayout.BYTES;
  private static final int CRC_FROM = 12;

  private final long stamp;
  private final PageEncoder.PageSink sink;
  private final byte[] page = new byte[OffloadWire.PAGE_BYTES];
  private final ByteBuffer view = ByteBuffer.wrap(page).order(ByteOrder.LITTLE_ENDIAN);

  /** What the blocks of the current page have, block by block. */
  private final byte[] data = new byte[OffloadWire.PAGE_BYTES + BitPacker.SLACK_BYTES];

  private int dataBytes;

  // Directory of the current page.
  private final int[] lastDocs = new int[MAX_BLOCKS];
  private final int[] dataAt = new int[MAX_BLOCKS]; // in data
  private final int[] counts = new int[MAX_BLOCKS];
  private final int[] formats = new int[MAX_BLOCKS]; // value bits, exceptions, flags
  private int blocks;
  private int firstDoc; // of block 0

  // Of the block being added.
  private final int[] packed = new int[OffloadWire.MAX_POSITION_VALUES];
  private final int[] valuesOfWidth = new int[Integer.SIZE];
  private int chosenBits;

  private int pages; // those at the sink

  /**
   * An encoder.
   *
   * @param stamp stamp of the file
   * @param sink takes the pages in ascending order, each to be sealed
   */
  public PositionPageEncoder(long stamp, PageEncoder.PageSink sink) {
    this.stamp = stamp;
    this.sink = sink;
  }

  /**
   * Completes a page that has come out of the sink.
   *
   * @param filePage number of the page in the file
   */
  public static void seal(byte[] page, int filePage) {
    ByteBuffer view = ByteBuffer.wrap(page).order(ByteOrder.LITTLE_ENDIAN);
    PositionPageHeaderLayout.filePage(view, 0, filePage);
    CRC32C crc = new CRC32C();
    crc.update(page, CRC_FROM, OffloadWire.PAGE_BYTES - CRC_FROM);
    PositionPageHeaderLayout.crc32c(view, 0, (int) crc.getValue());
  }

  /**
   * Adds a position block behind the previous one.
   *
   * @param first first doc that has values in the block
   * @param last last one
   * @param rank values of the posting block before those of the block
   * @param values 0 or greater
   * @param count how many, 1 to {@link OffloadWire#MAX_POSITION_VALUES}
   * @param listFlags FIRST_OF_LIST, LAST_OF_LIST of {@link OffloadWire.PositionFlag}
   */
  public void addBlock(int first, int last, int rank, int[] values, int count, int listFlags)
      throws IOException {
    int ored = 0;
    for (int i = 0; i < count; i++) {
      ored |= values[i];
    }
    if (ored < 0) {
      throw new IllegalArgumentException("positions descend in docs " + first + " to " + last);
    }
    int exceptions = chooseExceptions(values, count, BitPacker.bitsRequired(ored));
    int bits = chosenBits;
    int baseBytes = rank == 0 ? 0 : OffloadWire.POSITION_BASE_BYTES;
    int valueBytes = BitPacker.columnBytes(count, bits);
    int bytes = baseBytes + valueBytes + exceptions * OffloadWire.POSITION_EXCEPTION_BYTES;
    if (blocks == MAX_BLOCKS || usedBytes() + DIRECTORY_BYTES + bytes > OffloadWire.PAGE_BYTES) {
      flushPage();
    }
    if (blocks == 0) {
      firstDoc = first;
    }
    lastDocs[blocks] = last;
    dataAt[blocks] = dataBytes;
    counts[blocks] = count;
    formats[blocks] =
        bits
            | exceptions << 8
            | (listFlags | (rank == 0 ? 0 : OffloadWire.PositionFlag.INSIDE)) << 16;
    if (rank != 0) {
      putInt(dataBytes, rank);
    }
    int mask = (1 << bits) - 1;
    for (int i = 0; i < count; i++) {
      packed[i] = values[i] & mask;
    }
    BitPacker.pack(packed, count, bits, data, dataBytes + baseBytes);
    writeExceptions(values, count, bits, dataBytes + baseBytes + valueBytes, exceptions);
    dataBytes += bytes;
    blocks++;
  }

  private void putInt(int at, int value) {
    for (int i = 0; i < Integer.BYTES; i++) {
      data[at + i] = (byte) (value >>> 8 * i);
    }
  }

  private void writeExceptions(int[] values, int count, int bits, int from, int exceptions) {
    if (exceptions == 0) {
      return;
    }
    int at = from;
    for (int i = 0; i < count; i++) {
      int high = values[i] >>> bits;
      if (high != 0) {
        data[at++] = (byte) i;
        data[at++] = (byte) (i >>> 8);
        data[at++] = (byte) high;
      }
    }
  }

  /**
   * Sets {@link #chosenBits} to the width at which values and exceptions take the fewest bytes, of
   * several such the widest, and returns the number of exceptions.
   */
  private int chooseExceptions(int[] values, int count, int bitsOfAll) {
    chosenBits = bitsOfAll;
    if (bitsOfAll == 0) {
      return 0;
    }
    Arrays.fill(valuesOfWidth, 0, bitsOfAll + 1, 0);
    for (int i = 0; i < count; i++) {
      valuesOfWidth[BitPacker.bitsRequired(values[i])]++;
    }
    int chosen = 0;
    int least = BitPacker.columnBytes(count, bitsOfAll);
    int exceptions = 0;
    for (int bits = bitsOfAll - 1; bits >= Math.max(0, bitsOfAll - Byte.SIZE); bits--) {
      exceptions += valuesOfWidth[bits + 1];
      if (exceptions > OffloadWire.MAX_POSITION_EXCEPTIONS) {
        break;
      }
      int bytes =
          BitPacker.columnBytes(count, bits) + exceptions * OffloadWire.POSITION_EXCEPTION_BYTES;
      if (bytes < least) {
        least = bytes;
        chosen = exceptions;
        chosenBits = bits;
      }
    }
    return chosen;
  }

  /** Returns the page that the latest block went into, counted from 0. */
  public int page() {
    return pages;
  }

  /** Returns the number of the latest block in its page. */
  public int slot() {
    return blocks - 1;
  }

  /** Sends the last page to the sink, if it holds anything. */
  public void finish() throws IOException {
    if (blocks > 0) {
      flushPage();
    }
  }

  private int usedBytes() {
    return PositionPageHeaderLayout.BYTES + blocks * DIRECTORY_BYTES + dataBytes;
  }

  private void flushPage() throws IOException {
    int used = usedBytes();
    int from = used - dataBytes;
    Arrays.fill(page, 0, PositionPageHeaderLayout.BYTES, (byte) 0);
    System.arraycopy(data, 0, page, from, dataBytes);
    Arrays.fill(page, used, page.length, (byte) 0);
    int lead = blocks;
    for (int b = blocks - 1; b >= 0; b--) {
      int flags = formats[b] >>> 16;
      view.putInt(PositionPageHeaderLayout.BYTES + b * LAST_DOC_BYTES, lastDocs[b]);
      int at =
          PositionPageHeaderLayout.BYTES + blocks * LAST_DOC_BYTES + b * PositionEntryLayout.BYTES;
      PositionEntryLayout.offset(view, at, from + dataAt[b]);
      PositionEntryLayout.valueCount(view, at, counts[b]);
      PositionEntryLayout.valueBits(view, at, formats[b] & 0xFF);
      PositionEntryLayout.exceptions(view, at, formats[b] >>> 8 & 0xFF);
      PositionEntryLayout.flags(view, at, flags);
      page[at + PositionEntryLayout.RESERVED0] = 0;
      if ((flags & OffloadWire.PositionFlag.LAST_OF_LIST) != 0) {
        lead = b + 1;
      }
    }
    PositionPageHeaderLayout.magic(view, 0, OffloadWire.POSITION_MAGIC);
    PositionPageHeaderLayout.version(view, 0, OffloadWire.VERSION);
    PositionPageHeaderLayout.stamp(view, 0, stamp);
    PositionPageHeaderLayout.blockCount(view, 0, blocks);
    PositionPageHeaderLayout.leadBlocks(view, 0, lead);
    PositionPageHeaderLayout.usedBytes(view, 0, used);
    PositionPageHeaderLayout.leadFirstDoc(view, 0, firstDoc);
    PositionPageHeaderLayout.leadLastDoc(view, 0, lastDocs[lead - 1]);
    sink.page(page);
    pages++;
    blocks = 0;
    dataBytes = 0;
  }
}
