/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.search.aggregate;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.lucene.index.DocValues;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.SortedNumericDocValues;
import org.luceneoffload.aggregate.Aggregation;
import org.luceneoffload.aggregate.AggregationResults.DateCounts;
import org.luceneoffload.aggregate.CalendarInterval;
import org.luceneoffload.aggregate.ValueRange;
import org.luceneoffload.codec.column.DeviceColumn;
import org.luceneoffload.planner.RefusedException;
import org.luceneoffload.report.Refusal;
import org.luceneoffload.wire.aggregate.Aggregate;
import org.luceneoffload.wire.aggregate.AggregateResult;

/**
 * Counts by interval of the calendar. A device counts ranges: the intervals from the least to the
 * greatest value of the segment.
 */
final class DateTally extends Tally {
  /** Ranges at most; a device compares values of one doc with each of them. */
  private static final int MAX_RANGES = 1024;

  private static final int MAX_RANGES_OF_SEVERAL = 64;

  private final Aggregation.Dates asked;
  private final LongCounts buckets = new LongCounts();

  /** The ranges of segments, by their number; the same for all tallies of a search. */
  private final Map<Integer, List<ValueRange>> ranges;

  DateTally(Aggregation.Dates aggregation) {
    this(aggregation, new HashMap<>());
  }

  private DateTally(Aggregation.Dates aggregation, Map<Integer, List<ValueRange>> ranges) {
    super(aggregation);
    asked = aggregation;
    this.ranges = ranges;
  }

  @Override
  public List<ValueRange> ranges(LeafReaderContext context, DeviceColumn column)
      throws RefusedException {
    CalendarInterval interval = asked.interval();
    List<ValueRange> found = new ArrayList<>();
    int most = column.isSingleValued() ? MAX_RANGES : MAX_RANGES_OF_SEVERAL;
    for (long at = column.min(); ; ) {
      ValueRange range = new ValueRange(interval.from(at), interval.to(at));
      found.add(range);
      if (range.max() >= column.max()) {
        break;
      }
      if (found.size() == most) {
        throw new RefusedException(
            Refusal.Reason.PLANNER,
            "field \"" + field() + "\" spans more than " + found.size() + " intervals");
      }
      at = range.max() + 1;
    }
    ranges.put(context.ord, found);
    return found;
  }

  @Override
  public Aggregate plan(DeviceColumn column, int index, int firstRange, int rangeCount, long cost) {
    return Aggregate.ranges(index, firstRange, rangeCount);
  }

  @Override
  void addResult(LeafReaderContext context, Aggregate planned, AggregateResult result) {
    List<ValueRange> counted = ranges.get(context.ord);
    LongCounts found = new LongCounts();
    for (int i = 0; i < counted.size(); i++) {
      if (result.counts()[i] != 0) {
        found.append(counted.get(i).min(), result.counts()[i]);
      }
    }
    add(found);
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

  /** An interval that has matches. */
  private static final class Found {
    final long from;
    final long to;
    long count;

    Found(long from, long to) {
      this.from = from;
      this.to = to;
    }
  }

  @Override
  public LeafTally leaf(LeafReaderContext context) throws IOException {
    SortedNumericDocValues numbers = DocValues.getSortedNumeric(context.reader(), field());
    TreeMap<Long, Found> found = new TreeMap<>();
    return new LeafTally() {
      private Found last;

      @Override
      public void collect(int doc) throws IOException {
        if (numbers.advanceExact(doc)) {
          docs++;
          int count = numbers.docValueCount();
          for (int i = 0; i < count; i++) {
            long value = numbers.nextValue();
            boolean same = last != null && last.from <= value && value <= last.to;
            if (!same) {
              last = of(value, found);
            }
            last.count += i == 0 || !same ? 1 : 0;
          }
        }
      }

      @Override
      public void finish() {
        LongCounts counts = new LongCounts();
        found.forEach((from, one) -> counts.append(from, one.count));
        add(counts);
      }
    };
  }

  private Found of(long value, TreeMap<Long, Found> found) {
    Map.Entry<Long, Found> known = found.floorEntry(value);
    if (known != null && value <= known.getValue().to) {
      return known.getValue();
    }
    Found made = new Found(asked.interval().from(value), asked.interval().to(value));
    found.put(made.from, made);
    check(found.size());
    return made;
  }

  @Override
  public Tally next() {
    return new DateTally(asked, ranges);
  }

  @Override
  void mergeRest(Tally other) {
    add(((DateTally) other).buckets);
  }

  @Override
  public DateCounts result(long matches) {
    List<DateCounts.Bucket> counts = new ArrayList<>(buckets.size());
    for (int i = 0; i < buckets.size(); i++) {
      counts.add(new DateCounts.Bucket(buckets.key(i), buckets.count(i)));
    }
    return new DateCounts(docs, matches - docs, counts);
  }
}
