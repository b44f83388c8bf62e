/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.opensearch.query;

import org.apache.lucene.search.BoostQuery;
import org.apache.lucene.search.ConstantScoreQuery;
import org.apache.lucene.search.FieldExistsQuery;
import org.apache.lucene.search.MatchAllDocsQuery;
import org.apache.lucene.search.MatchNoDocsQuery;
import org.apache.lucene.search.PointRangeQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.TermQuery;
import org.luceneoffload.config.Placement;
import org.luceneoffload.opensearch.report.Answered;
import org.luceneoffload.opensearch.report.RequestCounts;
import org.luceneoffload.opensearch.settings.IndexOffload;
import org.opensearch.index.query.ParsedQuery;
import org.opensearch.index.shard.SearchOperationListener;
import org.opensearch.search.approximate.ApproximateScoreQuery;
import org.opensearch.search.internal.SearchContext;

/**
 * Wraps the query of each search of an index for as long as its query phase takes. It gets on with
 * whatever other plugins do to searches.
 */
public final class QueryWrapper implements SearchOperationListener {
  private final IndexOffload index;
  private final RequestCounts counts;

  /**
   * A listener for the shards of an index.
   *
   * @param counts of the node
   */
  public QueryWrapper(IndexOffload index, RequestCounts counts) {
    this.index = index;
    this.counts = counts;
  }

  /**
   * What the query of a search is, and what it was parsed to. A context takes both from one object,
   * and asks for the second when it highlights.
   */
  private static final class TwoQueries extends ParsedQuery {
    private final ParsedQuery parsed;
    private Query given; // what a context is about to take for the query of its search, else null

    TwoQueries(ParsedQuery parsed) {
      super(parsed.query(), parsed);
      this.parsed = parsed;
    }

    @Override
    public Query query() {
      return given != null ? given : parsed.query();
    }

    void give(SearchContext context, Query query) {
      given = query;
      try {
        context.parsedQuery(this);
      } finally {
        given = null;
      }
    }
  }

  @Override
  public void onPreQueryPhase(SearchContext context) {
    Query query = context.query();
    if (query == null || context.parsedQuery() == null || context.hasOnlySuggest()) {
      return;
    }
    if (context.terminateAfter() != SearchContext.DEFAULT_TERMINATE_AFTER) {
      return; // the response shows which docs stock has collected by then
    }
    Query exact = exact(context, query);
    if (exact != null
        && index.placement() != Placement.NEVER
        && isWorthIt(exact)
        && !(context.size() == 0 && isCountedByStatistics(exact))) {
      set(context, new ShardOffloadQuery(exact, index, countsBySlices(context)));
    }
  }

  @Override
  public void onQueryPhase(SearchContext context, long tookInNanos) {
    counts.add(
        context.query() instanceof ShardOffloadQuery wrapped ? wrapped.answered() : Answered.STOCK);
    restore(context);
  }

  @Override
  public void onFailedQueryPhase(SearchContext context) {
    restore(context);
  }

  private static void restore(SearchContext context) {
    if (context.query() instanceof ShardOffloadQuery wrapped) {
      set(context, wrapped.query());
    }
  }

  private static void set(SearchContext context, Query query) {
    ParsedQuery parsed = context.parsedQuery();
    TwoQueries two = parsed instanceof TwoQueries before ? before : new TwoQueries(parsed);
    two.give(context, query);
  }

  /**
   * The query itself; null if OpenSearch may answer it with some of its matches, which it never
   * does for aggregations.
   */
  private static Query exact(SearchContext context, Query query) {
    if (query instanceof ApproximateScoreQuery approximate) {
      return context.aggregations() == null ? null : approximate.getOriginalQuery();
    }
    return query;
  }

  /**
   * Returns whether a query may gain by the device. OpenSearch knows shorter ways for those of
   * these kinds when it sees them, to counts and to aggregations.
   */
  private static boolean isWorthIt(Query query) {
    return !(query instanceof MatchAllDocsQuery
        || query instanceof MatchNoDocsQuery
        || query instanceof FieldExistsQuery
        || query instanceof PointRangeQuery
        || query instanceof ShardOffloadQuery);
  }

  /** Returns whether the response says if one slice of the search has seen as many as to count. */
  static boolean countsBySlices(SearchContext context) {
    return context.size() == 0
        && context.trackTotalHitsUpTo() != SearchContext.TRACK_TOTAL_HITS_ACCURATE
        && context.shouldUseConcurrentSearch();
  }

  /**
   * Returns whether OpenSearch finds the number of matches without a search where no hits are asked
   * for; the response shows that.
   */
  private static boolean isCountedByStatistics(Query query) {
    Query at = query;
    while (true) {
      if (at instanceof ConstantScoreQuery constant) {
        at = constant.getQuery();
      } else if (at instanceof BoostQuery boost) {
        at = boost.getQuery();
      } else if (at instanceof ApproximateScoreQuery approximate) {
        at = approximate.getOriginalQuery();
      } else {
        return at instanceof TermQuery
            || at instanceof MatchAllDocsQuery
            || at instanceof FieldExistsQuery;
      }
    }
  }
}
