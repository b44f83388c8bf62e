/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.opensearch.query;

import java.io.IOException;
import java.util.Locale;
import org.apache.logging.log4j.Level;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;
import org.apache.lucene.search.FieldExistsQuery;
import org.apache.lucene.search.MatchAllDocsQuery;
import org.apache.lucene.search.MatchNoDocsQuery;
import org.apache.lucene.search.PointRangeQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.TermQuery;
import org.luceneoffload.config.Placement;
import org.luceneoffload.opensearch.report.Answered;
import org.luceneoffload.opensearch.report.RequestCounts;
import org.luceneoffload.opensearch.settings.Images;
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
  private static final Logger LOG = LogManager.getLogger(QueryWrapper.class);

  private final IndexOffload index;
  private final RequestCounts counts;
  private final SlowLogHint slowLog;
  private final boolean wholeRequests;

  /**
   * A listener for the shards of an index.
   *
   * @param counts of the node
   * @param slowLog of the index
   * @param wholeRequests whether requests come to {@link OffloadQueryPhase}, too
   */
  public QueryWrapper(
      IndexOffload index, RequestCounts counts, SlowLogHint slowLog, boolean wholeRequests) {
    this.index = index;
    this.counts = counts;
    this.slowLog = slowLog;
    this.wholeRequests = wholeRequests;
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
    String why = whyStock(context, query);
    ShardOffloadQuery wrapped = why == null ? new ShardOffloadQuery(exact(query), index) : null;
    if (context.getProfilers() != null) {
      profile(context, wrapped, why);
    }
    if (wrapped != null) {
      set(context, wrapped);
    }
  }

  private static void profile(SearchContext context, ShardOffloadQuery wrapped, String why) {
    try {
      if (wrapped != null) {
        OffloadNote.offloaded(context, wrapped);
      } else {
        OffloadNote.stock(context, why);
      }
    } catch (IOException e) {
      // The search goes on, and meets the trouble itself.
      LOG.warn("no note on offload in the profile: {}", e.toString());
    }
  }

  @Override
  public void onQueryPhase(SearchContext context, long tookInNanos) {
    Answered answered =
        context.query() instanceof ShardOffloadQuery wrapped ? wrapped.answered() : Answered.STOCK;
    counts.add(answered);
    restore(context);
    Level slow = slowLog.level(tookInNanos);
    if (slow != null && context.query() != null) {
      SlowLogHint.log(slow, context, tookInNanos, hint(context, answered));
    }
  }

  /** Returns what the device did for a search, or why it did nothing. */
  private String hint(SearchContext context, Answered answered) {
    if (answered == Answered.STOCK) {
      String why = whyStock(context, context.query());
      return "stock: " + (why == null ? "OpenSearch counts the matches by statistics" : why);
    } else if (answered == Answered.COLLECTORS) {
      String why = WholeRequest.whyCollected(context);
      return "OpenSearch collects what the device finds, because of "
          + (why != null ? why : context.aggregations() != null ? "aggregations" : "the query")
          + "; profile says more";
    }
    return "device: " + answered.name().toLowerCase(Locale.ROOT);
  }

  @Override
  public void onFailedQueryPhase(SearchContext context) {
    restore(context);
  }

  /** Gives the search its own query back. */
  static void restore(SearchContext context) {
    if (context.query() instanceof ShardOffloadQuery wrapped) {
      set(context, wrapped.query());
    }
  }

  /** Gives the search a query, for the rest of its query phase. */
  static void set(SearchContext context, Query query) {
    ParsedQuery parsed = context.parsedQuery();
    TwoQueries two = parsed instanceof TwoQueries before ? before : new TwoQueries(parsed);
    two.give(context, query);
  }

  /** Says why a search is not for the device; null if it is. */
  private String whyStock(SearchContext context, Query query) {
    if (context.terminateAfter() != SearchContext.DEFAULT_TERMINATE_AFTER) {
      return "the response shows which matches were seen: terminate_after";
    } else if (query instanceof ApproximateScoreQuery && context.aggregations() == null) {
      return "OpenSearch may look for some of the matches only";
    } else if (index.images() == Images.NONE) {
      return "index.offload.images is none";
    } else if (index.placement() == Placement.NEVER) {
      return "index.offload.placement is never";
    } else if (!isWorthIt(exact(query))) {
      return "OpenSearch has shorter ways for " + exact(query).getClass().getSimpleName();
    } else if (context.size() == 0
        && isCountedByStatistics(query)
        && !(wholeRequests
            && context.aggregations() != null
            && counted(query) instanceof TermQuery)) {
      return "OpenSearch counts the matches by statistics";
    }
    return null;
  }

  /** Unwraps a query that OpenSearch never approximates for aggregations. */
  private static Query exact(Query query) {
    return query instanceof ApproximateScoreQuery approximate
        ? approximate.getOriginalQuery()
        : query;
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

  /**
   * Returns whether OpenSearch finds the number of matches without a search where no hits are asked
   * for.
   */
  static boolean isCountedByStatistics(Query query) {
    Query counted = counted(query);
    return counted instanceof TermQuery
        || counted instanceof MatchAllDocsQuery
        || counted instanceof FieldExistsQuery;
  }

  /** Returns the query without what does not change its matches. */
  private static Query counted(Query query) {
    Query at = CacheProbe.unwrapped(query);
    while (at instanceof ApproximateScoreQuery approximate) {
      at = CacheProbe.unwrapped(approximate.getOriginalQuery());
    }
    return at;
  }
}
