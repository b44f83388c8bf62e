/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.search.aggregate;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.lucene.index.DocValues;
import org.apache.lucene.index.IndexReader;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.SortedNumericDocValues;
import org.apache.lucene.index.SortedSetDocValues;
import org.apache.lucene.search.Query;
import org.apache.lucene.util.BytesRef;
import org.luceneoffload.aggregate.Aggregation;
import org.luceneoffload.aggregate.AggregationResults.DateCounts;
import org.luceneoffload.aggregate.AggregationResults.HistogramCounts;
import org.luceneoffload.aggregate.AggregationResults.TermCounts;
import org.luceneoffload.aggregate.AggregationResults.ValueCounts;
import org.luceneoffload.aggregate.ValueRange;

/** Which docs are in each of some buckets. Immutable. */
public abstract sealed class Buckets {
  /** Takes the number of a bucket that a doc is in. */
  @FunctionalInterface
  interface Sink {
    void take(int bucket) throws IOException;
  }

  /** Finds the buckets of a segment's docs, which ascend. */
  @FunctionalInterface
  interface Router {
    /** Gives each bucket that a doc is in, once or several times. */
    void route(int doc, Sink sink) throws IOException;
  }

  /**
   * Returns the buckets that a result lists, in its order.
   *
   * @param asked the aggregation that it is of
   */
  public static Buckets of(Aggregation<?> asked, Object result) {
    return switch (asked) {
      case Aggregation.Terms terms ->
          new OfTerms(
              terms.field(),
              ((TermCounts) result).top().stream().map(TermCounts.Count::term).toList());
      case Aggregation.Values values ->
          new OfRanges(
              values.field(),
              ((ValueCounts) result)
                  .top().stream()
                      .map(count -> new ValueRange(count.value(), count.value()))
                      .toList());
      case Aggregation.Histogram histogram ->
          new OfRanges(
              histogram.field(),
              ((HistogramCounts) result)
                  .buckets().stream()
                      .map(bucket -> ofBucket(bucket.number(), histogram.width()))
                      .toList());
      case Aggregation.Dates dates ->
          new OfRanges(
              dates.field(),
              ((DateCounts) result)
                  .buckets().stream()
                      .map(b -> new ValueRange(b.from(), dates.interval().to(b.from())))
                      .toList());
      case Aggregation.Ranges ranges -> new OfRanges(ranges.field(), ranges.ranges());
      default -> throw new IllegalArgumentException(asked + " has no buckets");
    };
  }

  /**
   * Returns the buckets of dates in intervals of a fixed length.
   *
   * @param width milliseconds of each
   */
  public static Buckets ofIntervals(String field, DateCounts counts, long width) {
    return new OfRanges(
        field,
        counts.buckets().stream()
            .map(bucket -> ofBucket(Math.floorDiv(bucket.from(), width), width))
            .toList());
  }

  /** Returns the numbers of a bucket of a histogram, some of which may be beyond the longs. */
  private static ValueRange ofBucket(long number, long width) {
    long least = Math.floorDiv(Long.MIN_VALUE, width);
    long most = Math.floorDiv(Long.MAX_VALUE, width);
    return new ValueRange(
        number == least ? Long.MIN_VALUE : number * width,
        number == most ? Long.MAX_VALUE : number * width + (width - 1));
  }

  /** Returns the number of buckets. */
  public abstract int count();

  /** Returns the docs of a bucket, in an index. */
  public abstract Query query(int bucket, IndexReader reader);

  abstract Router router(LeafReaderContext context) throws IOException;

  private static final class OfTerms extends Buckets {
    private final String field;
    private final List<BytesRef> terms;

    OfTerms(String field, List<BytesRef> terms) {
      this.field = field;
      this.terms = terms;
    }

    @Override
    public int count() {
      return terms.size();
    }

    @Override
    public Query query(int bucket, IndexReader reader) {
      return ValueFilters.exactly(reader, field, terms.get(bucket));
    }

    @Override
    Router router(LeafReaderContext context) throws IOException {
      SortedSetDocValues values = DocValues.getSortedSet(context.reader(), field);
      Map<Long, Integer> bucketOf = new HashMap<>();
      for (int i = 0; i < terms.size(); i++) {
        long ord = values.lookupTerm(terms.get(i));
        if (ord >= 0) {
          bucketOf.put(ord, i);
        }
      }
      return (doc, sink) -> {
        if (values.advanceExact(doc)) {
          for (int i = values.docValueCount(); i > 0; i--) {
            Integer bucket = bucketOf.get(values.nextOrd());
            if (bucket != null) {
              sink.take(bucket);
            }
          }
        }
      };
    }
  }

  /** By value; where ranges overlap, a value is in several. */
  private static final class OfRanges extends Buckets {
    private final String field;
    private final List<ValueRange> ranges;

    /** Buckets by their least values, which ascend; null: ranges overlap. */
    private final int[] byLeast;

    OfRanges(String field, List<ValueRange> ranges) {
      this.field = field;
      this.ranges = ranges;
      List<Integer> order = new ArrayList<>();
      for (int i = 0; i < ranges.size(); i++) {
        order.add(i);
      }
      order.sort((a, b) -> Long.compare(ranges.get(a).min(), ranges.get(b).min()));
      boolean apart = true;
      for (int i = 1; i < order.size(); i++) {
        apart &= ranges.get(order.get(i - 1)).max() < ranges.get(order.get(i)).min();
      }
      byLeast = apart ? order.stream().mapToInt(Integer::intValue).toArray() : null;
    }

    @Override
    public int count() {
      return ranges.size();
    }

    @Override
    public Query query(int bucket, IndexReader reader) {
      ValueRange range = ranges.get(bucket);
      return ValueFilters.range(reader, field, range.min(), range.max());
    }

    @Override
    Router router(LeafReaderContext context) throws IOException {
      SortedNumericDocValues values = DocValues.getSortedNumeric(context.reader(), field);
      return (doc, sink) -> {
        if (values.advanceExact(doc)) {
          for (int i = values.docValueCount(); i > 0; i--) {
            route(values.nextValue(), sink);
          }
        }
      };
    }

    private void route(long value, Sink sink) throws IOException {
      if (byLeast == null) {
        for (int i = 0; i < ranges.size(); i++) {
          if (ranges.get(i).contains(value)) {
            sink.take(i);
          }
        }
        return;
      }
      int low = 0;
      int high = byLeast.length - 1;
      while (low <= high) {
        int middle = (low + high) >>> 1;
        ValueRange range = ranges.get(byLeast[middle]);
        if (value < range.min()) {
          high = middle - 1;
        } else if (value > range.max()) {
          low = middle + 1;
        } else {
          sink.take(byLeast[middle]);
          return;
        }
      }
    }

    @Override
    public String toString() {
      return field + " in " + Arrays.toString(ranges.toArray());
    }
  }
}
