/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.wire;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.zip.CRC32C;

/**
 * Lays posting blocks back to back into posting pages. A block goes into the current page if it
 * fits there and else opens the next one; a full page goes to the sink. Docs become a bitmap if
 * that takes no more bytes than packed deltas, or no more than a byte a posting. One thread at a
 * time; no allocation after construction.
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
  private static final int DIRECTORY_BYTES = LAST_DOC_BYTES + OffloadWire.BlockEntry.BYTES;
  private static final int CRC_FROM = 12;
  private static final int STAGING_BYTES = OffloadWire.PAGE_BYTES + BitPacker.SLACK_BYTES;

  private final long stamp;
  private final PageSink sink;
  private final byte[] page = new byte[OffloadWire.PAGE_BYTES];
  private final ByteBuffer view = ByteBuffer.wrap(page).order(ByteOrder.LITTLE_ENDIAN);
  private final CRC32C crc = new CRC32C();
  private final Impacts impactsScratch = new Impacts();

  // Columns of the blocks of the current page, in the order of the blocks.
  private final byte[] docColumns = new byte[STAGING_BYTES];
  private final byte[] freqColumns = new byte[STAGING_BYTES];
  private final byte[] normColumns = new byte[STAGING_BYTES];
  private int docColumnsBytes;
  private int freqColumnsBytes;
  private int normColumnsBytes;

  // Directory of the current page.
  private final int[] firstDoc = new int[MAX_BLOCKS];
  private final int[] lastDoc = new int[MAX_BLOCKS];
  private final int[] baseDoc = new int[MAX_BLOCKS];
  private final int[] widths = new int[MAX_BLOCKS]; // doc, freq and norm bits, norm base
  private final int[] countAndFlags = new int[MAX_BLOCKS];
  private final long[] impacts = new long[MAX_BLOCKS];
  private int blocks;

  // Values of the block being added.
  private final int[] docValues = new int[OffloadWire.BLOCK_POSTINGS];
  private final int[] freqValues = new int[OffloadWire.BLOCK_POSTINGS];
  private final int[] normValues = new int[OffloadWire.BLOCK_POSTINGS];

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
            && docBitmapBytes <= Math.max(docBytes, count);
    if (asBitmap) {
      docBits = 0;
      docBytes = docBitmapBytes;
    }
    int freqBits = BitPacker.bitsRequired(freqsOred);
    int normBits = BitPacker.bitsRequired(mostNorm - leastNorm);
    int columnBytes =
        docBytes + BitPacker.columnBytes(count, freqBits) + BitPacker.columnBytes(count, normBits);
    if (blocks == MAX_BLOCKS
        || usedBytes() + DIRECTORY_BYTES + columnBytes > OffloadWire.PAGE_BYTES) {
      flushPage();
    }

    if (asBitmap) {
      Arrays.fill(docColumns, docColumnsBytes, docColumnsBytes + docBytes, (byte) 0);
      for (int i = 0; i < count; i++) {
        int bit = docs[i] - base - 1;
        docColumns[docColumnsBytes + (bit >>> 3)] |= (byte) (1 << (bit & 7));
      }
    } else {
      BitPacker.pack(docValues, count, docBits, docColumns, docColumnsBytes);
    }
    docColumnsBytes += docBytes;
    freqColumnsBytes += BitPacker.pack(freqValues, count, freqBits, freqColumns, freqColumnsBytes);
    if (normBits != 0) {
      for (int i = 0; i < count; i++) {
        normValues[i] = norms[i] - leastNorm;
      }
      normColumnsBytes +=
          BitPacker.pack(normValues, count, normBits, normColumns, normColumnsBytes);
    }
    firstDoc[blocks] = docs[0];
    lastDoc[blocks] = docs[count - 1];
    baseDoc[blocks] = base;
    widths[blocks] = docBits | freqBits << 8 | normBits << 16 | leastNorm << 24;
    countAndFlags[blocks] =
        count | (asBitmap ? flags | OffloadWire.BlockFlag.DOC_BITMAP : flags) << 8;
    impacts[blocks] = impactsScratch.of(freqs, norms, count);
    blocks++;
  }

  /**
   * Bytes of the bitmap of docs above {@code base}, {@link OffloadWire#NO_DOC} taken as -1, up to
   * {@code last}.
   */
  static int bitmapBytes(int base, int last) {
    int span = last - base; // unsigned, if last is too high for a doc ID
    return (span - 1 >>> 6) + 1 << 3;
  }

  /** Number, in the file, of the page that the latest block went into. */
  public int filePage() {
    return filePage;
  }

  /** Number of the latest block in its page. */
  public int slot() {
    return blocks - 1;
  }

  /** Impacts of the latest block. */
  public long blockImpacts() {
    return impacts[blocks - 1];
  }

  /** Sends the last page to the sink, if it holds anything. */
  public void finish() throws IOException {
    if (blocks > 0) {
      flushPage();
    }
  }

  private int usedBytes() {
    return OffloadWire.PageHeader.BYTES
        + blocks * DIRECTORY_BYTES
        + docColumnsBytes
        + freqColumnsBytes
        + normColumnsBytes;
  }

  private void flushPage() throws IOException {
    int docColumn = OffloadWire.PageHeader.BYTES + blocks * DIRECTORY_BYTES;
    int freqColumn = docColumn + docColumnsBytes;
    int normColumn = freqColumn + freqColumnsBytes;
    int used = normColumn + normColumnsBytes;
    System.arraycopy(docColumns, 0, page, docColumn, docColumnsBytes);
    System.arraycopy(freqColumns, 0, page, freqColumn, freqColumnsBytes);
    System.arraycopy(normColumns, 0, page, normColumn, normColumnsBytes);
    Arrays.fill(page, used, page.length, (byte) 0);
    writeDirectory(docColumn, freqColumn, normColumn);
    writeHeader(used);
    sink.page(page);
    filePage++;
    blocks = 0;
    docColumnsBytes = 0;
    freqColumnsBytes = 0;
    normColumnsBytes = 0;
  }

  private void writeDirectory(int docColumn, int freqColumn, int normColumn) {
    int lastDocAt = OffloadWire.PageHeader.BYTES;
    int at = lastDocAt + blocks * LAST_DOC_BYTES;
    int docAt = docColumn;
    int freqAt = freqColumn;
    int normAt = normColumn;
    for (int b = 0; b < blocks; b++) {
      view.putInt(lastDocAt + b * LAST_DOC_BYTES, lastDoc[b]);
      int count = countAndFlags[b] & 0xFF;
      int docBits = widths[b] & 0xFF;
      int freqBits = widths[b] >>> 8 & 0xFF;
      int normBits = widths[b] >>> 16 & 0xFF;
      OffloadWire.BlockEntry.baseDoc(view, at, baseDoc[b]);
      OffloadWire.BlockEntry.docOffset(view, at, docAt);
      OffloadWire.BlockEntry.freqOffset(view, at, freqAt);
      OffloadWire.BlockEntry.impacts(view, at, impacts[b]);
      OffloadWire.BlockEntry.normOffset(view, at, normAt);
      OffloadWire.BlockEntry.count(view, at, count);
      OffloadWire.BlockEntry.docBits(view, at, docBits);
      OffloadWire.BlockEntry.freqBits(view, at, freqBits);
      OffloadWire.BlockEntry.normBits(view, at, normBits);
      OffloadWire.BlockEntry.normBase(view, at, widths[b] >>> 24);
      OffloadWire.BlockEntry.flags(view, at, countAndFlags[b] >>> 8);
      boolean bitmap = (countAndFlags[b] >>> 8 & OffloadWire.BlockFlag.DOC_BITMAP) != 0;
      docAt += bitmap ? bitmapBytes(baseDoc[b], lastDoc[b]) : BitPacker.columnBytes(count, docBits);
      freqAt += BitPacker.columnBytes(count, freqBits);
      normAt += BitPacker.columnBytes(count, normBits);
      at += OffloadWire.BlockEntry.BYTES;
    }
  }

  private void writeHeader(int used) {
    int lead = 1;
    long leadImpacts = impacts[0];
    while (lead < blocks && !isLastOfList(lead - 1)) {
      leadImpacts = impactsScratch.merge(leadImpacts, impacts[lead++]);
    }
    Arrays.fill(page, 0, OffloadWire.PageHeader.BYTES, (byte) 0);
    OffloadWire.PageHeader.magic(view, 0, OffloadWire.PAGE_MAGIC);
    OffloadWire.PageHeader.version(view, 0, OffloadWire.VERSION);
    OffloadWire.PageHeader.filePage(view, 0, filePage);
    OffloadWire.PageHeader.stamp(view, 0, stamp);
    OffloadWire.PageHeader.blockCount(view, 0, blocks);
    OffloadWire.PageHeader.leadBlocks(view, 0, lead);
    OffloadWire.PageHeader.usedBytes(view, 0, used);
    OffloadWire.PageHeader.leadFirstDoc(view, 0, firstDoc[0]);
    OffloadWire.PageHeader.leadLastDoc(view, 0, lastDoc[lead - 1]);
    OffloadWire.PageHeader.leadImpacts(view, 0, leadImpacts);
    crc.reset();
    crc.update(page, CRC_FROM, page.length - CRC_FROM);
    OffloadWire.PageHeader.crc32c(view, 0, (int) crc.getValue());
  }

  private boolean isLastOfList(int block) {
    return (countAndFlags[block] >>> 8 & OffloadWire.BlockFlag.LAST_OF_LIST) != 0;
  }
}
