/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.opensearch.aggregation;

import java.time.ZonedDateTime;
import java.util.ArrayList;
import java.util.List;
import org.luceneoffload.aggregate.Aggregation;
import org.luceneoffload.aggregate.AggregationResults;
import org.luceneoffload.aggregate.AggregationResults.RangeCounts;
import org.luceneoffload.aggregate.ValueRange;
import org.opensearch.search.aggregations.InternalAggregation;
import org.opensearch.search.aggregations.InternalAggregations;
import org.opensearch.search.aggregations.bucket.range.InternalRange;

/** Ranges of numbers or of dates; where they are is known from OpenSearch's aggregator. */
final class PlannedRanges implements PlannedAggregation {
  /** Whole numbers up to it are doubles as well. */
  private static final double EXACT = 1L << 53;

  private final int[] places; // of each bucket, in the aggregation's ranges; -1: it is empty
  private final Aggregation<RangeCounts> counts; // null: all ranges are empty

  private PlannedRanges(int[] places, Aggregation<RangeCounts> counts) {
    this.places = places;
    this.counts = counts;
  }

  /**
   * Returns null if the device does not answer it.
   *
   * @param empty with all buckets
   */
  static PlannedRanges of(FieldOf field, InternalRange<?, ?> empty) {
    List<ValueRange> ranges = new ArrayList<>();
    int[] places = new int[empty.getBuckets().size()];
    for (int i = 0; i < places.length; i++) {
      double from = end(empty.getBuckets().get(i).getFrom(), Double.NEGATIVE_INFINITY);
      double to = end(empty.getBuckets().get(i).getTo(), Double.POSITIVE_INFINITY);
      if (!isExact(from) || !isExact(to)) {
        return null;
      }
      long min = Double.isInfinite(from) ? Long.MIN_VALUE : (long) Math.ceil(from);
      long max = Double.isInfinite(to) ? Long.MAX_VALUE : (long) Math.ceil(to) - 1;
      boolean isEmpty = min > max || from > to || from == Double.POSITIVE_INFINITY;
      places[i] = isEmpty ? -1 : ranges.size();
      if (!isEmpty) {
        ranges.add(new ValueRange(min, max));
      }
    }
    return ranges.isEmpty()
        ? null
        : new PlannedRanges(
            places, Aggregation.ranges(field.name(), ranges.toArray(ValueRange[]::new)));
  }

  private static boolean isExact(double end) {
    return Double.isInfinite(end) || Math.abs(end) < EXACT;
  }

  /** Returns an end as OpenSearch compares it; a bucket shows the end of a date range as a date. */
  private static double end(Object shown, double open) {
    return switch (shown) {
      case null -> open;
      case ZonedDateTime date -> date.toInstant().toEpochMilli();
      default -> ((Number) shown).doubleValue();
    };
  }

  @Override
  public List<Aggregation<?>> parts() {
    return List.of(counts);
  }

  @Override
  public InternalAggregation result(AggregationResults results, InternalAggregation empty) {
    return counted((InternalRange<?, ?>) empty, results.get(counts).counts());
  }

  private <B extends InternalRange.Bucket, R extends InternalRange<B, R>> R counted(
      InternalRange<B, R> empty, List<Long> found) {
    List<B> buckets = new ArrayList<>();
    for (int i = 0; i < places.length; i++) {
      B bucket = empty.getBuckets().get(i);
      buckets.add(
          empty
              .getFactory()
              .createBucket(
                  bucket.getKey(),
                  end(bucket.getFrom(), Double.NEGATIVE_INFINITY),
                  end(bucket.getTo(), Double.POSITIVE_INFINITY),
                  places[i] < 0 ? 0 : found.get(places[i]),
                  InternalAggregations.EMPTY,
                  bucket.getKeyed(),
                  bucket.getFormat()));
    }
    return empty.create(buckets);
  }
}
