/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.opensearch.aggregation;

import java.util.List;
import java.util.Map;
import org.luceneoffload.aggregate.Aggregation;
import org.luceneoffload.aggregate.AggregationResults;
import org.luceneoffload.aggregate.AggregationResults.LongStats;
import org.luceneoffload.aggregate.AggregationResults.TermCounts;
import org.opensearch.search.DocValueFormat;
import org.opensearch.search.aggregations.InternalAggregation;
import org.opensearch.search.aggregations.metrics.AvgAggregationBuilder;
import org.opensearch.search.aggregations.metrics.InternalAvg;
import org.opensearch.search.aggregations.metrics.InternalMax;
import org.opensearch.search.aggregations.metrics.InternalMin;
import org.opensearch.search.aggregations.metrics.InternalStats;
import org.opensearch.search.aggregations.metrics.InternalSum;
import org.opensearch.search.aggregations.metrics.InternalValueCount;
import org.opensearch.search.aggregations.metrics.MaxAggregationBuilder;
import org.opensearch.search.aggregations.metrics.MinAggregationBuilder;
import org.opensearch.search.aggregations.metrics.StatsAggregationBuilder;
import org.opensearch.search.aggregations.metrics.SumAggregationBuilder;
import org.opensearch.search.aggregations.metrics.ValueCountAggregationBuilder;
import org.opensearch.search.aggregations.support.ValuesSourceAggregationBuilder;

/** One or several numbers about all values of a field of whole numbers; counts of keywords, too. */
final class PlannedMetric implements PlannedAggregation {
  /** Sums of doubles below this are exact, in whatever order they are added. */
  private static final double EXACT = 1L << 53;

  /**
   * OpenSearch adds with compensation, which is what the sum lacks to be exact. While each value is
   * up to the first of these, and the sum below the second, doubles hold the compensation exactly:
   * what it calls the sum is then the double next to the exact one.
   */
  private static final double COMPENSATED_VALUE = 1L << 52;

  private static final double COMPENSATED_SUM = 1L << 62;

  private final ValuesSourceAggregationBuilder<?> builder;
  private final boolean inSlices;
  private final DocValueFormat format;
  private final Aggregation<LongStats> numbers;
  private final Aggregation<TermCounts> keywords;

  private PlannedMetric(
      ValuesSourceAggregationBuilder<?> builder, FieldOf field, boolean inSlices) {
    this.builder = builder;
    this.inSlices = inSlices;
    this.format = field.format();
    this.numbers = field.kind().isNumber() ? Aggregation.stats(field.name()) : null;
    this.keywords = numbers == null ? Aggregation.terms(field.name(), 1) : null;
  }

  /**
   * Returns null if the device does not answer it.
   *
   * @param inSlices whether OpenSearch adds up sums of slices, each of which is rounded
   */
  static PlannedMetric of(
      ValuesSourceAggregationBuilder<?> builder, FieldOf field, boolean inSlices) {
    boolean counts = builder.getClass() == ValueCountAggregationBuilder.class;
    boolean known =
        counts
            || builder.getClass() == StatsAggregationBuilder.class
            || builder.getClass() == AvgAggregationBuilder.class
            || builder.getClass() == SumAggregationBuilder.class
            || builder.getClass() == MinAggregationBuilder.class
            || builder.getClass() == MaxAggregationBuilder.class;
    return known && (counts || field.kind().isNumber())
        ? new PlannedMetric(builder, field, inSlices)
        : null;
  }

  @Override
  public List<Aggregation<?>> parts() {
    return List.of(numbers != null ? numbers : keywords);
  }

  @Override
  public InternalAggregation result(AggregationResults results, InternalAggregation empty) {
    String name = empty.getName();
    Map<String, Object> metadata = empty.getMetadata();
    if (keywords != null) {
      return new InternalValueCount(name, results.get(keywords).values(), metadata);
    }
    LongStats stats = results.get(numbers);
    long count = stats.values();
    if (count == 0) {
      return empty;
    }
    boolean exact = isExact(stats);
    return switch (builder) {
      case ValueCountAggregationBuilder counts -> new InternalValueCount(name, count, metadata);
      case MinAggregationBuilder min -> new InternalMin(name, stats.min(), format, metadata);
      case MaxAggregationBuilder max -> new InternalMax(name, stats.max(), format, metadata);
      case SumAggregationBuilder sum ->
          exact ? new InternalSum(name, stats.sum(), format, metadata) : null;
      case AvgAggregationBuilder avg ->
          exact ? new InternalAvg(name, stats.sum(), count, format, metadata) : null;
      default ->
          exact
              ? new InternalStats(
                  name, count, stats.sum(), stats.min(), stats.max(), format, metadata)
              : null;
    };
  }

  /** Returns whether OpenSearch's sum is the double next to the exact one. */
  private boolean isExact(LongStats stats) {
    double greatest = Math.max(Math.abs((double) stats.min()), Math.abs((double) stats.max()));
    double most = greatest * stats.values();
    return most < EXACT || (!inSlices && greatest <= COMPENSATED_VALUE && most < COMPENSATED_SUM);
  }
}
