/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.search.compile;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.lucene.index.Term;
import org.apache.lucene.index.Terms;
import org.apache.lucene.search.BooleanClause.Occur;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.QueryVisitor;
import org.luceneoffload.codec.OffloadTerms;
import org.luceneoffload.codec.term.ReadAhead;

/**
 * Asks for what the look-ups of all terms of a query will read, in all segments, as soon as the
 * first of them has to wait: for what was never read, or for what the system has let go of since.
 * If none has to, nothing is done. For one thread.
 */
public final class TermsAhead implements ReadAhead {
  /** Terms that are asked for at most; more of them keep a drive busy one after the other, too. */
  private static final int MAX_TERMS = 256;

  private final IndexSearcher searcher;
  private final IndexedFields fields;
  private final Query query;
  private final Runnable meanwhile;
  private boolean done;
  private boolean doneAgain;

  /**
   * Makes it for the terms of a query.
   *
   * @param meanwhile run while slots are waited for that were never read
   */
  public TermsAhead(IndexSearcher searcher, IndexedFields fields, Query query, Runnable meanwhile) {
    this.searcher = searcher;
    this.fields = fields;
    this.query = query;
    this.meanwhile = meanwhile;
  }

  @Override
  public void beforeReading() throws IOException {
    if (!done) {
      done = true;
      ask(false);
    }
  }

  @Override
  public void afterWaiting() throws IOException {
    if (!doneAgain) {
      doneAgain = true;
      done = true;
      ask(true);
    }
  }

  private void ask(boolean again) throws IOException {
    List<Term> terms = terms();
    // Where an entry is, its slot tells: ask for all slots before the first one is waited for.
    for (Term term : terms) {
      for (OffloadTerms hashed : segments(term)) {
        hashed.askForSlot(term.bytes(), again);
      }
    }
    if (!again) {
      // Then all slots are there, and none wakes this thread up on its own.
      meanwhile.run();
    }
    for (Term term : terms) {
      for (OffloadTerms hashed : segments(term)) {
        hashed.askForEntry(term.bytes(), again);
      }
    }
  }

  private List<Term> terms() {
    List<Term> terms = new ArrayList<>();
    query.visit(
        new QueryVisitor() {
          @Override
          public void consumeTerms(Query leaf, Term... found) {
            for (int i = 0; i < found.length && terms.size() < MAX_TERMS; i++) {
              terms.add(found[i]);
            }
          }

          @Override
          public QueryVisitor getSubVisitor(Occur occur, Query parent) {
            return this; // terms that exclude docs are looked up, too
          }
        });
    return terms;
  }

  /** Returns the segments that look the term up by hash. */
  private List<OffloadTerms> segments(Term term) throws IOException {
    IndexedField field = fields.get(searcher, term.field());
    List<OffloadTerms> segments = new ArrayList<>();
    if (field != null && field.isHashed()) {
      for (Terms terms : field.terms()) {
        if (terms != null) {
          segments.add((OffloadTerms) terms);
        }
      }
    }
    return segments;
  }
}
