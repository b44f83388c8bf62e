/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.opensearch.query;

import java.io.IOException;
import java.util.LinkedList;
import org.apache.lucene.search.Query;
import org.opensearch.search.internal.ContextIndexSearcher;
import org.opensearch.search.internal.SearchContext;
import org.opensearch.search.query.QueryCollectorContext;
import org.opensearch.search.query.QueryPhaseSearcherWrapper;

/** Hands requests to the device that it can answer as a whole; the others go their usual way. */
public final class OffloadQueryPhase extends QueryPhaseSearcherWrapper {
  @Override
  public boolean searchWith(
      SearchContext context,
      ContextIndexSearcher searcher,
      Query query,
      LinkedList<QueryCollectorContext> collectors,
      boolean hasFilterCollector,
      boolean hasTimeout)
      throws IOException {
    if (query instanceof ShardOffloadQuery wrapped
        && !hasFilterCollector
        && !hasTimeout
        && WholeRequest.isPlain(context, query)) {
      WholeRequest request = new WholeRequest(context, searcher, wrapped);
      if (request.answer()) {
        return request.isRescored();
      }
    }
    Query collected = forCollectors(context, query);
    return super.searchWith(
        context, searcher, collected, collectors, hasFilterCollector, hasTimeout);
  }

  /**
   * Returns the query that is collected. OpenSearch counts by statistics if it sees the query: it
   * looks at the context's as well.
   */
  private static Query forCollectors(SearchContext context, Query query) {
    if (query instanceof ShardOffloadQuery wrapped
        && context.size() == 0
        && QueryWrapper.isCountedByStatistics(wrapped.query())) {
      QueryWrapper.restore(context);
      return wrapped.query();
    }
    return query;
  }
}
