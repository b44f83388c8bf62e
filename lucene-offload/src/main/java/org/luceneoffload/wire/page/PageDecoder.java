/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.wire.page;

import java.nio.ByteBuffer;
import java.util.Locale;
import java.util.zip.CRC32C;
import org.luceneoffload.wire.OffloadException;
import org.luceneoffload.wire.OffloadWire;
import org.luceneoffload.wire.layout.BlockEntryLayout;
import org.luceneoffload.wire.layout.PageHeaderLayout;

/**
 * Reads posting pages and checks every rule of their format. For checks and tests; one thread at a
 * time.
 */
public final class PageDecoder {
  private static final int CRC_FROM = 12;
  private static final int MAX_DOC_BITS = 31;
  private static final int MAX_NORM_BITS = 8;
  private static final int EXCEPTION_BYTES = OffloadWire.EXCEPTION_BYTES;
  private static final int FLAGS = (1 << OffloadWire.EXCEPTIONS_SHIFT) - 1;

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
    require(PageHeaderLayout.magic(page, 0) == OffloadWire.PAGE_MAGIC, "has no magic");
    crc.reset();
    crc.update(bytes.slice(CRC_FROM, OffloadWire.PAGE_BYTES - CRC_FROM));
    require(PageHeaderLayout.crc32c(page, 0) == (int) crc.getValue(), "has a wrong checksum");
    int version = PageHeaderLayout.version(page, 0);
    if (version != OffloadWire.VERSION) {
      throw new OffloadException(
          OffloadWire.Status.UNSUPPORTED_VERSION,
          "page " + number + " has wire version " + version + ", not " + OffloadWire.VERSION);
    }
    if (PageHeaderLayout.stamp(page, 0) != stamp || PageHeaderLayout.filePage(page, 0) != number) {
      throw new OffloadException(
          OffloadWire.Status.PAGE_STALE,
          String.format(
              Locale.ROOT,
              "expected page %d of file %016x, got page %d of file %016x",
              number,
              stamp,
              PageHeaderLayout.filePage(page, 0),
              PageHeaderLayout.stamp(page, 0)));
    }
    require(
        PageHeaderLayout.flags(page, 0) == 0
            && page.getShort(PageHeaderLayout.RESERVED0) == 0
            && page.getInt(PageHeaderLayout.RESERVED1) == 0
            && page.getLong(PageHeaderLayout.RESERVED2) == 0,
        "has reserved bits set");
    checkBlocks();
    checkLead();
  }

  /** Returns the number of posting blocks of the page. */
  public int blockCount() {
    return blockCount;
  }

  /** Returns the last doc ID of a block. */
  public int lastDoc(int block) {
    return page.getInt(PageHeaderLayout.BYTES + block * Integer.BYTES);
  }

  /**
   * Returns the last doc ID of the list's previous block, {@link OffloadWire#NO_DOC} for its first.
   */
  public int baseDoc(int block) {
    if ((flags(block) & OffloadWire.BlockFlag.FIRST_OF_LIST) != 0) {
      return OffloadWire.NO_DOC;
    }
    return block == 0 ? PageHeaderLayout.leadBaseDoc(page, 0) : lastDoc(block - 1);
  }

  /** Returns the number of postings of a block. */
  public int count(int block) {
    return BlockEntryLayout.count(page, entry(block));
  }

  /** Returns the flags of a block; see {@link OffloadWire.BlockFlag}. */
  public int flags(int block) {
    return BlockEntryLayout.flags(page, entry(block)) & FLAGS;
  }

  /** Returns the number of freq exceptions of a block. */
  public int exceptions(int block) {
    return BlockEntryLayout.flags(page, entry(block)) >>> OffloadWire.EXCEPTIONS_SHIFT;
  }

  /** Returns the impacts of a block; of one that is its whole list, 0 (unknown). */
  public long impacts(int block) {
    if (PageEncoder.isWholeList(flags(block))) {
      return 0;
    }
    int at = entry(blockCount);
    for (int b = 0; b < block; b++) {
      at += PageEncoder.isWholeList(flags(b)) ? 0 : Long.BYTES;
    }
    return page.getLong(at);
  }

  /**
   * Decodes a block into arrays of at least {@link OffloadWire#BLOCK_POSTINGS}.
   *
   * @return the number of postings
   */
  public int decode(int block, int[] docsOut, int[] freqsOut, int[] normsOut) {
    int at = entry(block);
    int count = BlockEntryLayout.count(page, at);
    decodeDocs(block, count, docsOut);
    BitPacker.unpack(page, freqOffset(block), count, BlockEntryLayout.freqBits(page, at), freqsOut);
    BitPacker.unpack(page, normOffset(block), count, BlockEntryLayout.normBits(page, at), normsOut);
    int freqBits = BlockEntryLayout.freqBits(page, at);
    for (int from = exceptionsOffset(block); from < normOffset(block); from += EXCEPTION_BYTES) {
      int posting = Byte.toUnsignedInt(page.get(from));
      freqsOut[posting] += Byte.toUnsignedInt(page.get(from + 1)) << freqBits;
    }
    int normBase = BlockEntryLayout.normBase(page, at);
    for (int i = 0; i < count; i++) {
      freqsOut[i]++;
      normsOut[i] += normBase;
    }
    return count;
  }

  private void decodeDocs(int block, int count, int[] docsOut) {
    int at = entry(block);
    int offset = BlockEntryLayout.offset(page, at);
    int doc = baseDoc(block);
    if (isBitmap(block)) {
      for (int i = 0, bit = 0; i < count; bit++) {
        if ((page.get(offset + (bit >>> 3)) >>> (bit & 7) & 1) != 0) {
          docsOut[i++] = doc + 1 + bit;
        }
      }
      return;
    }
    BitPacker.unpack(page, offset, count, BlockEntryLayout.docBits(page, at), docsOut);
    for (int i = 0; i < count; i++) {
      doc += docsOut[i] + 1;
      docsOut[i] = doc;
    }
  }

  private boolean isBitmap(int block) {
    return (flags(block) & OffloadWire.BlockFlag.DOC_BITMAP) != 0;
  }

  private int docBytes(int block) {
    return isBitmap(block)
        ? PageEncoder.bitmapBytes(baseDoc(block), lastDoc(block))
        : BitPacker.columnBytes(count(block), BlockEntryLayout.docBits(page, entry(block)));
  }

  private int freqOffset(int block) {
    return BlockEntryLayout.offset(page, entry(block)) + docBytes(block);
  }

  private int exceptionsOffset(int block) {
    int bits = BlockEntryLayout.freqBits(page, entry(block));
    return freqOffset(block) + BitPacker.columnBytes(count(block), bits);
  }

  private int normOffset(int block) {
    return exceptionsOffset(block) + exceptions(block) * EXCEPTION_BYTES;
  }

  private int entry(int block) {
    return PageHeaderLayout.BYTES + blockCount * Integer.BYTES + block * BlockEntryLayout.BYTES;
  }

  private void checkBlocks() throws OffloadException {
    int blocks = PageHeaderLayout.blockCount(page, 0);
    require(blocks >= 1 && blocks <= OffloadWire.MAX_BLOCKS_PER_PAGE, "has " + blocks + " blocks");
    blockCount = blocks;
    int used = PageHeaderLayout.usedBytes(page, 0);
    require(used >= entry(blocks) && used <= OffloadWire.PAGE_BYTES, "uses " + used + " bytes");
    int columnsFrom = entry(blocks);
    for (int block = 0; block < blocks; block++) {
      columnsFrom += PageEncoder.isWholeList(flags(block)) ? 0 : Long.BYTES;
    }
    require(used >= columnsFrom, "uses " + used + " bytes, its directory " + columnsFrom);
    for (int at = used; at < OffloadWire.PAGE_BYTES; at++) {
      require(page.get(at) == 0, "has bytes set behind its last column");
    }
    for (int block = 0; block < blocks; block++) {
      checkWidths(block);
    }
    int end = columnsFrom;
    for (int block = 0; block < blocks; block++) {
      int at = entry(block);
      int offset = BlockEntryLayout.offset(page, at);
      if (isBitmap(block)) {
        end = checkPlace(block, offset, docBytes(block), end, used);
        checkBitmap(block, offset, docBytes(block));
      } else {
        end = checkColumn(block, offset, BlockEntryLayout.docBits(page, at), end, used);
      }
      int freqBits = BlockEntryLayout.freqBits(page, at);
      end = checkColumn(block, freqOffset(block), freqBits, end, used);
      end = checkExceptions(block, end, used);
      int normBits = BlockEntryLayout.normBits(page, at);
      end = checkColumn(block, normOffset(block), normBits, end, used);
    }
    require(end == used, "uses " + used + " bytes, but its columns end at " + end);
    for (int block = 0; block < blocks; block++) {
      checkChain(block);
      checkPostings(block);
    }
  }

  private void checkWidths(int block) throws OffloadException {
    int at = entry(block);
    int count = BlockEntryLayout.count(page, at);
    requireBlock(count >= 1 && count <= OffloadWire.BLOCK_POSTINGS, block, "count " + count);
    int docBits = BlockEntryLayout.docBits(page, at);
    int freqBits = BlockEntryLayout.freqBits(page, at);
    int normBits = BlockEntryLayout.normBits(page, at);
    requireBlock(
        docBits <= MAX_DOC_BITS && freqBits <= MAX_DOC_BITS && normBits <= MAX_NORM_BITS,
        block,
        "widths " + docBits + ", " + freqBits + ", " + normBits);
    int exceptions = exceptions(block);
    requireBlock(
        exceptions == 0
            || exceptions <= OffloadWire.MAX_FREQ_EXCEPTIONS
                && freqBits <= OffloadWire.MAX_EXCEPTION_BITS
                && !PageEncoder.isWholeList(flags(block)),
        block,
        exceptions + " freq exceptions");
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

  /**
   * Checks freq exceptions, which come in the order of their postings and raise their freqs;
   * returns their end.
   */
  private int checkExceptions(int block, int from, int to) throws OffloadException {
    int end =
        checkPlace(block, exceptionsOffset(block), exceptions(block) * EXCEPTION_BYTES, from, to);
    int before = -1;
    for (int at = from; at < end; at += EXCEPTION_BYTES) {
      int posting = Byte.toUnsignedInt(page.get(at));
      int high = Byte.toUnsignedInt(page.get(at + 1));
      requireBlock(
          posting > before && posting < count(block) && high != 0,
          block,
          "a freq exception of " + high + " for posting " + posting);
      before = posting;
    }
    return end;
  }

  private int checkColumn(int block, int offset, int bits, int from, int to)
      throws OffloadException {
    return checkPlace(block, offset, BitPacker.columnBytes(count(block), bits), from, to);
  }

  /** Checks that a column starts where the one before it ended; returns where it ends. */
  private int checkPlace(int block, int offset, int bytes, int from, int to)
      throws OffloadException {
    int end = offset + bytes;
    requireBlock(
        offset == from && end <= to, block, "a column of " + bytes + " bytes at " + offset);
    return end;
  }

  /** Checks that a bitmap has as many bits as postings, the last of them for the last doc. */
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
    requireBlock(last || count(block) == OffloadWire.BLOCK_POSTINGS, block, "not full");
    if (block == 0) {
      require(
          first == (PageHeaderLayout.leadBaseDoc(page, 0) == OffloadWire.NO_DOC),
          "has a lead_base_doc that does not go with block 0");
    }
    if (block > 0) {
      boolean previousLast = (flags(block - 1) & OffloadWire.BlockFlag.LAST_OF_LIST) != 0;
      requireBlock(first == previousLast, block, "list begins before the previous one ends");
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
    require(PageHeaderLayout.leadBlocks(page, 0) == lead, "has a wrong lead_blocks");
    require(
        PageHeaderLayout.leadLastDoc(page, 0) == lastDoc(lead - 1), "has a wrong lead_last_doc");
    decode(0, docs, freqs, norms);
    require(PageHeaderLayout.leadFirstDoc(page, 0) == docs[0], "has a wrong lead_first_doc");
    long leadImpacts = PageHeaderLayout.leadImpacts(page, 0);
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
