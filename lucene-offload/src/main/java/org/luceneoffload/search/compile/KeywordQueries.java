/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.search.compile;

import java.io.IOException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.lucene.document.SortedSetDocValuesField;
import org.apache.lucene.index.DocValues;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.SortedSetDocValues;
import org.apache.lucene.index.Term;
import org.apache.lucene.index.Terms;
import org.apache.lucene.index.TermsEnum;
import org.apache.lucene.search.ConstantScoreQuery;
import org.apache.lucene.search.IndexOrDocValuesQuery;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.MultiTermQuery;
import org.apache.lucene.search.PrefixQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.TermInSetQuery;
import org.apache.lucene.util.BytesRef;
import org.apache.lucene.util.IOFunction;

/**
 * Recognises the queries that ask for keywords in doc values: exact ones, sets, prefixes, ranges.
 * Each segment numbers its keywords in their order, and its dictionary says which numbers are
 * meant.
 */
public final class KeywordQueries {
  private static final Class<?> RANGE =
      SortedSetDocValuesField.newSlowRangeQuery(
              "field", new BytesRef("a"), new BytesRef("b"), true, true)
          .getClass();
  private static final Class<?> TERMS = classOfTerms();

  /** What a range prints: keywords in hexadecimal, an asterisk where it is open. */
  private static final Pattern RANGE_TEXT =
      Pattern.compile("([\\[{])(\\*|\\[[0-9a-f ]*]) TO (\\*|\\[[0-9a-f ]*])([]}])");

  private KeywordQueries() {}

  private static Class<?> classOfTerms() {
    try {
      Query rewritten =
          MultiTermQuery.DOC_VALUES_REWRITE.rewrite(null, new PrefixQuery(new Term("field", "a")));
      return ((ConstantScoreQuery) rewritten).getQuery().getClass();
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  /** Returns whether queries of a class may ask for keywords. */
  public static boolean takes(Class<?> type) {
    return type == TERMS || type == RANGE || type == IndexOrDocValuesQuery.class;
  }

  /** Returns the filter of a query for keywords; null if it asks for something else. */
  public static ColumnFilter filter(IndexSearcher searcher, Query query) {
    IOFunction<LeafReaderContext, long[]> ranges;
    TermUnion union = null;
    if (query.getClass() == TERMS || query.getClass() == IndexOrDocValuesQuery.class) {
      MultiTermQuery terms = query.getClass() == TERMS ? HiddenParts.multiTerm(query) : set(query);
      ranges = terms == null ? null : context -> terms(terms, context);
      union = terms == null || query.getClass() == TERMS ? null : TermUnion.ofTerms(terms);
    } else {
      Range range = Range.of(query);
      ranges = range == null ? null : range::in;
    }
    String field = HiddenParts.field(query);
    return ranges == null
        ? null
        : new ColumnFilter(searcher, query, field, ColumnFilter.Kind.ORDINALS, ranges, union);
  }

  /**
   * Returns the keywords that both sides of a query look for, one in postings and one in doc
   * values; null if they differ, or look for anything but a set.
   */
  private static MultiTermQuery set(Query query) {
    IndexOrDocValuesQuery either = (IndexOrDocValuesQuery) query;
    Query values = either.getRandomAccessQuery();
    if (values instanceof ConstantScoreQuery constant) {
      values = constant.getQuery();
    }
    if (values.getClass() != TERMS) {
      return null;
    }
    MultiTermQuery wanted = HiddenParts.multiTerm(values);
    boolean isSet = wanted != null && wanted.getClass() == TermInSetQuery.class;
    return isSet && wanted.equals(HiddenParts.multiTerm(either.getIndexQuery())) ? wanted : null;
  }

  private static long[] terms(MultiTermQuery query, LeafReaderContext context) throws IOException {
    SortedSetDocValues values = DocValues.getSortedSet(context.reader(), query.getField());
    TermsEnum terms = query.getTermsEnum(new Dictionary(values));
    long[] ranges = new long[2];
    int size = 0;
    while (terms.next() != null) {
      long ord = terms.ord();
      if (size > 0 && ord == ranges[size - 1] + 1) {
        ranges[size - 1] = ord;
        continue;
      }
      if (size == 2 * ColumnFilter.MAX_RANGES) {
        return null;
      }
      if (size == ranges.length) {
        ranges = Arrays.copyOf(ranges, 2 * size);
      }
      ranges[size++] = ord;
      ranges[size++] = ord;
    }
    return Arrays.copyOf(ranges, size);
  }

  /** Returns the keyword of its bytes in hexadecimal, in brackets; null for an asterisk. */
  static BytesRef keyword(String text) {
    if (text.equals("*")) {
      return null;
    }
    StringBuilder hex = new StringBuilder();
    String bytes = text.substring(1, text.length() - 1);
    for (String each : bytes.isEmpty() ? new String[0] : bytes.split(" ")) {
      hex.append(each.length() == 1 ? "0" : "").append(each);
    }
    return new BytesRef(HexFormat.of().parseHex(hex));
  }

  /** A range of keywords; an end that is null is open. */
  private record Range(
      String field, BytesRef lower, BytesRef upper, boolean withLower, boolean withUpper) {
    /** Reads a range from what the query prints: its class does not tell its ends. */
    static Range of(Query query) {
      String field = HiddenParts.field(query);
      Matcher text = RANGE_TEXT.matcher(query.toString(field));
      return text.matches()
          ? new Range(
              field,
              keyword(text.group(2)),
              keyword(text.group(3)),
              text.group(1).equals("["),
              text.group(4).equals("]"))
          : null;
    }

    long[] in(LeafReaderContext context) throws IOException {
      SortedSetDocValues values = DocValues.getSortedSet(context.reader(), field);
      long lo = 0;
      long hi = values.getValueCount() - 1;
      if (lower != null) {
        long ord = values.lookupTerm(lower);
        lo = ord < 0 ? -1 - ord : ord + (withLower ? 0 : 1);
      }
      if (upper != null) {
        long ord = values.lookupTerm(upper);
        hi = ord < 0 ? -2 - ord : ord - (withUpper ? 0 : 1);
      }
      return lo > hi ? new long[0] : new long[] {lo, hi};
    }
  }

  /** The keywords of a segment as terms, which is what a query picks its own from. */
  private static final class Dictionary extends Terms {
    private final SortedSetDocValues values;

    Dictionary(SortedSetDocValues values) {
      this.values = values;
    }

    @Override
    public TermsEnum iterator() throws IOException {
      return values.termsEnum();
    }

    @Override
    public long size() {
      return -1;
    }

    @Override
    public long getSumTotalTermFreq() {
      throw new UnsupportedOperationException();
    }

    @Override
    public long getSumDocFreq() {
      throw new UnsupportedOperationException();
    }

    @Override
    public int getDocCount() {
      throw new UnsupportedOperationException();
    }

    @Override
    public boolean hasFreqs() {
      return false;
    }

    @Override
    public boolean hasOffsets() {
      return false;
    }

    @Override
    public boolean hasPositions() {
      return false;
    }

    @Override
    public boolean hasPayloads() {
      return false;
    }
  }
}
