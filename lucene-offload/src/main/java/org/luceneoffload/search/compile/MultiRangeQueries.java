/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.search.compile;

import java.io.IOException;
import java.util.Arrays;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.lucene.index.DocValues;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.SortedSetDocValues;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.Query;
import org.apache.lucene.util.BytesRef;

/**
 * Recognises the queries of Lucene's sandbox for several ranges of doc values. Their classes are
 * known by name only, as the sandbox need not be there; what they ask for is what they print.
 */
public final class MultiRangeQueries {
  private static final String NUMBERS =
      "org.apache.lucene.sandbox.search.SortedNumericDocValuesMultiRangeQuery";
  private static final String KEYWORDS =
      "org.apache.lucene.sandbox.search.SortedSetDocValuesMultiRangeQuery";

  private static final Pattern NUMBER_RANGE = Pattern.compile("(-?\\d+)\\.\\.(-?\\d+)");

  /** A keyword is printed as its bytes in hexadecimal. */
  private static final Pattern KEYWORD_RANGE =
      Pattern.compile("(\\[[0-9a-f ]*])\\.\\.(\\[[0-9a-f ]*])");

  private MultiRangeQueries() {}

  /** Returns whether queries of a class ask for several ranges. */
  public static boolean takes(Class<?> type) {
    return type.getName().equals(NUMBERS) || type.getName().equals(KEYWORDS);
  }

  /** Returns the filter that a query stands for; null if its text cannot be read. */
  public static ColumnFilter filter(IndexSearcher searcher, Query query) {
    return query.getClass().getName().equals(NUMBERS)
        ? numbers(searcher, query)
        : keywords(searcher, query);
  }

  /**
   * Returns what stands between the commas of a list in brackets; null if it is too long, or no
   * list.
   */
  private static String[] printed(Query query, String field) {
    String text = query.toString(field);
    if (!text.startsWith("[") || !text.endsWith("]")) {
      return null;
    }
    String[] ranges = text.substring(1, text.length() - 1).split(", ");
    return ranges.length > ColumnFilter.MAX_RANGES ? null : ranges;
  }

  private static ColumnFilter numbers(IndexSearcher searcher, Query query) {
    String field = HiddenParts.field(query);
    String[] printed = printed(query, field);
    if (printed == null) {
      return null;
    }
    long[] ranges = new long[2 * printed.length];
    for (int i = 0; i < printed.length; i++) {
      Matcher range = NUMBER_RANGE.matcher(printed[i]);
      if (!range.matches()) {
        return null;
      }
      ranges[2 * i] = Long.parseLong(range.group(1));
      ranges[2 * i + 1] = Long.parseLong(range.group(2));
      // The query has resolved overlaps: what it prints are the ranges that it looks up.
      if (ranges[2 * i] > ranges[2 * i + 1] || (i > 0 && ranges[2 * i] <= ranges[2 * i - 1])) {
        return null;
      }
    }
    return new ColumnFilter(searcher, query, field, ColumnFilter.Kind.NUMBERS, context -> ranges);
  }

  private static ColumnFilter keywords(IndexSearcher searcher, Query query) {
    String field = HiddenParts.field(query);
    String[] printed = printed(query, field);
    if (printed == null) {
      return null;
    }
    BytesRef[] bounds = new BytesRef[2 * printed.length];
    for (int i = 0; i < printed.length; i++) {
      Matcher range = KEYWORD_RANGE.matcher(printed[i]);
      if (!range.matches()) {
        return null;
      }
      bounds[2 * i] = KeywordQueries.keyword(range.group(1));
      bounds[2 * i + 1] = KeywordQueries.keyword(range.group(2));
    }
    return new ColumnFilter(
        searcher,
        query,
        field,
        ColumnFilter.Kind.ORDINALS,
        context -> ordinals(context, field, bounds));
  }

  /**
   * Returns the ordinals of ranges of keywords, in any order; ranges that overlap or touch become
   * one.
   */
  private static long[] ordinals(LeafReaderContext context, String field, BytesRef[] bounds)
      throws IOException {
    SortedSetDocValues values = DocValues.getSortedSet(context.reader(), field);
    long[][] ranges = new long[bounds.length / 2][];
    int count = 0;
    for (int i = 0; i < bounds.length; i += 2) {
      long lo = values.lookupTerm(bounds[i]);
      long hi = values.lookupTerm(bounds[i + 1]);
      lo = lo < 0 ? -1 - lo : lo;
      hi = hi < 0 ? -2 - hi : hi;
      if (lo <= hi) {
        ranges[count++] = new long[] {lo, hi};
      }
    }
    Arrays.sort(ranges, 0, count, (a, b) -> Long.compare(a[0], b[0]));
    long[] merged = new long[2 * count];
    int size = 0;
    for (int i = 0; i < count; i++) {
      if (size > 0 && ranges[i][0] <= merged[size - 1] + 1) {
        merged[size - 1] = Math.max(merged[size - 1], ranges[i][1]);
      } else {
        merged[size++] = ranges[i][0];
        merged[size++] = ranges[i][1];
      }
    }
    return Arrays.copyOf(merged, size);
  }
}
