/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.search.score;

import org.apache.lucene.index.Term;
import org.apache.lucene.search.BooleanClause.Occur;
import org.apache.lucene.search.CombinedFieldQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.QueryVisitor;
import org.apache.lucene.search.SynonymQuery;

/**
 * Tells clauses whose scores depend on which docs were looked at before: of three or more terms
 * with weights, {@link SynonymQuery} and {@link CombinedFieldQuery} add up frequencies as floats,
 * in the order in which a queue holds the terms' iterators, and that order depends on where they
 * were advanced to. Stock's own answers differ in a last bit from one collector to another then.
 * Only if all of the query runs as stock runs it are the same docs looked at.
 */
public final class UnsteadyScores {
  private static final int MIN_TERMS = 3; // the sum of two is the same in either order

  private UnsteadyScores() {}

  /** Returns whether a query has such clauses among those that are scored. */
  public static boolean areIn(Query query) {
    Visitor visitor = new Visitor();
    query.visit(visitor);
    return visitor.found;
  }

  /** Returns whether a clause of terms with such factors or weights is one. */
  static boolean areOf(float[] weights) {
    boolean weighted = false;
    for (float weight : weights) {
      weighted |= weight != 1f;
    }
    return weighted && mayBeOf(weights.length);
  }

  /** Returns whether a clause of so many terms is one if it has factors or weights. */
  static boolean mayBeOf(int terms) {
    return terms >= MIN_TERMS;
  }

  private static final class Visitor extends QueryVisitor {
    private boolean found;

    @Override
    public QueryVisitor getSubVisitor(Occur occur, Query parent) {
      return occur == Occur.FILTER || occur == Occur.MUST_NOT ? EMPTY_VISITOR : this;
    }

    @Override
    public void consumeTerms(Query query, Term... terms) {
      found |= mayBeOf(terms.length) && isWeighted(query, terms);
    }

    private static boolean isWeighted(Query query, Term[] terms) {
      // Neither class tells its weights; what equals the same without any has none.
      return switch (query) {
        case SynonymQuery synonym -> {
          SynonymQuery.Builder plain = new SynonymQuery.Builder(synonym.getField());
          synonym.getTerms().forEach(plain::addTerm);
          yield !query.equals(plain.build());
        }
        case CombinedFieldQuery combined -> {
          CombinedFieldQuery.Builder plain = new CombinedFieldQuery.Builder(terms[0].bytes());
          for (Term term : terms) {
            plain.addField(term.field());
          }
          yield !query.equals(plain.build());
        }
        default -> false;
      };
    }
  }
}
