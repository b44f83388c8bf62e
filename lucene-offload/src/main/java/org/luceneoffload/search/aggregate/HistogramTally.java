/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.search.aggregate;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.lucene.index.LeafReader;
import org.apache.lucene.index.SortedNumericDocValues;
import org.luceneoffload.aggregate.Aggregation;
import org.luceneoffload.aggregate.HistogramCounts;
import org.luceneoffload.codec.column.DeviceColumn;
import org.luceneoffload.wire.aggregate.Aggregate;
import org.luceneoffload.wire.aggregate.AggregateResult;

/** Counts by bucket. */
final class HistogramTally extends Tally {
  private final Aggregation.Histogram asked;
  private final Map<Long, Long> buckets = new TreeMap<>();

  HistogramTally(Aggregation.Histogram aggregation) {
    super(aggregation);
    asked = aggregation;
  }

  @Override
  public Aggregate plan(DeviceColumn column, int index, int firstRange, long cost) {
    return Aggregate.histogram(index, asked.width(), Long.MIN_VALUE);
  }

  @Override
  void addResult(LeafReader reader, Aggregate planned, AggregateResult result) {
    for (int i = 0; i < result.keys().length; i++) {
      add(result.keys()[i], result.counts()[i]);
    }
  }

  private void add(long bucket, long count) {
    buckets.merge(bucket, count, Long::sum);
    if (buckets.size() > asked.maxBuckets()) {
      throw new IllegalStateException(
          "field \"" + field() + "\" has matches in more than " + asked.maxBuckets() + " buckets");
    }
  }

  @Override
  public LeafTally leaf(LeafReader reader) throws IOException {
    return leafOfNumbers(reader);
  }

  @Override
  void addDoc(SortedNumericDocValues numbers) throws IOException {
    long last = 0;
    int count = numbers.docValueCount();
    for (int i = 0; i < count; i++) {
      long bucket = Math.floorDiv(numbers.nextValue(), asked.width());
      if (i == 0 || bucket != last) {
        add(bucket, 1);
      }
      last = bucket;
    }
  }

  @Override
  void mergeRest(Tally other) {
    ((HistogramTally) other).buckets.forEach(this::add);
  }

  @Override
  public HistogramCounts result(long matches) {
    List<HistogramCounts.Bucket> counts =
        buckets.entrySet().stream()
            .map(bucket -> new HistogramCounts.Bucket(bucket.getKey(), bucket.getValue()))
            .toList();
    return new HistogramCounts(docs, matches - docs, counts);
  }
}
