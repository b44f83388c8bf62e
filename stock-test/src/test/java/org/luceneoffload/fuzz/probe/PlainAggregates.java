/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.fuzz.probe;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.lucene.util.BytesRef;
import org.luceneoffload.aggregate.Aggregation;
import org.luceneoffload.aggregate.Aggregation.AutoDates;
import org.luceneoffload.aggregate.Aggregation.Combinations;
import org.luceneoffload.aggregate.Aggregation.InsideBuckets;
import org.luceneoffload.aggregate.Aggregation.TopMetrics;
import org.luceneoffload.aggregate.AggregationResults.DistinctCount;
import org.luceneoffload.aggregate.AggregationResults.DoubleStats;
import org.luceneoffload.aggregate.AggregationResults.HistogramCounts;
import org.luceneoffload.aggregate.AggregationResults.LongStats;
import org.luceneoffload.aggregate.AggregationResults.RangeCounts;
import org.luceneoffload.aggregate.AggregationResults.TermCounts;
import org.luceneoffload.aggregate.AggregationResults.ValueCounts;
import org.luceneoffload.aggregate.ValueRange;

/** Aggregations as their definitions have them, one doc after the other. */
public final class PlainAggregates {
  private PlainAggregates() {}

  /**
   * Aggregates.
   *
   * @throws IllegalStateException if a histogram has too many buckets
   */
  public static Object of(Aggregation<?> aggregation, PlainValues values) throws IOException {
    return switch (aggregation) {
      case Aggregation.Longs longs -> longs(values.numbers(longs.field()));
      case Aggregation.Doubles doubles -> doubles(doubles, values.numbers(doubles.field()));
      case Aggregation.Terms terms -> terms(terms.n(), values.keywords(terms.field()));
      case Aggregation.Ordinals ordinals ->
          throw new IllegalArgumentException("facets ask for them: " + ordinals);
      case Aggregation.DistinctTerms distinct -> distinct(values.keywords(distinct.field()));
      case Aggregation.Values asked -> values(asked.n(), values.numbers(asked.field()));
      case Aggregation.DistinctValues distinct -> distinct(values.numbers(distinct.field()));
      case Aggregation.Dates dates -> PlainDates.of(dates, values.numbers(dates.field()));
      case Aggregation.Histogram histogram ->
          histogram(histogram, values.numbers(histogram.field()));
      case Aggregation.Ranges ranges -> ranges(ranges.ranges(), values.numbers(ranges.field()));
      case InsideBuckets<?> inside -> PlainNested.inside(inside, values);
      case AutoDates dates -> PlainNested.dates(dates, values);
      case Combinations combinations -> PlainNested.combinations(combinations, values);
      case TopMetrics metrics -> throw new IllegalArgumentException("a sort: " + metrics);
    };
  }

  static long withValues(List<? extends List<?>> docs) {
    return docs.stream().filter(doc -> !doc.isEmpty()).count();
  }

  static long without(List<? extends List<?>> docs) {
    return docs.stream().filter(List::isEmpty).count();
  }

  private static LongStats longs(List<List<Long>> docs) {
    long values = 0;
    long sum = 0;
    long min = Long.MAX_VALUE;
    long max = Long.MIN_VALUE;
    for (List<Long> doc : docs) {
      for (long value : doc) {
        values++;
        sum += value;
        min = Math.min(min, value);
        max = Math.max(max, value);
      }
    }
    return new LongStats(withValues(docs), without(docs), values, sum, min, max);
  }

  private static DoubleStats doubles(Aggregation.Doubles asked, List<List<Long>> docs) {
    List<Double> all = new ArrayList<>();
    double sum = 0;
    for (List<Long> doc : docs) {
      for (long value : doc) {
        double decoded = asked.encoding().decode(value);
        all.add(decoded);
        sum += decoded;
      }
    }
    return new DoubleStats(
        withValues(docs),
        without(docs),
        all.size(),
        sum,
        all.stream().min(Double::compare).orElse(Double.NaN),
        all.stream().max(Double::compare).orElse(Double.NaN));
  }

  private static TermCounts terms(int n, List<List<BytesRef>> docs) {
    Map<BytesRef, Long> counts = new TreeMap<>();
    long values = 0;
    for (List<BytesRef> doc : docs) {
      for (BytesRef term : doc) {
        counts.merge(term, 1L, Long::sum);
        values++;
      }
    }
    List<TermCounts.Count> top =
        counts.entrySet().stream()
            .map(entry -> new TermCounts.Count(entry.getKey(), entry.getValue()))
            .sorted(Comparator.comparingLong(count -> -count.count())) // stable: terms in order
            .limit(n)
            .toList();
    return new TermCounts(withValues(docs), without(docs), values, counts.size(), top);
  }

  private static ValueCounts values(int n, List<List<Long>> docs) {
    Map<Long, Long> counts = new TreeMap<>();
    long values = 0;
    for (List<Long> doc : docs) {
      for (long value : new HashSet<>(doc)) {
        counts.merge(value, 1L, Long::sum);
        values++;
      }
    }
    List<ValueCounts.Count> top =
        counts.entrySet().stream()
            .map(entry -> new ValueCounts.Count(entry.getKey(), entry.getValue()))
            .sorted(Comparator.comparingLong(count -> -count.count())) // stable: values in order
            .limit(n)
            .toList();
    return new ValueCounts(withValues(docs), without(docs), values, counts.size(), top);
  }

  private static DistinctCount distinct(List<? extends List<?>> docs) {
    long distinct = docs.stream().flatMap(List::stream).distinct().count();
    return new DistinctCount(withValues(docs), without(docs), distinct);
  }

  private static HistogramCounts histogram(Aggregation.Histogram asked, List<List<Long>> docs) {
    Map<Long, Long> counts = new TreeMap<>();
    for (List<Long> doc : docs) {
      HashSet<Long> buckets = new HashSet<>();
      doc.forEach(value -> buckets.add(Math.floorDiv(value, asked.width())));
      buckets.forEach(bucket -> counts.merge(bucket, 1L, Long::sum));
    }
    if (counts.size() > asked.maxBuckets()) {
      throw new IllegalStateException(counts.size() + " buckets");
    }
    List<HistogramCounts.Bucket> buckets = new ArrayList<>();
    counts.forEach((number, count) -> buckets.add(new HistogramCounts.Bucket(number, count)));
    return new HistogramCounts(withValues(docs), without(docs), buckets);
  }

  private static RangeCounts ranges(List<ValueRange> ranges, List<List<Long>> docs) {
    List<Long> counts = new ArrayList<>();
    for (ValueRange range : ranges) {
      counts.add(docs.stream().filter(doc -> doc.stream().anyMatch(range::contains)).count());
    }
    long inAny =
        docs.stream()
            .filter(
                doc -> ranges.stream().anyMatch(range -> doc.stream().anyMatch(range::contains)))
            .count();
    return new RangeCounts(withValues(docs), without(docs), inAny, counts);
  }
}
