/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.wire.page;

import java.nio.ByteBuffer;
import java.util.Locale;
import java.util.zip.CRC32C;
import org.luceneoffload.wire.OffloadException;
import org.luceneoffload.wire.OffloadWire;
import org.luceneoffload.wire.layout.PositionEntryLayout;
import org.luceneoffload.wire.layout.PositionPageHeaderLayout;

/**
 * Reads position pages and checks every rule of their format. For checks and tests; one thread at a
 * time.
 */
public final class PositionPageDecoder {
  private static final int CRC_FROM = 12;
  private static final int MAX_VALUE_BITS = 31;
  private static final int LAST_DOC_BYTES = Integer.BYTES;
  private static final int FLAGS =
      OffloadWire.PositionFlag.FIRST_OF_LIST
          | OffloadWire.PositionFlag.LAST_OF_LIST
          | OffloadWire.PositionFlag.INSIDE;

  private final CRC32C crc = new CRC32C();
  private ByteBuffer page;
  private int filePage;
  private int blockCount;

  /** A decoder with no page yet. */
  public PositionPageDecoder() {}

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
    require(PositionPageHeaderLayout.magic(page, 0) == OffloadWire.POSITION_MAGIC, "has no magic");
    crc.reset();
    crc.update(bytes.slice(CRC_FROM, OffloadWire.PAGE_BYTES - CRC_FROM));
    require(PositionPageHeaderLayout.crc32c(page, 0) == (int) crc.getValue(), "wrong checksum");
    int version = PositionPageHeaderLayout.version(page, 0);
    if (version != OffloadWire.VERSION) {
      throw new OffloadException(
          OffloadWire.Status.UNSUPPORTED_VERSION,
          "page " + number + " has wire version " + version + ", not " + OffloadWire.VERSION);
    }
    if (PositionPageHeaderLayout.stamp(page, 0) != stamp
        || PositionPageHeaderLayout.filePage(page, 0) != number) {
      throw new OffloadException(
          OffloadWire.Status.PAGE_STALE,
          String.format(
              Locale.ROOT,
              "expected page %d of file %016x, got page %d of file %016x",
              number,
              stamp,
              PositionPageHeaderLayout.filePage(page, 0),
              PositionPageHeaderLayout.stamp(page, 0)));
    }
    require(
        PositionPageHeaderLayout.flags(page, 0) == 0
            && page.getShort(PositionPageHeaderLayout.RESERVED0) == 0
            && page.getLong(PositionPageHeaderLayout.RESERVED1) == 0,
        "has reserved bits set");
    checkBlocks();
    checkLead();
  }

  /** Returns the number of position blocks of the page. */
  public int blockCount() {
    return blockCount;
  }

  /** Returns the last doc that has values in a block. */
  public int lastDoc(int block) {
    return page.getInt(PositionPageHeaderLayout.BYTES + block * LAST_DOC_BYTES);
  }

  /** Returns the flags of a block; see {@link OffloadWire.PositionFlag}. */
  public int flags(int block) {
    return PositionEntryLayout.flags(page, entry(block));
  }

  /** Returns the number of values of the posting block before those of a block. */
  public int rank(int block) {
    return baseBytes(block) == 0 ? 0 : page.getInt(offset(block));
  }

  /**
   * Decodes the values of a block into an array of at least {@link
   * OffloadWire#MAX_POSITION_VALUES}.
   *
   * @return how many they are
   */
  public int decode(int block, int[] out) {
    int at = entry(block);
    int count = PositionEntryLayout.valueCount(page, at);
    int bits = PositionEntryLayout.valueBits(page, at);
    BitPacker.unpack(page, offset(block) + baseBytes(block), count, bits, out);
    for (int from = exceptionsAt(block), left = exceptions(block); left > 0; left--) {
      out[Short.toUnsignedInt(page.getShort(from))] +=
          Byte.toUnsignedInt(page.get(from + Short.BYTES)) << bits;
      from += OffloadWire.POSITION_EXCEPTION_BYTES;
    }
    return count;
  }

  private int entry(int block) {
    return PositionPageHeaderLayout.BYTES
        + blockCount * LAST_DOC_BYTES
        + block * PositionEntryLayout.BYTES;
  }

  private int offset(int block) {
    return PositionEntryLayout.offset(page, entry(block));
  }

  private int baseBytes(int block) {
    boolean inside = (flags(block) & OffloadWire.PositionFlag.INSIDE) != 0;
    return inside ? OffloadWire.POSITION_BASE_BYTES : 0;
  }

  private int exceptions(int block) {
    return PositionEntryLayout.exceptions(page, entry(block));
  }

  private int exceptionsAt(int block) {
    int at = entry(block);
    int count = PositionEntryLayout.valueCount(page, at);
    int bits = PositionEntryLayout.valueBits(page, at);
    return offset(block) + baseBytes(block) + BitPacker.columnBytes(count, bits);
  }

  private void checkBlocks() throws OffloadException {
    int blocks = PositionPageHeaderLayout.blockCount(page, 0);
    require(blocks >= 1 && blocks <= OffloadWire.MAX_POSITION_BLOCKS, "has " + blocks + " blocks");
    blockCount = blocks;
    int used = PositionPageHeaderLayout.usedBytes(page, 0);
    int end = entry(blocks);
    require(used >= end && used <= OffloadWire.PAGE_BYTES, "uses " + used + " bytes");
    for (int at = used; at < OffloadWire.PAGE_BYTES; at++) {
      require(page.get(at) == 0, "has bytes set behind its last block");
    }
    for (int block = 0; block < blocks; block++) {
      checkEntry(block);
      requireBlock(offset(block) == end, block, "at byte " + offset(block) + ", not " + end);
      end = exceptionsAt(block) + exceptions(block) * OffloadWire.POSITION_EXCEPTION_BYTES;
      requireBlock(end <= used, block, "it goes on after the used bytes");
      checkValues(block);
    }
    require(end == used, "uses " + used + " bytes, but its blocks end at " + end);
  }

  private void checkEntry(int block) throws OffloadException {
    int at = entry(block);
    int count = PositionEntryLayout.valueCount(page, at);
    int bits = PositionEntryLayout.valueBits(page, at);
    int flags = flags(block);
    requireBlock(
        count >= 1 && count <= OffloadWire.MAX_POSITION_VALUES && bits <= MAX_VALUE_BITS,
        block,
        count + " values of " + bits + " bits");
    requireBlock(
        (flags & ~FLAGS) == 0 && page.get(at + PositionEntryLayout.RESERVED0) == 0,
        block,
        "flags " + flags);
    requireBlock(
        exceptions(block) <= OffloadWire.MAX_POSITION_EXCEPTIONS,
        block,
        exceptions(block) + " exceptions");
    boolean first = (flags & OffloadWire.PositionFlag.FIRST_OF_LIST) != 0;
    requireBlock(
        !first || (flags & OffloadWire.PositionFlag.INSIDE) == 0, block, "a list begins inside");
    requireBlock(
        lastDoc(block) >= 0 && lastDoc(block) < OffloadWire.MAX_DOC,
        block,
        "last doc " + lastDoc(block));
    if (block > 0) {
      boolean previousLast = (flags(block - 1) & OffloadWire.PositionFlag.LAST_OF_LIST) != 0;
      requireBlock(first == previousLast, block, "list begins before the previous one ends");
      requireBlock(
          first || lastDoc(block) >= lastDoc(block - 1), block, "last doc " + lastDoc(block));
    }
  }

  private void checkValues(int block) throws OffloadException {
    int count = PositionEntryLayout.valueCount(page, entry(block));
    int bits = PositionEntryLayout.valueBits(page, entry(block));
    requireBlock(baseBytes(block) == 0 || rank(block) != 0, block, "inside, at rank 0");
    int end = count * bits;
    int lastByte = offset(block) + baseBytes(block) + (end >>> 3);
    requireBlock(
        (end & 7) == 0 || (page.get(lastByte) & 0xFF) >>> (end & 7) == 0,
        block,
        "bits behind the values");
    int before = -1;
    for (int at = exceptionsAt(block), left = exceptions(block); left > 0; left--) {
      int value = Short.toUnsignedInt(page.getShort(at));
      long high = page.get(at + Short.BYTES) & 0xFFL;
      requireBlock(
          value > before && value < count && high != 0 && high << bits <= Integer.MAX_VALUE,
          block,
          "an exception of " + high + " for value " + value);
      before = value;
      at += OffloadWire.POSITION_EXCEPTION_BYTES;
    }
  }

  private void checkLead() throws OffloadException {
    int lead = 1;
    while (lead < blockCount && (flags(lead - 1) & OffloadWire.PositionFlag.LAST_OF_LIST) == 0) {
      lead++;
    }
    require(PositionPageHeaderLayout.leadBlocks(page, 0) == lead, "has a wrong lead_blocks");
    require(
        PositionPageHeaderLayout.leadLastDoc(page, 0) == lastDoc(lead - 1),
        "has a wrong lead_last_doc");
    int first = PositionPageHeaderLayout.leadFirstDoc(page, 0);
    require(first >= 0 && first <= lastDoc(0), "has a wrong lead_first_doc");
  }

  private void require(boolean holds, String what) throws OffloadException {
    if (!holds) {
      throw new OffloadException(
          OffloadWire.Status.PAGE_CORRUPT, "position page " + filePage + " " + what);
    }
  }

  private void requireBlock(boolean holds, int block, String what) throws OffloadException {
    if (!holds) {
      throw new OffloadException(
          OffloadWire.Status.PAGE_CORRUPT,
          "position page " + filePage + ", block " + block + ": " + what);
    }
  }
}
