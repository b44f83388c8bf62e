/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.codec.position;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.apache.lucene.index.PostingsEnum;
import org.luceneoffload.wire.OffloadWire;
import org.luceneoffload.wire.page.PositionPageDecoder;

/** Compares the positions of device lists with the stock postings, posting by posting. */
public final class PositionCheck {
  /** Reads pages of an image. */
  @FunctionalInterface
  public interface PageReader {
    /** Reads a page, by its number in the image, from the buffer's position on. */
    void readPage(int number, ByteBuffer to) throws IOException;
  }

  private static final int BLOCK = OffloadWire.BLOCK_POSTINGS;

  private final PositionPageDecoder decoder = new PositionPageDecoder();
  private final ByteBuffer page =
      ByteBuffer.allocateDirect(OffloadWire.PAGE_BYTES).order(ByteOrder.LITTLE_ENDIAN);
  private final int[] values = new int[OffloadWire.MAX_POSITION_VALUES];
  private PageReader pageReader; // of the page
  private int pageNumber;
  private long pages;

  // The list.
  private PageReader reader; // null: there is one position, and no page
  private long stamp;
  private int onePosition;
  private int firstPage;
  private int pageCount;
  private boolean saysEqual; // that positions of a document may be equal
  private boolean equal; // that they are
  private int number; // of the page in the image
  private int slot; // of the next block
  private int count; // values of the block that is decoded
  private int used; // of these
  private int lastDoc;
  private int blockRank;
  private boolean last; // the block closes the list
  private int postings;
  private int rank;

  /** Returns the number of pages read. */
  public long pages() {
    return pages;
  }

  /** A check of nothing yet. */
  public PositionCheck() {}

  /** Begins a list of one position. */
  public void start(int position) {
    reader = null;
    onePosition = position;
  }

  /**
   * Begins a list.
   *
   * @param pagesOf the image; always the same object for the same image
   * @param imageStamp its stamp
   * @param page number, in the image, of the list's first page of positions
   * @param blockSlot number, in that page, of its first position block
   * @param pagesOfList pages that hold its position blocks
   * @param maybeEqual whether positions of a document may be equal
   */
  public void start(
      PageReader pagesOf,
      long imageStamp,
      int page,
      int blockSlot,
      int pagesOfList,
      boolean maybeEqual) {
    reader = pagesOf;
    stamp = imageStamp;
    firstPage = page;
    pageCount = pagesOfList;
    saysEqual = maybeEqual;
    equal = false;
    number = page;
    slot = blockSlot;
    count = 0;
    used = 0;
    last = false;
    postings = 0;
  }

  /**
   * Compares the next posting.
   *
   * @param stock the stock posting, with none of its positions read yet
   */
  public void next(PostingsEnum stock) throws IOException {
    int doc = stock.docID();
    if (reader == null) {
      expect(doc, "position", stock.nextPosition(), onePosition);
      return;
    }
    int freq = stock.freq();
    boolean newBlock = postings++ % BLOCK == 0;
    rank = newBlock ? 0 : rank;
    boolean apart = freq > OffloadWire.MAX_POSITION_VALUES;
    if (used == count || newBlock || apart) {
      expect(doc, "values left in a position block", 0, count - used);
      load();
      expect(doc, "rank of a position block", rank, blockRank);
    }
    int position = 0;
    for (int i = 0; i < freq; i++) {
      if (used == count) {
        expect(doc, "values of a position block", OffloadWire.MAX_POSITION_VALUES, count);
        expect(doc, "last doc of a position block", doc, lastDoc);
        load();
        expect(doc, "rank of a position block", rank + i, blockRank);
      }
      equal |= i > 0 && values[used] == 0;
      position += values[used++];
      expect(doc, "position", stock.nextPosition(), position);
    }
    rank += freq;
    if (used == count) {
      expect(doc, "last doc of a position block", doc, lastDoc);
    } else if (apart) {
      throw new MismatchException("at doc " + doc + ": a position block goes on after it");
    }
  }

  /** Ends the list, all of whose postings were compared. */
  public void finish() {
    if (reader != null) {
      expect(lastDoc, "values left in a position block", 0, count - used);
      expect(lastDoc, "end of position blocks", 1, last ? 1 : 0);
      expect(lastDoc, "position page count", number - firstPage + 1, pageCount);
      expect(lastDoc, "equal positions", equal ? 1 : 0, saysEqual ? 1 : 0);
    }
  }

  private void load() throws IOException {
    if (last) {
      throw new MismatchException("the position blocks end at doc " + lastDoc);
    }
    boolean first = postings == 1 && count == 0;
    if (!first && slot == decoder.blockCount()) {
      number++;
      slot = 0;
    }
    if (reader != pageReader || number != pageNumber) {
      pageReader = null;
      reader.readPage(number, page.clear());
      decoder.reset(page.clear(), stamp, number);
      pages++;
      pageReader = reader;
      pageNumber = number;
    }
    if (slot >= decoder.blockCount()) {
      throw new MismatchException("page " + number + " has no position block " + slot);
    }
    int flags = decoder.flags(slot);
    boolean opens = (flags & OffloadWire.PositionFlag.FIRST_OF_LIST) != 0;
    if (opens != first) {
      throw new MismatchException(
          "page " + number + ", position block " + slot + ": flags " + flags);
    }
    count = decoder.decode(slot, values);
    lastDoc = decoder.lastDoc(slot);
    blockRank = decoder.rank(slot);
    last = (flags & OffloadWire.PositionFlag.LAST_OF_LIST) != 0;
    used = 0;
    slot++;
  }

  private static void expect(int doc, String what, int expected, int actual) {
    MismatchException.expect(doc, what, expected, actual);
  }
}
