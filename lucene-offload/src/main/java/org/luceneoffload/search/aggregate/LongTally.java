/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.search.aggregate;

import java.io.IOException;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.SortedNumericDocValues;
import org.luceneoffload.aggregate.Aggregation;
import org.luceneoffload.aggregate.AggregationResults.LongStats;
import org.luceneoffload.codec.column.DeviceColumn;
import org.luceneoffload.wire.OffloadWire.StatsType;
import org.luceneoffload.wire.aggregate.Aggregate;
import org.luceneoffload.wire.aggregate.AggregateResult;
import org.luceneoffload.wire.aggregate.StatsCarry;

/** Statistics of whole numbers. */
final class LongTally extends Tally {
  private long values;
  private long sum;
  private long min = Long.MAX_VALUE;
  private long max = Long.MIN_VALUE;

  LongTally(Aggregation.Longs aggregation) {
    super(aggregation);
  }

  @Override
  public Aggregate plan(DeviceColumn column, int index, int firstRange, int rangeCount, long cost) {
    return Aggregate.stats(index, StatsType.I64, StatsCarry.NONE);
  }

  @Override
  void addResult(LeafReaderContext context, Aggregate asked, AggregateResult result) {
    if (result.valueCount() > 0) {
      add(result.valueCount(), result.sum(), result.min(), result.max());
    }
  }

  private void add(long count, long addedSum, long least, long greatest) {
    values += count;
    sum += addedSum;
    min = Math.min(min, least);
    max = Math.max(max, greatest);
  }

  @Override
  public LeafTally leaf(LeafReaderContext context) throws IOException {
    return leafOfNumbers(context);
  }

  @Override
  void addDoc(SortedNumericDocValues numbers) throws IOException {
    for (int i = numbers.docValueCount(); i > 0; i--) {
      long value = numbers.nextValue();
      add(1, value, value, value);
    }
  }

  @Override
  void mergeRest(Tally other) {
    LongTally longs = (LongTally) other;
    add(longs.values, longs.sum, longs.min, longs.max);
  }

  @Override
  public LongStats result(long matches) {
    return new LongStats(docs, matches - docs, values, sum, min, max);
  }
}
