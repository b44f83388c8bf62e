/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.search.aggregate;

import java.io.IOException;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.SortedNumericDocValues;
import org.luceneoffload.aggregate.Aggregation;
import org.luceneoffload.aggregate.AggregationResults.DoubleStats;
import org.luceneoffload.aggregate.DoubleEncoding;
import org.luceneoffload.codec.column.DeviceColumn;
import org.luceneoffload.wire.OffloadWire.StatsType;
import org.luceneoffload.wire.aggregate.Aggregate;
import org.luceneoffload.wire.aggregate.AggregateResult;
import org.luceneoffload.wire.aggregate.StatsCarry;

/** Statistics of floating-point numbers, whose sum goes on from that of the documents before. */
final class DoubleTally extends Tally {
  private final DoubleEncoding encoding;
  private long values;
  private double sum;
  private double min = Double.NaN; // above all by Double.compare
  private double max = Double.NEGATIVE_INFINITY; // below all

  DoubleTally(Aggregation.Doubles aggregation) {
    super(aggregation);
    encoding = aggregation.encoding();
  }

  @Override
  public boolean inDocOrder() {
    return true;
  }

  @Override
  public Aggregate plan(DeviceColumn column, int index, int firstRange, int rangeCount, long cost) {
    int type =
        switch (encoding) {
          case DOUBLE -> StatsType.F64;
          case SORTABLE_DOUBLE -> StatsType.SORTABLE_F64;
          case FLOAT -> StatsType.F32;
          case SORTABLE_FLOAT -> StatsType.SORTABLE_F32;
        };
    return Aggregate.stats(index, type, StatsCarry.NONE);
  }

  @Override
  public Aggregate begin(Aggregate planned) {
    StatsCarry carry = new StatsCarry(0, Double.doubleToLongBits(sum), 0, 0);
    return Aggregate.stats(planned.column(), planned.statsType(), carry);
  }

  @Override
  void addResult(LeafReaderContext context, Aggregate asked, AggregateResult result) {
    if (result.valueCount() > 0) {
      values += result.valueCount();
      sum = Double.longBitsToDouble(result.sum());
      bound(Double.longBitsToDouble(result.min()), Double.longBitsToDouble(result.max()));
    }
  }

  private void bound(double least, double greatest) {
    min = Double.compare(least, min) < 0 ? least : min;
    max = Double.compare(greatest, max) > 0 ? greatest : max;
  }

  @Override
  public LeafTally leaf(LeafReaderContext context) throws IOException {
    return leafOfNumbers(context);
  }

  @Override
  void addDoc(SortedNumericDocValues numbers) throws IOException {
    for (int i = numbers.docValueCount(); i > 0; i--) {
      double value = encoding.decode(numbers.nextValue());
      values++;
      sum += value;
      bound(value, value);
    }
  }

  @Override
  public Tally next() {
    DoubleTally next = new DoubleTally((Aggregation.Doubles) aggregation());
    next.sum = sum;
    return next;
  }

  @Override
  void mergeRest(Tally other) {
    DoubleTally doubles = (DoubleTally) other;
    values += doubles.values;
    sum = doubles.sum;
    bound(doubles.min, doubles.max);
  }

  @Override
  public DoubleStats result(long matches) {
    double greatest = values == 0 ? Double.NaN : max;
    return new DoubleStats(docs, matches - docs, values, sum, min, greatest);
  }
}
