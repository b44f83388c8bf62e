/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.search.aggregate;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.lucene.index.DocValues;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.SortedNumericDocValues;
import org.luceneoffload.aggregate.Aggregation;
import org.luceneoffload.aggregate.AggregationResults.HistogramCounts;
import org.luceneoffload.codec.column.DeviceColumn;
import org.luceneoffload.wire.aggregate.Aggregate;
import org.luceneoffload.wire.aggregate.AggregateResult;

/** Counts by bucket. */
final class HistogramTally extends Tally {
  private final Aggregation.Histogram asked;
  private final LongCounts buckets = new LongCounts();

  HistogramTally(Aggregation.Histogram aggregation) {
    super(aggregation);
    asked = aggregation;
  }

  @Override
  public Aggregate plan(DeviceColumn column, int index, int firstRange, int rangeCount, long cost) {
    return Aggregate.histogram(index, asked.width(), Long.MIN_VALUE);
  }

  @Override
  void addResult(LeafReaderContext context, Aggregate planned, AggregateResult result) {
    add(LongCounts.of(result.keys(), result.counts()));
  }

  private void add(LongCounts found) {
    buckets.merge(found);
    check(buckets.size());
  }

  private void check(int count) {
    if (count > asked.maxBuckets()) {
      throw new IllegalStateException(
          "field \"" + field() + "\" has matches in more than " + asked.maxBuckets() + " buckets");
    }
  }

  @Override
  public LeafTally leaf(LeafReaderContext context) throws IOException {
    SortedNumericDocValues numbers = DocValues.getSortedNumeric(context.reader(), field());
    Map<Long, Long> found = new HashMap<>();
    return new LeafTally() {
      @Override
      public void collect(int doc) throws IOException {
        if (numbers.advanceExact(doc)) {
          docs++;
          addDoc(numbers, found);
          check(found.size());
        }
      }

      @Override
      public void finish() {
        add(LongCounts.of(found));
      }
    };
  }

  private void addDoc(SortedNumericDocValues numbers, Map<Long, Long> found) throws IOException {
    long last = 0;
    int count = numbers.docValueCount();
    for (int i = 0; i < count; i++) {
      long bucket = Math.floorDiv(numbers.nextValue(), asked.width());
      if (i == 0 || bucket != last) {
        found.merge(bucket, 1L, Long::sum);
      }
      last = bucket;
    }
  }

  @Override
  void mergeRest(Tally other) {
    add(((HistogramTally) other).buckets);
  }

  @Override
  public HistogramCounts result(long matches) {
    List<HistogramCounts.Bucket> counts = new ArrayList<>(buckets.size());
    for (int i = 0; i < buckets.size(); i++) {
      counts.add(new HistogramCounts.Bucket(buckets.key(i), buckets.count(i)));
    }
    return new HistogramCounts(docs, matches - docs, counts);
  }
}
