/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.search.nested;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.lucene.search.BooleanClause.Occur;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.MatchAllDocsQuery;
import org.apache.lucene.search.Query;
import org.luceneoffload.aggregate.Aggregation;
import org.luceneoffload.aggregate.Aggregation.AutoDates;
import org.luceneoffload.aggregate.Aggregation.Combinations;
import org.luceneoffload.aggregate.Aggregation.InsideBuckets;
import org.luceneoffload.aggregate.Aggregation.TopMetrics;
import org.luceneoffload.aggregate.AggregationResults;
import org.luceneoffload.aggregate.AggregationResults.AutoDateCounts;
import org.luceneoffload.aggregate.AggregationResults.BucketResults;
import org.luceneoffload.aggregate.AggregationResults.DateCounts;
import org.luceneoffload.aggregate.AggregationResults.HistogramCounts;
import org.luceneoffload.aggregate.AggregationResults.LongStats;
import org.luceneoffload.search.aggregate.Buckets;
import org.luceneoffload.search.aggregate.Tallies;
import org.luceneoffload.util.SortedBlocks;

/**
 * Answers aggregations that one pass over the matches cannot answer by several: first the buckets,
 * then the matches of each, found by a filter. Where that would take longer, the host goes over the
 * matches once more. The numbers are the same. For one thread.
 */
public final class NestedSearch {
  private final Passes passes;

  /** Takes the searches of a searcher. */
  public NestedSearch(Passes passes) {
    this.passes = passes;
  }

  /** Returns whether one pass answers all of some aggregations. */
  public static boolean isPlain(List<Aggregation<?>> aggregations) {
    for (Aggregation<?> aggregation : aggregations) {
      if (!isPlain(aggregation)) {
        return false;
      }
    }
    return true;
  }

  private static boolean isPlain(Aggregation<?> aggregation) {
    return switch (aggregation) {
      case InsideBuckets<?> inside -> false;
      case AutoDates dates -> false;
      case Combinations combinations -> false;
      case TopMetrics metrics -> false;
      default -> true;
    };
  }

  /** Aggregates the matches of a query. */
  public AggregationResults run(Query query, List<Aggregation<?>> aggregations) throws IOException {
    Map<Aggregation<?>, Object> results = new HashMap<>();
    AggregationResults first = passes.aggregate(query, firstPass(aggregations));
    boolean onDevice = passes.wasOnDevice();
    dates(query, aggregations, first, results);
    for (Aggregation<?> aggregation : aggregations) {
      Object result =
          switch (aggregation) {
            case AutoDates dates -> results.get(dates);
            case InsideBuckets<?> inside -> inside(query, inside, first, results, onDevice);
            case Combinations combinations ->
                new CombinationSearch(passes, combinations).run(query, first, onDevice);
            case TopMetrics metrics -> FirstMetrics.of(passes, query, metrics);
            default -> first.get(aggregation);
          };
      results.put(aggregation, result);
    }
    return new AggregationResults(first.matches(), results);
  }

  /** Returns what has to be known of all matches before their buckets are looked at. */
  private static List<Aggregation<?>> firstPass(List<Aggregation<?>> aggregations) {
    Set<Aggregation<?>> plain = new LinkedHashSet<>();
    for (Aggregation<?> aggregation : aggregations) {
      switch (aggregation) {
        case InsideBuckets<?> inside -> plain.addAll(firstPass(List.of(inside.buckets())));
        case AutoDates dates -> plain.add(Aggregation.stats(dates.field()));
        case Combinations combinations -> plain.addAll(CombinationSearch.firstPass(combinations));
        case TopMetrics metrics -> {}
        default -> plain.add(aggregation);
      }
    }
    return List.copyOf(plain);
  }

  /** Counts dates in the intervals that suit the matches, all fields in one pass. */
  private void dates(
      Query query,
      List<Aggregation<?>> aggregations,
      AggregationResults first,
      Map<Aggregation<?>, Object> results)
      throws IOException {
    Map<AutoDates, AutoInterval> intervals = new HashMap<>();
    for (Aggregation<?> aggregation : aggregations) {
      Aggregation<?> asked =
          aggregation instanceof InsideBuckets<?> inside ? inside.buckets() : aggregation;
      if (asked instanceof AutoDates dates) {
        LongStats stats = first.get(Aggregation.stats(dates.field()));
        long min = stats.values() == 0 ? 0 : stats.min();
        long max = stats.values() == 0 ? 0 : stats.max();
        intervals.put(dates, AutoInterval.of(min, max, dates.buckets()));
      }
    }
    if (intervals.isEmpty()) {
      return;
    }
    List<Aggregation<?>> counts = new ArrayList<>();
    intervals.forEach((dates, interval) -> counts.add(counts(dates, interval)));
    AggregationResults found = passes.aggregate(query, counts);
    intervals.forEach(
        (dates, interval) ->
            results.put(
                dates,
                new AutoDateCounts(
                    interval.unit(),
                    interval.step(),
                    dates(interval, found.get(counts(dates, interval))))));
  }

  /** Returns the aggregation that counts an interval: a match has any number of its buckets. */
  private static Aggregation<?> counts(AutoDates dates, AutoInterval interval) {
    return interval.width() > 0
        ? Aggregation.histogram(dates.field(), interval.width(), Integer.MAX_VALUE)
        : Aggregation.dates(dates.field(), interval.calendar(), Integer.MAX_VALUE);
  }

  private static DateCounts dates(AutoInterval interval, Object counts) {
    if (counts instanceof DateCounts dates) {
      return dates;
    }
    HistogramCounts histogram = (HistogramCounts) counts;
    return new DateCounts(
        histogram.docs(),
        histogram.missing(),
        histogram.buckets().stream()
            .map(
                bucket ->
                    new DateCounts.Bucket(start(bucket.number(), interval.width()), bucket.count()))
            .toList());
  }

  /** Returns the first millisecond of a bucket; the first long if it begins before. */
  private static long start(long number, long width) {
    return number == Math.floorDiv(Long.MIN_VALUE, width) ? Long.MIN_VALUE : number * width;
  }

  private BucketResults<?> inside(
      Query query,
      InsideBuckets<?> inside,
      AggregationResults first,
      Map<Aggregation<?>, Object> results,
      boolean onDevice)
      throws IOException {
    Aggregation<?> outer = inside.buckets();
    Object found = outer instanceof AutoDates ? results.get(outer) : first.get(outer);
    Buckets buckets = buckets(outer, found);
    return new BucketResults<>(found, inside(query, inside, buckets, first.matches(), onDevice));
  }

  private static Buckets buckets(Aggregation<?> outer, Object found) {
    if (outer instanceof AutoDates dates) {
      AutoDateCounts auto = (AutoDateCounts) found;
      AutoInterval interval = new AutoInterval(auto.unit(), auto.step());
      long width = interval.width();
      return width > 0
          ? Buckets.ofIntervals(dates.field(), auto.counts(), width)
          : Buckets.of(counts(dates, interval), auto.counts());
    }
    return Buckets.of(outer, found);
  }

  private List<AggregationResults> inside(
      Query query, InsideBuckets<?> inside, Buckets buckets, long matches, boolean onDevice)
      throws IOException {
    if (isPlain(inside.inner()) && !plansPay(query, inside, buckets, matches, onDevice)) {
      Tallies tallies = Tallies.inBuckets(inside, buckets, inside.inner());
      passes.tally(query, tallies);
      return tallies.bucketResults();
    }
    List<AggregationResults> results = new ArrayList<>();
    for (int i = 0; i < buckets.count(); i++) {
      results.add(run(both(query, buckets.query(i, passes.reader())), inside.inner()));
    }
    return results;
  }

  private boolean plansPay(
      Query query, InsideBuckets<?> inside, Buckets buckets, long matches, boolean onDevice) {
    if (SortedBlocks.areBy(passes.reader(), inside.buckets().field())) {
      return false; // a filter looks at every doc there
    }
    if (!passes.hostMayAnswer()) {
      return true;
    }
    int values = 1 + inside.inner().size();
    return onDevice && PassCosts.plansPay(passes.reader(), query, buckets.count(), matches, values);
  }

  /** Returns the matches of a query that a filter lets pass, without scores. */
  static Query both(Query query, Query filter) {
    return query instanceof MatchAllDocsQuery
        ? filter
        : new BooleanQuery.Builder().add(query, Occur.FILTER).add(filter, Occur.FILTER).build();
  }
}
