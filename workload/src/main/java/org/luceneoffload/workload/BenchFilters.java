/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.workload;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.apache.lucene.document.DoubleField;
import org.apache.lucene.document.KeywordField;
import org.apache.lucene.document.LongField;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.DocValues;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.MultiTerms;
import org.apache.lucene.index.SortedNumericDocValues;
import org.apache.lucene.index.Terms;
import org.apache.lucene.index.TermsEnum;
import org.apache.lucene.search.BooleanClause.Occur;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.DocIdSetIterator;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.Sort;
import org.apache.lucene.search.SortField;
import org.apache.lucene.search.SortedNumericSortField;
import org.apache.lucene.util.BytesRef;
import org.apache.lucene.util.NumericUtils;

/**
 * Filters for queries that are measured: of each typed field, such as let about 0.1, 1, 10 and 50 %
 * of the documents pass.
 */
public final class BenchFilters {
  private static final double[] SHARES = {0.001, 0.01, 0.1, 0.5};

  /** Values in a set. */
  private static final int[] SET_SIZES = {2, 4, 16, 256};

  /** A keyword is taken for a share if it is within this factor of it. */
  private static final double NEAR = 3;

  /**
   * A filter.
   *
   * @param name field and share of the documents that pass
   */
  public record Filter(String name, Query query) {}

  private final List<Filter> filters;

  private BenchFilters(List<Filter> filters) {
    this.filters = filters;
  }

  /** Returns the filters of an index; none if it has no typed fields. */
  public static BenchFilters of(DirectoryReader reader) throws IOException {
    List<Filter> filters = new ArrayList<>();
    for (TypedField field : TypedFields.of(reader).all()) {
      if (field.type() == TypedField.Type.KEYWORD) {
        keywords(reader, field, filters);
      } else if (field.isNumber()) {
        ranges(reader, field, filters);
      }
    }
    return new BenchFilters(filters);
  }

  /**
   * Returns the sort by the first typed field that has numbers, the greatest first; null if there
   * is none.
   */
  public static Sort sort(DirectoryReader reader) throws IOException {
    for (TypedField field : TypedFields.of(reader).all()) {
      if (field.isNumber()) {
        boolean real = field.type() == TypedField.Type.DOUBLE;
        SortField.Type type = real ? SortField.Type.DOUBLE : SortField.Type.LONG;
        return new Sort(new SortedNumericSortField(field.name(), type, true));
      }
    }
    return null;
  }

  /** Returns all of them. */
  public List<Filter> all() {
    return List.copyOf(filters);
  }

  /** Returns whether there are none. */
  boolean isEmpty() {
    return filters.isEmpty();
  }

  /** Returns the name of the filter of the n-th query. */
  String name(int n) {
    return filters.get(n % filters.size()).name();
  }

  /** Returns the n-th query with its filter. */
  Query filtered(int n, Query query) {
    return new BooleanQuery.Builder()
        .add(query, Occur.MUST)
        .add(filters.get(n % filters.size()).query(), Occur.FILTER)
        .build();
  }

  private static String name(TypedField field, double share) {
    return String.format(Locale.ROOT, "%s %.1f %%", field.name(), 100 * share).replace(".0 ", " ");
  }

  /** Sets of a few values and of many, each of them in some document. */
  public static List<Filter> sets(DirectoryReader reader) throws IOException {
    List<Filter> filters = new ArrayList<>();
    for (TypedField field : TypedFields.of(reader).all()) {
      long[] values = field.isNumber() ? values(reader, field.name()) : new long[0];
      for (int size : values.length == 0 ? new int[0] : SET_SIZES) {
        long[] set = new long[size];
        double[] reals = new double[size];
        for (int i = 0; i < size; i++) {
          set[i] = values[(int) ((i + 0.5) * values.length / size)];
          reals[i] = NumericUtils.sortableLongToDouble(set[i]);
        }
        boolean real = field.type() == TypedField.Type.DOUBLE;
        filters.add(
            new Filter(
                field.name() + " in " + size,
                real
                    ? DoubleField.newSetQuery(field.name(), reals)
                    : LongField.newSetQuery(field.name(), set)));
      }
    }
    return filters;
  }

  /** Returns all values of a field, ascending. */
  private static long[] values(DirectoryReader reader, String field) throws IOException {
    long[] values = new long[reader.maxDoc()];
    int count = 0;
    for (LeafReaderContext leaf : reader.leaves()) {
      SortedNumericDocValues docs = DocValues.getSortedNumeric(leaf.reader(), field);
      while (docs.nextDoc() != DocIdSetIterator.NO_MORE_DOCS) {
        values[count++] = docs.nextValue();
      }
    }
    Arrays.sort(values, 0, count);
    return Arrays.copyOf(values, count);
  }

  /** Adds ranges around the median. */
  private static void ranges(DirectoryReader reader, TypedField field, List<Filter> filters)
      throws IOException {
    long[] values = values(reader, field.name());
    int count = values.length;
    if (count == 0) {
      return;
    }
    for (double share : SHARES) {
      int wanted = (int) (share * reader.maxDoc());
      int from = Math.max(0, (count - wanted) / 2);
      long lo = values[from];
      long hi = values[Math.min(count - 1, from + wanted)];
      boolean real = field.type() == TypedField.Type.DOUBLE;
      Query range =
          real
              ? DoubleField.newRangeQuery(
                  field.name(),
                  NumericUtils.sortableLongToDouble(lo),
                  NumericUtils.sortableLongToDouble(hi))
              : LongField.newRangeQuery(field.name(), lo, hi);
      filters.add(new Filter(name(field, share), range));
    }
  }

  /** Adds the keyword that comes next to each share. */
  private static void keywords(DirectoryReader reader, TypedField field, List<Filter> filters)
      throws IOException {
    Terms terms = MultiTerms.getTerms(reader, field.name());
    for (double share : terms == null ? new double[0] : SHARES) {
      double wanted = share * reader.maxDoc();
      double best = NEAR;
      BytesRef found = null;
      TermsEnum at = terms.iterator();
      for (BytesRef term = at.next(); term != null; term = at.next()) {
        double off = Math.max(at.docFreq() / wanted, wanted / at.docFreq());
        if (off < best) {
          best = off;
          found = BytesRef.deepCopyOf(term);
        }
      }
      if (found != null) {
        filters.add(
            new Filter(name(field, share), KeywordField.newExactQuery(field.name(), found)));
      }
    }
  }
}
