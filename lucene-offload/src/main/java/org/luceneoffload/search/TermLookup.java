/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.search;

import java.io.IOException;
import java.util.List;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.Term;
import org.apache.lucene.index.TermState;
import org.apache.lucene.index.TermStates;
import org.apache.lucene.index.Terms;
import org.apache.lucene.index.TermsEnum;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.util.IOBooleanSupplier;
import org.apache.lucene.util.IOSupplier;
import org.luceneoffload.codec.OffloadTerms;

/**
 * Where a term is in each segment of a reader, and its statistics over all of them: what {@link
 * TermStates} holds, found with enums that are used again. Immutable unless it wraps states that
 * look terms up later, which are as safe as those.
 */
final class TermLookup {
  /**
   * State of a term that a segment lacks, where stock finds that out only when the scorer is built:
   * to it, the clause is there and empty.
   */
  static final TermState FOUND_MISSING =
      new TermState() {
        @Override
        public void copyFrom(TermState other) {
          throw new UnsupportedOperationException();
        }
      };

  private final TermStates stock; // null if the states are here
  private final TermState[] states;
  private int docFreq;
  private long totalTermFreq;

  private TermLookup(TermStates stock, TermState[] states) {
    this.stock = stock;
    this.states = states;
  }

  /** Looks up what the stock states look up, when they do. */
  static TermLookup of(TermStates stock) {
    return new TermLookup(stock, null);
  }

  /** Looks a term up in every segment; a segment that lacks it has no state then. */
  static TermLookup now(IndexSearcher searcher, Term term) throws IOException {
    List<LeafReaderContext> leaves = searcher.getLeafContexts();
    TermLookup lookup = new TermLookup(null, new TermState[leaves.size()]);
    if (leaves.size() == 1) {
      Terms terms = leaves.get(0).reader().terms(term.field());
      if (terms != null) {
        TermsEnum found = lend(terms);
        lookup.take(terms, found, 0, found.seekExact(term.bytes()));
      }
    } else {
      lookup.findInAll(leaves, term);
    }
    return lookup;
  }

  /** All segments are asked for before the first has to answer, so that they read in parallel. */
  private void findInAll(List<LeafReaderContext> leaves, Term term) throws IOException {
    Terms[] terms = new Terms[states.length];
    TermsEnum[] enums = new TermsEnum[states.length];
    IOBooleanSupplier[] pending = new IOBooleanSupplier[states.length];
    for (int i = 0; i < states.length; i++) {
      terms[i] = leaves.get(i).reader().terms(term.field());
      if (terms[i] != null) {
        enums[i] = lend(terms[i]);
        pending[i] = enums[i].prepareSeekExact(term.bytes());
      }
    }
    for (int i = 0; i < states.length; i++) {
      if (terms[i] != null) {
        take(terms[i], enums[i], i, pending[i] != null && pending[i].get());
      }
    }
  }

  private static TermsEnum lend(Terms terms) throws IOException {
    return terms instanceof OffloadTerms ours ? ours.lendEnum() : terms.iterator();
  }

  private void take(Terms terms, TermsEnum at, int ord, boolean found) throws IOException {
    if (found) {
      states[ord] = at.termState();
      docFreq += at.docFreq();
      totalTermFreq += at.totalTermFreq();
    }
    if (terms instanceof OffloadTerms ours) {
      ours.giveBack(at);
    }
  }

  /** The state in a segment, {@link #FOUND_MISSING}, or null if stock has no supplier of one. */
  TermState state(LeafReaderContext context) throws IOException {
    if (stock == null) {
      return states[context.ord];
    }
    IOSupplier<TermState> supplier = stock.get(context);
    if (supplier == null) {
      return null;
    }
    TermState state = supplier.get();
    return state == null ? FOUND_MISSING : state;
  }

  /** Docs of the reader with the term; of stock states: only if made with statistics. */
  int docFreq() {
    return stock == null ? docFreq : stock.docFreq();
  }

  /** Occurrences in the reader of the term; of stock states: only if made with statistics. */
  long totalTermFreq() {
    return stock == null ? totalTermFreq : stock.totalTermFreq();
  }
}
