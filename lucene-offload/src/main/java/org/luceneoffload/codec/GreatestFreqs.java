/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.codec;

import java.io.IOException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.lucene.index.FreqAndNormBuffer;
import org.apache.lucene.index.Impacts;
import org.apache.lucene.index.ImpactsEnum;
import org.apache.lucene.index.PostingsEnum;
import org.apache.lucene.index.Terms;
import org.apache.lucene.index.TermsEnum;
import org.apache.lucene.search.DocIdSetIterator;
import org.apache.lucene.util.BytesRef;

/**
 * The greatest frequencies of terms of a field in a segment, which never change. They are read from
 * stock's impacts, since device lists keep only small ones, and are kept for the terms that were
 * asked for last. Safe for use by several threads at once.
 */
public final class GreatestFreqs {
  /** Terms take about 100 bytes each. */
  private static final int MAX_TERMS = 1 << 15;

  private final Terms terms;
  private final Map<BytesRef, Integer> known = new ConcurrentHashMap<>();

  GreatestFreqs(Terms terms) {
    this.terms = terms;
  }

  /** Returns the greatest frequency of a term; 0 if the field has no such term. */
  public int of(BytesRef term) throws IOException {
    Integer greatest = known.get(term);
    if (greatest == null) {
      TermsEnum at = terms.iterator();
      greatest = at.seekExact(term) ? read(at) : 0;
      if (known.size() >= MAX_TERMS) {
        known.clear();
      }
      known.put(BytesRef.deepCopyOf(term), greatest);
    }
    return greatest;
  }

  private static int read(TermsEnum at) throws IOException {
    ImpactsEnum postings = at.impacts(PostingsEnum.FREQS);
    int greatest = 0;
    for (int doc = 0; doc != DocIdSetIterator.NO_MORE_DOCS; ) {
      postings.advanceShallow(doc);
      Impacts impacts = postings.getImpacts();
      int level = impacts.numLevels() - 1;
      int most = 0;
      FreqAndNormBuffer pairs = impacts.getImpacts(level);
      for (int i = 0; i < pairs.size; i++) {
        most = Math.max(most, pairs.freqs[i]);
      }
      if (most == Integer.MAX_VALUE) { // unknown, as it is of the last block
        return Math.max(greatest, readFrom(postings, doc));
      }
      greatest = Math.max(greatest, most);
      int last = impacts.getDocIdUpTo(level);
      doc = last == DocIdSetIterator.NO_MORE_DOCS ? last : last + 1;
    }
    return greatest;
  }

  private static int readFrom(PostingsEnum postings, int doc) throws IOException {
    int greatest = 0;
    for (int at = postings.advance(doc);
        at != DocIdSetIterator.NO_MORE_DOCS;
        at = postings.nextDoc()) {
      greatest = Math.max(greatest, postings.freq());
    }
    return greatest;
  }
}
