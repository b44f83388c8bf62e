/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.search.aggregate;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import org.apache.lucene.index.DocValues;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.SortedNumericDocValues;
import org.luceneoffload.aggregate.Aggregation;
import org.luceneoffload.aggregate.AggregationResults.DistinctCount;
import org.luceneoffload.aggregate.AggregationResults.ValueCounts;
import org.luceneoffload.codec.column.DeviceColumn;
import org.luceneoffload.planner.RefusedException;
import org.luceneoffload.report.Refusal;
import org.luceneoffload.wire.aggregate.Aggregate;
import org.luceneoffload.wire.aggregate.AggregateResult;

/** Counts of whole numbers: the commonest, or how many different ones there are. */
final class ValueTally extends Tally {
  /** Of more values a device may have to give some at a time, with a pass each. */
  private static final long MAX_VALUES = 1 << 18;

  private static final Comparator<ValueCounts.Count> WORST_FIRST =
      Comparator.comparingLong(ValueCounts.Count::count)
          .thenComparing(Comparator.comparingLong(ValueCounts.Count::value).reversed());

  private final LongCounts counts = new LongCounts();
  private final int wanted;

  ValueTally(Aggregation.Values aggregation) {
    super(aggregation);
    wanted = aggregation.n();
  }

  ValueTally(Aggregation.DistinctValues aggregation) {
    super(aggregation);
    wanted = 0;
  }

  @Override
  public Aggregate plan(DeviceColumn column, int index, int firstRange, int rangeCount, long cost)
      throws RefusedException {
    // Unsigned: the span of all longs less one.
    boolean wide = Long.compareUnsigned(column.max() - column.min(), MAX_VALUES) >= 0;
    if (wide && column.valueCount() > MAX_VALUES && cost > MAX_VALUES) {
      throw new RefusedException(
          Refusal.Reason.PLANNER,
          "field \"" + field() + "\" may have too many values to count each");
    }
    return Aggregate.values(index, Long.MIN_VALUE);
  }

  @Override
  void addResult(LeafReaderContext context, Aggregate asked, AggregateResult result) {
    counts.merge(LongCounts.of(result.keys(), result.counts()));
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
          long last = 0;
          int count = numbers.docValueCount();
          for (int i = 0; i < count; i++) {
            long value = numbers.nextValue();
            if (i == 0 || value != last) {
              found.merge(value, 1L, Long::sum);
            }
            last = value;
          }
        }
      }

      @Override
      public void finish() {
        counts.merge(LongCounts.of(found));
      }
    };
  }

  @Override
  void mergeRest(Tally other) {
    counts.merge(((ValueTally) other).counts);
  }

  @Override
  public Object result(long matches) {
    if (wanted == 0) {
      return new DistinctCount(docs, matches - docs, counts.size());
    }
    PriorityQueue<ValueCounts.Count> best = new PriorityQueue<>(WORST_FIRST);
    long values = 0;
    for (int i = 0; i < counts.size(); i++) {
      long count = counts.count(i);
      values += count;
      // Values ascend: of equal counts the first ones are the best.
      if (best.size() == wanted && count > best.element().count()) {
        best.remove();
      }
      if (best.size() < wanted) {
        best.add(new ValueCounts.Count(counts.key(i), count));
      }
    }
    List<ValueCounts.Count> top = new ArrayList<>(best);
    top.sort(WORST_FIRST.reversed());
    return new ValueCounts(docs, matches - docs, values, counts.size(), top);
  }
}
