/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.codec;

import java.io.IOException;
import org.apache.lucene.index.FilterLeafReader;
import org.apache.lucene.index.TermState;
import org.apache.lucene.index.Terms;
import org.apache.lucene.index.TermsEnum;
import org.apache.lucene.store.RandomAccessInput;
import org.apache.lucene.util.BytesRef;
import org.apache.lucene.util.automaton.CompiledAutomaton;
import org.luceneoffload.codec.term.OffloadTermState;
import org.luceneoffload.codec.term.ReadAhead;
import org.luceneoffload.codec.term.TermHash;
import org.luceneoffload.codec.term.TermHashCursor;
import org.luceneoffload.util.Spares;

/**
 * Terms of a field of one segment that has device lists: the stock terms, unchanged, and the image.
 * The term states of its enums are {@link OffloadTermState} if the segment was written with {@link
 * Offload104PostingsFormat}; if the lists were imported, they are whatever the field's format
 * makes.
 */
public final class OffloadTerms extends FilterLeafReader.FilterTerms {
  /** Enums kept for the next look-up: a few, since each holds some kilobytes. */
  private static final int SPARES = 4;

  private final SegmentImage image;
  private final TermHash segmentHash; // null if the segment has none
  private final TermHash hash; // null: the dictionary alone knows the terms
  private final TermHash.Field hashField;
  private final boolean imported;
  private final boolean positioned;
  private final Spares<TermsEnum> spares = new Spares<>(SPARES);
  private final RecentLists recent = new RecentLists();
  private final GreatestFreqs greatestFreqs;

  /** Terms {@code in} of a segment with this image. */
  public OffloadTerms(Terms in, SegmentImage image) {
    this(in, image, null, null, false, false);
  }

  /**
   * The same; the terms are in a field of the segment's term hash too, if that is not null.
   *
   * @param segmentHash the segment's term hash, null if it has none
   * @param imported whether the hash alone knows where lists are, and the states of {@code in} do
   *     not
   * @param positioned whether the lists have positions
   */
  OffloadTerms(
      Terms in,
      SegmentImage image,
      TermHash segmentHash,
      TermHash.Field hashField,
      boolean imported,
      boolean positioned) {
    super(in);
    this.greatestFreqs = new GreatestFreqs(in);
    this.image = image;
    this.imported = imported;
    this.positioned = positioned;
    this.segmentHash = segmentHash;
    this.hash = hashField == null ? null : segmentHash;
    this.hashField = hashField;
  }

  /** Returns the image of the segment; never null, but perhaps not usable. */
  public SegmentImage image() {
    return image;
  }

  /** Returns whether the lists have positions; always the same for these terms. */
  public boolean isPositioned() {
    return positioned;
  }

  /** Returns what the latest queries for many terms found. */
  public RecentLists recent() {
    return recent;
  }

  /** Returns the greatest frequencies of terms. */
  public GreatestFreqs greatestFreqs() {
    return greatestFreqs;
  }

  /** Returns whether the segment was written without these lists. */
  boolean isImported() {
    return imported;
  }

  /** Returns the segment's term hash, whether the field is in it or not; null if it has none. */
  TermHash segmentHash() {
    return segmentHash;
  }

  /** Returns whether {@link #find} can be called; always the same for these terms. */
  public boolean isHashed() {
    return hash != null;
  }

  /**
   * Finds a term by its hash, which takes a fraction of the time that an enum does; only if {@link
   * #isHashed}.
   *
   * @return a state with exact statistics that says where the device's list is, and with which no
   *     enum can be positioned; null if the field has no such term. If the hash turns out to be
   *     damaged the dictionary is asked instead; where that knows of no lists the state has none,
   *     and the image is marked bad.
   */
  public OffloadTermState find(BytesRef term) throws IOException {
    return find(term, false);
  }

  /**
   * Finds a term as {@link #find(BytesRef)}, and its positions if they are wanted.
   *
   * @param positions whether the state is to say where the list's positions are, if it has any
   */
  public OffloadTermState find(BytesRef term, boolean positions) throws IOException {
    return find(term, positions, null);
  }

  /**
   * Finds a term, and tells what it is about to read.
   *
   * @param ahead told before something is read that was not read before; null: nobody is
   */
  public OffloadTermState find(BytesRef term, boolean positions, ReadAhead ahead)
      throws IOException {
    OffloadTermState found = hash.find(hashField, term, positions, ahead);
    return found == TermHash.UNKNOWN ? findInDictionary(term) : found;
  }

  /** Begins look-ups by one thread; null if they need more than memory. See {@link TermFinds}. */
  RandomAccessInput beginFinds() {
    return hash.begin();
  }

  void endFinds(RandomAccessInput bytes) {
    hash.end(bytes);
  }

  TermHashCursor begin(RandomAccessInput bytes, BytesRef term, ReadAhead ahead) {
    return hash.begin(bytes, hashField, term, ahead);
  }

  OffloadTermState find(TermHashCursor cursor, BytesRef term, boolean positions)
      throws IOException {
    OffloadTermState found = hash.find(cursor, hashField, term, positions);
    return found == TermHash.UNKNOWN ? findInDictionary(term) : found;
  }

  /**
   * Asks for the first of two parts of what {@link #find} reads; does not wait. Only if {@link
   * #isHashed}.
   *
   * @param again whether even if it was read before
   */
  public void askForSlot(BytesRef term, boolean again) {
    hash.askForSlot(hashField, term, again);
  }

  /** Asks for the second part that a look-up reads; waits for the first one. */
  public void askForEntry(BytesRef term, boolean again) {
    hash.askForEntry(hashField, term, again);
  }

  private OffloadTermState findInDictionary(BytesRef term) throws IOException {
    if (imported) {
      image.markBad("the term hash of the import: " + hash.unusableReason());
    }
    TermsEnum at = acquireEnum();
    OffloadTermState state = null;
    if (at.seekExact(term)) {
      if (!imported) {
        state = (OffloadTermState) at.termState();
      } else {
        state = new OffloadTermState();
        state.hasDeviceList = false;
        state.docFreq = at.docFreq();
        state.totalTermFreq = at.totalTermFreq();
      }
    }
    release(at);
    return state;
  }

  /**
   * Returns the state that says where a term's list is in {@link #image()}.
   *
   * @param state a state of the term, from {@link #find} or from any enum of the field
   * @param positions whether the state is to say where the list's positions are, if it has any; so
   *     does {@code state}, then, if it is from {@link #find}
   * @return {@code state} itself if it says so; null if nothing does
   */
  public OffloadTermState withList(TermState state, BytesRef term, boolean positions)
      throws IOException {
    if (state instanceof OffloadTermState ours && (!imported || ours.inner == null)) {
      return ours;
    }
    return imported && hash != null ? find(term, positions) : null;
  }

  /**
   * Acquires an enum for exact look-ups, often one that was used before. {@link #release} follows
   * the last use, but not an exception.
   */
  public TermsEnum acquireEnum() throws IOException {
    TermsEnum spare = spares.take();
    return spare != null ? spare : in.iterator();
  }

  /** Releases an enum of {@link #acquireEnum}. */
  public void release(TermsEnum at) {
    spares.put(at);
  }

  @Override
  public TermsEnum intersect(CompiledAutomaton compiled, BytesRef startTerm) throws IOException {
    return in.intersect(compiled, startTerm);
  }

  @Override
  public BytesRef getMin() throws IOException {
    return in.getMin();
  }

  @Override
  public BytesRef getMax() throws IOException {
    return in.getMax();
  }
}
