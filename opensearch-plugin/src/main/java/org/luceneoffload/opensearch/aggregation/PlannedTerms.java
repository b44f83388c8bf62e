/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.opensearch.aggregation;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.luceneoffload.aggregate.Aggregation;
import org.luceneoffload.aggregate.AggregationResults;
import org.luceneoffload.aggregate.AggregationResults.TermCounts;
import org.luceneoffload.aggregate.AggregationResults.ValueCounts;
import org.opensearch.search.DocValueFormat;
import org.opensearch.search.aggregations.BucketOrder;
import org.opensearch.search.aggregations.InternalAggregation;
import org.opensearch.search.aggregations.InternalAggregations;
import org.opensearch.search.aggregations.InternalOrder;
import org.opensearch.search.aggregations.bucket.BucketUtils;
import org.opensearch.search.aggregations.bucket.LocalBucketCountThresholds;
import org.opensearch.search.aggregations.bucket.MultiBucketsAggregation;
import org.opensearch.search.aggregations.bucket.terms.LongTerms;
import org.opensearch.search.aggregations.bucket.terms.StringTerms;
import org.opensearch.search.aggregations.bucket.terms.TermsAggregationBuilder;
import org.opensearch.search.aggregations.bucket.terms.TermsAggregator.BucketCountThresholds;
import org.opensearch.search.internal.SearchContext;

/** The commonest, or the first, keywords or whole numbers. */
final class PlannedTerms implements PlannedAggregation {
  /** A shard has at most so many buckets. */
  private static final int MAX_BUCKETS = 10_000;

  private static final BucketOrder COMMONEST = BucketOrder.compound(BucketOrder.count(false));

  private final TermsAggregationBuilder builder;
  private final FieldOf field;
  private final BucketCountThresholds thresholds;
  private final LocalBucketCountThresholds local;
  private final boolean byKey;
  private final boolean inSlices;
  private final Aggregation<TermCounts> keywords;
  private final Aggregation<ValueCounts> numbers;

  private PlannedTerms(TermsAggregationBuilder builder, FieldOf field, SearchContext context) {
    this.builder = builder;
    this.field = field;
    byKey = InternalOrder.isKeyOrder(builder.order());
    inSlices = ShardAggregations.inSlices(context);
    thresholds = thresholds(builder, byKey);
    local = context.asLocalBucketCountThresholds(thresholds);
    // One in order of keys has to see all of them.
    int n = byKey ? MAX_BUCKETS : local.getRequiredSize();
    boolean isNumber = field.kind().isNumber();
    keywords = isNumber ? null : Aggregation.terms(field.name(), n);
    numbers = isNumber ? Aggregation.values(field.name(), n) : null;
  }

  /** Returns null if the device does not answer it. */
  static PlannedTerms of(TermsAggregationBuilder builder, FieldOf field, SearchContext context) {
    boolean known =
        (builder.order().equals(COMMONEST) || InternalOrder.isKeyOrder(builder.order()))
            && builder.minDocCount() >= 1
            && builder.shardMinDocCount() <= 1
            && builder.includeExclude() == null
            && builder.executionHint() == null;
    if (!known) {
      return null;
    }
    PlannedTerms terms = new PlannedTerms(builder, field, context);
    return terms.local.getRequiredSize() <= MAX_BUCKETS ? terms : null;
  }

  /** Returns the thresholds, as OpenSearch's factory of aggregators has them. */
  private static BucketCountThresholds thresholds(TermsAggregationBuilder builder, boolean byKey) {
    BucketCountThresholds thresholds =
        new BucketCountThresholds(
            builder.minDocCount(), builder.shardMinDocCount(), builder.size(), builder.shardSize());
    if (!byKey && thresholds.getShardSize() == -1) {
      thresholds.setShardSize(BucketUtils.suggestShardSideQueueSize(builder.size()));
    }
    thresholds.ensureValidity();
    return thresholds;
  }

  @Override
  public List<Aggregation<?>> parts() {
    return List.of(keywords != null ? keywords : numbers);
  }

  /** Makes a bucket, as the constructors of OpenSearch's buckets do. */
  @FunctionalInterface
  private interface BucketMaker<K, B> {
    B make(
        K key,
        long count,
        InternalAggregations parts,
        boolean showError,
        long error,
        DocValueFormat format);
  }

  /** Makes a result, as the constructors of OpenSearch's results do. */
  @FunctionalInterface
  private interface ResultMaker<B> {
    InternalAggregation make(
        String name,
        BucketOrder reduceOrder,
        BucketOrder order,
        Map<String, Object> metadata,
        DocValueFormat format,
        int shardSize,
        boolean showError,
        long others,
        List<B> buckets,
        long error,
        BucketCountThresholds thresholds);
  }

  @Override
  public InternalAggregation result(AggregationResults results, InternalAggregation empty) {
    if (keywords != null) {
      TermCounts counts = results.get(keywords);
      List<StringTerms.Bucket> buckets =
          chosen(
              counts.top(),
              counts.distinct(),
              count -> bucket(count.term(), count.count(), StringTerms.Bucket::new));
      return result(empty, counts.values(), buckets, StringTerms::new);
    }
    ValueCounts counts = results.get(numbers);
    List<LongTerms.Bucket> buckets =
        chosen(
            counts.top(),
            counts.distinct(),
            count -> bucket(count.value(), count.count(), LongTerms.Bucket::new));
    return result(empty, counts.values(), buckets, LongTerms::new);
  }

  private <K, B> B bucket(K key, long count, BucketMaker<K, B> maker) {
    InternalAggregations none = InternalAggregations.EMPTY;
    return maker.make(key, count, none, builder.showTermDocCountError(), 0, field.format());
  }

  /** Returns the result of some buckets; null without any. */
  private <B extends MultiBucketsAggregation.Bucket> InternalAggregation result(
      InternalAggregation empty, long values, List<B> buckets, ResultMaker<B> maker) {
    return buckets == null
        ? null
        : maker.make(
            empty.getName(),
            reduceOrder(),
            builder.order(),
            empty.getMetadata(),
            field.format(),
            thresholds.getShardSize(),
            builder.showTermDocCountError(),
            others(values, buckets),
            buckets,
            0,
            thresholds);
  }

  /** Returns the order in which a shard's buckets are. */
  private BucketOrder reduceOrder() {
    return byKey ? builder.order() : BucketOrder.key(true);
  }

  private static long others(long all, List<? extends MultiBucketsAggregation.Bucket> buckets) {
    return all - buckets.stream().mapToLong(MultiBucketsAggregation.Bucket::getDocCount).sum();
  }

  /**
   * Returns the buckets of a shard in their order; null if there are too many to see all of them.
   * Each of several slices may leave out buckets of its own, unless they are few.
   */
  private <C, B extends MultiBucketsAggregation.Bucket> List<B> chosen(
      List<C> counts, long distinct, Function<C, B> bucket) {
    if (byKey && distinct > counts.size() || inSlices && distinct >= local.getRequiredSize()) {
      return null;
    }
    Comparator<MultiBucketsAggregation.Bucket> order = reduceOrder().comparator();
    List<B> buckets = new ArrayList<>(counts.size());
    counts.forEach(count -> buckets.add(bucket.apply(count)));
    buckets.sort(order);
    int size = Math.min(buckets.size(), local.getRequiredSize());
    return new ArrayList<>(buckets.subList(0, size));
  }
}
