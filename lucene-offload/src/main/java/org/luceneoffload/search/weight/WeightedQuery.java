/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.search.weight;

import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.QueryVisitor;
import org.apache.lucene.search.ScoreMode;
import org.apache.lucene.search.Weight;

/** A clause whose weight is made already, for one search. */
public final class WeightedQuery extends Query {
  private final Weight weight;

  /** Makes a clause of its weight, of the score mode and boost that it will be asked for. */
  public WeightedQuery(Weight weight) {
    this.weight = weight;
  }

  /** Returns the weight. */
  public Weight weight() {
    return weight;
  }

  @Override
  public Weight createWeight(IndexSearcher searcher, ScoreMode scoreMode, float boost) {
    return weight;
  }

  @Override
  public void visit(QueryVisitor visitor) {
    weight.getQuery().visit(visitor);
  }

  @Override
  public boolean equals(Object other) {
    return sameClassAs(other) && weight == ((WeightedQuery) other).weight;
  }

  @Override
  public int hashCode() {
    return 31 * classHash() + System.identityHashCode(weight);
  }

  @Override
  public String toString(String field) {
    return weight.getQuery().toString(field);
  }
}
