/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.aggregate;

import java.util.List;
import java.util.Objects;
import org.apache.lucene.search.SortField;
import org.apache.lucene.util.BytesRef;
import org.luceneoffload.aggregate.AggregationResults.AutoDateCounts;
import org.luceneoffload.aggregate.AggregationResults.BucketResults;
import org.luceneoffload.aggregate.AggregationResults.CombinationCounts;
import org.luceneoffload.aggregate.AggregationResults.DateCounts;
import org.luceneoffload.aggregate.AggregationResults.DistinctCount;
import org.luceneoffload.aggregate.AggregationResults.DoubleStats;
import org.luceneoffload.aggregate.AggregationResults.HistogramCounts;
import org.luceneoffload.aggregate.AggregationResults.LongStats;
import org.luceneoffload.aggregate.AggregationResults.MetricHits;
import org.luceneoffload.aggregate.AggregationResults.OrdinalCounts;
import org.luceneoffload.aggregate.AggregationResults.RangeCounts;
import org.luceneoffload.aggregate.AggregationResults.TermCounts;
import org.luceneoffload.aggregate.AggregationResults.ValueCounts;

/**
 * A question about the doc values that a query's matches have in a field. Immutable; equal ones ask
 * the same.
 *
 * <p>Fields have numbers (NUMERIC or SORTED_NUMERIC), or keywords (SORTED or SORTED_SET); a match
 * may have any number of values. In segments without the field all matches count as missing.
 *
 * @param <R> the kind of result
 */
public sealed interface Aggregation<R> {
  /** Buckets of a histogram at most, unless it says another number. */
  int MAX_BUCKETS = 1024;

  /** {@return the field} */
  String field();

  /**
   * Asks for number, sum, least and greatest of whole numbers.
   *
   * @param field name of the field
   * @return the aggregation
   */
  static Aggregation<LongStats> stats(String field) {
    return new Longs(field);
  }

  /**
   * Asks the same of floating-point numbers.
   *
   * @param field name of the field
   * @param encoding how doc values hold the numbers
   * @return the aggregation
   */
  static Aggregation<DoubleStats> statsOfDoubles(String field, DoubleEncoding encoding) {
    return new Doubles(field, encoding);
  }

  /**
   * Asks for the keywords that most matches have.
   *
   * @param field name of the field
   * @param n keywords wanted, at least 1
   * @return the aggregation
   */
  static Aggregation<TermCounts> terms(String field, int n) {
    return new Terms(field, n);
  }

  /**
   * Asks for the number of matches of every keyword, by its ordinal: for those who have an {@link
   * org.apache.lucene.index.OrdinalMap} of the reader, and keywords enough to be worth it.
   *
   * @param field name of the field
   * @return the aggregation
   */
  static Aggregation<OrdinalCounts> ordinals(String field) {
    return new Ordinals(field);
  }

  /**
   * Asks for the whole numbers that most matches have.
   *
   * @param field name of the field
   * @param n numbers wanted, at least 1
   * @return the aggregation
   */
  static Aggregation<ValueCounts> values(String field, int n) {
    return new Values(field, n);
  }

  /**
   * Asks how many different keywords matches have: an exact number.
   *
   * @param field name of the field
   * @return the aggregation
   */
  static Aggregation<DistinctCount> distinctTerms(String field) {
    return new DistinctTerms(field);
  }

  /**
   * Asks how many different numbers matches have: an exact number. Floating-point numbers are
   * different if their doc values are.
   *
   * @param field name of the field
   * @return the aggregation
   */
  static Aggregation<DistinctCount> distinctValues(String field) {
    return new DistinctValues(field);
  }

  /**
   * {@return {@link #histogram(String, long, int)} with {@link #MAX_BUCKETS} buckets}
   *
   * @param field name of the field
   * @param width of a bucket, at least 1
   */
  static Aggregation<HistogramCounts> histogram(String field, long width) {
    return new Histogram(field, width, MAX_BUCKETS);
  }

  /**
   * Asks for the number of matches in each bucket of whole numbers. A search that finds more
   * buckets than allowed throws an {@link IllegalStateException}.
   *
   * @param field name of the field
   * @param width of a bucket, at least 1
   * @param maxBuckets buckets that may have matches
   * @return the aggregation
   */
  static Aggregation<HistogramCounts> histogram(String field, long width, int maxBuckets) {
    return new Histogram(field, width, maxBuckets);
  }

  /**
   * {@return {@link #dates(String, CalendarInterval, int)} with {@link #MAX_BUCKETS} buckets}
   *
   * @param field name of the field
   * @param interval the intervals
   */
  static Aggregation<DateCounts> dates(String field, CalendarInterval interval) {
    return new Dates(field, interval, MAX_BUCKETS);
  }

  /**
   * Asks for the number of matches in each interval of the calendar; values are milliseconds since
   * 1970. A search that finds more of them than allowed throws an {@link IllegalStateException}.
   *
   * @param field name of the field
   * @param interval the intervals
   * @param maxBuckets intervals that may have matches
   * @return the aggregation
   */
  static Aggregation<DateCounts> dates(String field, CalendarInterval interval, int maxBuckets) {
    return new Dates(field, interval, maxBuckets);
  }

  /**
   * Asks for the number of matches in each of some ranges of whole numbers.
   *
   * @param field name of the field
   * @param ranges at least one; they may overlap
   * @return the aggregation
   */
  static Aggregation<RangeCounts> ranges(String field, ValueRange... ranges) {
    return new Ranges(field, List.of(ranges));
  }

  /**
   * Asks for other numbers about the matches of each bucket of an aggregation. A match that is in
   * several buckets counts in each of them.
   *
   * @param <R> the kind of result of the buckets
   * @param buckets one that has buckets: of keywords, numbers, a histogram, dates or ranges
   * @param inner at least one; they may have others inside
   * @return the aggregation
   */
  static <R> Aggregation<BucketResults<R>> inside(Aggregation<R> buckets, Aggregation<?>... inner) {
    return new InsideBuckets<>(buckets, List.of(inner));
  }

  /**
   * Asks for the number of matches in intervals of a length that suits them; values are
   * milliseconds since 1970.
   *
   * @param field name of the field
   * @param buckets intervals from the least to the greatest value of the matches at most, unless
   *     there are more centuries
   * @return the aggregation
   */
  static Aggregation<AutoDateCounts> autoDates(String field, int buckets) {
    return new AutoDates(field, buckets);
  }

  /**
   * Asks for the commonest combinations of values; of equally common ones those of least keys.
   *
   * @param n how many are wanted, at least 1
   * @param fields at least one
   * @return the aggregation
   */
  static Aggregation<CombinationCounts> combinations(int n, CombinedField... fields) {
    return new Combinations(List.of(fields), false, n, null);
  }

  /**
   * Asks for the first combinations of values in the order of their keys.
   *
   * @param n how many are wanted, at least 1
   * @param after the one after which they begin: a {@link org.apache.lucene.util.BytesRef} or
   *     {@link Long} for each field; null: the first one
   * @param fields at least one
   * @return the aggregation
   */
  static Aggregation<CombinationCounts> combinationsByKey(
      int n, List<Object> after, CombinedField... fields) {
    return new Combinations(List.of(fields), true, n, after);
  }

  /**
   * Asks for numbers of the first matches of an order.
   *
   * @param sort by one field
   * @param n how many are wanted, at least 1
   * @param metrics fields of numbers
   * @return the aggregation
   */
  static Aggregation<MetricHits> topMetrics(SortField sort, int n, String... metrics) {
    return new TopMetrics(sort, List.of(metrics), n);
  }

  /**
   * See {@link #stats}.
   *
   * @param field name of the field
   */
  record Longs(String field) implements Aggregation<LongStats> {
    /** Checks the arguments. */
    public Longs {
      Objects.requireNonNull(field, "field");
    }
  }

  /**
   * See {@link #statsOfDoubles}.
   *
   * @param field name of the field
   * @param encoding how doc values hold the numbers
   */
  record Doubles(String field, DoubleEncoding encoding) implements Aggregation<DoubleStats> {
    /** Checks the arguments. */
    public Doubles {
      Objects.requireNonNull(field, "field");
      Objects.requireNonNull(encoding, "encoding");
    }
  }

  /**
   * See {@link #terms}.
   *
   * @param field name of the field
   * @param n how many are wanted, at least 1
   */
  record Terms(String field, int n) implements Aggregation<TermCounts> {
    /** Checks the arguments. */
    public Terms {
      Objects.requireNonNull(field, "field");
      Arguments.atLeastOne("n", n);
    }
  }

  /**
   * See {@link #ordinals}.
   *
   * @param field name of the field
   */
  record Ordinals(String field) implements Aggregation<OrdinalCounts> {
    /** Checks the arguments. */
    public Ordinals {
      Objects.requireNonNull(field, "field");
    }
  }

  /**
   * See {@link #values}.
   *
   * @param field name of the field
   * @param n how many are wanted, at least 1
   */
  record Values(String field, int n) implements Aggregation<ValueCounts> {
    /** Checks the arguments. */
    public Values {
      Objects.requireNonNull(field, "field");
      Arguments.atLeastOne("n", n);
    }
  }

  /**
   * See {@link #distinctTerms}.
   *
   * @param field name of the field
   */
  record DistinctTerms(String field) implements Aggregation<DistinctCount> {
    /** Checks the arguments. */
    public DistinctTerms {
      Objects.requireNonNull(field, "field");
    }
  }

  /**
   * See {@link #distinctValues}.
   *
   * @param field name of the field
   */
  record DistinctValues(String field) implements Aggregation<DistinctCount> {
    /** Checks the arguments. */
    public DistinctValues {
      Objects.requireNonNull(field, "field");
    }
  }

  /**
   * See {@link #dates(String, CalendarInterval, int)}.
   *
   * @param field name of the field
   * @param interval the intervals
   * @param maxBuckets buckets that may have matches, at least 1
   */
  record Dates(String field, CalendarInterval interval, int maxBuckets)
      implements Aggregation<DateCounts> {
    /** Checks the arguments. */
    public Dates {
      Objects.requireNonNull(field, "field");
      Objects.requireNonNull(interval, "interval");
      Arguments.atLeastOne("maxBuckets", maxBuckets);
    }
  }

  /**
   * See {@link #histogram(String, long, int)}.
   *
   * @param field name of the field
   * @param width of a bucket, at least 1
   * @param maxBuckets buckets that may have matches, at least 1
   */
  record Histogram(String field, long width, int maxBuckets)
      implements Aggregation<HistogramCounts> {
    /** Checks the arguments. */
    public Histogram {
      Objects.requireNonNull(field, "field");
      Arguments.atLeastOne("width", width);
      Arguments.atLeastOne("maxBuckets", maxBuckets);
    }
  }

  /**
   * See {@link #ranges}.
   *
   * @param field name of the field
   * @param ranges the ranges, at least one
   */
  record Ranges(String field, List<ValueRange> ranges) implements Aggregation<RangeCounts> {
    /** Checks the arguments. */
    public Ranges {
      Objects.requireNonNull(field, "field");
      ranges = List.copyOf(ranges);
      Arguments.atLeastOne("number of ranges", ranges.size());
    }
  }

  /**
   * See {@link #inside}.
   *
   * @param <R> the kind of result of the buckets
   * @param buckets one that has buckets: of keywords, numbers, a histogram, dates or ranges
   * @param inner what is asked about the matches of each bucket
   */
  record InsideBuckets<R>(Aggregation<R> buckets, List<Aggregation<?>> inner)
      implements Aggregation<BucketResults<R>> {
    /**
     * Checks the arguments.
     *
     * @throws IllegalArgumentException if there are no buckets, or nothing is asked about them
     */
    public InsideBuckets {
      Objects.requireNonNull(buckets, "buckets");
      inner = List.copyOf(inner);
      Arguments.atLeastOne("number of aggregations inside " + buckets, inner.size());
      boolean known =
          switch (buckets) {
            case Terms terms -> true;
            case Values values -> true;
            case Histogram histogram -> true;
            case Dates dates -> true;
            case Ranges ranges -> true;
            case AutoDates dates -> true;
            default -> false;
          };
      if (!known) {
        throw new IllegalArgumentException(buckets + " has no buckets");
      }
    }

    @Override
    public String field() {
      return buckets.field();
    }
  }

  /**
   * See {@link #autoDates}.
   *
   * @param field name of the field
   * @param buckets intervals from the first to the last at most
   */
  record AutoDates(String field, int buckets) implements Aggregation<AutoDateCounts> {
    /** Checks the arguments. */
    public AutoDates {
      Objects.requireNonNull(field, "field");
      Arguments.atLeastOne("buckets", buckets);
    }
  }

  /**
   * See {@link #combinations} and {@link #combinationsByKey}.
   *
   * @param fields at least one
   * @param byKey whether the first ones by their keys are wanted; else the commonest
   * @param n how many
   * @param after of those by key only greater ones are wanted: a {@link BytesRef} or {@link Long}
   *     for each field; null: from the first one on
   */
  record Combinations(List<CombinedField> fields, boolean byKey, int n, List<Object> after)
      implements Aggregation<CombinationCounts> {
    /**
     * Checks the arguments.
     *
     * @throws IllegalArgumentException if there are too few of something, or {@code after} does not
     *     fit the fields
     */
    public Combinations {
      fields = List.copyOf(fields);
      Arguments.atLeastOne("number of fields", fields.size());
      Arguments.atLeastOne("n", n);
      if (after != null) {
        after = List.copyOf(after);
        check(fields, byKey, after);
      }
    }

    private static void check(List<CombinedField> fields, boolean byKey, List<Object> after) {
      if (!byKey) {
        throw new IllegalArgumentException("the commonest combinations have no order to go on in");
      }
      boolean fits = after.size() == fields.size();
      for (int i = 0; i < fields.size() && fits; i++) {
        fits = fields.get(i).keywords() ? after.get(i) instanceof BytesRef : isNumber(after.get(i));
      }
      if (!fits) {
        throw new IllegalArgumentException(
            "a keyword or a number is needed for each of " + fields + ", got " + after);
      }
    }

    private static boolean isNumber(Object key) {
      return Objects.requireNonNull(key) instanceof Long;
    }

    @Override
    public String field() {
      return fields.get(0).field();
    }
  }

  /**
   * See {@link #topMetrics}.
   *
   * @param sort by a field
   * @param metrics fields of numbers
   * @param n matches wanted
   */
  record TopMetrics(SortField sort, List<String> metrics, int n)
      implements Aggregation<MetricHits> {
    /** Checks the arguments. */
    public TopMetrics {
      Objects.requireNonNull(sort.getField(), "field of " + sort);
      metrics = List.copyOf(metrics);
      Arguments.atLeastOne("number of metrics", metrics.size());
      Arguments.atLeastOne("n", n);
    }

    @Override
    public String field() {
      return sort.getField();
    }
  }
}
