/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.opensearch.query;

import java.io.IOException;
import org.apache.lucene.search.FieldDoc;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.ScoreDoc;
import org.apache.lucene.search.SortField;
import org.apache.lucene.search.TopDocs;
import org.apache.lucene.search.TopFieldDocs;
import org.apache.lucene.search.TotalHits;
import org.luceneoffload.PlannedSearch;
import org.opensearch.common.lucene.Lucene;
import org.opensearch.common.lucene.search.TopDocsAndMaxScore;
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
  private final PlannedSearch search;

  WholeRequest(SearchContext context, ContextIndexSearcher searcher, ShardOffloadQuery query) {
    this.context = context;
    this.searcher = new WholeSearcher(searcher, query.index());
    this.search = new PlannedSearch(this.searcher, query.query());
  }

  /** Returns whether a request without further collectors asks for nothing but hits and counts. */
  static boolean isPlain(SearchContext context, Query query) throws IOException {
    return context.scrollContext() == null
        && context.collapse() == null
        && context.getProfilers() == null
        && !context.trackScores()
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
    SortAndFormats sort = context.sort();
    if (context.size() == 0) {
      return count(sort);
    }
    return sort == null ? hits() : sorted(sort);
  }

  private boolean count(SortAndFormats sort) throws IOException {
    if (context.trackTotalHitsUpTo() == SearchContext.TRACK_TOTAL_HITS_DISABLED
        || QueryWrapper.countsBySlices(context)) {
      return false;
    }
    Integer count = search.count();
    if (count == null || searcher.timedOut()) {
      return false;
    }
    TotalHits total = new TotalHits(count, TotalHits.Relation.EQUAL_TO);
    TopDocs none =
        sort == null
            ? new TopDocs(total, Lucene.EMPTY_SCORE_DOCS)
            : new TopFieldDocs(total, Lucene.EMPTY_SCORE_DOCS, sort.sort.getSort());
    context.queryResult().topDocs(new TopDocsAndMaxScore(none, Float.NaN), null);
    return true;
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
    TopFieldDocs found = search.sorted(context.searchAfter(), numHits(), sort.sort, threshold());
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

  /** Matches to count exactly. The coordinating node reports no more than were asked for. */
  private int threshold() {
    int upTo = context.trackTotalHitsUpTo();
    return upTo == SearchContext.TRACK_TOTAL_HITS_DISABLED ? 1 : upTo;
  }

  private TotalHits total(TopDocs found) {
    return context.trackTotalHitsUpTo() == SearchContext.TRACK_TOTAL_HITS_DISABLED
        ? UNCOUNTED
        : found.totalHits;
  }

  /** The coordinating node numbers shards, and wants hits that have none yet. */
  private static ScoreDoc[] unmerged(ScoreDoc[] hits) {
    for (ScoreDoc hit : hits) {
      hit.shardIndex = -1;
    }
    return hits;
  }
}
