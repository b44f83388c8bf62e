/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.search.plan.node;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.apache.lucene.util.ArrayUtil;
import org.luceneoffload.aggregate.ValueRange;
import org.luceneoffload.codec.SegmentImage;
import org.luceneoffload.codec.column.DeviceColumn;
import org.luceneoffload.planner.RefusedException;
import org.luceneoffload.report.Refusal;
import org.luceneoffload.wire.OffloadWire;
import org.luceneoffload.wire.layout.Bm25TableLayout;
import org.luceneoffload.wire.layout.ColumnRefLayout;
import org.luceneoffload.wire.layout.ExtentLayout;
import org.luceneoffload.wire.layout.ListRefLayout;
import org.luceneoffload.wire.layout.PlanHeaderLayout;
import org.luceneoffload.wire.layout.PlanNodeLayout;
import org.luceneoffload.wire.layout.ValueRangeLayout;
import org.luceneoffload.wire.plan.NormTable;
import org.luceneoffload.wire.plan.PlanRequest;
import org.luceneoffload.wire.plan.PlanTail;
import org.luceneoffload.wire.plan.PlanWriter;
import org.luceneoffload.wire.plan.ScoringTable;

/**
 * The lists and columns that a tree refers to, numbered and counted, and the way from both to the
 * wire's plan descriptor: the nodes in pre-order, lists and value ranges in the order of their
 * nodes, extents, tables and columns where they are first needed.
 */
public final class PlanLayout {
  private static final ResourceLeaf[] NO_RESOURCES = {};
  private static final PlacedColumn[] NO_COLUMNS = {};
  private static final long[] NO_RANGES = {};

  /** A column of the plan, and the extents of its image that have its pages. */
  private record PlacedColumn(DeviceColumn column, PlanWriter.Extents extents) {}

  private final LeafNode root;
  private final int maxDoc;
  private final PlanExtents extents = new PlanExtents();
  private int nodes;
  private int level; // of the node that is being numbered
  private int depth;
  private int lists;
  private long pages;
  private ScoringTable[] tables = new ScoringTable[1];
  private int tablesUsed; // of the array
  private int tableCount; // all that they are
  private boolean shortTables;
  private PlacedColumn[] columns = NO_COLUMNS;
  private int columnCount;
  private ResourceLeaf[] resources = NO_RESOURCES;
  private int scoreTables; // those that several nodes share count for each
  private int ranges;
  private long[] tailRanges = NO_RANGES; // two numbers each, behind those of the tree
  private List<Integer> tailColumnPages = List.of();

  /**
   * Lays a tree out.
   *
   * @param maxDoc doc IDs of the segment are below this
   * @throws RefusedException if the tree exceeds a limit of the wire
   */
  public PlanLayout(LeafNode root, int maxDoc) throws RefusedException {
    this.root = root;
    this.maxDoc = maxDoc;
    number(root);
    check("nodes", nodes, OffloadWire.MAX_PLAN_NODES);
    check("levels", depth, OffloadWire.MAX_PLAN_DEPTH);
    check("posting lists", lists, OffloadWire.MAX_PLAN_LISTS);
    check("tables of norms or scores", tableCount, OffloadWire.MAX_PLAN_TABLES);
    check("tables of scores, node by node", scoreTables, OffloadWire.MAX_PLAN_TABLES);
    check("columns", columnCount, OffloadWire.MAX_PLAN_COLUMNS);
    check("value ranges", ranges, OffloadWire.MAX_PLAN_RANGES);
    check("sets of docs and norms", resources.length, OffloadWire.MAX_PLAN_DOC_SETS);
  }

  /** Returns the nodes that refer to resources, in order; not to be changed. */
  public ResourceLeaf[] resources() {
    return resources;
  }

  /** Returns the doc ID that those of the segment are below. */
  public int maxDoc() {
    return maxDoc;
  }

  private static void check(String what, int count, int limit) throws RefusedException {
    if (count > limit) {
      throw new RefusedException(
          Refusal.Reason.PLAN_LIMIT,
          "the plan has " + count + " " + what + ", the most is " + limit);
    }
  }

  private void number(LeafNode node) throws RefusedException {
    nodes++;
    level++;
    depth = Math.max(depth, level);
    node.number(this);
    for (LeafNode child : node.children()) {
      number(child);
    }
    level--;
  }

  /** Counts children that the node being numbered writes itself. */
  void addChildren(int count) {
    nodes += count;
    depth = Math.max(depth, level + 1);
  }

  /** Numbers lists; returns the number of the first. */
  int addLists(int count) {
    int first = lists;
    lists += count;
    return first;
  }

  /** Numbers value ranges of the tree; returns the number of the first. */
  int addRanges(int count) {
    int first = ranges;
    ranges += count;
    return first;
  }

  /** Numbers a resource; returns its number. */
  int addResource(ResourceLeaf leaf) {
    int index = resources.length;
    resources = ArrayUtil.growExact(resources, index + 1);
    resources[index] = leaf;
    return index;
  }

  /** Counts pages that a plan may read. */
  void addPages(long count) {
    pages += count;
  }

  /** Refers to pages by the extents of their image that hold them. */
  PlanWriter.Extents extents(SegmentImage image, int first, int pageCount) throws RefusedException {
    return extents.holding(image, first, pageCount);
  }

  /** Numbers a table, or finds its equal; returns the number of the first of its parts. */
  int table(ScoringTable table) {
    if (!(table instanceof NormTable)) {
      scoreTables += table.count();
    }
    int index = 0;
    for (int i = 0; i < tablesUsed; i++) {
      if (tables[i].isSameAs(table)) {
        return index;
      }
      index += tables[i].count();
    }
    if (tablesUsed == tables.length) {
      tables = ArrayUtil.grow(tables);
    }
    tables[tablesUsed++] = table;
    tableCount += table.count();
    return index;
  }

  /** Numbers a column, or finds it; returns its number. */
  int column(DeviceColumn column) throws RefusedException {
    for (int i = 0; i < columnCount; i++) {
      if (columns[i].column().equals(column)) {
        return i;
      }
    }
    columns = ArrayUtil.grow(columns, columnCount + 1);
    pages += column.pageCount();
    PlanWriter.Extents held = extents(column.image(), column.firstPage(), column.pageCount());
    columns[columnCount] = new PlacedColumn(column, held);
    return columnCount++;
  }

  /**
   * Adds a column that the tail of a plan refers to, before the plan is written.
   *
   * @return its number in the plan
   */
  public int addTailColumn(DeviceColumn column) throws RefusedException {
    int index = column(column);
    check("columns", columnCount, OffloadWire.MAX_PLAN_COLUMNS);
    if (tailColumnPages.isEmpty()) {
      tailColumnPages = new ArrayList<>();
    }
    tailColumnPages.add(column.pageCount());
    return index;
  }

  /** Returns how many pages each column has that the tail refers to. */
  public List<Integer> tailColumnPages() {
    return tailColumnPages;
  }

  /**
   * Adds value ranges that the tail of a plan refers to, before the plan is written.
   *
   * @return the number, in the plan, of the first of them
   */
  public int addTailRanges(List<ValueRange> added) throws RefusedException {
    long[] numbers = added.isEmpty() ? NO_RANGES : new long[2 * added.size()];
    for (int i = 0; i < added.size(); i++) {
      numbers[2 * i] = added.get(i).min();
      numbers[2 * i + 1] = added.get(i).max();
    }
    return addTail(numbers);
  }

  /**
   * Adds a point that the tail of a plan refers to, in degrees.
   *
   * @return the number of its entry in the plan
   */
  public int addTailPoint(double lat, double lon) throws RefusedException {
    return addTail(Double.doubleToRawLongBits(lat), Double.doubleToRawLongBits(lon));
  }

  /** Adds entries of two numbers each behind those of the tree; returns the number of the first. */
  private int addTail(long... numbers) throws RefusedException {
    int first = addRanges(numbers.length / 2);
    check("value ranges", ranges, OffloadWire.MAX_PLAN_RANGES);
    int from = tailRanges.length;
    if (from == 0) {
      tailRanges = numbers;
    } else {
      tailRanges = ArrayUtil.growExact(tailRanges, from + numbers.length);
      System.arraycopy(numbers, 0, tailRanges, from, numbers.length);
    }
    return first;
  }

  /** Has the plan's tables written as what they are made of, if that is known of all. */
  public void shortenTables() {
    shortTables = tablesUsed > 0;
    for (int i = 0; i < tablesUsed; i++) {
      shortTables &= tables[i] instanceof NormTable table && table.bm25() != null;
    }
  }

  /** Returns how many pages hold the lists and the columns. */
  public long pages() {
    return pages;
  }

  private int listOffset() {
    return PlanHeaderLayout.BYTES + nodes * PlanNodeLayout.BYTES;
  }

  private int rangeOffset() {
    return listOffset()
        + lists * ListRefLayout.BYTES
        + extents.size() * ExtentLayout.BYTES
        + tableCount * (shortTables ? Bm25TableLayout.BYTES : OffloadWire.NORM_TABLE_BYTES)
        + columnCount * ColumnRefLayout.BYTES;
  }

  /** Returns the bytes of the encoded plan, but for the tail that its mode may have. */
  public int bytes() {
    return rangeOffset() + ranges * ValueRangeLayout.BYTES;
  }

  /**
   * Encodes the plan from byte 0 of a buffer; the buffer's position does not matter.
   *
   * @param b little-endian
   * @param tail what only the mode of the request has
   * @return bytes written
   * @throws IllegalArgumentException if the buffer is too small
   */
  public int write(ByteBuffer b, PlanRequest request, PlanTail tail) {
    int bytes = bytes() + tail.bytes();
    if (bytes > b.capacity()) {
      throw new IllegalArgumentException(
          "the plan has " + bytes + " bytes, the plan buffer " + b.capacity());
    }
    b.clear();
    PlanWriter.writeHeader(b, request, counts(bytes));
    if (shortTables) {
      PlanHeaderLayout.flags(b, 0, request.flags | OffloadWire.PlanFlag.BM25_TABLES);
    }
    new PlanSink(b, listOffset(), rangeOffset(), request.resources).tree(root);
    int at = extents.write(b, listOffset() + lists * ListRefLayout.BYTES);
    for (int i = 0; i < tablesUsed; i++) {
      at =
          shortTables
              ? PlanWriter.writeBm25Table(b, at, ((NormTable) tables[i]).bm25())
              : PlanWriter.writeTable(b, at, tables[i]);
    }
    for (int i = 0; i < columnCount; i++) {
      at = writeColumn(b, at, columns[i]);
    }
    at += (ranges - tailRanges.length / 2) * ValueRangeLayout.BYTES;
    for (int i = 0; i < tailRanges.length; i += 2) {
      at = PlanWriter.writeRange(b, at, tailRanges[i], tailRanges[i + 1]);
    }
    at = tail.write(b, at);
    assert at == bytes;
    return bytes;
  }

  private PlanWriter.Counts counts(int bytes) {
    return new PlanWriter.Counts(
        bytes, maxDoc, nodes, lists, extents.size(), tableCount, columnCount, ranges);
  }

  private static int writeColumn(ByteBuffer b, int at, PlacedColumn placed) {
    DeviceColumn column = placed.column();
    PlanWriter.Pages pages =
        new PlanWriter.Pages(
            column.firstPage(), column.pageCount(), column.image().stamp(), placed.extents());
    return PlanWriter.writeColumn(
        b,
        at,
        new PlanWriter.Column(
            pages, column.docCount(), column.valueCount(), column.min(), column.max()));
  }
}
