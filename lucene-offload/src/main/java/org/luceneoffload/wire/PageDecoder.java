/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.wire;

import java.nio.ByteBuffer;
import java.util.zip.CRC32C;
import org.luceneoffload.device.OffloadException;

/**
 * Reads posting pages and checks every rule of their format. For checks and tests; one thread at a
 * time.
 */
public final class PageDecoder {
  private static final int CRC_FROM = 12;
  private static final int MAX_DOC_BITS = 31;
  private static final int MAX_NORM_BITS = 8;

  private final int[] docs = new int[OffloadWire.BLOCK_POSTINGS];
  private final int[] freqs = new int[OffloadWire.BLOCK_POSTINGS];
  private final int[] norms = new int[OffloadWire.BLOCK_POSTINGS];
  private final CRC32C crc = new CRC32C();
  private final Impacts impactsScratch = new Impacts();
  private ByteBuffer page;
  private int filePage;
  private int blockCount;

  /** A decoder with no page yet. */
  public PageDecoder() {}

  /**
   * Takes a page and checks all of it.
   *
   * @param bytes the page at position 0, in little-endian order; kept until the next call
   * @param stamp the stamp that it must carry
   * @param number the file page number that it must carry
   * @throws OffloadException PAGE_STALE if the page belongs elsewhere, PAGE_CORRUPT if it breaks a
   *     rule of the format; the message names the rule
   */
  public void reset(ByteBuffer bytes, long stamp, int number) throws OffloadException {
    page = bytes;
    filePage = number;
    blockCount = 0;
    require(bytes.limit() >= OffloadWire.PAGE_BYTES, "has only " + bytes.limit() + " bytes");
    require(OffloadWire.PageHeader.magic(page, 0) == OffloadWire.PAGE_MAGIC, "has no magic");
    crc.reset();
    crc.update(bytes.slice(CRC_FROM, OffloadWire.PAGE_BYTES - CRC_FROM));
    require(OffloadWire.PageHeader.crc32c(page, 0) == (int) crc.getValue(), "has a wrong checksum");
    int version = OffloadWire.PageHeader.version(page, 0);
    if (version != OffloadWire.VERSION) {
      throw new OffloadException(
          OffloadWire.Status.UNSUPPORTED_VERSION,
          "page " + number + " has wire version " + version + ", not " + OffloadWire.VERSION);
    }
    if (OffloadWire.PageHeader.stamp(page, 0) != stamp
        || OffloadWire.PageHeader.filePage(page, 0) != number) {
      throw new OffloadException(
          OffloadWire.Status.PAGE_STALE,
          String.format(
              "expected page %d of file %016x, got page %d of file %016x",
              number,
              stamp,
              OffloadWire.PageHeader.filePage(page, 0),
              OffloadWire.PageHeader.stamp(page, 0)));
    }
    require(
        OffloadWire.PageHeader.flags(page, 0) == 0
            && page.getShort(OffloadWire.PageHeader.RESERVED0) == 0
            && page.getLong(OffloadWire.PageHeader.RESERVED1) == 0
            && page.getLong(OffloadWire.PageHeader.RESERVED2) == 0,
        "has reserved bits set");
    checkBlocks();
    checkLead();
  }

  /** Posting blocks of the page. */
  public int blockCount() {
    return blockCount;
  }

  /** Last doc ID of a block. */
  public int lastDoc(int block) {
    return page.getInt(OffloadWire.PageHeader.BYTES + block * Integer.BYTES);
  }

  /** Last doc ID of the list's previous block, {@link OffloadWire#NO_DOC} for its first. */
  public int baseDoc(int block) {
    return OffloadWire.BlockEntry.baseDoc(page, entry(block));
  }

  /** Postings of a block. */
  public int count(int block) {
    return OffloadWire.BlockEntry.count(page, entry(block));
  }

  /** Flags of a block; see {@link OffloadWire.BlockFlag}. */
  public int flags(int block) {
    return OffloadWire.BlockEntry.flags(page, entry(block));
  }

  /** Impacts of a block. */
  public long impacts(int block) {
    return OffloadWire.BlockEntry.impacts(page, entry(block));
  }

  /**
   * Decodes a block into arrays of at least {@link OffloadWire#BLOCK_POSTINGS}.
   *
   * @return the number of postings
   */
  public int decode(int block, int[] docsOut, int[] freqsOut, int[] normsOut) {
    int at = entry(block);
    int count = OffloadWire.BlockEntry.count(page, at);
    decodeDocs(block, count, docsOut);
    BitPacker.unpack(
        page,
        OffloadWire.BlockEntry.freqOffset(page, at),
        count,
        OffloadWire.BlockEntry.freqBits(page, at),
        freqsOut);
    BitPacker.unpack(
        page,
        OffloadWire.BlockEntry.normOffset(page, at),
        count,
        OffloadWire.BlockEntry.normBits(page, at),
        normsOut);
    int normBase = OffloadWire.BlockEntry.normBase(page, at);
    for (int i = 0; i < count; i++) {
      freqsOut[i]++;
      normsOut[i] += normBase;
    }
    return count;
  }

  private void decodeDocs(int block, int count, int[] docsOut) {
    int at = entry(block);
    int offset = OffloadWire.BlockEntry.docOffset(page, at);
    int doc = OffloadWire.BlockEntry.baseDoc(page, at);
    if (isBitmap(block)) {
      for (int i = 0, bit = 0; i < count; bit++) {
        if ((page.get(offset + (bit >>> 3)) >>> (bit & 7) & 1) != 0) {
          docsOut[i++] = doc + 1 + bit;
        }
      }
      return;
    }
    BitPacker.unpack(page, offset, count, OffloadWire.BlockEntry.docBits(page, at), docsOut);
    for (int i = 0; i < count; i++) {
      doc += docsOut[i] + 1;
      docsOut[i] = doc;
    }
  }

  private boolean isBitmap(int block) {
    return (flags(block) & OffloadWire.BlockFlag.DOC_BITMAP) != 0;
  }

  private int entry(int block) {
    return OffloadWire.PageHeader.BYTES
        + blockCount * Integer.BYTES
        + block * OffloadWire.BlockEntry.BYTES;
  }

  private void checkBlocks() throws OffloadException {
    int blocks = OffloadWire.PageHeader.blockCount(page, 0);
    require(blocks >= 1 && blocks <= OffloadWire.MAX_BLOCKS_PER_PAGE, "has " + blocks + " blocks");
    blockCount = blocks;
    int used = OffloadWire.PageHeader.usedBytes(page, 0);
    int columnsFrom = entry(blocks);
    require(used >= columnsFrom && used <= OffloadWire.PAGE_BYTES, "uses " + used + " bytes");
    for (int at = used; at < OffloadWire.PAGE_BYTES; at++) {
      require(page.get(at) == 0, "has bytes set behind its last column");
    }
    for (int block = 0; block < blocks; block++) {
      checkWidths(block);
    }
    int end = columnsFrom;
    for (int block = 0; block < blocks; block++) {
      int at = entry(block);
      int offset = OffloadWire.BlockEntry.docOffset(page, at);
      int bits = OffloadWire.BlockEntry.docBits(page, at);
      if (isBitmap(block)) {
        int bytes = PageEncoder.bitmapBytes(baseDoc(block), lastDoc(block));
        end = checkPlace(block, offset, bytes, end, used);
        checkBitmap(block, offset, bytes);
      } else {
        end = checkColumn(block, offset, bits, end, used);
      }
    }
    for (int block = 0; block < blocks; block++) {
      int at = entry(block);
      int offset = OffloadWire.BlockEntry.freqOffset(page, at);
      end = checkColumn(block, offset, OffloadWire.BlockEntry.freqBits(page, at), end, used);
    }
    for (int block = 0; block < blocks; block++) {
      int at = entry(block);
      int offset = OffloadWire.BlockEntry.normOffset(page, at);
      end = checkColumn(block, offset, OffloadWire.BlockEntry.normBits(page, at), end, used);
    }
    require(end == used, "uses " + used + " bytes, but its columns end at " + end);
    for (int block = 0; block < blocks; block++) {
      checkChain(block);
      checkPostings(block);
    }
  }

  private void checkWidths(int block) throws OffloadException {
    int at = entry(block);
    int count = OffloadWire.BlockEntry.count(page, at);
    requireBlock(count >= 1 && count <= OffloadWire.BLOCK_POSTINGS, block, "count " + count);
    int docBits = OffloadWire.BlockEntry.docBits(page, at);
    int freqBits = OffloadWire.BlockEntry.freqBits(page, at);
    int normBits = OffloadWire.BlockEntry.normBits(page, at);
    requireBlock(
        docBits <= MAX_DOC_BITS && freqBits <= MAX_DOC_BITS && normBits <= MAX_NORM_BITS,
        block,
        "widths " + docBits + ", " + freqBits + ", " + normBits);
    if (isBitmap(block)) {
      requireBlock(docBits == 0, block, "a bitmap with doc_bits " + docBits);
      long span = (long) lastDoc(block) - baseDoc(block); // NO_DOC is -1
      requireBlock(
          baseDoc(block) >= OffloadWire.NO_DOC
              && span >= 1
              && span <= OffloadWire.MAX_BITMAP_BYTES * Byte.SIZE,
          block,
          "a bitmap of the docs behind " + baseDoc(block) + " up to " + lastDoc(block));
    }
  }

  private int checkColumn(int block, int offset, int bits, int from, int to)
      throws OffloadException {
    return checkPlace(block, offset, BitPacker.columnBytes(count(block), bits), from, to);
  }

  /** A column starts where the one before it ended; returns where it ends. */
  private int checkPlace(int block, int offset, int bytes, int from, int to)
      throws OffloadException {
    int end = offset + bytes;
    requireBlock(
        offset == from && end <= to, block, "a column of " + bytes + " bytes at " + offset);
    return end;
  }

  /** As many bits as postings, the last of them for the last doc. */
  private void checkBitmap(int block, int offset, int bytes) throws OffloadException {
    int set = 0;
    long word = 0;
    for (int at = offset; at < offset + bytes; at += Long.BYTES) {
      word = page.getLong(at);
      set += Long.bitCount(word);
    }
    requireBlock(set == count(block), block, "a bitmap of " + set + " bits");
    int lastBit = lastDoc(block) - baseDoc(block) - 1;
    requireBlock(word >>> (lastBit & 63) == 1, block, "a bitmap that does not end at the last doc");
  }

  private void checkChain(int block) throws OffloadException {
    int flags = flags(block);
    boolean first = (flags & OffloadWire.BlockFlag.FIRST_OF_LIST) != 0;
    boolean last = (flags & OffloadWire.BlockFlag.LAST_OF_LIST) != 0;
    requireBlock(
        (flags
                & ~(OffloadWire.BlockFlag.FIRST_OF_LIST
                    | OffloadWire.BlockFlag.LAST_OF_LIST
                    | OffloadWire.BlockFlag.DOC_BITMAP))
            == 0,
        block,
        "flags " + flags);
    requireBlock(last || count(block) == OffloadWire.BLOCK_POSTINGS, block, "not full");
    requireBlock(first == (baseDoc(block) == OffloadWire.NO_DOC), block, "base of a first block");
    if (block > 0) {
      boolean previousLast = (flags(block - 1) & OffloadWire.BlockFlag.LAST_OF_LIST) != 0;
      requireBlock(first == previousLast, block, "list begins before the previous one ends");
      requireBlock(first || baseDoc(block) == lastDoc(block - 1), block, "base of a later block");
    }
  }

  private void checkPostings(int block) throws OffloadException {
    int count = decode(block, docs, freqs, norms);
    int previous = baseDoc(block);
    long impacts = impacts(block);
    for (int i = 0; i < count; i++) {
      requireBlock(docs[i] > previous && docs[i] < OffloadWire.MAX_DOC, block, "doc " + docs[i]);
      requireBlock(freqs[i] >= 1, block, "freq " + freqs[i]);
      requireBlock(norms[i] <= 255, block, "norm " + norms[i]);
      requireBlock(
          Impacts.covers(impacts, freqs[i], norms[i]), block, "impacts too low at doc " + docs[i]);
      previous = docs[i];
    }
    requireBlock(previous == lastDoc(block), block, "last doc " + lastDoc(block));
  }

  private void checkLead() throws OffloadException {
    int lead = 1;
    while (lead < blockCount && (flags(lead - 1) & OffloadWire.BlockFlag.LAST_OF_LIST) == 0) {
      lead++;
    }
    require(OffloadWire.PageHeader.leadBlocks(page, 0) == lead, "has a wrong lead_blocks");
    require(
        OffloadWire.PageHeader.leadLastDoc(page, 0) == lastDoc(lead - 1),
        "has a wrong lead_last_doc");
    decode(0, docs, freqs, norms);
    require(OffloadWire.PageHeader.leadFirstDoc(page, 0) == docs[0], "has a wrong lead_first_doc");
    long leadImpacts = OffloadWire.PageHeader.leadImpacts(page, 0);
    for (int block = 0; block < lead && leadImpacts != 0; block++) {
      int count = decode(block, docs, freqs, norms);
      for (int i = 0; i < count; i++) {
        require(Impacts.covers(leadImpacts, freqs[i], norms[i]), "has too low lead_impacts");
      }
    }
  }

  private void require(boolean holds, String what) throws OffloadException {
    if (!holds) {
      throw new OffloadException(OffloadWire.Status.PAGE_CORRUPT, "page " + filePage + " " + what);
    }
  }

  private void requireBlock(boolean holds, int block, String what) throws OffloadException {
    if (!holds) {
      throw new OffloadException(
          OffloadWire.Status.PAGE_CORRUPT, "page " + filePage + ", block " + block + ": " + what);
    }
  }
}
