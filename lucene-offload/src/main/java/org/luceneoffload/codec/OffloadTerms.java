/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.codec;

import java.io.IOException;
import org.apache.lucene.index.FilterLeafReader;
import org.apache.lucene.index.Terms;
import org.apache.lucene.index.TermsEnum;
import org.apache.lucene.util.BytesRef;
import org.apache.lucene.util.automaton.CompiledAutomaton;
import org.luceneoffload.store.Spares;

/**
 * Terms of a field of one segment that was written with {@link Offload104PostingsFormat}: the stock
 * terms, unchanged, and the segment's image. The term states of its enums are {@link
 * OffloadTermState}.
 */
public final class OffloadTerms extends FilterLeafReader.FilterTerms {
  /** Enums kept for the next look-up: a few, since each holds some kilobytes. */
  private static final int SPARES = 4;

  private final SegmentImage image;
  private final TermHash hash; // null: the dictionary alone knows the terms
  private final TermHash.Field hashField;
  private final Spares<TermsEnum> spares = new Spares<>(SPARES);

  /** Terms {@code in} of a segment with this image. */
  public OffloadTerms(Terms in, SegmentImage image) {
    this(in, image, null, null);
  }

  /** The same; the terms are in a field of the segment's term hash too, if that is not null. */
  OffloadTerms(Terms in, SegmentImage image, TermHash hash, TermHash.Field hashField) {
    super(in);
    this.image = image;
    this.hash = hashField == null ? null : hash;
    this.hashField = hashField;
  }

  /** The image of the segment; never null, but perhaps not usable. */
  public SegmentImage image() {
    return image;
  }

  /** Whether {@link #find} can be called. */
  public boolean isHashed() {
    return hash != null;
  }

  /**
   * Finds a term by its hash, which takes a fraction of the time that an enum does; only if {@link
   * #isHashed}.
   *
   * @return a state with exact statistics that says where the device's list is, and with which no
   *     enum can be positioned; null if the field has no such term
   */
  public OffloadTermState find(BytesRef term) throws IOException {
    return hash.find(hashField, term);
  }

  /**
   * Lends an enum for exact look-ups, which makes it cheaper than a new one. Give it back with
   * {@link #giveBack} after the last use; after an exception, drop it.
   */
  public TermsEnum lendEnum() throws IOException {
    TermsEnum spare = spares.take();
    return spare != null ? spare : in.iterator();
  }

  /** Takes an enum back from {@link #lendEnum}. */
  public void giveBack(TermsEnum lent) {
    spares.put(lent);
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
