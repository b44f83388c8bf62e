/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.wire.page;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.zip.CRC32C;
import org.luceneoffload.wire.OffloadWire;
import org.luceneoffload.wire.layout.BlockEntryLayout;
import org.luceneoffload.wire.layout.PageHeaderLayout;

/**
 * Lays posting blocks back to back into posting pages. A block goes into the current page if it
 * fits there and else opens the next one; a full page goes to the sink. Docs become a bitmap if
 * that takes no more bytes than packed deltas, or no more than a byte and a half a posting. A few
 * high freqs become exceptions if that takes fewer bytes than a wider column. One thread at a time;
 * no allocation after construction.
 */
public final class PageEncoder {
  /** Takes pages. */
  @FunctionalInterface
  public interface PageSink {
    /** Takes the {@link OffloadWire#PAGE_BYTES} bytes of a page; the array is then used again. */
    void page(byte[] page) throws IOException;
  }

  private static final int MAX_BLOCKS = OffloadWire.MAX_BLOCKS_PER_PAGE;
  private static final int LAST_DOC_BYTES = Integer.BYTES;
  private static final int DIRECTORY_BYTES = LAST_DOC_BYTES + BlockEntryLayout.BYTES;
  private static final int CRC_FROM = 12;
  private static final int STAGING_BYTES = OffloadWire.PAGE_BYTES + BitPacker.SLACK_BYTES;

  private final long stamp;
  private final PageSink sink;
  private final byte[] page = new byte[OffloadWire.PAGE_BYTES];
  private final ByteBuffer view = ByteBuffer.wrap(page).order(ByteOrder.LITTLE_ENDIAN);
  private final CRC32C crc = new CRC32C();
  private final Impacts impactsScratch = new Impacts();

  /** Columns of the blocks of the current page, block by block. */
  private final byte[] columns = new byte[STAGING_BYTES];

  private int columnsBytes;
  private int impactsWords; // of the blocks of the current page

  // Directory of the current page.
  private final int[] firstDoc = new int[MAX_BLOCKS];
  private final int[] lastDoc = new int[MAX_BLOCKS];
  private final int[] columnsAt = new int[MAX_BLOCKS]; // in columns
  private final int[] widths = new int[MAX_BLOCKS]; // doc, freq and norm bits, norm base
  private final int[] countAndFlags = new int[MAX_BLOCKS];
  private final long[] impacts = new long[MAX_BLOCKS];
  private int blocks;
  private int leadBase;

  // Values of the block being added.
  private final int[] docValues = new int[OffloadWire.BLOCK_POSTINGS];
  private final int[] freqValues = new int[OffloadWire.BLOCK_POSTINGS];
  private final int[] normValues = new int[OffloadWire.BLOCK_POSTINGS];
  private final byte[] exceptionHigh = new byte[OffloadWire.BLOCK_POSTINGS];
  private final int[] freqsOfWidth = new int[Integer.SIZE];
  private int chosenFreqBits;

  private int filePage;

  /**
   * An encoder.
   *
   * @param stamp stamp of the file
   * @param firstFilePage number of the first page in the file
   * @param sink takes the pages in ascending order
   */
  public PageEncoder(long stamp, int firstFilePage, PageSink sink) {
    this.stamp = stamp;
    this.filePage = firstFilePage;
    this.sink = sink;
  }

  /**
   * Adds a posting block behind the previous one.
   *
   * @param docs doc IDs, ascending, above {@code base}
   * @param freqs frequencies, at least 1
   * @param norms norm bytes, 0 to 255
   * @param count postings, 1 to {@link OffloadWire#BLOCK_POSTINGS}
   * @param base last doc ID of the list's previous block, {@link OffloadWire#NO_DOC} for its first
   * @param flags see {@link OffloadWire.BlockFlag}
   */
  public void addBlock(int[] docs, int[] freqs, int[] norms, int count, int base, int flags)
      throws IOException {
    int previous = base;
    int docsOred = 0;
    int freqsOred = 0;
    int leastNorm = 255;
    int mostNorm = 0;
    for (int i = 0; i < count; i++) {
      int doc = docs[i];
      int docValue = doc - previous - 1;
      previous = doc;
      docValues[i] = docValue;
      docsOred |= docValue;
      int freqValue = freqs[i] - 1;
      freqValues[i] = freqValue;
      freqsOred |= freqValue;
      int norm = norms[i];
      leastNorm = Math.min(leastNorm, norm);
      mostNorm = Math.max(mostNorm, norm);
    }
    if ((docsOred | freqsOred) < 0) {
      throw new IllegalArgumentException(
          "doc IDs must ascend and frequencies be at least 1: block of "
              + count
              + " postings behind doc "
              + base);
    }
    int docBits = BitPacker.bitsRequired(docsOred);
    int docBytes = BitPacker.columnBytes(count, docBits);
    int docBitmapBytes = bitmapBytes(base, previous);
    boolean asBitmap =
        docBitmapBytes <= OffloadWire.MAX_BITMAP_BYTES
            && docBitmapBytes <= Math.max(docBytes, count + count / 2);
    if (asBitmap) {
      docBits = 0;
      docBytes = docBitmapBytes;
    }
    int freqBits = BitPacker.bitsRequired(freqsOred);
    int exceptions = 0;
    boolean wholeList = isWholeList(flags);
    if (!wholeList) {
      exceptions = chooseExceptions(count, freqBits);
      freqBits = chosenFreqBits;
    }
    int freqBytes =
        BitPacker.columnBytes(count, freqBits) + exceptions * OffloadWire.EXCEPTION_BYTES;
    int normBits = BitPacker.bitsRequired(mostNorm - leastNorm);
    int impactsBytes = wholeList ? 0 : Long.BYTES;
    int bytes =
        DIRECTORY_BYTES
            + impactsBytes
            + docBytes
            + freqBytes
            + BitPacker.columnBytes(count, normBits);
    if (blocks == MAX_BLOCKS || usedBytes() + bytes > OffloadWire.PAGE_BYTES) {
      flushPage();
    }

    columnsAt[blocks] = columnsBytes;
    if (asBitmap) {
      Arrays.fill(columns, columnsBytes, columnsBytes + docBytes, (byte) 0);
      for (int i = 0; i < count; i++) {
        int bit = docs[i] - base - 1;
        columns[columnsBytes + (bit >>> 3)] |= (byte) (1 << (bit & 7));
      }
    } else {
      BitPacker.pack(docValues, count, docBits, columns, columnsBytes);
    }
    columnsBytes += docBytes;
    int exceptionsAt = columnsBytes + BitPacker.columnBytes(count, freqBits);
    columnsBytes += freqBytes;
    int mask = (1 << freqBits) - 1;
    if (exceptions != 0) {
      for (int i = 0; i < count; i++) {
        exceptionHigh[i] = (byte) (freqValues[i] >>> freqBits);
        freqValues[i] &= mask;
      }
    }
    BitPacker.pack(freqValues, count, freqBits, columns, columnsBytes - freqBytes);
    if (exceptions != 0) {
      for (int i = 0; i < count; i++) {
        if (exceptionHigh[i] != 0) {
          columns[exceptionsAt++] = (byte) i;
          columns[exceptionsAt++] = exceptionHigh[i];
        }
      }
    }
    if (normBits != 0) {
      for (int i = 0; i < count; i++) {
        normValues[i] = norms[i] - leastNorm;
      }
      columnsBytes += BitPacker.pack(normValues, count, normBits, columns, columnsBytes);
    }
    firstDoc[blocks] = docs[0];
    lastDoc[blocks] = docs[count - 1];
    widths[blocks] = docBits | freqBits << 8 | normBits << 16 | leastNorm << 24;
    countAndFlags[blocks] =
        count
            | (flags
                    | (asBitmap ? OffloadWire.BlockFlag.DOC_BITMAP : 0)
                    | exceptions << OffloadWire.EXCEPTIONS_SHIFT)
                << 8;
    if (blocks == 0) {
      leadBase = base;
    }
    impactsWords += impactsBytes / Long.BYTES;
    impacts[blocks] = impactsScratch.of(freqs, norms, count);
    blocks++;
  }

  /**
   * Sets {@link #chosenFreqBits} to the width at which the freq column and its exceptions take the
   * fewest bytes, of several such the widest, and returns the number of exceptions.
   */
  private int chooseExceptions(int count, int freqBits) {
    chosenFreqBits = freqBits;
    if (freqBits == 0) {
      return 0;
    }
    Arrays.fill(freqsOfWidth, 0, freqBits + 1, 0);
    for (int i = 0; i < count; i++) {
      freqsOfWidth[BitPacker.bitsRequired(freqValues[i])]++;
    }
    int chosen = 0;
    int least = BitPacker.columnBytes(count, freqBits);
    int exceptions = 0;
    for (int bits = freqBits - 1; bits >= Math.max(0, freqBits - Byte.SIZE); bits--) {
      exceptions += freqsOfWidth[bits + 1];
      if (exceptions > OffloadWire.MAX_FREQ_EXCEPTIONS) {
        break;
      }
      int bytes = BitPacker.columnBytes(count, bits) + exceptions * OffloadWire.EXCEPTION_BYTES;
      if (bits <= OffloadWire.MAX_EXCEPTION_BITS && bytes < least) {
        least = bytes;
        chosen = exceptions;
        chosenFreqBits = bits;
      }
    }
    return chosen;
  }

  /** Returns whether a block is its whole list: it then has neither impacts nor freq exceptions. */
  static boolean isWholeList(int flags) {
    int both = OffloadWire.BlockFlag.FIRST_OF_LIST | OffloadWire.BlockFlag.LAST_OF_LIST;
    return (flags & both) == both;
  }

  /**
   * Returns the number of bytes of the bitmap of docs above {@code base}, {@link
   * OffloadWire#NO_DOC} taken as -1, up to {@code last}.
   */
  static int bitmapBytes(int base, int last) {
    int span = last - base; // unsigned, if last is too high for a doc ID
    return (span - 1 >>> 6) + 1 << 3;
  }

  /** Returns the number, in the file, of the page that the latest block went into. */
  public int filePage() {
    return filePage;
  }

  /** Returns the number of the latest block in its page. */
  public int slot() {
    return blocks - 1;
  }

  /** Returns the impacts of the latest block. */
  public long blockImpacts() {
    return impacts[blocks - 1];
  }

  /** Sends the last page to the sink, if it holds anything. */
  public void finish() throws IOException {
    if (blocks > 0) {
      flushPage();
    }
  }

  private int directoryBytes() {
    return blocks * DIRECTORY_BYTES + impactsWords * Long.BYTES;
  }

  private int usedBytes() {
    return PageHeaderLayout.BYTES + directoryBytes() + columnsBytes;
  }

  private void flushPage() throws IOException {
    int used = usedBytes();
    int from = used - columnsBytes;
    System.arraycopy(columns, 0, page, from, columnsBytes);
    Arrays.fill(page, used, page.length, (byte) 0);
    writeDirectory(from);
    writeHeader(used);
    sink.page(page);
    filePage++;
    blocks = 0;
    columnsBytes = 0;
    impactsWords = 0;
  }

  private void writeDirectory(int columnsFrom) {
    int lastDocAt = PageHeaderLayout.BYTES;
    int at = lastDocAt + blocks * LAST_DOC_BYTES;
    int impactsAt = at + blocks * BlockEntryLayout.BYTES;
    for (int b = 0; b < blocks; b++) {
      int flags = countAndFlags[b] >>> 8;
      view.putInt(lastDocAt + b * LAST_DOC_BYTES, lastDoc[b]);
      BlockEntryLayout.offset(view, at, columnsFrom + columnsAt[b]);
      BlockEntryLayout.count(view, at, countAndFlags[b] & 0xFF);
      BlockEntryLayout.docBits(view, at, widths[b] & 0xFF);
      BlockEntryLayout.freqBits(view, at, widths[b] >>> 8 & 0xFF);
      BlockEntryLayout.normBits(view, at, widths[b] >>> 16 & 0xFF);
      BlockEntryLayout.normBase(view, at, widths[b] >>> 24);
      BlockEntryLayout.flags(view, at, flags);
      at += BlockEntryLayout.BYTES;
      if (!isWholeList(flags)) {
        view.putLong(impactsAt, impacts[b]);
        impactsAt += Long.BYTES;
      }
    }
  }

  private void writeHeader(int used) {
    int lead = 1;
    long leadImpacts = impacts[0];
    while (lead < blocks && !isLastOfList(lead - 1)) {
      leadImpacts = impactsScratch.merge(leadImpacts, impacts[lead++]);
    }
    Arrays.fill(page, 0, PageHeaderLayout.BYTES, (byte) 0);
    PageHeaderLayout.magic(view, 0, OffloadWire.PAGE_MAGIC);
    PageHeaderLayout.version(view, 0, OffloadWire.VERSION);
    PageHeaderLayout.filePage(view, 0, filePage);
    PageHeaderLayout.stamp(view, 0, stamp);
    PageHeaderLayout.blockCount(view, 0, blocks);
    PageHeaderLayout.leadBlocks(view, 0, lead);
    PageHeaderLayout.usedBytes(view, 0, used);
    PageHeaderLayout.leadFirstDoc(view, 0, firstDoc[0]);
    PageHeaderLayout.leadLastDoc(view, 0, lastDoc[lead - 1]);
    PageHeaderLayout.leadImpacts(view, 0, leadImpacts);
    PageHeaderLayout.leadBaseDoc(view, 0, leadBase);
    crc.reset();
    crc.update(page, CRC_FROM, page.length - CRC_FROM);
    PageHeaderLayout.crc32c(view, 0, (int) crc.getValue());
  }

  private boolean isLastOfList(int block) {
    return (countAndFlags[block] >>> 8 & OffloadWire.BlockFlag.LAST_OF_LIST) != 0;
  }
}
