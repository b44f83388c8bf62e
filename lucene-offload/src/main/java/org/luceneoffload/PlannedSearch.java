/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.lucene.search.CollectorManager;
import org.apache.lucene.search.ConstantScoreQuery;
import org.apache.lucene.search.FieldDoc;
import org.apache.lucene.search.MultiCollectorManager;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.ScoreDoc;
import org.apache.lucene.search.Sort;
import org.apache.lucene.search.TopDocs;
import org.apache.lucene.search.TopFieldDocs;
import org.apache.lucene.search.TotalHits;
import org.luceneoffload.aggregate.Aggregation;
import org.luceneoffload.aggregate.AggregationResults;
import org.luceneoffload.search.ManagerRequest;
import org.luceneoffload.search.PreparedQuery;
import org.luceneoffload.search.QueryOffloader;
import org.luceneoffload.search.aggregate.Tallies;
import org.luceneoffload.search.compile.FlatRewrite;
import org.luceneoffload.search.run.HostAggregation;

/**
 * A search that plans answer as a whole, without a collector. What it is asked for is null if a
 * collector has to find it after all: for applications that then collect in a way of their own. For
 * one thread.
 *
 * <p>If {@link OffloadIndexSearcher#timedOut()} after it, the answer is about a part of the index.
 */
public final class PlannedSearch {
  /** Hits that a search with a timeout gets in one go. */
  private static final int MAX_HITS_AT_ONCE = 1000;

  final OffloadIndexSearcher searcher;
  private final Query query;
  private Query scored;
  private Query unscored;
  final PreparedQuery prepared = new PreparedQuery();

  /**
   * Takes a query, not yet rewritten.
   *
   * @param searcher what searches the index
   * @param query what the documents have to match
   */
  public PlannedSearch(OffloadIndexSearcher searcher, Query query) {
    this.searcher = searcher;
    this.query = query;
  }

  private Query scored() throws IOException {
    if (scored == null) {
      scored = searcher.rewrite(query);
      prepared.setRewritten(scored);
    }
    return scored;
  }

  private Query unscored() throws IOException {
    if (unscored == null) {
      unscored = searcher.rewrite(new ConstantScoreQuery(query));
    }
    return unscored;
  }

  /** Returns the query for a collector that may want scores: rewritten, if it has been. */
  Query query() {
    return scored != null ? scored : query;
  }

  /** Returns the offloading side, if the k best hits need no collector; else null. */
  private QueryOffloader forHits(int k) {
    QueryOffloader active = searcher.active();
    // As many hits as that take their time: a timeout is to leave those that were found by then.
    boolean inParts = k > MAX_HITS_AT_ONCE && searcher.getTimeout() != null;
    boolean forCollector =
        inParts || searcher.overrides.search() || searcher.getLeafContexts().isEmpty() || k < 1;
    return forCollector ? null : active;
  }

  /**
   * Returns the best hits.
   *
   * @param after hits have to come after this one; null for the first ones
   * @param numHits hits wanted
   * @param threshold matches to count exactly
   * @return null if a collector has to find them
   * @throws IOException if the index cannot be read
   */
  public TopDocs hits(ScoreDoc after, int numHits, int threshold) throws IOException {
    int limit = searcher.docs();
    int k = Math.min(numHits, limit);
    QueryOffloader active = forHits(k);
    return active == null || threshold < 0 || (after != null && after.doc >= limit)
        ? null
        : active.topDocs(searcher.host, scored(), after, k, threshold, prepared);
  }

  /**
   * Returns the first hits by sort fields.
   *
   * @param after hits have to come after this one; null for the first ones. Its doc may be beyond
   *     all docs of the index: then none with its very keys comes after it
   * @param numHits hits wanted
   * @param sort the order of the hits
   * @param threshold matches to count exactly
   * @return null if a collector has to find them
   * @throws IOException if the index cannot be read
   */
  public TopFieldDocs sorted(FieldDoc after, int numHits, Sort sort, int threshold)
      throws IOException {
    int k = Math.min(numHits, searcher.docs());
    QueryOffloader active = forHits(k);
    if (active == null) {
      return null;
    }
    Sort rewrittenSort = sort.rewrite(searcher);
    Query rewritten = rewrittenSort.needsScores() ? scored() : unscored();
    return active.sorted(searcher.host, rewritten, rewrittenSort, after, k, threshold, prepared);
  }

  /**
   * {@return the number of matches; null if a collector has to count}
   *
   * @throws IOException if the index cannot be read
   */
  public Integer count() throws IOException {
    QueryOffloader active = searcher.active();
    if (active == null || searcher.overrides.search()) {
      return null;
    }
    boolean asItIs = !searcher.overrides.rewrite() && FlatRewrite.countsAsItIs(query);
    int count = active.count(searcher.host, asItIs ? query : unscored(), prepared);
    return count < 0 ? null : Integer.valueOf(count);
  }

  /**
   * {@return aggregations of one pass; null if the host has to do all of it}
   *
   * @param aggregations what is asked, at least one
   * @throws IOException if the index cannot be read
   */
  public AggregationResults aggregatePlanned(List<Aggregation<?>> aggregations) throws IOException {
    QueryOffloader active = searcher.active();
    return active == null || searcher.overrides.search()
        ? null
        : active.aggregate(searcher.host, unscored(), aggregations, prepared);
  }

  /** Returns aggregations of one pass, by the host if need be: never null. */
  AggregationResults aggregate(List<Aggregation<?>> aggregations) throws IOException {
    AggregationResults results = aggregatePlanned(aggregations);
    return results != null ? results : onHost(aggregations);
  }

  /** Returns aggregations of one pass, by the doc values. */
  AggregationResults onHost(List<Aggregation<?>> aggregations) throws IOException {
    return HostAggregation.run(searcher.host, unscored(), aggregations);
  }

  /** Adds the matches to tallies by their doc values, on the host. */
  void tally(Tallies tallies) throws IOException {
    HostAggregation.run(searcher.host, unscored(), tallies);
  }

  /** Returns what a collector manager would reduce its collectors to. */
  Object managed(CollectorManager<?, ?> manager) throws IOException {
    if (manager instanceof OffloadTopFieldCollectorManager top) {
      return sorted(top.after, top.numHits, top.sort, top.totalHitsThreshold);
    } else if (manager instanceof OffloadHistogramCollectorManager histogram) {
      return histogram.result(aggregate(histogram.aggregations()));
    } else if (searcher.active() == null) {
      return null;
    }
    return switch (ManagerRequest.by(manager)) {
      case ManagerRequest.Hits hits ->
          hits(hits.after(), hits.numHits(), hits.totalHitsThreshold());
      case ManagerRequest.SortedHits hits ->
          sorted(hits.after(), hits.numHits(), hits.sort(), hits.totalHitsThreshold());
      case ManagerRequest.Count count -> count();
      case ManagerRequest.Several several -> several(several.managers());
      case null -> null;
    };
  }

  /**
   * Returns what each of some managers would give; those of applications collect without the
   * others.
   */
  private Object[] several(List<CollectorManager<?, ?>> managers) throws IOException {
    if (searcher.getTimeout() != null) {
      // Collectors that go over the matches together have the same part of them when time is over.
      return null;
    }
    Object[] results = new Object[managers.size()];
    List<Integer> counts = new ArrayList<>();
    List<Integer> hits = new ArrayList<>();
    List<Integer> others = new ArrayList<>();
    for (int i = 0; i < results.length; i++) {
      CollectorManager<?, ?> manager = managers.get(i);
      ManagerRequest asked = ManagerRequest.by(manager);
      boolean known = asked != null || isOurs(manager);
      (asked instanceof ManagerRequest.Count ? counts : known ? hits : others).add(i);
    }
    if (others.size() == results.length) {
      return null;
    }
    Integer count = null;
    for (int i : hits) {
      CollectorManager<?, ?> manager = managers.get(i);
      if (!counts.isEmpty()
          && count == null
          && ManagerRequest.by(manager) instanceof ManagerRequest.Hits best) {
        // Hits with the exact count are found sooner than both of them.
        TopDocs all = hits(best.after(), best.numHits(), Integer.MAX_VALUE);
        results[i] = all == null ? null : countedUpTo(best.totalHitsThreshold(), all);
        count = all == null ? null : Math.toIntExact(all.totalHits.value());
      } else {
        results[i] = managed(manager);
      }
      if (results[i] == null) {
        return null;
      }
    }
    if (!counts.isEmpty() && count == null) {
      count = count();
      if (count == null) {
        return null;
      }
    }
    for (int i : counts) {
      results[i] = count;
    }
    if (!others.isEmpty()) {
      collect(managers, others, results);
    }
    return results;
  }

  private static boolean isOurs(CollectorManager<?, ?> manager) {
    return manager instanceof OffloadTopFieldCollectorManager
        || manager instanceof OffloadHistogramCollectorManager;
  }

  /** Returns hits that were counted exactly, as if they had been counted up to a threshold. */
  private static TopDocs countedUpTo(int threshold, TopDocs hits) {
    long count = hits.totalHits.value();
    return count <= threshold
        ? hits
        : new TopDocs(
            new TotalHits(count, TotalHits.Relation.GREATER_THAN_OR_EQUAL_TO), hits.scoreDocs);
  }

  private void collect(List<CollectorManager<?, ?>> managers, List<Integer> some, Object[] results)
      throws IOException {
    CollectorManager<?, ?>[] asked = new CollectorManager<?, ?>[some.size()];
    Arrays.setAll(asked, i -> managers.get(some.get(i)));
    Object[] collected = searcher.collect(this, new MultiCollectorManager(asked));
    for (int i = 0; i < asked.length; i++) {
      results[some.get(i)] = collected[i];
    }
  }
}
