/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.codec;

import java.io.IOException;
import java.util.List;
import org.apache.lucene.index.Term;
import org.apache.lucene.index.Terms;
import org.apache.lucene.store.RandomAccessInput;
import org.apache.lucene.util.BytesRef;
import org.luceneoffload.codec.term.OffloadTermState;
import org.luceneoffload.codec.term.ReadAhead;
import org.luceneoffload.codec.term.TermHashCursor;

/**
 * Look-ups by hash of some terms in all segments. Each takes two reads, the second where the first
 * says, and mostly waits for memory: so all first reads are begun before the first second one, and
 * these before any entry is read. What leads to a read comes before all of them, since a processor
 * looks a few hundred instructions ahead of one that it waits for. For one thread.
 */
public final class TermFinds implements AutoCloseable {
  /** Looks that take so long had to wait for storage, or, which does no harm, for a processor. */
  private static final long SLOW_NANOS = 20_000;

  /** With fewer segments two looks at a clock are 2 % of a query, and less is waited for. */
  private static final int MANY_SEGMENTS = 8;

  /** What each of them takes at most if it waits for memory alone. */
  private static final long TERM_NANOS = 1_000;

  private final Terms[] segments; // OffloadTerms that are hashed, or null
  private final List<Term> terms;
  private final ReadAhead ahead;
  private final RandomAccessInput[] inputs; // by segment; null: nothing was begun there
  private final TermHashCursor[] cursors; // by term and segment

  /**
   * Begins the look-ups.
   *
   * @param segments terms of one field that are hashed, or null where a segment has none; kept
   * @param terms what to look for; kept
   * @param ahead told before something is read that was not read before; null: nobody is
   */
  public TermFinds(Terms[] segments, List<Term> terms, ReadAhead ahead) {
    this.segments = segments;
    this.terms = terms;
    this.ahead = ahead;
    this.inputs = new RandomAccessInput[segments.length];
    this.cursors = new TermHashCursor[terms.size() * segments.length];
    // Taking an input is an atomic operation, which waits for all reads before it.
    for (int s = 0; s < inputs.length; s++) {
      inputs[s] = segments[s] instanceof OffloadTerms ours ? ours.beginFinds() : null;
    }
    begin();
    touchSlots();
    for (TermHashCursor cursor : cursors) {
      if (cursor != null) {
        cursor.findEntry();
      }
    }
    for (TermHashCursor cursor : cursors) {
      if (cursor != null) {
        cursor.touchEntry();
      }
    }
  }

  /** Finds out where all of them will read first: then the reads are not far from each other. */
  private void begin() {
    for (int t = 0, i = 0; t < terms.size(); t++) {
      BytesRef term = terms.get(t).bytes();
      for (int s = 0; s < inputs.length; s++, i++) {
        if (inputs[s] != null) {
          cursors[i] = ((OffloadTerms) segments[s]).begin(inputs[s], term, ahead);
        }
      }
    }
  }

  /**
   * Begins to look all terms up, first in the first segment. If that had to wait for storage, the
   * other segments most likely have to, too: a query reads the same terms of all of them, so that
   * they age together. All terms have one clock: reading it waits for the memory that they wait
   * for.
   */
  private void touchSlots() {
    if (ahead != null && inputs.length >= MANY_SEGMENTS && inputs[0] != null) {
      long start = System.nanoTime();
      for (int i = 0; i < cursors.length; i += inputs.length) {
        cursors[i].touchSlot();
      }
      if (System.nanoTime() - start > SLOW_NANOS + terms.size() * TERM_NANOS) {
        askForMore();
      }
    }
    for (TermHashCursor cursor : cursors) {
      if (cursor != null) {
        cursor.touchSlot();
      }
    }
  }

  private void askForMore() {
    try {
      ahead.afterWaiting();
    } catch (IOException e) {
      // Whoever looks the terms up finds out, if it matters.
    }
  }

  /**
   * Finds a term in a segment that is not null, as {@link OffloadTerms#find}.
   *
   * @param term its number
   * @param positions whether the state is to say where the list's positions are
   */
  public OffloadTermState find(int term, int segment, boolean positions) throws IOException {
    OffloadTerms ours = (OffloadTerms) segments[segment];
    TermHashCursor cursor = cursors[term * segments.length + segment];
    return cursor == null
        ? ours.find(terms.get(term).bytes(), positions, ahead)
        : ours.find(cursor, terms.get(term).bytes(), positions);
  }

  /** Ends the look-ups. */
  @Override
  public void close() {
    for (int s = 0; s < inputs.length; s++) {
      if (inputs[s] != null) {
        ((OffloadTerms) segments[s]).endFinds(inputs[s]);
      }
    }
  }
}
