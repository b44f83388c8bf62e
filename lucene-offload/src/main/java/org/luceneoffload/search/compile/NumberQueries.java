/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.search.compile;

import java.io.IOException;
import java.util.Arrays;
import org.apache.lucene.document.SortedNumericDocValuesField;
import org.apache.lucene.search.FieldExistsQuery;
import org.apache.lucene.search.IndexOrDocValuesQuery;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.IndexSortSortedNumericDocValuesRangeQuery;
import org.apache.lucene.search.NumericDocValuesRangeQuery;
import org.apache.lucene.search.PointInSetQuery;
import org.apache.lucene.search.PointRangeQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.util.Accountable;
import org.apache.lucene.util.NumericUtils;
import org.luceneoffload.search.join.NumberJoin;

/**
 * Recognises the queries that ask for numbers of a doc-values field, or for docs that have it. Of
 * those that stock answers with an index or with doc values, whatever is quicker, both sides have
 * to ask for the same: only what both match do plans match.
 */
public final class NumberQueries {
  private static final Class<?> RANGE =
      SortedNumericDocValuesField.newSlowRangeQuery("field", 0, 1).getClass();
  private static final Class<?> SET =
      SortedNumericDocValuesField.newSlowSetQuery("field", 0, 1).getClass();

  /**
   * Sets that take more are not looked at: their hash tables, at most half of them empty and of a
   * power of two in size, have more values than ranges may be.
   */
  private static final long MAX_SET_BYTES = 8192 + 4L * Long.BYTES * ColumnFilter.MAX_RANGES;

  private NumberQueries() {}

  /** Returns whether queries of a class ask for docs that have a field. */
  public static boolean isExistence(Class<?> type) {
    return type == FieldExistsQuery.class;
  }

  /** Returns the filter of a query for docs that have a field. */
  public static ColumnFilter existence(IndexSearcher searcher, Query query) {
    long[] all = {Long.MIN_VALUE, Long.MAX_VALUE};
    String field = ((FieldExistsQuery) query).getField();
    return new ColumnFilter(searcher, query, field, ColumnFilter.Kind.EXISTENCE, context -> all);
  }

  /** Returns whether queries of a class may ask for numbers. */
  public static boolean takes(Class<?> type) {
    return type == RANGE
        || type == SET
        || type == IndexSortSortedNumericDocValuesRangeQuery.class
        || type == IndexOrDocValuesQuery.class;
  }

  /** Returns the filter of a query for numbers of one field; null if it asks for something else. */
  public static ColumnFilter filter(IndexSearcher searcher, Query query) {
    Numbers numbers = numbers(query);
    if (numbers == null) {
      return null;
    }
    long[] ranges = numbers.ranges;
    return new ColumnFilter(
        searcher, query, numbers.field, ColumnFilter.Kind.NUMBERS, context -> ranges);
  }

  /**
   * Returns a query that is a join by numbers, or a set of points, to Lucene, and that plans may
   * answer from doc values, too; the query itself if it asks for nothing, or for too many numbers.
   *
   * @throws IllegalArgumentException if it is another query
   */
  public static Query overDocValues(Query join) throws IOException {
    if (join instanceof PointInSetQuery set) {
      long[] numbers = pointsOf(set);
      return numbers == null || numbers.length == 0
          ? join
          : new IndexOrDocValuesQuery(
              join, SortedNumericDocValuesField.newSlowSetQuery(set.getField(), numbers));
    }
    if (!NumberJoin.takes(join)) {
      throw new IllegalArgumentException("no join by numbers: " + join.getClass().getName());
    }
    NumberJoin known = NumberJoin.of(join, HiddenParts.field(join));
    return known == null ? join : known;
  }

  /** Returns the filter of a join for the numbers of a field; null if it has too many ranges. */
  public static ColumnFilter join(IndexSearcher searcher, NumberJoin join) {
    long[] values = join.numbers();
    Numbers numbers = Numbers.set(join.field(), values, values.length);
    return numbers == null
        ? null
        : new ColumnFilter(
            searcher,
            join.join(),
            numbers.field,
            ColumnFilter.Kind.NUMBERS,
            context -> numbers.ranges);
  }

  /**
   * Returns whether a query is one of stock's for numbers of a field, with at most an index side
   * beside the doc values: it has no clauses of other kinds.
   */
  static boolean asksForNumbers(Query query) {
    Class<?> type = query.getClass();
    if (type == IndexSortSortedNumericDocValuesRangeQuery.class) {
      Query fallback = ((IndexSortSortedNumericDocValuesRangeQuery) query).getFallbackQuery();
      return fallback.getClass() != type && asksForNumbers(fallback);
    }
    if (type == IndexOrDocValuesQuery.class) {
      IndexOrDocValuesQuery either = (IndexOrDocValuesQuery) query;
      Class<?> values = either.getRandomAccessQuery().getClass();
      Query index = either.getIndexQuery();
      boolean isPoints = index instanceof PointRangeQuery || index instanceof PointInSetQuery;
      return isPoints && (values == RANGE || values == SET);
    }
    return type == RANGE || type == SET;
  }

  /**
   * A field and the numbers asked for.
   *
   * @param ranges lo and hi of each range, both included, ascending
   */
  private record Numbers(String field, long[] ranges) {
    static Numbers range(String field, long lo, long hi) {
      return lo > hi ? null : new Numbers(field, new long[] {lo, hi});
    }

    /**
     * Makes ranges of ascending values, adjacent ones as one; null if there are none or too many.
     */
    static Numbers set(String field, long[] values, int count) {
      long[] ranges = new long[2 * count];
      int size = 0;
      for (int i = 0; i < count; i++) {
        if (size > 0 && values[i] <= ranges[size - 1]) {
          continue;
        }
        if (size > 0 && values[i] == ranges[size - 1] + 1) {
          ranges[size - 1]++;
        } else {
          ranges[size++] = values[i];
          ranges[size++] = values[i];
        }
      }
      return size == 0 || size > 2 * ColumnFilter.MAX_RANGES
          ? null
          : new Numbers(field, Arrays.copyOf(ranges, size));
    }

    boolean isSame(Numbers other) {
      return other != null && field.equals(other.field) && Arrays.equals(ranges, other.ranges);
    }
  }

  private static Numbers numbers(Query query) {
    Class<?> type = query.getClass();
    if (type == RANGE) {
      NumericDocValuesRangeQuery range = (NumericDocValuesRangeQuery) query;
      return Numbers.range(range.getField(), range.lowerValue(), range.upperValue());
    } else if (type == SET) {
      return set(query);
    } else if (type == IndexSortSortedNumericDocValuesRangeQuery.class) {
      IndexSortSortedNumericDocValuesRangeQuery sorted =
          (IndexSortSortedNumericDocValuesRangeQuery) query;
      Numbers range = Numbers.range(sorted.getField(), sorted.lowerValue(), sorted.upperValue());
      return range != null && range.isSame(numbers(sorted.getFallbackQuery())) ? range : null;
    } else if (type == IndexOrDocValuesQuery.class) {
      IndexOrDocValuesQuery either = (IndexOrDocValuesQuery) query;
      Query values = either.getRandomAccessQuery();
      if (either.getIndexQuery() instanceof PointInSetQuery set && values.getClass() == SET) {
        return sameSet(set, values);
      }
      Numbers numbers = numbers(values);
      return numbers != null && numbers.isSame(points(either.getIndexQuery())) ? numbers : null;
    }
    return null; // nothing says that a field's points are its doc values
  }

  /**
   * Returns the numbers of a set of points, if it is of the numbers of another query for a set of
   * doc values.
   */
  private static Numbers sameSet(PointInSetQuery points, Query values) {
    long[] numbers = pointsOf(points);
    return numbers != null
            && SortedNumericDocValuesField.newSlowSetQuery(points.getField(), numbers)
                .equals(values)
        ? Numbers.set(points.getField(), numbers, numbers.length)
        : null;
  }

  /** Reads a set from what the query prints: its class does not tell its numbers. */
  private static Numbers set(Query query) {
    if (((Accountable) query).ramBytesUsed() > MAX_SET_BYTES) {
      return null;
    }
    String field = HiddenParts.field(query);
    String text = query.toString();
    String head = field + ": [";
    if (field == null || !text.startsWith(head) || !text.endsWith("]")) {
      return null;
    }
    String[] numbers = text.substring(head.length(), text.length() - 1).split(", ");
    long[] values = new long[numbers.length];
    try {
      for (int i = 0; i < values.length; i++) {
        values[i] = Long.parseLong(numbers[i]);
      }
    } catch (NumberFormatException e) {
      return null;
    }
    Arrays.sort(values);
    return Numbers.set(field, values, values.length);
  }

  /** Returns what the index side asks for, in the numbers that doc values of such a field hold. */
  private static Numbers points(Query query) {
    if (query instanceof PointRangeQuery range) {
      if (range.getNumDims() != 1 || !isOfNumbers(range.getBytesPerDim())) {
        return null;
      }
      return Numbers.range(
          range.getField(), number(range.getLowerPoint(), 0), number(range.getUpperPoint(), 0));
    }
    if (query instanceof PointInSetQuery set) {
      long[] values = pointsOf(set);
      return values == null ? null : Numbers.set(set.getField(), values, values.length);
    }
    return null;
  }

  /** Returns the numbers of a set of points, ascending; null if these are no single numbers. */
  private static long[] pointsOf(PointInSetQuery set) {
    if (set.getNumDims() != 1 || !isOfNumbers(set.getBytesPerDim())) {
      return null;
    }
    long[] values = new long[set.getPackedPoints().size()];
    int count = 0;
    for (byte[] point : set.getPackedPoints()) {
      values[count++] = number(point, 0);
    }
    return values;
  }

  private static boolean isOfNumbers(int bytes) {
    return bytes == Long.BYTES || bytes == Integer.BYTES;
  }

  private static long number(byte[] point, int offset) {
    return point.length - offset >= Long.BYTES
        ? NumericUtils.sortableBytesToLong(point, offset)
        : NumericUtils.sortableBytesToInt(point, offset);
  }
}
