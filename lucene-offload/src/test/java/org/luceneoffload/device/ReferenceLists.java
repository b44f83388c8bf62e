/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.device;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.zip.CRC32C;
import org.luceneoffload.wire.ListRef;
import org.luceneoffload.wire.OffloadException;
import org.luceneoffload.wire.OffloadWire;
import org.luceneoffload.wire.Plan;
import org.luceneoffload.wire.PlanExtent;
import org.luceneoffload.wire.layout.BlockEntryLayout;
import org.luceneoffload.wire.layout.PageHeaderLayout;

/**
 * Reads whole posting lists of a plan, the plain way: page after page through the device's block
 * part, block after block, value after value.
 */
final class ReferenceLists {
  /** A posting list, decoded. */
  record Postings(int[] docs, int[] freqs, int[] norms) {}

  private final Device device;
  private final Plan plan;
  private int pagesRead;
  private int blocksDecoded;
  private long postingsDecoded;

  ReferenceLists(Device device, Plan plan) {
    this.device = device;
    this.plan = plan;
  }

  int pagesRead() {
    return pagesRead;
  }

  int blocksDecoded() {
    return blocksDecoded;
  }

  long postingsDecoded() {
    return postingsDecoded;
  }

  Postings read(ListRef list) throws IOException {
    if (list.kind() == OffloadWire.ListKind.INLINE) {
      return new Postings(
          new int[] {list.inlineDoc()},
          new int[] {list.inlineFreq()},
          new int[] {list.inlineNorm()});
    }
    int total = list.postingCount();
    Postings postings = new Postings(new int[total], new int[total], new int[total]);
    int done = 0;
    int previous = OffloadWire.NO_DOC;
    int slot = list.slot();
    for (int i = 0; i < list.pageCount(); i++, slot = 0) {
      ByteBuffer page = page(list, list.firstPage() + i);
      int blocks = PageHeaderLayout.blockCount(page, 0);
      if (slot >= blocks) {
        throw corruptList("slot " + slot + " of " + blocks);
      }
      for (int block = slot; block < blocks && done < total; block++) {
        int entry =
            PageHeaderLayout.BYTES + blocks * Integer.BYTES + block * BlockEntryLayout.BYTES;
        boolean first =
            (BlockEntryLayout.flags(page, entry) & OffloadWire.BlockFlag.FIRST_OF_LIST) != 0;
        if (first != (done == 0)
            || block == 0 && PageHeaderLayout.leadBaseDoc(page, 0) != previous) {
          throw corruptList("a block does not continue the list");
        }
        int lastDoc = page.getInt(PageHeaderLayout.BYTES + block * Integer.BYTES);
        done = decode(page, entry, postings, done, previous, lastDoc);
        previous = postings.docs[done - 1];
        if (lastDoc != previous) {
          throw corruptPage("last doc of block " + block);
        }
        boolean last =
            (BlockEntryLayout.flags(page, entry) & OffloadWire.BlockFlag.LAST_OF_LIST) != 0;
        if (last != (done == total)) {
          throw corruptList("the list ends after " + done + " of " + total + " postings");
        }
      }
    }
    if (done != total || previous >= plan.maxDoc()) {
      throw corruptList("it has " + done + " of " + total + " postings, up to doc " + previous);
    }
    return postings;
  }

  private int decode(ByteBuffer page, int entry, Postings to, int at, int base, int lastDoc)
      throws OffloadException {
    int count = BlockEntryLayout.count(page, entry);
    if (at + count > to.docs.length) {
      throw corruptList("more than " + to.docs.length + " postings");
    }
    int docBits = BlockEntryLayout.docBits(page, entry);
    int freqBits = BlockEntryLayout.freqBits(page, entry);
    int normBits = BlockEntryLayout.normBits(page, entry);
    int normBase = BlockEntryLayout.normBase(page, entry);
    boolean bitmap = (BlockEntryLayout.flags(page, entry) & OffloadWire.BlockFlag.DOC_BITMAP) != 0;
    int exceptions = BlockEntryLayout.flags(page, entry) >> OffloadWire.EXCEPTIONS_SHIFT;
    int docOffset = BlockEntryLayout.offset(page, entry);
    int freqOffset =
        docOffset + (bitmap ? (lastDoc - base + 63) / 64 * 8 : (count * docBits + 7) / 8);
    int exceptionOffset = freqOffset + (count * freqBits + 7) / 8;
    int normOffset = exceptionOffset + exceptions * 2;
    int doc = base;
    for (int i = 0; i < count; i++) {
      if (bitmap) {
        do {
          doc++;
          if (doc - base > OffloadWire.MAX_BITMAP_BYTES * Byte.SIZE) {
            throw corruptPage("bits of a block");
          }
        } while (value(page, docOffset, 1, doc - base - 1) == 0);
      } else {
        doc += value(page, docOffset, docBits, i) + 1;
      }
      to.docs[at + i] = doc;
      to.freqs[at + i] = value(page, freqOffset, freqBits, i) + 1;
      to.norms[at + i] = value(page, normOffset, normBits, i) + normBase;
    }
    for (int i = exceptionOffset; i < normOffset; i += 2) {
      to.freqs[at + page.get(i)] += (page.get(i + 1) & 0xFF) << freqBits;
    }
    blocksDecoded++;
    postingsDecoded += count;
    return at + count;
  }

  /** Value number {@code index} of a column, bit by bit. */
  private static int value(ByteBuffer page, int offset, int width, int index) {
    int value = 0;
    for (int bit = 0; bit < width; bit++) {
      int at = index * width + bit;
      value |= (page.get(offset + at / 8) >> (at % 8) & 1) << bit;
    }
    return value;
  }

  private ByteBuffer page(ListRef list, int filePage) throws IOException {
    ByteBuffer page =
        ByteBuffer.allocateDirect(OffloadWire.PAGE_BYTES).order(ByteOrder.LITTLE_ENDIAN);
    device.read(lba(list, filePage), page);
    page.clear();
    pagesRead++;
    CRC32C crc = new CRC32C();
    crc.update(page.slice(12, OffloadWire.PAGE_BYTES - 12));
    // The headers of column pages begin like those of posting pages.
    int magic = PageHeaderLayout.magic(page, 0);
    boolean column = magic == OffloadWire.COLUMN_MAGIC || magic == OffloadWire.POSITION_MAGIC;
    if ((!column && PageHeaderLayout.magic(page, 0) != OffloadWire.PAGE_MAGIC)
        || PageHeaderLayout.crc32c(page, 0) != (int) crc.getValue()) {
      throw corruptPage("checksum of file page " + filePage);
    }
    if (PageHeaderLayout.version(page, 0) != OffloadWire.VERSION) {
      throw new OffloadException(
          OffloadWire.Status.UNSUPPORTED_VERSION, "version of file page " + filePage);
    }
    if (PageHeaderLayout.stamp(page, 0) != list.stamp()
        || PageHeaderLayout.filePage(page, 0) != filePage) {
      throw new OffloadException(OffloadWire.Status.PAGE_STALE, "file page " + filePage);
    }
    if (column) {
      throw corruptList("a page of another kind");
    }
    return page;
  }

  private long lba(ListRef list, int filePage) throws OffloadException {
    for (int i = 0; i < list.extentCount(); i++) {
      PlanExtent extent = plan.extents().get(list.firstExtent() + i);
      if (filePage >= extent.filePage() && filePage < extent.filePage() + extent.pageCount()) {
        return extent.lba() + filePage - extent.filePage();
      }
    }
    throw corruptList("no extent has file page " + filePage);
  }

  private static OffloadException corruptPage(String what) {
    return new OffloadException(OffloadWire.Status.PAGE_CORRUPT, what);
  }

  private static OffloadException corruptList(String what) {
    return new OffloadException(OffloadWire.Status.LIST_CORRUPT, what);
  }

  @Override
  public String toString() {
    return "ReferenceLists" + Arrays.asList(pagesRead, blocksDecoded, postingsDecoded);
  }
}
