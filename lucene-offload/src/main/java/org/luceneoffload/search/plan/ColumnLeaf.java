/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.search.plan;

import org.luceneoffload.codec.column.DeviceColumn;
import org.luceneoffload.codec.column.PageBounds;
import org.luceneoffload.search.compile.ColumnFilter;
import org.luceneoffload.search.compile.PointFilter;
import org.luceneoffload.wire.OffloadWire;

/** The docs with a value of a column within a range, or within one of several. */
public final class ColumnLeaf extends PagedLeaf {
  private final ColumnFilter filter;
  private final DeviceColumn column;
  private final long[] ranges;
  private final PageBounds.Overlap overlap;

  // Numbers in the plan's tables, from PlanLayout.
  int columnIndex;
  int rangeIndex; // of the first

  /**
   * A node for COLUMN_RANGE, or for COLUMN_IN if there are several ranges.
   *
   * @param filter the clause
   * @param ranges lo and hi of each range, both included, ascending, without overlap; kept
   */
  ColumnLeaf(
      ColumnFilter filter,
      DeviceColumn column,
      long[] ranges,
      PageBounds.Overlap overlap,
      float score) {
    super(
        ranges.length == 2 ? OffloadWire.Op.COLUMN_RANGE : OffloadWire.Op.COLUMN_IN,
        score,
        Math.max(1, (long) overlap.docs()),
        column.image());
    this.filter = filter;
    this.column = column;
    this.ranges = ranges;
    this.overlap = overlap;
  }

  /** Returns the name of the field. */
  public String field() {
    return filter.field();
  }

  /** Returns the points by which stock may find the docs of the clause; null if it does not. */
  PointFilter points() {
    return filter.points();
  }

  /** Returns where the column is. */
  public DeviceColumn column() {
    return column;
  }

  /** Returns how many ranges there are. */
  public int rangeCount() {
    return ranges.length / 2;
  }

  /** Returns how many different values the ranges have; Long.MAX_VALUE if that is too many. */
  long valuesAsked() {
    long sum = 0;
    for (int i = 0; i < ranges.length; i += 2) {
      long width = ranges[i + 1] - ranges[i] + 1;
      if (width <= 0 || width > Integer.MAX_VALUE) {
        return Long.MAX_VALUE;
      }
      sum += width;
    }
    return sum;
  }

  /** Returns the least value of a range. */
  public long lo(int range) {
    return ranges[2 * range];
  }

  /** Returns the greatest value of a range. */
  public long hi(int range) {
    return ranges[2 * range + 1];
  }

  /** Returns how many pages may have a value in a range. */
  public int pagesInRange() {
    return overlap.pages();
  }

  /**
   * Returns how many pages the device has to read: where every doc has a value, those that lie in
   * one range as a whole are known to match.
   *
   * @param maxDoc docs of the segment
   */
  int pagesToRead(int maxDoc) {
    return column.docCount() == maxDoc ? overlap.partly() : overlap.pages();
  }

  @Override
  int firstPage() {
    return column.firstPage();
  }

  @Override
  public int pageCount() {
    return column.pageCount();
  }
}
