/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.opensearch.query;

import java.io.IOException;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.search.FieldDoc;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.QueryCache;
import org.apache.lucene.search.QueryCachingPolicy;
import org.apache.lucene.search.ScoreDoc;
import org.apache.lucene.search.SortField;
import org.apache.lucene.search.TopDocs;
import org.apache.lucene.search.TopFieldDocs;
import org.apache.lucene.search.TotalHits;
import org.apache.lucene.util.IOSupplier;
import org.luceneoffload.PlannedSearch;
import org.luceneoffload.aggregate.AggregationResults;
import org.luceneoffload.opensearch.aggregation.ShardAggregations;
import org.luceneoffload.opensearch.report.Answered;
import org.opensearch.common.lucene.Lucene;
import org.opensearch.common.lucene.search.TopDocsAndMaxScore;
import org.opensearch.search.aggregations.InternalAggregations;
import org.opensearch.search.internal.ContextIndexSearcher;
import org.opensearch.search.internal.SearchContext;
import org.opensearch.search.query.QueryCollectorArguments;
import org.opensearch.search.query.QueryCollectorContextSpecRegistry;
import org.opensearch.search.rescore.RescoreContext;
import org.opensearch.search.sort.SortAndFormats;

/**
 * A request for hits, sorted hits or a count of one shard that the device answers as a whole. What
 * it leaves in the query result is what OpenSearch's own collectors would.
 */
final class WholeRequest {
  private static final TotalHits UNCOUNTED =
      new TotalHits(0, TotalHits.Relation.GREATER_THAN_OR_EQUAL_TO);

  private final SearchContext context;
  private final WholeSearcher searcher;
  private final ContextIndexSearcher shard;
  private final Query query;
  private final ShardOffloadQuery asked;
  private final PlannedSearch search;

  WholeRequest(SearchContext context, ContextIndexSearcher searcher, ShardOffloadQuery query) {
    this.context = context;
    this.searcher = new WholeSearcher(searcher, query.index());
    this.shard = searcher;
    this.query = query.query();
    this.asked = query;
    this.search = new PlannedSearch(this.searcher, this.query);
  }

  /**
   * Says why a request has to go through OpenSearch's collectors; null if it asks for nothing but
   * hits, counts and aggregations.
   */
  static String whyCollected(SearchContext context) {
    if (context.terminateAfter() != SearchContext.DEFAULT_TERMINATE_AFTER) {
      return "terminate_after";
    } else if (context.parsedPostFilter() != null) {
      return "post_filter";
    } else if (context.minimumScore() != null) {
      return "min_score";
    } else if (context.scrollContext() != null) {
      return "scroll";
    } else if (context.collapse() != null) {
      return "collapse";
    }
    return context.trackScores() ? "track_scores" : null;
  }

  /** Returns whether no plugin brings a collector of its own for the hits, and nobody profiles. */
  static boolean isPlain(SearchContext context, Query query) throws IOException {
    return whyCollected(context) == null
        && context.getProfilers() == null
        && QueryCollectorContextSpecRegistry.getQueryCollectorContextSpec(
                context, query, new QueryCollectorArguments.Builder().build())
            .isEmpty();
  }

  /** Returns whether hits are to be scored once more. */
  boolean isRescored() {
    return context.size() > 0 && !context.rescore().isEmpty();
  }

  /**
   * Answers the request.
   *
   * @return false if collectors have to; nothing has happened then
   */
  boolean answer() throws IOException {
    if (!context.queryCollectorManagers().isEmpty()) {
      return aggregated() && answered(Answered.AGGREGATIONS);
    }
    SortAndFormats sort = context.sort();
    if (context.size() == 0) {
      return count(this::matches) && answered(Answered.COUNT);
    }
    return hits(sort) && answered(sort == null ? Answered.HITS : Answered.SORTED_HITS);
  }

  private boolean answered(Answered way) {
    asked.setAnswered(way);
    return true;
  }

  /** Aggregates, and finds hits in a search of their own if there are to be any. */
  private boolean aggregated() throws IOException {
    ShardAggregations aggregations = ShardAggregations.of(context);
    AggregationResults found = aggregations == null ? null : aggregate(aggregations);
    if (found == null || searcher.timedOut()) {
      return false;
    }
    InternalAggregations results = aggregations.results(found);
    boolean done =
        results != null
            && (context.size() == 0
                ? count(() -> Math.toIntExact(found.matches()))
                : hits(context.sort()));
    if (done) {
      context.queryResult().aggregations(results);
    }
    return done;
  }

  private AggregationResults aggregate(ShardAggregations aggregations) throws IOException {
    try {
      return search.aggregatePlanned(aggregations.parts());
    } catch (IllegalStateException e) {
      return null; // more buckets than allowed, or doc values of another kind
    }
  }

  private boolean hits(SortAndFormats sort) throws IOException {
    return sort == null ? hits() : sorted(sort);
  }

  private boolean count(IOSupplier<Integer> counter) throws IOException {
    boolean counted = context.trackTotalHitsUpTo() != SearchContext.TRACK_TOTAL_HITS_DISABLED;
    if (!counted && context.queryCollectorManagers().isEmpty()) {
      return false;
    }
    Integer count = counter.get();
    if (count == null || searcher.timedOut()) {
      return false;
    }
    SortAndFormats sort = context.sort();
    TotalHits total = counted ? new TotalHits(count, TotalHits.Relation.EQUAL_TO) : UNCOUNTED;
    TopDocs none =
        sort == null
            ? new TopDocs(total, Lucene.EMPTY_SCORE_DOCS)
            : new TopFieldDocs(total, Lucene.EMPTY_SCORE_DOCS, sort.sort.getSort());
    context.queryResult().topDocs(new TopDocsAndMaxScore(none, Float.NaN), null);
    return true;
  }

  /**
   * Returns the number of matches. What OpenSearch's cache has is not searched for.
   *
   * @return null if the cache is to have the matches from now on: OpenSearch's search puts them
   *     there
   */
  private Integer matches() throws IOException {
    QueryCache cache = shard.getQueryCache();
    if (cache == null) {
      return search.count();
    }
    Query key = CacheProbe.key(shard, query);
    Integer known = cached(cache, key);
    if (known != null) {
      return known;
    }
    QueryCachingPolicy policy = shard.getQueryCachingPolicy();
    policy.onUse(key);
    return policy.shouldCache(key) && isToKeep(cache, key) ? null : search.count();
  }

  /** Returns the number of matches in all segments; null if the cache has not all of them. */
  private Integer cached(QueryCache cache, Query key) throws IOException {
    int all = 0;
    for (LeafReaderContext leaf : shard.getLeafContexts()) {
      int count = CacheProbe.count(cache, key, leaf);
      if (count < 0) {
        return null;
      }
      all = Math.addExact(all, count);
    }
    return all;
  }

  private boolean isToKeep(QueryCache cache, Query key) throws IOException {
    for (LeafReaderContext leaf : shard.getLeafContexts()) {
      if (CacheProbe.isToKeep(cache, key, leaf)) {
        return true;
      }
    }
    return false;
  }

  private boolean hits() throws IOException {
    TopDocs found =
        context.searchAfter() != null ? null : search.hits(null, numHits(), threshold());
    if (found == null || searcher.timedOut()) {
      return false;
    }
    ScoreDoc[] hits = found.scoreDocs;
    float maxScore = hits.length == 0 ? Float.NaN : hits[0].score;
    set(new TopDocs(total(found), unmerged(hits)), maxScore, null);
    return true;
  }

  private boolean sorted(SortAndFormats sort) throws IOException {
    FieldDoc after = context.searchAfter();
    if (after != null
        && after.fields[0] == null
        && context.trackTotalHitsUpTo() == SearchContext.TRACK_TOTAL_HITS_DISABLED) {
      return false; // OpenSearch may fail on it, and then says so
    }
    TopFieldDocs found = search.sorted(after, numHits(), sort.sort, threshold());
    if (found == null || searcher.timedOut()) {
      return false;
    }
    ScoreDoc[] hits = found.scoreDocs;
    boolean byScore = SortField.FIELD_SCORE.equals(sort.sort.getSort()[0]);
    float maxScore =
        byScore && hits.length > 0 ? (float) ((FieldDoc) hits[0]).fields[0] : Float.NaN;
    set(new TopFieldDocs(total(found), unmerged(hits), found.fields), maxScore, sort);
    return true;
  }

  private void set(TopDocs hits, float maxScore, SortAndFormats sort) {
    context
        .queryResult()
        .topDocs(new TopDocsAndMaxScore(hits, maxScore), sort == null ? null : sort.formats);
  }

  private int numHits() {
    int docs = Math.max(1, searcher.getIndexReader().numDocs());
    int wanted = Math.min(context.from() + context.size(), docs);
    for (RescoreContext rescore : context.rescore()) {
      wanted = Math.max(wanted, rescore.getWindowSize());
    }
    return wanted;
  }

  /**
   * Returns how many matches to count exactly. The coordinating node reports no more than were
   * asked for.
   */
  private int threshold() {
    int upTo = context.trackTotalHitsUpTo();
    return upTo == SearchContext.TRACK_TOTAL_HITS_DISABLED ? 1 : upTo;
  }

  private TotalHits total(TopDocs found) {
    return context.trackTotalHitsUpTo() == SearchContext.TRACK_TOTAL_HITS_DISABLED
        ? UNCOUNTED
        : found.totalHits;
  }

  /** Takes the shards' numbers off the hits: the coordinating node numbers shards itself. */
  private static ScoreDoc[] unmerged(ScoreDoc[] hits) {
    for (ScoreDoc hit : hits) {
      hit.shardIndex = -1;
    }
    return hits;
  }
}
