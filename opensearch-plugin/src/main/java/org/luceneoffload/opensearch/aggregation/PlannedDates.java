/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.opensearch.aggregation;

import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import org.luceneoffload.aggregate.Aggregation;
import org.luceneoffload.aggregate.AggregationResults;
import org.luceneoffload.aggregate.AggregationResults.DateCounts;
import org.luceneoffload.aggregate.AggregationResults.HistogramCounts;
import org.luceneoffload.aggregate.CalendarInterval;
import org.opensearch.common.Rounding;
import org.opensearch.common.unit.TimeValue;
import org.opensearch.search.aggregations.InternalAggregation;
import org.opensearch.search.aggregations.InternalAggregations;
import org.opensearch.search.aggregations.MultiBucketConsumerService.MultiBucketConsumer;
import org.opensearch.search.aggregations.bucket.histogram.DateHistogramAggregationBuilder;
import org.opensearch.search.aggregations.bucket.histogram.InternalDateHistogram;

/** Intervals of the calendar, or of a fixed length, in UTC. */
final class PlannedDates implements PlannedAggregation {
  /** A shard's intervals at most; the device throws if there are more. */
  private static final int MAX_BUCKETS = 10_000;

  private static final int MONTHS_OF_QUARTER = 3;

  private final MultiBucketConsumer limit;
  private final long width; // of a fixed length, else 0
  private final Aggregation<HistogramCounts> fixed;
  private final Aggregation<DateCounts> calendar;

  private PlannedDates(
      MultiBucketConsumer limit, FieldOf field, long width, CalendarInterval interval) {
    this.limit = limit;
    this.width = width;
    int most = Math.min(limit.getLimit(), MAX_BUCKETS);
    fixed = interval == null ? Aggregation.histogram(field.name(), width, most) : null;
    calendar = interval == null ? null : Aggregation.dates(field.name(), interval, most);
  }

  /** Returns null if the device does not answer it. */
  static PlannedDates of(
      DateHistogramAggregationBuilder builder, FieldOf field, MultiBucketConsumer limit) {
    boolean utc =
        builder.timeZone() == null || builder.timeZone().normalized().equals(ZoneOffset.UTC);
    if (!utc
        || field.kind() != FieldOf.Kind.DATE
        || builder.offset() != 0
        || builder.hardBounds() != null
        || limit.getLimit() < 1) {
      return null;
    }
    if (builder.getFixedInterval() != null) {
      String interval = builder.getFixedInterval().toString();
      long millis = TimeValue.parseTimeValue(interval, null, "interval").millis();
      return millis < 1 ? null : new PlannedDates(limit, field, millis, null);
    }
    if (builder.getCalendarInterval() == null) {
      return null;
    }
    Rounding.DateTimeUnit unit =
        DateHistogramAggregationBuilder.DATE_FIELD_UNITS.get(
            builder.getCalendarInterval().toString());
    return switch (unit) {
      case null -> null;
      case SECOND_OF_MINUTE -> new PlannedDates(limit, field, 1000L, null);
      case MINUTES_OF_HOUR -> new PlannedDates(limit, field, 60_000L, null);
      case HOUR_OF_DAY -> new PlannedDates(limit, field, 3_600_000L, null);
      case DAY_OF_MONTH -> calendar(limit, field, CalendarInterval.Unit.DAY, 1);
      case WEEK_OF_WEEKYEAR -> calendar(limit, field, CalendarInterval.Unit.WEEK, 1);
      case MONTH_OF_YEAR -> calendar(limit, field, CalendarInterval.Unit.MONTH, 1);
      case QUARTER_OF_YEAR ->
          calendar(limit, field, CalendarInterval.Unit.MONTH, MONTHS_OF_QUARTER);
      case YEAR_OF_CENTURY -> calendar(limit, field, CalendarInterval.Unit.YEAR, 1);
      default -> null;
    };
  }

  private static PlannedDates calendar(
      MultiBucketConsumer limit, FieldOf field, CalendarInterval.Unit unit, int step) {
    return new PlannedDates(limit, field, 0, new CalendarInterval(unit, step, ZoneOffset.UTC));
  }

  @Override
  public List<Aggregation<?>> parts() {
    return List.of(fixed != null ? fixed : calendar);
  }

  @Override
  public InternalAggregation result(AggregationResults results, InternalAggregation empty) {
    InternalDateHistogram histogram = (InternalDateHistogram) empty;
    List<InternalDateHistogram.Bucket> buckets = new ArrayList<>();
    if (fixed != null) {
      for (HistogramCounts.Bucket bucket : results.get(fixed).buckets()) {
        buckets.add(bucket(histogram, bucket.number() * width, bucket.count()));
      }
    } else {
      for (DateCounts.Bucket bucket : results.get(calendar).buckets()) {
        buckets.add(bucket(histogram, bucket.from(), bucket.count()));
      }
    }
    limit.accept(buckets.size());
    return histogram.create(buckets);
  }

  private static InternalDateHistogram.Bucket bucket(
      InternalDateHistogram histogram, long key, long count) {
    return histogram.createBucket(key, count, InternalAggregations.EMPTY);
  }
}
