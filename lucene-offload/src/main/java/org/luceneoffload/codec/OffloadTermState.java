/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.codec;

import org.apache.lucene.codecs.BlockTermState;
import org.apache.lucene.codecs.lucene104.Lucene104PostingsFormat.IntBlockTermState;
import org.apache.lucene.index.TermState;

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
  static final int NO_SLOT = -1;

  /** State for the stock postings reader and writer; null if the term was found by its hash. */
  final IntBlockTermState inner;

  int inlineDoc; // if there is no inner state

  int firstPage;
  int slot;
  int pageCount;
  long impacts;
  int norm = 1;
  boolean hasDeviceList;

  /**
   * While a block of terms is decoded: last page of the latest list, and slot that it begins at.
   */
  int lastPage;

  int lastSlot = NO_SLOT;

  /**
   * A state with a device list and no stock state. It says where the device's list is and counts
   * what stock counts; no enum can be positioned with it.
   */
  OffloadTermState() {
    this(null);
    hasDeviceList = true;
  }

  /** A state with no device list. */
  OffloadTermState(IntBlockTermState inner) {
    this.inner = inner;
  }

  /**
   * Returns whether the segment was written with device lists, so that the other accessors have
   * meaning. Whether they can be used now is for {@link SegmentImage#usable()} to say.
   */
  public boolean hasDeviceList() {
    return hasDeviceList;
  }

  /** Returns whether the list is the one posting in this state. */
  public boolean isInline() {
    return docFreq == 1;
  }

  /** Doc ID of the one posting, if {@link #isInline()}. */
  public int inlineDoc() {
    return inner == null ? inlineDoc : inner.singletonDocID;
  }

  /** Frequency of the one posting, if {@link #isInline()}; 1 if frequencies are not indexed. */
  public int inlineFreq() {
    return totalTermFreq <= 0 ? 1 : Math.toIntExact(totalTermFreq);
  }

  /** Norm byte (0 to 255) of the one posting, if {@link #isInline()}; 1 without norms. */
  public int inlineNorm() {
    return norm;
  }

  /** Number, in the image file, of the page that holds the list's first block. */
  public int firstPage() {
    return firstPage;
  }

  /** Number, in that page, of the list's first block. */
  public int slot() {
    return slot;
  }

  /** Pages that hold blocks of the list; 0 if {@link #isInline()}. */
  public int pageCount() {
    return pageCount;
  }

  /** Impacts word over the whole list; 0: unknown. */
  public long impacts() {
    return impacts;
  }

  /** Returns whether both states say of a list the same. */
  boolean isSameList(OffloadTermState other) {
    if (docFreq != other.docFreq || totalTermFreq != other.totalTermFreq) {
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

  /**
   * Copies the statistics, which the stock reader expects in its state before it decodes the rest.
   */
  void copyStatisticsToInner() {
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
