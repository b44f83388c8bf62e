/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.codec;

import java.io.IOException;
import org.apache.lucene.index.FilterLeafReader;
import org.apache.lucene.index.Terms;
import org.apache.lucene.index.TermsEnum;
import org.apache.lucene.util.BytesRef;
import org.apache.lucene.util.automaton.CompiledAutomaton;

/**
 * Terms of a field of one segment that was written with {@link Offload104PostingsFormat}: the stock
 * terms, unchanged, and the segment's image. The term states of its enums are {@link
 * OffloadTermState}.
 */
public final class OffloadTerms extends FilterLeafReader.FilterTerms {
  private final SegmentImage image;

  /** Terms {@code in} of a segment with this image. */
  public OffloadTerms(Terms in, SegmentImage image) {
    super(in);
    this.image = image;
  }

  /** The image of the segment; never null, but perhaps not usable. */
  public SegmentImage image() {
    return image;
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
