/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.fuzz;

import java.io.IOException;
import java.util.function.Supplier;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.Query;

/**
 * One searcher and the query that it is asked.
 *
 * @param searcher the searcher
 * @param fresh makes another one that is set up the same way
 * @param query the query
 * @param partitioned whether searchers cut segments into partitions
 * @param exact the whole answer
 */
record Asked(
    IndexSearcher searcher,
    Supplier<IndexSearcher> fresh,
    Query query,
    boolean partitioned,
    Exact exact) {

  /** Every hit of the query as stock Lucene has it; found when it is first needed. */
  static final class Exact {
    private final IndexSearcher stock;
    private final Query query;
    private AllHits.Hits hits;

    Exact(IndexSearcher stock, Query query) {
      this.stock = stock;
      this.query = query;
    }

    AllHits.Hits hits() throws IOException {
      if (hits == null) {
        hits = stock.search(query, new AllHits(true, AllHits.Reading.EACH, Integer.MAX_VALUE));
      }
      return hits;
    }

    int count() throws IOException {
      return hits().size();
    }
  }
}
