/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.codec;

import java.io.IOException;
import java.util.List;
import org.apache.lucene.index.Term;
import org.apache.lucene.index.Terms;
import org.apache.lucene.store.RandomAccessInput;

/**
 * Look-ups by hash of some terms in all segments. Each takes two reads, the second where the first
 * says, and mostly waits for memory: so all first reads are begun before the first second one, and
 * these before any entry is read. For one thread.
 */
public final class TermFinds implements AutoCloseable {
  /** A look that takes so long had to wait for storage, or, which does no harm, for a processor. */
  private static final long SLOW_NANOS = 20_000;

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
    for (int term = 0; term < terms.size(); term++) {
      touchSlots(term);
    }
    for (int i = 0; i < cursors.length; i++) {
      if (cursors[i] != null) {
        ((OffloadTerms) segments[i % inputs.length])
            .touchEntry(cursors[i], terms.get(i / inputs.length).bytes());
      }
    }
  }

  /**
   * Begins to look a term up in all segments. If the first one had to wait, the others most likely
   * have to, too: a query reads the same term of all segments, so that they age together.
   */
  private void touchSlots(int term) {
    boolean timed = ahead != null && inputs.length > 1;
    for (int s = 0; s < inputs.length; s++) {
      if (inputs[s] == null) {
        continue;
      }
      long start = timed ? System.nanoTime() : 0;
      cursors[term * inputs.length + s] =
          ((OffloadTerms) segments[s]).touchSlot(inputs[s], terms.get(term).bytes(), ahead);
      if (timed && System.nanoTime() - start > SLOW_NANOS) {
        askForMore();
      }
      timed = false;
    }
  }

  private void askForMore() {
    try {
      ahead.afterWaiting();
    } catch (
        @SuppressWarnings("unused")
        IOException e) {
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
