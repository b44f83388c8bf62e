/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.search.compile;

import java.io.IOException;
import org.apache.lucene.index.FieldInfo;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.search.IndexOrDocValuesQuery;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.ScoreMode;
import org.apache.lucene.search.ScorerSupplier;
import org.apache.lucene.search.Weight;
import org.apache.lucene.util.IOFunction;

/**
 * What a clause asks of the doc values of one field: that one of a doc's values is in a range, in
 * one of several, or a point of an area. Good for the searcher that it was made for; for any number
 * of threads.
 */
public final class ColumnFilter {
  /** A clause of more ranges runs on the host: its plan would take more than 64 KiB. */
  public static final int MAX_RANGES = 4096;

  /** The kinds of values that a clause asks about. */
  enum Kind {
    /** Numbers, as doc values hold them. */
    NUMBERS,
    /** Ordinals of keywords. */
    ORDINALS,
    /** Points, as {@code LatLonDocValuesField} encodes them. */
    POINTS,
    /** Any, as long as a doc has one. */
    EXISTENCE
  }

  private final IndexSearcher searcher;
  private final Query query;
  private final String field;
  private final Kind kind;
  private final IOFunction<LeafReaderContext, long[]> ranges;
  private final TermUnion terms; // null: no postings say the same
  private final GeoArea area; // null: all values of the ranges are asked for
  private volatile Weight stock;

  /**
   * Makes a filter.
   *
   * @param query the clause as stock runs it
   */
  ColumnFilter(
      IndexSearcher searcher,
      Query query,
      String field,
      Kind kind,
      IOFunction<LeafReaderContext, long[]> ranges) {
    this(searcher, query, field, kind, ranges, null, null);
  }

  /** Makes a filter for points of an area. */
  ColumnFilter(IndexSearcher searcher, Query query, String field, GeoArea area) {
    this(searcher, query, field, Kind.POINTS, context -> null, null, area);
  }

  /**
   * Makes a filter that postings may answer, too.
   *
   * @param terms the terms whose docs are those of the filter; null if there are none
   */
  ColumnFilter(
      IndexSearcher searcher,
      Query query,
      String field,
      Kind kind,
      IOFunction<LeafReaderContext, long[]> ranges,
      TermUnion terms) {
    this(searcher, query, field, kind, ranges, terms, null);
  }

  private ColumnFilter(
      IndexSearcher searcher,
      Query query,
      String field,
      Kind kind,
      IOFunction<LeafReaderContext, long[]> ranges,
      TermUnion terms,
      GeoArea area) {
    this.searcher = searcher;
    this.query = query;
    this.field = field;
    this.kind = kind;
    this.ranges = ranges;
    this.terms = terms;
    this.area = area;
  }

  /** Returns the name of the field. */
  public String field() {
    return field;
  }

  /** Returns the area that points are asked for in; null if ranges of values are. */
  public GeoArea area() {
    return area;
  }

  /** Returns the terms whose docs are those of the filter; null if there are none. */
  public TermUnion terms() {
    return terms;
  }

  /** Returns whether the clause asks about a field's doc values, and these are of its kind. */
  public boolean takes(FieldInfo info) {
    return switch (info.getDocValuesType()) {
      case NUMERIC -> kind == Kind.NUMBERS || asksExistence(info);
      case SORTED_NUMERIC -> kind == Kind.NUMBERS || kind == Kind.POINTS || asksExistence(info);
      case SORTED, SORTED_SET -> kind == Kind.ORDINALS || asksExistence(info);
      case NONE, BINARY -> false;
    };
  }

  /**
   * Returns whether stock finds the docs that have a field by its doc values: not if it has norms
   * or vectors.
   */
  private boolean asksExistence(FieldInfo info) {
    return kind == Kind.EXISTENCE && !info.hasNorms() && info.getVectorDimension() == 0;
  }

  /**
   * Returns lo and hi of each range of values in a segment, both included, ascending, without
   * overlap; null if there are too many.
   */
  public long[] ranges(LeafReaderContext context) throws IOException {
    return ranges.apply(context);
  }

  /**
   * Returns whether stock has a scorer supplier in a segment, though it may find nothing: a clause
   * without one is dropped.
   */
  public boolean hasSupplier(LeafReaderContext context) throws IOException {
    return stockSupplier(context) != null;
  }

  /**
   * Returns the number of live matches in a segment if stock knows it without a look at each doc,
   * as from an index of points; else -1.
   */
  int stockCount(LeafReaderContext context) throws IOException {
    // To make stock's weight of such an area takes longer than to count on the device.
    return area != null && area.hasGrid() ? -1 : stock().count(context);
  }

  /** Returns whether stock may find the docs by points of the area. */
  public boolean hasAreaPoints() {
    return area != null && query instanceof IndexOrDocValuesQuery;
  }

  /** Returns the points by which stock may find the docs; null if it does not. */
  public PointFilter points() {
    return PointFilter.of(query, this::stockSupplier);
  }

  private ScorerSupplier stockSupplier(LeafReaderContext context) throws IOException {
    return stock().scorerSupplier(context);
  }

  private Weight stock() throws IOException {
    Weight weight = stock;
    if (weight == null) {
      weight = query.createWeight(searcher, ScoreMode.COMPLETE_NO_SCORES, 1f);
      stock = weight;
    }
    return weight;
  }

  @Override
  public String toString() {
    return query.toString();
  }
}
