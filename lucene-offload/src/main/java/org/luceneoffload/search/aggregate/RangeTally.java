/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.search.aggregate;

import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.SortedNumericDocValues;
import org.luceneoffload.aggregate.Aggregation;
import org.luceneoffload.aggregate.AggregationResults.RangeCounts;
import org.luceneoffload.aggregate.ValueRange;
import org.luceneoffload.codec.column.DeviceColumn;
import org.luceneoffload.wire.aggregate.Aggregate;
import org.luceneoffload.wire.aggregate.AggregateResult;

/** Counts by range. */
final class RangeTally extends Tally {
  private final List<ValueRange> ranges;
  private final long[] counts;
  private final boolean[] hit;
  private long inAny;

  RangeTally(Aggregation.Ranges aggregation) {
    super(aggregation);
    ranges = aggregation.ranges();
    counts = new long[ranges.size()];
    hit = new boolean[ranges.size()];
  }

  @Override
  public List<ValueRange> ranges(LeafReaderContext context, DeviceColumn column) {
    return ranges;
  }

  @Override
  public Aggregate plan(DeviceColumn column, int index, int firstRange, int rangeCount, long cost) {
    return Aggregate.ranges(index, firstRange, rangeCount);
  }

  @Override
  void addResult(LeafReaderContext context, Aggregate asked, AggregateResult result) {
    inAny += result.valueCount();
    for (int i = 0; i < counts.length; i++) {
      counts[i] += result.counts()[i];
    }
  }

  @Override
  public LeafTally leaf(LeafReaderContext context) throws IOException {
    return leafOfNumbers(context);
  }

  @Override
  void addDoc(SortedNumericDocValues numbers) throws IOException {
    Arrays.fill(hit, false);
    for (int i = numbers.docValueCount(); i > 0; i--) {
      long value = numbers.nextValue();
      for (int range = 0; range < hit.length; range++) {
        hit[range] |= ranges.get(range).contains(value);
      }
    }
    boolean any = false;
    for (int range = 0; range < hit.length; range++) {
      counts[range] += hit[range] ? 1 : 0;
      any |= hit[range];
    }
    inAny += any ? 1 : 0;
  }

  @Override
  void mergeRest(Tally other) {
    RangeTally tally = (RangeTally) other;
    inAny += tally.inAny;
    for (int i = 0; i < counts.length; i++) {
      counts[i] += tally.counts[i];
    }
  }

  @Override
  public RangeCounts result(long matches) {
    List<Long> all = Arrays.stream(counts).boxed().toList();
    return new RangeCounts(docs, matches - docs, inAny, all);
  }
}
