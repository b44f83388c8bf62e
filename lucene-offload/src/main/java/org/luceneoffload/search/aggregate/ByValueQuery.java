/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.search.aggregate;

import java.io.IOException;
import java.util.Objects;
import org.apache.lucene.index.DocValues;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.SortedNumericDocValues;
import org.apache.lucene.index.SortedSetDocValues;
import org.apache.lucene.search.ConstantScoreScorerSupplier;
import org.apache.lucene.search.ConstantScoreWeight;
import org.apache.lucene.search.DocIdSetIterator;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.QueryVisitor;
import org.apache.lucene.search.ScoreMode;
import org.apache.lucene.search.ScorerSupplier;
import org.apache.lucene.search.TwoPhaseIterator;
import org.apache.lucene.search.Weight;
import org.apache.lucene.util.BytesRef;

/** Docs with a keyword, or with a number in a range, found by a look at the values of each doc. */
final class ByValueQuery extends Query {
  /** What {@link TwoPhaseIterator#matchCost} is measured in: about as many simple operations. */
  private static final float MATCH_COST = 5;

  private final String field;
  private final BytesRef term; // null: a range
  private final long min;
  private final long max;

  ByValueQuery(String field, long min, long max) {
    this(field, null, min, max);
  }

  ByValueQuery(String field, BytesRef term) {
    this(field, term, 0, 0);
  }

  private ByValueQuery(String field, BytesRef term, long min, long max) {
    this.field = field;
    this.term = term;
    this.min = min;
    this.max = max;
  }

  @Override
  public Weight createWeight(IndexSearcher searcher, ScoreMode scoreMode, float boost) {
    return new ConstantScoreWeight(this, boost) {
      @Override
      public ScorerSupplier scorerSupplier(LeafReaderContext context) throws IOException {
        int maxDoc = context.reader().maxDoc();
        return ConstantScoreScorerSupplier.fromIterator(
            TwoPhaseIterator.asDocIdSetIterator(looking(context)), score(), scoreMode, maxDoc);
      }

      @Override
      public boolean isCacheable(LeafReaderContext context) {
        return DocValues.isCacheable(context, field);
      }
    };
  }

  /** Whether a doc, each of which is behind the one before, has a value that is looked for. */
  @FunctionalInterface
  private interface Look {
    boolean at(int doc) throws IOException;
  }

  private TwoPhaseIterator looking(LeafReaderContext context) throws IOException {
    DocIdSetIterator all = DocIdSetIterator.all(context.reader().maxDoc());
    Look look = term == null ? numbers(context) : keywords(context);
    return new TwoPhaseIterator(all) {
      @Override
      public boolean matches() throws IOException {
        return look.at(all.docID());
      }

      @Override
      public float matchCost() {
        return MATCH_COST;
      }
    };
  }

  private Look numbers(LeafReaderContext context) throws IOException {
    SortedNumericDocValues values = DocValues.getSortedNumeric(context.reader(), field);
    return doc -> {
      if (values.advanceExact(doc)) {
        for (int i = values.docValueCount(); i > 0; i--) {
          long value = values.nextValue();
          if (value >= min && value <= max) {
            return true;
          }
        }
      }
      return false;
    };
  }

  private Look keywords(LeafReaderContext context) throws IOException {
    SortedSetDocValues values = DocValues.getSortedSet(context.reader(), field);
    long ord = values.lookupTerm(term);
    return doc -> {
      if (ord >= 0 && values.advanceExact(doc)) {
        for (int i = values.docValueCount(); i > 0; i--) {
          if (values.nextOrd() == ord) {
            return true;
          }
        }
      }
      return false;
    };
  }

  @Override
  public void visit(QueryVisitor visitor) {
    if (visitor.acceptField(field)) {
      visitor.visitLeaf(this);
    }
  }

  @Override
  public String toString(String defaultField) {
    return field + ":" + (term == null ? "[" + min + " TO " + max + "]" : term) + " by value";
  }

  @Override
  public boolean equals(Object other) {
    return sameClassAs(other)
        && field.equals(((ByValueQuery) other).field)
        && Objects.equals(term, ((ByValueQuery) other).term)
        && min == ((ByValueQuery) other).min
        && max == ((ByValueQuery) other).max;
  }

  @Override
  public int hashCode() {
    return Objects.hash(classHash(), field, term, min, max);
  }
}
