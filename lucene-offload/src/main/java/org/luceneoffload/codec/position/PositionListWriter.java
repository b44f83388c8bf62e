/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.codec.position;

import java.io.Closeable;
import java.io.IOException;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexOutput;
import org.luceneoffload.wire.OffloadWire;
import org.luceneoffload.wire.page.PositionPageEncoder;

/**
 * Writes the positions of posting lists, list by list, into pages that follow the posting pages of
 * the image. They are held back until those are written.
 */
public final class PositionListWriter implements Closeable {
  private static final int MAX_VALUES = OffloadWire.MAX_POSITION_VALUES;

  private final PageSpool spool;
  private final PositionPageEncoder encoder;

  // The list under way.
  private int postings;
  private boolean begun; // a block of it is written
  private boolean equal;
  private int firstPage;
  private int firstSlot;

  // The block under way: it has values, unless the list has none yet.
  private final int[] values = new int[MAX_VALUES];
  private int count;
  private int firstDoc;
  private int lastDoc;
  private int rank; // of its first value
  private int nextRank; // of the next value
  private boolean apart; // the latest doc stands alone in its blocks

  private int position; // the latest of the doc

  /**
   * A writer.
   *
   * @param stamp stamp of the image
   * @param directory where a temporary file may be made
   * @param prefix how its name begins
   */
  public PositionListWriter(long stamp, Directory directory, IOContext context, String prefix) {
    spool = new PageSpool(directory, context, prefix);
    encoder = new PositionPageEncoder(stamp, spool::add);
  }

  /** Begins a list. */
  public void startList() {
    postings = 0;
    begun = false;
    equal = false;
    count = 0;
    rank = 0;
    nextRank = 0;
  }

  /**
   * Begins a posting of the list.
   *
   * @param freq positions that follow, at least 1
   */
  public void startDoc(int doc, int freq) throws IOException {
    boolean newBlock = postings % OffloadWire.BLOCK_POSTINGS == 0;
    if (count > 0 && (newBlock || apart || freq > MAX_VALUES - count)) {
      flush(0);
    }
    apart = freq > MAX_VALUES;
    if (newBlock) {
      rank = 0;
      nextRank = 0;
    }
    if (count == 0) {
      firstDoc = doc;
    }
    lastDoc = doc;
    position = -1;
    postings++;
  }

  /** Adds a position of the latest posting; positions do not descend. */
  public void add(int next) throws IOException {
    if (count == MAX_VALUES) {
      flush(0); // a part of a doc
      firstDoc = lastDoc;
    }
    values[count++] = next - Math.max(0, position);
    equal |= next == position;
    nextRank++;
    position = next;
  }

  /** Ends the list. */
  public void finishList() throws IOException {
    if (!isOnePosition()) {
      flush(OffloadWire.PositionFlag.LAST_OF_LIST);
    }
  }

  private void flush(int lastFlag) throws IOException {
    int flags = lastFlag | (begun ? 0 : OffloadWire.PositionFlag.FIRST_OF_LIST);
    encoder.addBlock(firstDoc, lastDoc, rank, values, count, flags);
    if (!begun) {
      begun = true;
      firstPage = encoder.page();
      firstSlot = encoder.slot();
    }
    rank = nextRank;
    count = 0;
  }

  /** Returns whether the list has one position: it is in no page then. */
  public boolean isOnePosition() {
    return !begun && postings == 1 && count == 1;
  }

  /** Returns the list's one position, if {@link #isOnePosition}. */
  public int position() {
    return position;
  }

  /** Returns whether any posting of the list has equal positions. */
  public boolean hasEqual() {
    return equal;
  }

  /** Returns the number of the list's first page among the position pages, from 0 on. */
  public int firstPage() {
    return firstPage;
  }

  /** Returns the number of the list's first block in that page. */
  public int firstSlot() {
    return firstSlot;
  }

  /** Returns the number of pages that hold blocks of the list. */
  public int pageCount() {
    return encoder.page() - firstPage + 1;
  }

  /**
   * Writes all pages to the image.
   *
   * @param page number in the image of the first of them
   */
  public void finish(IndexOutput out, int page) throws IOException {
    encoder.finish();
    spool.writeTo(out, page);
  }

  @Override
  public void close() throws IOException {
    spool.close();
  }
}
