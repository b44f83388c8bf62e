/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.search.plan.node;

import java.util.List;
import org.luceneoffload.codec.column.DeviceColumn;
import org.luceneoffload.codec.column.PageBounds;
import org.luceneoffload.planner.ProgramNode;
import org.luceneoffload.planner.RefusedException;
import org.luceneoffload.report.PlanExplanation;
import org.luceneoffload.search.compile.ColumnFilter;
import org.luceneoffload.search.compile.GeoArea;
import org.luceneoffload.search.compile.PointFilter;
import org.luceneoffload.wire.OffloadWire;
import org.luceneoffload.wire.plan.PlanWriter;

/** The docs with a value of a column within a range, within one of several, or in an area. */
public final class ColumnLeaf extends PagedLeaf {
  private final ColumnFilter filter;
  private final GeoArea area; // null: every value of the ranges
  private final DeviceColumn column;
  private final long[] ranges;
  private final PageBounds.Overlap overlap;

  // Numbers in the plan's tables, from PlanLayout.
  private int columnIndex;
  private int rangeIndex; // of the first

  /**
   * Makes a node for COLUMN_RANGE, for COLUMN_IN if there are several ranges, or for the area of a
   * filter that has one.
   *
   * @param filter the clause
   * @param ranges lo and hi of each range, both included, ascending, without overlap; kept
   */
  public ColumnLeaf(
      ColumnFilter filter,
      DeviceColumn column,
      long[] ranges,
      PageBounds.Overlap overlap,
      float score) {
    super(op(filter.area(), ranges), score, Math.max(1, (long) overlap.docs()), column.image());
    this.filter = filter;
    this.area = filter.area();
    this.column = column;
    this.ranges = ranges;
    this.overlap = overlap;
  }

  private static int op(GeoArea area, long[] ranges) {
    if (area != null) {
      return area.operator().number();
    }
    return ranges.length == 2 ? OffloadWire.Op.COLUMN_RANGE : OffloadWire.Op.COLUMN_IN;
  }

  /** Returns the name of the field. */
  public String field() {
    return filter.field();
  }

  /** Returns the points by which stock may find the docs of the clause; null if it does not. */
  public PointFilter points() {
    return filter.points();
  }

  /** Returns the area whose points stock may find by its index of them; null if there is none. */
  public GeoArea indexedArea() {
    return filter.hasAreaPoints() ? area : null;
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
  public long valuesAsked() {
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

  /**
   * Returns how many pages the device has to read: where every doc has a value, those that lie in
   * one range as a whole are known to match.
   *
   * @param maxDoc docs of the segment
   */
  public int pagesToRead(int maxDoc) {
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

  @Override
  void number(PlanLayout layout) throws RefusedException {
    rangeIndex = layout.addRanges(area == null ? rangeCount() : area.entryCount());
    columnIndex = layout.column(column);
  }

  @Override
  void write(PlanSink sink) {
    if (area != null) {
      sink.node(fields().list(columnIndex).table(rangeIndex).count(area.entryCount()));
      sink.buffer().put(sink.rangeOffset(rangeIndex), area.entries());
      return;
    }
    int count = op() == OffloadWire.Op.COLUMN_IN ? rangeCount() : 0;
    sink.node(fields().list(columnIndex).table(rangeIndex).count(count));
    int at = sink.rangeOffset(rangeIndex);
    for (int i = 0; i < ranges.length; i += 2) {
      at = PlanWriter.writeRange(sink.buffer(), at, ranges[i], ranges[i + 1]);
    }
  }

  @Override
  void addPages(PageRuns runs) {} // a column's page index says which pages are read

  @Override
  public ProgramNode estimate(int maxDoc) {
    return ProgramNode.column(occur(), Math.toIntExact(cost()), pagesToRead(maxDoc));
  }

  @Override
  public PlanExplanation.Node explain() {
    PlanExplanation.ColumnRange range =
        new PlanExplanation.ColumnRange(
            field(),
            rangeCount(),
            ranges[0],
            ranges[ranges.length - 1],
            column.docCount(),
            overlap.pages(),
            pageCount(),
            (long) pageCount() * OffloadWire.PAGE_BYTES,
            PageRuns.of(image(), firstPage(), pageCount()));
    return explain(null, range, List.of());
  }
}
