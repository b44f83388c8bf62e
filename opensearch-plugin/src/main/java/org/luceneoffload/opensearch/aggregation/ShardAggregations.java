/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.opensearch.aggregation;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.luceneoffload.aggregate.Aggregation;
import org.luceneoffload.aggregate.AggregationResults;
import org.opensearch.search.aggregations.AggregationBuilder;
import org.opensearch.search.aggregations.AggregationCollectorManager;
import org.opensearch.search.aggregations.Aggregator;
import org.opensearch.search.aggregations.InternalAggregation;
import org.opensearch.search.aggregations.InternalAggregations;
import org.opensearch.search.aggregations.NonGlobalAggCollectorManager;
import org.opensearch.search.aggregations.bucket.histogram.DateHistogramAggregationBuilder;
import org.opensearch.search.aggregations.bucket.range.DateRangeAggregationBuilder;
import org.opensearch.search.aggregations.bucket.range.InternalRange;
import org.opensearch.search.aggregations.bucket.range.RangeAggregationBuilder;
import org.opensearch.search.aggregations.bucket.terms.TermsAggregationBuilder;
import org.opensearch.search.aggregations.support.ValuesSourceAggregationBuilder;
import org.opensearch.search.internal.SearchContext;

/**
 * All aggregations of a request, if the device can answer every one of them. OpenSearch has made
 * its own aggregators by then; they say what their results look like, and collect nothing.
 */
public final class ShardAggregations {
  /** A field with counts of documents of its own, by which OpenSearch's buckets count. */
  private static final String DOC_COUNTS = "_doc_count";

  private final SearchContext context;
  private final List<PlannedAggregation> asked = new ArrayList<>();
  private final List<InternalAggregation> empty = new ArrayList<>();

  private ShardAggregations(SearchContext context) {
    this.context = context;
  }

  /** Returns null if OpenSearch has to collect for one of the aggregations. */
  public static ShardAggregations of(SearchContext context) throws IOException {
    Collection<AggregationBuilder> builders =
        context.request().source().aggregations().getAggregatorFactories();
    if (context.queryCollectorManagers().size() != 1
        || !(context.queryCollectorManagers().get(NonGlobalAggCollectorManager.class)
            instanceof AggregationCollectorManager manager)
        || context.isStreamSearch()
        || context.getQueryShardContext().getStarTreeQueryContext() != null
        || hasDocCounts(context)
        || !builders.stream().allMatch(ShardAggregations::mayBeKnown)) {
      return null;
    }
    Map<String, InternalAggregation> empty = new HashMap<>();
    List<Aggregator> aggregators =
        context.bucketCollectorProcessor().toAggregators(List.of(manager.newCollector()));
    for (Aggregator aggregator : aggregators) {
      empty.put(aggregator.name(), aggregator.buildEmptyAggregation());
    }
    ShardAggregations all = new ShardAggregations(context);
    return builders.size() == empty.size()
            && builders.stream().allMatch(builder -> all.add(builder, empty.get(builder.getName())))
        ? all
        : null;
  }

  private static boolean hasDocCounts(SearchContext context) {
    return context.searcher().getIndexReader().leaves().stream()
        .anyMatch(leaf -> leaf.reader().getFieldInfos().fieldInfo(DOC_COUNTS) != null);
  }

  private static boolean mayBeKnown(AggregationBuilder builder) {
    return builder instanceof ValuesSourceAggregationBuilder
        && builder.getSubAggregations().isEmpty()
        && builder.getPipelineAggregations().isEmpty();
  }

  private boolean add(AggregationBuilder builder, InternalAggregation none) {
    PlannedAggregation known = known((ValuesSourceAggregationBuilder<?>) builder, none);
    if (known == null) {
      return false;
    }
    asked.add(known);
    empty.add(none);
    return true;
  }

  private PlannedAggregation known(
      ValuesSourceAggregationBuilder<?> builder, InternalAggregation none) {
    FieldOf field = FieldOf.of(builder, context.getQueryShardContext());
    if (field == null || none == null) {
      return null;
    }
    if (builder.getClass() == TermsAggregationBuilder.class) {
      return PlannedTerms.of((TermsAggregationBuilder) builder, field, context);
    } else if (builder.getClass() == DateHistogramAggregationBuilder.class) {
      return PlannedDates.of(
          (DateHistogramAggregationBuilder) builder,
          field,
          context.aggregations().multiBucketConsumer());
    } else if (builder.getClass() == RangeAggregationBuilder.class
        || builder.getClass() == DateRangeAggregationBuilder.class) {
      return field.kind().isNumber() ? PlannedRanges.of(field, (InternalRange<?, ?>) none) : null;
    }
    return PlannedMetric.of(builder, field, inSlices(context));
  }

  /** Returns whether OpenSearch would aggregate slices of the shard, and reduce their results. */
  static boolean inSlices(SearchContext context) {
    return context.shouldUseConcurrentSearch() && context.searcher().getSlices().length > 1;
  }

  /** Returns what the device is asked. */
  public List<Aggregation<?>> parts() {
    List<Aggregation<?>> parts = new ArrayList<>();
    asked.forEach(one -> parts.addAll(one.parts()));
    return parts;
  }

  /**
   * Returns the results of the shard.
   *
   * @return null if OpenSearch has to collect after all
   */
  public InternalAggregations results(AggregationResults found) {
    List<InternalAggregation> results = new ArrayList<>();
    for (int i = 0; i < asked.size(); i++) {
      InternalAggregation result = asked.get(i).result(found, empty.get(i));
      if (result == null) {
        return null;
      }
      results.add(result);
    }
    InternalAggregations all = InternalAggregations.from(results);
    // A concurrent search reduces the results of its slices: ours are those of the only one.
    return context.shouldUseConcurrentSearch()
        ? InternalAggregations.reduce(List.of(all), context.partialOnShard())
        : all;
  }
}
