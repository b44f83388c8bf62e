/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.search.nested;

import java.io.IOException;
import java.util.List;
import org.apache.lucene.index.IndexReader;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.Sort;
import org.apache.lucene.search.TopFieldDocs;
import org.luceneoffload.aggregate.Aggregation;
import org.luceneoffload.aggregate.AggregationResults;
import org.luceneoffload.search.aggregate.Tallies;

/** The searches that aggregations of several passes are made of; queries are not yet rewritten. */
public interface Passes {
  /** Aggregates in one pass: plain aggregations only. */
  AggregationResults aggregate(Query query, List<Aggregation<?>> plain) throws IOException;

  /**
   * Returns whether the device answered what was aggregated last, at least in part.
   *
   * @see #aggregate
   */
  boolean wasOnDevice();

  /** Adds the matches to tallies by their doc values. */
  void tally(Query query, Tallies tallies) throws IOException;

  /** Returns the first hits of an order. */
  TopFieldDocs sorted(Query query, int n, Sort sort) throws IOException;

  /** Returns the reader that is searched. */
  IndexReader reader();

  /** Returns whether the host may do what the device could. */
  boolean hostMayAnswer();
}
