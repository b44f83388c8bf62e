/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.device;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.LongStream;
import org.apache.lucene.util.NumericUtils;
import org.luceneoffload.wire.OffloadWire.AggregateFlag;
import org.luceneoffload.wire.OffloadWire.AggregateKind;
import org.luceneoffload.wire.OffloadWire.AggregateResultFlag;
import org.luceneoffload.wire.OffloadWire.StatsType;
import org.luceneoffload.wire.Plan;
import org.luceneoffload.wire.WireRange;
import org.luceneoffload.wire.aggregate.Aggregate;
import org.luceneoffload.wire.aggregate.AggregatePartReader;
import org.luceneoffload.wire.layout.AggregateResultLayout;
import org.luceneoffload.wire.layout.ResultHeaderLayout;
import org.luceneoffload.wire.plan.PlanRequest;

/** Aggregates matches the plain way: value by value, with a map of all keys. */
final class ReferenceAggregates {
  private final Plan plan;
  private final List<Aggregate> aggregates;
  private final ReferenceColumns columns;
  private ByteBuffer result;
  private int data;

  ReferenceAggregates(Plan plan, List<Aggregate> aggregates, ReferenceColumns columns) {
    this.plan = plan;
    this.aggregates = aggregates;
    this.columns = columns;
  }

  /** Returns the result page, but for its header. */
  ByteBuffer run(BitSet docs, PlanRequest request) throws IOException {
    int most = request.maxResultBytes;
    result = ByteBuffer.allocateDirect(most).order(ByteOrder.LITTLE_ENDIAN);
    data = ResultHeaderLayout.BYTES + aggregates.size() * AggregateResultLayout.BYTES;
    int kept = aggregates.stream().mapToInt(AggregatePartReader::leastBytes).sum();
    for (int i = 0; i < aggregates.size(); i++) {
      Aggregate aggregate = aggregates.get(i);
      kept -= AggregatePartReader.leastBytes(aggregate);
      int at = ResultHeaderLayout.BYTES + i * AggregateResultLayout.BYTES;
      one(aggregate, docs, at, (most - kept - data) / 8 * 8);
    }
    ByteBuffer page = ByteBuffer.allocateDirect(data).order(ByteOrder.LITTLE_ENDIAN);
    return page.put(result.limit(data)).clear();
  }

  private void one(Aggregate aggregate, BitSet docs, int at, int room) throws IOException {
    SortedMap<Integer, long[]> values = columns.values(plan.columns().get(aggregate.column()));
    List<long[]> found = new ArrayList<>();
    for (Map.Entry<Integer, long[]> entry : values.entrySet()) {
      if (docs.get(entry.getKey())) {
        found.add(entry.getValue());
      }
    }
    AggregateResultLayout.kind(result, at, aggregate.kind());
    AggregateResultLayout.docCount(result, at, found.size());
    long[] all = found.stream().flatMapToLong(LongStream::of).toArray();
    switch (aggregate.kind()) {
      case AggregateKind.STATS -> stats(aggregate, all, at);
      case AggregateKind.RANGES -> ranges(aggregate, found, at);
      case AggregateKind.TERMS -> terms(aggregate, all, at, room);
      default -> pairs(aggregate, found, at, room);
    }
    data = (data + 7) / 8 * 8;
  }

  private void stats(Aggregate aggregate, long[] values, int at) {
    boolean ints = aggregate.statsType() == StatsType.I64;
    long longSum = aggregate.carry().sum();
    double sum = Double.longBitsToDouble(longSum);
    double mean = Double.longBitsToDouble(aggregate.carry().mean());
    double variance = Double.longBitsToDouble(aggregate.carry().variance());
    long count = aggregate.carry().count();
    long min = Long.MAX_VALUE;
    long max = Long.MIN_VALUE;
    for (long stored : values) {
      double value = value(aggregate.statsType(), stored);
      // Sortable numbers of doubles are in the order of Double.compare.
      long place = ints ? stored : NumericUtils.doubleToSortableLong(value);
      min = Math.min(min, place);
      max = Math.max(max, place);
      longSum += stored;
      sum += value;
      count++;
      double before = mean;
      mean += (value - mean) / count;
      variance += (value - mean) * (value - before);
    }
    AggregateResultLayout.valueCount(result, at, values.length);
    AggregateResultLayout.sum(result, at, ints ? longSum : Double.doubleToLongBits(sum));
    if (values.length > 0) {
      AggregateResultLayout.min(result, at, ints ? min : NumericUtils.sortableDoubleBits(min));
      AggregateResultLayout.max(result, at, ints ? max : NumericUtils.sortableDoubleBits(max));
    }
    if (aggregate.flags() == AggregateFlag.MOMENTS) {
      AggregateResultLayout.mean(result, at, Double.doubleToLongBits(mean));
      AggregateResultLayout.variance(result, at, Double.doubleToLongBits(variance));
    }
  }

  private static double value(int type, long stored) {
    return switch (type) {
      case StatsType.I64 -> stored;
      case StatsType.F32 -> Float.intBitsToFloat((int) stored);
      case StatsType.SORTABLE_F32 -> NumericUtils.sortableIntToFloat((int) stored);
      case StatsType.SORTABLE_F64 -> NumericUtils.sortableLongToDouble(stored);
      default -> Double.longBitsToDouble(stored);
    };
  }

  private void ranges(Aggregate aggregate, List<long[]> found, int at) {
    List<WireRange> ranges =
        plan.ranges()
            .subList(aggregate.firstRange(), aggregate.firstRange() + aggregate.rangeCount());
    for (WireRange range : ranges) {
      put((int) found.stream().filter(values -> in(range, values)).count());
    }
    long any =
        found.stream().filter(values -> ranges.stream().anyMatch(r -> in(r, values))).count();
    AggregateResultLayout.valueCount(result, at, any);
    AggregateResultLayout.entryCount(result, at, ranges.size());
  }

  private static boolean in(WireRange range, long[] values) {
    return LongStream.of(values).anyMatch(v -> v >= range.lo() && v <= range.hi());
  }

  private void terms(Aggregate aggregate, long[] values, int at, int room) {
    long end = plan.columns().get(aggregate.column()).max() + 1;
    int count = (int) Math.min(Math.max(0, end - aggregate.from()), room / Integer.BYTES);
    for (int i = 0; i < count; i++) {
      long ord = aggregate.from() + i;
      put((int) LongStream.of(values).filter(v -> v == ord).count());
    }
    AggregateResultLayout.valueCount(result, at, values.length);
    AggregateResultLayout.entryCount(result, at, count);
    if (aggregate.from() + count < end) {
      more(at, aggregate.from() + count);
    }
  }

  private void pairs(Aggregate aggregate, List<long[]> found, int at, int room) {
    boolean buckets = aggregate.kind() == AggregateKind.HISTOGRAM;
    SortedMap<Long, Integer> counts = new TreeMap<>();
    for (long[] values : found) {
      LongStream.of(values)
          .map(v -> buckets ? Math.floorDiv(v, aggregate.width()) : v)
          .filter(key -> key >= aggregate.from())
          .distinct()
          .forEach(key -> counts.merge(key, 1, Integer::sum));
    }
    List<Long> keys = new ArrayList<>(counts.keySet());
    int given = Math.min(keys.size(), room / (Long.BYTES + Integer.BYTES));
    for (long key : keys.subList(0, given)) {
      result.putLong(data, key);
      data += Long.BYTES;
    }
    keys.subList(0, given).forEach(key -> put(counts.get(key)));
    AggregateResultLayout.entryCount(result, at, given);
    if (given < keys.size()) {
      more(at, keys.get(given));
    }
  }

  private void more(int at, long next) {
    AggregateResultLayout.flags(result, at, AggregateResultFlag.MORE);
    AggregateResultLayout.next(result, at, next);
  }

  private void put(int count) {
    result.putInt(data, count);
    data += Integer.BYTES;
  }
}
