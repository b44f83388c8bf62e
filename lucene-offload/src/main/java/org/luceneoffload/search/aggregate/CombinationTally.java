/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.search.aggregate;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.lucene.index.DocValues;
import org.apache.lucene.index.LeafReader;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.SortedNumericDocValues;
import org.apache.lucene.index.SortedSetDocValues;
import org.apache.lucene.util.BytesRef;
import org.luceneoffload.aggregate.Aggregation.Combinations;
import org.luceneoffload.aggregate.AggregationResults.CombinationCounts;
import org.luceneoffload.aggregate.CombinedField;
import org.luceneoffload.codec.column.DeviceColumn;
import org.luceneoffload.planner.RefusedException;
import org.luceneoffload.report.Refusal;
import org.luceneoffload.wire.aggregate.Aggregate;
import org.luceneoffload.wire.aggregate.AggregateResult;

/** Counts combinations of values in one pass: the host's work. */
final class CombinationTally extends Tally {
  private final Combinations asked;
  private final Map<List<Object>, Long> counts = new HashMap<>();

  CombinationTally(Combinations asked) {
    super(asked);
    this.asked = asked;
  }

  @Override
  public void check(LeafReader reader) {
    asked.fields().forEach(field -> of(field.all()).check(reader));
  }

  @Override
  public Aggregate plan(DeviceColumn column, int index, int firstRange, int rangeCount, long cost)
      throws RefusedException {
    throw new RefusedException(Refusal.Reason.PLANNER, "plans have no combinations of values");
  }

  @Override
  void addResult(LeafReaderContext context, Aggregate planned, AggregateResult result) {
    throw new UnsupportedOperationException("combinations of a plan");
  }

  /** The values of a doc in one field, each once: numbers, or ordinals of the segment. */
  private interface FieldValues {
    long[] of(int doc) throws IOException;

    Object key(long value) throws IOException;
  }

  private static FieldValues values(LeafReaderContext context, CombinedField field)
      throws IOException {
    if (field.keywords()) {
      SortedSetDocValues values = DocValues.getSortedSet(context.reader(), field.field());
      return new FieldValues() {
        @Override
        public long[] of(int doc) throws IOException {
          long[] found = new long[values.advanceExact(doc) ? values.docValueCount() : 0];
          for (int i = 0; i < found.length; i++) {
            found[i] = values.nextOrd();
          }
          return found;
        }

        @Override
        public Object key(long ord) throws IOException {
          return BytesRef.deepCopyOf(values.lookupOrd(ord));
        }
      };
    }
    SortedNumericDocValues values = DocValues.getSortedNumeric(context.reader(), field.field());
    return new FieldValues() {
      @Override
      public long[] of(int doc) throws IOException {
        long[] found = new long[values.advanceExact(doc) ? values.docValueCount() : 0];
        for (int i = 0; i < found.length; i++) {
          found[i] = values.nextValue();
        }
        return Arrays.stream(found).distinct().toArray();
      }

      @Override
      public Object key(long value) {
        return value;
      }
    };
  }

  @Override
  public LeafTally leaf(LeafReaderContext context) throws IOException {
    List<FieldValues> fields = new ArrayList<>();
    for (CombinedField field : asked.fields()) {
      fields.add(values(context, field));
    }
    Map<List<Long>, Long> found = new HashMap<>();
    return new LeafTally() {
      @Override
      public void collect(int doc) throws IOException {
        List<List<Long>> combined = List.of(List.of());
        for (FieldValues field : fields) {
          combined = combined(combined, field.of(doc));
        }
        combined.forEach(keys -> found.merge(keys, 1L, Long::sum));
      }

      @Override
      public void finish() throws IOException {
        for (Map.Entry<List<Long>, Long> one : found.entrySet()) {
          List<Object> keys = new ArrayList<>();
          for (int i = 0; i < fields.size(); i++) {
            keys.add(fields.get(i).key(one.getKey().get(i)));
          }
          counts.merge(keys, one.getValue(), Long::sum);
        }
      }
    };
  }

  private static List<List<Long>> combined(List<List<Long>> before, long[] values) {
    List<List<Long>> all = new ArrayList<>();
    for (List<Long> keys : before) {
      for (long value : values) {
        List<Long> more = new ArrayList<>(keys);
        more.add(value);
        all.add(more);
      }
    }
    return all;
  }

  @Override
  public Tally next() {
    return new CombinationTally(asked);
  }

  @Override
  void mergeRest(Tally other) {
    ((CombinationTally) other).counts.forEach((keys, n) -> counts.merge(keys, n, Long::sum));
  }

  @Override
  public CombinationCounts result(long matches) {
    BestCombinations best = new BestCombinations(asked);
    counts.forEach(best::add);
    return best.result();
  }
}
