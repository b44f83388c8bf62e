/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.codec;

import java.io.IOException;
import org.apache.lucene.index.PostingsEnum;
import org.apache.lucene.index.TermsEnum;
import org.apache.lucene.util.BytesRef;
import org.luceneoffload.codec.term.OffloadTermState;

/**
 * Says where the lists of many terms are, one after the other, without a copy of each term's state.
 * No enum shows its state but by a copy; but an enum hands it, and postings that may be used again,
 * to the postings reader. This passes as such postings, and {@link OffloadPostingsReader} shows it
 * the state. For one thread.
 */
public final class ListPeek extends PostingsEnum {
  private final OffloadTerms terms;
  private boolean works; // as far as is known
  private OffloadTermState shown;

  /**
   * @param terms of which the enums are
   */
  public ListPeek(OffloadTerms terms) {
    this.terms = terms;
    this.works = !terms.isImported();
  }

  /**
   * Returns the state that says where a term's list is, as {@link OffloadTerms#withList}.
   *
   * @param at stands at the term
   * @return only to be used until the enum moves; null if nothing says so
   */
  public OffloadTermState of(TermsEnum at, BytesRef term) throws IOException {
    if (works) {
      shown = null;
      works = at.postings(this, NONE) == this && shown != null;
      if (works) {
        return shown;
      }
    }
    return terms.withList(at.termState(), term, false);
  }

  /** Takes the state of the term that an enum stands at. */
  void show(OffloadTermState state) {
    shown = state;
  }

  // There are no postings here.

  @Override
  public int docID() {
    return NO_MORE_DOCS;
  }

  @Override
  public int nextDoc() {
    return NO_MORE_DOCS;
  }

  @Override
  public int advance(int target) {
    return NO_MORE_DOCS;
  }

  @Override
  public long cost() {
    return 0;
  }

  @Override
  public int freq() {
    throw new UnsupportedOperationException();
  }

  @Override
  public int nextPosition() {
    throw new UnsupportedOperationException();
  }

  @Override
  public int startOffset() {
    throw new UnsupportedOperationException();
  }

  @Override
  public int endOffset() {
    throw new UnsupportedOperationException();
  }

  @Override
  public BytesRef getPayload() {
    throw new UnsupportedOperationException();
  }
}
