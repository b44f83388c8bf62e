/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.search.compile;

import java.io.IOException;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.search.IndexOrDocValuesQuery;
import org.apache.lucene.search.IndexSortSortedNumericDocValuesRangeQuery;
import org.apache.lucene.search.PointInSetQuery;
import org.apache.lucene.search.PointRangeQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.ScorerSupplier;
import org.apache.lucene.util.IOFunction;

/**
 * The points by which stock finds the docs of a clause, if those are fewer than it would look at.
 */
public final class PointFilter {
  private final long values;
  private final IOFunction<LeafReaderContext, ScorerSupplier> suppliers;

  private PointFilter(long values, IOFunction<LeafReaderContext, ScorerSupplier> suppliers) {
    this.values = values;
    this.suppliers = suppliers;
  }

  /** Returns the points of a clause; null if stock has doc values alone. */
  static PointFilter of(Query query, IOFunction<LeafReaderContext, ScorerSupplier> suppliers) {
    return switch (query) {
      case IndexSortSortedNumericDocValuesRangeQuery sorted ->
          of(sorted.getFallbackQuery(), suppliers);
      case IndexOrDocValuesQuery either ->
          switch (either.getIndexQuery()) {
            case PointInSetQuery set -> new PointFilter(set.getPackedPoints().size(), suppliers);
            case PointRangeQuery range -> new PointFilter(0, suppliers);
            default -> null;
          };
      default -> null;
    };
  }

  /** Returns whether the clause asks for single values. */
  public boolean isSet() {
    return values > 0;
  }

  /** Returns how many values a set has. */
  public long values() {
    return values;
  }

  /**
   * Returns about how many docs of a segment stock finds. It looks for each value of a set in the
   * upper levels of a tree.
   */
  public long cost(LeafReaderContext context) throws IOException {
    ScorerSupplier supplier = suppliers.apply(context);
    return supplier == null ? 0 : supplier.cost();
  }
}
