/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.search.compile;

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
import org.luceneoffload.codec.DeviceTerms;
import org.luceneoffload.codec.OffloadTerms;
import org.luceneoffload.codec.TermFinds;
import org.luceneoffload.codec.term.OffloadTermState;
import org.luceneoffload.codec.term.ReadAhead;

/**
 * The place of a term in each segment of a reader, and its statistics over all of them: what {@link
 * TermStates} holds, found by hash where the segment has one, else with enums that are used again.
 * Immutable unless it wraps states that look terms up later, which are as safe as those.
 *
 * <p>The states are for asking where a list is on the device: those found by hash cannot position
 * an enum.
 */
public final class TermLookup {
  /**
   * State of a term that a segment lacks, where stock finds that out only when the scorer is built:
   * to it, the clause is there and empty.
   */
  public static final TermState ABSENT_ON_LOOKUP =
      new TermState() {
        @Override
        public void copyFrom(TermState other) {
          throw new UnsupportedOperationException();
        }
      };

  private final TermStates stock; // null if the states are here, or only those by hash matter
  private final Term late; // to be looked up by hash before the stock states are asked, or null
  private final ReadAhead ahead; // of a term that is looked up late; may be null
  private final TermState[] states; // by segment; null if stock has them
  private final Terms[] terms; // by segment; null if stock has them
  private int docFreq;
  private long totalTermFreq;

  private TermLookup(
      TermStates stock, Term late, ReadAhead ahead, TermState[] states, Terms[] terms) {
    this.stock = stock;
    this.late = late;
    this.ahead = ahead;
    this.states = states;
    this.terms = terms;
  }

  /** Looks up what the stock states look up, when they do. */
  public static TermLookup of(TermStates stock) {
    return new TermLookup(stock, null, null, null, null);
  }

  /** Looks a term up in a segment when its state there is asked for; there are no statistics. */
  public static TermLookup late(IndexSearcher searcher, Term term) throws IOException {
    return of(TermStates.build(searcher, term, false));
  }

  /** Looks a term of a hashed field up likewise, by its hash first. */
  public static TermLookup late(
      IndexSearcher searcher, IndexedField field, Term term, ReadAhead ahead) throws IOException {
    return new TermLookup(
        TermStates.build(searcher, term, false), term, ahead, null, field.terms());
  }

  /**
   * Looks a term of a hashed field up when its state is asked for, for callers to whom it makes no
   * difference whether a segment lacks the term or the field.
   */
  public static TermLookup lateIfPresent(IndexedField field, Term term, ReadAhead ahead) {
    return new TermLookup(null, term, ahead, null, field.terms());
  }

  /**
   * Looks a term of a hashed field up in every segment, as {@link #now(IndexSearcher, Term,
   * boolean)}.
   *
   * @param ahead told before something is read that was not read before; may be null
   */
  public static TermLookup now(IndexedField field, Term term, boolean positions, ReadAhead ahead)
      throws IOException {
    if (field.terms().length > 1) {
      try (TermFinds finds = new TermFinds(field.terms(), List.of(term), ahead)) {
        return now(field, finds, 0, positions);
      }
    }
    TermLookup lookup = ofHashed(field);
    if (lookup.terms.length > 0 && lookup.terms[0] != null) {
      lookup.take(((OffloadTerms) lookup.terms[0]).find(term.bytes(), positions, ahead), 0);
    }
    return lookup;
  }

  /**
   * Looks up one of several terms of a hashed field, whose look-ups have begun.
   *
   * @param term its number among them
   */
  public static TermLookup now(IndexedField field, TermFinds finds, int term, boolean positions)
      throws IOException {
    TermLookup lookup = ofHashed(field);
    for (int i = 0; i < lookup.terms.length; i++) {
      if (lookup.terms[i] != null) {
        lookup.take(finds.find(term, i, positions), i);
      }
    }
    return lookup;
  }

  private static TermLookup ofHashed(IndexedField field) {
    return new TermLookup(null, null, null, new TermState[field.terms().length], field.terms());
  }

  /**
   * Looks a term up in every segment; a segment that lacks it has no state then.
   *
   * @param positions whether the states are to say where the lists' positions are
   */
  public static TermLookup now(IndexSearcher searcher, Term term, boolean positions)
      throws IOException {
    List<LeafReaderContext> leaves = searcher.getLeafContexts();
    TermLookup lookup =
        new TermLookup(null, null, null, new TermState[leaves.size()], new Terms[leaves.size()]);
    boolean all = true;
    for (int i = 0; i < leaves.size(); i++) {
      all &= lookup.findByHash(leaves.get(i), term, positions);
    }
    if (all) {
      return lookup;
    }
    if (leaves.size() == 1) {
      TermsEnum at = lookup.acquire(0);
      lookup.take(at, 0, at.seekExact(term.bytes()));
    } else {
      lookup.findInRest(term);
    }
    return lookup;
  }

  /** Returns whether it is decided now if the term is in the segment. */
  private boolean findByHash(LeafReaderContext context, Term term, boolean positions)
      throws IOException {
    Terms found = DeviceTerms.of(context.reader(), term.field());
    terms[context.ord] = found;
    if (found == null) {
      return true;
    }
    if (!(found instanceof OffloadTerms ours && ours.isHashed())) {
      return false;
    }
    take(ours.find(term.bytes(), positions), context.ord);
    return true;
  }

  private void take(OffloadTermState state, int ord) {
    if (state != null) {
      states[ord] = state;
      docFreq += state.docFreq;
      totalTermFreq += state.totalTermFreq;
    }
  }

  /** Asks all segments before the first has to answer, so that they read in parallel. */
  private void findInRest(Term term) throws IOException {
    TermsEnum[] enums = new TermsEnum[states.length];
    IOBooleanSupplier[] pending = new IOBooleanSupplier[states.length];
    for (int i = 0; i < states.length; i++) {
      enums[i] = acquire(i);
      if (enums[i] != null) {
        pending[i] = enums[i].prepareSeekExact(term.bytes());
      }
    }
    for (int i = 0; i < states.length; i++) {
      if (enums[i] != null) {
        take(enums[i], i, pending[i] != null && pending[i].get());
      }
    }
  }

  /** Returns an enum of the terms in a segment; null if there are none or their hash was asked. */
  private TermsEnum acquire(int ord) throws IOException {
    Terms found = terms[ord];
    if (found instanceof OffloadTerms ours) {
      return ours.isHashed() ? null : ours.acquireEnum();
    }
    return found == null ? null : found.iterator();
  }

  private void take(TermsEnum at, int ord, boolean found) throws IOException {
    if (found) {
      states[ord] = at.termState();
      docFreq += at.docFreq();
      totalTermFreq += at.totalTermFreq();
    }
    if (terms[ord] instanceof OffloadTerms ours) {
      ours.release(at);
    }
  }

  /**
   * Returns the state in a segment, {@link #ABSENT_ON_LOOKUP}, or null if stock has no supplier of
   * one.
   */
  public TermState state(LeafReaderContext context) throws IOException {
    if (states != null) {
      return states[context.ord];
    }
    if (late != null) {
      if (terms[context.ord] == null) {
        return null;
      }
      OffloadTermState state = ((OffloadTerms) terms[context.ord]).find(late.bytes(), false, ahead);
      if (state != null || stock == null) {
        return state;
      }
      // Which kind of absence it is, stock's dictionary has to say.
    }
    IOSupplier<TermState> supplier = stock.get(context);
    if (supplier == null) {
      return null;
    }
    TermState state = supplier.get();
    return state == null ? ABSENT_ON_LOOKUP : state;
  }

  /**
   * Returns the state in a segment for counting, null if the segment lacks the term. It leaves no
   * trace: states that look a term up later remember that it is missing, and what adds scores up
   * after that would add in another order than stock, which does not look there to count.
   */
  public TermState stateToCount(LeafReaderContext context, Term term) throws IOException {
    if (states != null) {
      return states[context.ord];
    }
    Terms found = terms(context, term);
    if (found == null) {
      return null;
    }
    if (found instanceof OffloadTerms ours) {
      if (ours.isHashed()) {
        return ours.find(term.bytes());
      }
      TermsEnum at = ours.acquireEnum();
      TermState state = seek(at, term);
      ours.release(at);
      return state;
    }
    return seek(found.iterator(), term);
  }

  private static TermState seek(TermsEnum at, Term term) throws IOException {
    return at.seekExact(term.bytes()) ? at.termState() : null;
  }

  /** Returns the terms of the term's field in a segment; null if the segment lacks the field. */
  public Terms terms(LeafReaderContext context, Term term) throws IOException {
    return terms != null ? terms[context.ord] : DeviceTerms.of(context.reader(), term.field());
  }

  /** Returns whether any list has equal positions in a doc, as far as the states say. */
  public boolean hasEqualPositions() {
    for (TermState state : states) {
      if (state instanceof OffloadTermState ours && ours.hasEqualPositions()) {
        return true;
      }
    }
    return false;
  }

  /** Returns whether the term has been looked up in all segments. */
  public boolean isDone() {
    return states != null;
  }

  /**
   * Returns the docs of the reader with the term; of those put off or stock's: only if made with
   * statistics.
   */
  public int docFreq() {
    return stock == null ? docFreq : stock.docFreq();
  }

  /**
   * Returns the term's occurrences in the reader; of stock states: only if made with statistics.
   */
  long totalTermFreq() {
    return stock == null ? totalTermFreq : stock.totalTermFreq();
  }
}
