/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.codec.term;

import org.apache.lucene.codecs.BlockTermState;
import org.apache.lucene.codecs.lucene104.Lucene104PostingsFormat.IntBlockTermState;
import org.apache.lucene.index.TermState;
import org.luceneoffload.wire.OffloadWire;

/**
 * State of a term in one segment: the stock state, and where the term's posting list is on the
 * device.
 *
 * <p>A term with one posting has no list in posting pages: doc ID, frequency and norm byte are in
 * this state ({@link #isInline()}). For every other term {@link #firstPage()} and {@link #slot()}
 * name the list's first block.
 */
public final class OffloadTermState extends BlockTermState {
  /** Number before that of the first slot: the next list's slot is not implied by this one. */
  public static final int NO_SLOT = -1;

  /** State for the stock postings reader and writer; null if the term was found by its hash. */
  public final IntBlockTermState inner;

  public int inlineDoc; // if there is no inner state

  public int firstPage;
  public int slot;
  public int pageCount;
  public long impacts;
  public int norm = 1;
  public boolean hasDeviceList;

  /** Whether the list has positions, and what follows is where they are. */
  public boolean hasPositions;

  public int positionPage; // counted from the image's first page that holds positions
  public int positionSlot;
  public int positionPageCount;
  public boolean hasEqualPositions;
  public int position; // of a list that hasOnePosition

  /**
   * While a block of terms is decoded: last page of the latest list, and slot that it begins at.
   */
  public int lastPage;

  public int lastSlot = NO_SLOT;
  public int lastPositionPage;
  public int lastPositionSlot = NO_SLOT;

  /**
   * A state with a device list and no stock state. It says where the device's list is and counts
   * what stock counts; no enum can be positioned with it.
   */
  public OffloadTermState() {
    this(null);
    hasDeviceList = true;
  }

  /** A state with no device list. */
  public OffloadTermState(IntBlockTermState inner) {
    this.inner = inner;
  }

  /**
   * Returns whether the segment was written with device lists, so that the other accessors have
   * meaning. Whether they can be used now is for {@link
   * org.luceneoffload.codec.SegmentImage#usable()} to say.
   */
  public boolean hasDeviceList() {
    return hasDeviceList;
  }

  /** Returns whether the list is the one posting in this state. */
  public boolean isInline() {
    return docFreq == 1;
  }

  /** Returns the doc ID of the one posting, if {@link #isInline()}. */
  public int inlineDoc() {
    return inner == null ? inlineDoc : inner.singletonDocID;
  }

  /**
   * Returns the frequency of the one posting, if {@link #isInline()}; 1 if frequencies are not
   * indexed.
   */
  public int inlineFreq() {
    return totalTermFreq <= 0 ? 1 : Math.toIntExact(totalTermFreq);
  }

  /**
   * Returns the norm byte (0 to 255) of the one posting, if {@link #isInline()}; 1 without norms.
   */
  public int inlineNorm() {
    return norm;
  }

  /** Returns the number, in the image file, of the page that holds the list's first block. */
  public int firstPage() {
    return firstPage;
  }

  /** Returns the number, in that page, of the list's first block. */
  public int slot() {
    return slot;
  }

  /** Returns the number of pages that hold blocks of the list; 0 if {@link #isInline()}. */
  public int pageCount() {
    return pageCount;
  }

  /** Returns the impacts word over the whole list; 0: unknown. */
  public long impacts() {
    return impacts;
  }

  /** Returns whether the list has positions on the device, so that what follows has meaning. */
  public boolean hasPositions() {
    return hasPositions;
  }

  /** Returns whether the list has a single position, which is in this state. */
  public boolean hasOnePosition() {
    return docFreq == 1 && totalTermFreq == 1;
  }

  /** Returns whether the positions may take several blocks. */
  public boolean hasPositionBlocks() {
    return docFreq > OffloadWire.BLOCK_POSTINGS || totalTermFreq > OffloadWire.MAX_POSITION_VALUES;
  }

  /** Returns the one position, if {@link #hasOnePosition}. */
  public int onePosition() {
    return position;
  }

  /**
   * Returns the number of the page that holds the first position block, counted from the image's
   * first page that holds positions.
   */
  public int positionPage() {
    return positionPage;
  }

  /** Returns the number, in that page, of the first position block. */
  public int positionSlot() {
    return positionSlot;
  }

  /** Returns the number of pages that hold position blocks; 0 if {@link #hasOnePosition}. */
  public int positionPageCount() {
    return hasOnePosition() ? 0 : positionPageCount;
  }

  /** Returns whether two positions of a document may be equal. */
  public boolean hasEqualPositions() {
    return !hasOnePosition() && hasEqualPositions;
  }

  /** Returns whether both states say of a list the same. */
  public boolean isSameList(OffloadTermState other) {
    if (docFreq != other.docFreq
        || totalTermFreq != other.totalTermFreq
        || hasPositions != other.hasPositions
        || (hasPositions && !hasSamePositions(other))) {
      return false;
    }
    return isInline()
        ? inlineDoc() == other.inlineDoc()
            && inlineFreq() == other.inlineFreq()
            && norm == other.norm
        : firstPage == other.firstPage
            && slot == other.slot
            && pageCount == other.pageCount
            && impacts == other.impacts;
  }

  private boolean hasSamePositions(OffloadTermState other) {
    return hasOnePosition()
        ? position == other.position
        : positionPage == other.positionPage
            && positionSlot == other.positionSlot
            && hasEqualPositions == other.hasEqualPositions
            && positionPageCount == other.positionPageCount;
  }

  /**
   * Copies the statistics, which the stock reader expects in its state before it decodes the rest.
   */
  public void copyStatisticsToInner() {
    inner.docFreq = docFreq;
    inner.totalTermFreq = totalTermFreq;
  }

  @Override
  public OffloadTermState clone() {
    OffloadTermState other = new OffloadTermState(new IntBlockTermState());
    other.copyFrom(this);
    return other;
  }

  @Override
  public void copyFrom(TermState source) {
    OffloadTermState other = (OffloadTermState) source;
    if (other.inner == null || inner == null) {
      throw new UnsupportedOperationException("a state found by hash has no stock state");
    }
    super.copyFrom(source);
    inner.copyFrom(other.inner);
    firstPage = other.firstPage;
    slot = other.slot;
    pageCount = other.pageCount;
    impacts = other.impacts;
    norm = other.norm;
    hasDeviceList = other.hasDeviceList;
    lastPage = other.lastPage;
    lastSlot = other.lastSlot;
    hasPositions = other.hasPositions;
    positionPage = other.positionPage;
    positionSlot = other.positionSlot;
    positionPageCount = other.positionPageCount;
    hasEqualPositions = other.hasEqualPositions;
    position = other.position;
    lastPositionPage = other.lastPositionPage;
    lastPositionSlot = other.lastPositionSlot;
  }

  @Override
  public String toString() {
    return (inner == null ? super.toString() : inner.toString())
        + " firstPage="
        + firstPage
        + " slot="
        + slot
        + " pageCount="
        + pageCount;
  }
}
