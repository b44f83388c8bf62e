/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.search.plan;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.apache.lucene.util.ArrayUtil;
import org.luceneoffload.aggregate.ValueRange;
import org.luceneoffload.codec.SegmentImage;
import org.luceneoffload.codec.column.DeviceColumn;
import org.luceneoffload.codec.term.OffloadTermState;
import org.luceneoffload.codec.term.TermLists;
import org.luceneoffload.planner.RefusedException;
import org.luceneoffload.report.Refusal;
import org.luceneoffload.store.volume.Extent;
import org.luceneoffload.wire.NormTable;
import org.luceneoffload.wire.OffloadWire;
import org.luceneoffload.wire.PlanRequest;
import org.luceneoffload.wire.PlanTail;
import org.luceneoffload.wire.PlanWriter;
import org.luceneoffload.wire.ScoringTable;
import org.luceneoffload.wire.layout.Bm25TableLayout;
import org.luceneoffload.wire.layout.ColumnRefLayout;
import org.luceneoffload.wire.layout.ExtentLayout;
import org.luceneoffload.wire.layout.ListRefLayout;
import org.luceneoffload.wire.layout.PlanHeaderLayout;
import org.luceneoffload.wire.layout.PlanNodeLayout;
import org.luceneoffload.wire.layout.ValueRangeLayout;

/**
 * The lists and columns that a tree refers to, numbered and counted, and the way from both to the
 * wire's plan descriptor: the nodes in pre-order, lists and value ranges in the order of their
 * nodes, extents, tables and columns where they are first needed.
 */
public final class PlanLayout {
  /** Beyond these, sharing extents is not worth the search: files are in few of them. */
  private static final int MAX_SHARED = 64;

  private static final KeptLeaf[] NO_DATA = {};
  private static final PlacedColumn[] NO_COLUMNS = {};

  /** A column of the plan, and the extents of its image that have its pages. */
  private record PlacedColumn(DeviceColumn column, int firstExtent, int extentCount) {}

  private final LeafNode root;
  private final int maxDoc;
  private int nodes;
  private int depth;
  private int lists;
  private long pages;
  private Extent[] extents = new Extent[1];
  private int extentCount;
  private ScoringTable[] tables = new ScoringTable[1];
  private int tablesUsed; // of the array
  private int tableCount; // all that they are
  private boolean shortTables;
  private int takenExtents; // how many the latest takeExtents has taken
  private PlacedColumn[] columns = NO_COLUMNS;
  private int columnCount;
  private KeptLeaf[] kept = NO_DATA;
  private int scoreTables; // those that several nodes share count for each
  private int ranges;
  private ValueRange[] tailRanges = {}; // behind those of the tree
  private List<Integer> tailColumnPages = List.of();

  /**
   * Lays a tree out.
   *
   * @param maxDoc doc IDs of the segment are below this
   * @throws RefusedException if the tree exceeds a limit of the wire
   */
  PlanLayout(LeafNode root, int maxDoc) throws RefusedException {
    this.root = root;
    this.maxDoc = maxDoc;
    number(root, 1);
    check("nodes", nodes, OffloadWire.MAX_PLAN_NODES);
    check("levels", depth, OffloadWire.MAX_PLAN_DEPTH);
    check("posting lists", lists, OffloadWire.MAX_PLAN_LISTS);
    check("tables of norms or scores", tableCount, OffloadWire.MAX_PLAN_TABLES);
    check("tables of scores, node by node", scoreTables, OffloadWire.MAX_PLAN_TABLES);
    check("columns", columnCount, OffloadWire.MAX_PLAN_COLUMNS);
    check("value ranges", ranges, OffloadWire.MAX_PLAN_RANGES);
    check("sets of docs and norms", kept.length, OffloadWire.MAX_PLAN_DOC_SETS);
  }

  /** The nodes that refer to data which the device keeps, in order; not to be changed. */
  public KeptLeaf[] kept() {
    return kept;
  }

  /** Docs of the segment are below this. */
  int maxDoc() {
    return maxDoc;
  }

  private static void check(String what, int count, int limit) throws RefusedException {
    if (count > limit) {
      throw new RefusedException(
          Refusal.Reason.PLAN_LIMIT,
          "the plan has " + count + " " + what + ", the most is " + limit);
    }
  }

  private void number(LeafNode node, int level) throws RefusedException {
    nodes++;
    depth = Math.max(depth, level);
    if (node instanceof TermLeaf term) {
      term.listIndex = lists++;
      scoreTables += term.scoreTables();
      if (term.table() != null) {
        term.tableIndex = tableIndex(term.table());
      }
      if (!term.list().isInline()) {
        pages += term.list().pageCount();
        term.firstExtent = takeExtents(term.image(), term.firstPage(), term.pageCount());
        term.extentCount = takenExtents;
      }
    } else if (node instanceof UnionLeaf union) {
      number(union, level);
    } else if (node instanceof PhraseLeaf phrase) {
      number(phrase);
    } else if (node instanceof LeafNode.Synonym synonym) {
      synonym.tableIndex = tableIndex(synonym.table());
    } else if (node instanceof KeptLeaf data) {
      data.index = kept.length;
      kept = ArrayUtil.growExact(kept, kept.length + 1);
      kept[data.index] = data;
      pages += data.pages();
      if (data instanceof CombinedLeaf combined) {
        combined.tableIndex = tableIndex(combined.table());
      }
    } else if (node instanceof ColumnLeaf column) {
      column.rangeIndex = ranges;
      ranges += column.rangeCount();
      column.columnIndex = columnIndex(column.column());
    }
    for (LeafNode child : node.children()) {
      number(child, level + 1);
    }
  }

  private void number(UnionLeaf union, int level) throws RefusedException {
    int size = union.lists().size();
    if (size > 1) {
      nodes += size;
      depth = Math.max(depth, level + 1);
    }
    union.listIndex = lists;
    lists += size;
    if (union.pageCount() > 0) {
      pages += union.lists().pages();
      union.firstExtent = takeExtents(union.image(), union.firstPage(), union.pageCount());
      union.extentCount = takenExtents;
    }
  }

  private void number(PhraseLeaf phrase) throws RefusedException {
    phrase.listIndex = lists;
    lists += 2 * phrase.termCount();
    if (phrase.table() != null) {
      phrase.tableIndex = tableIndex(phrase.table());
    }
    for (int i = 0; i < phrase.termCount(); i++) {
      OffloadTermState list = phrase.list(i);
      if (!list.isInline()) {
        takeExtents(phrase, 2 * i, list.firstPage(), list.pageCount());
      }
      if (!list.hasOnePosition()) {
        takeExtents(phrase, 2 * i + 1, phrase.firstPositionPage(i), list.positionPageCount());
      }
    }
  }

  private void takeExtents(PhraseLeaf phrase, int list, int firstPage, int pageCount)
      throws RefusedException {
    pages += pageCount;
    phrase.firstExtents[list] = takeExtents(phrase.image(), firstPage, pageCount);
    phrase.extentCounts[list] = takenExtents;
  }

  private int tableIndex(ScoringTable table) {
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

  private int columnIndex(DeviceColumn column) throws RefusedException {
    for (int i = 0; i < columnCount; i++) {
      if (columns[i].column().equals(column)) {
        return i;
      }
    }
    columns = ArrayUtil.grow(columns, columnCount + 1);
    pages += column.pageCount();
    int first = takeExtents(column.image(), column.firstPage(), column.pageCount());
    columns[columnCount] = new PlacedColumn(column, first, takenExtents);
    return columnCount++;
  }

  /**
   * Adds a column that the tail of a plan refers to, before the plan is written.
   *
   * @return its number in the plan
   */
  int addColumn(DeviceColumn column) throws RefusedException {
    int index = columnIndex(column);
    check("columns", columnCount, OffloadWire.MAX_PLAN_COLUMNS);
    if (tailColumnPages.isEmpty()) {
      tailColumnPages = new ArrayList<>();
    }
    tailColumnPages.add(column.pageCount());
    return index;
  }

  /** Pages of each column that the tail refers to. */
  List<Integer> tailColumnPages() {
    return tailColumnPages;
  }

  /**
   * Adds value ranges that the tail of a plan refers to, before the plan is written.
   *
   * @return the number, in the plan, of the first of them
   */
  int addRanges(List<ValueRange> added) throws RefusedException {
    int first = ranges;
    int from = tailRanges.length;
    ranges += added.size();
    check("value ranges", ranges, OffloadWire.MAX_PLAN_RANGES);
    tailRanges = ArrayUtil.growExact(tailRanges, from + added.size());
    for (int i = 0; i < added.size(); i++) {
      tailRanges[from + i] = added.get(i);
    }
    return first;
  }

  /**
   * Refers to pages by the extents of their image that hold them, of which there are {@link
   * #takenExtents}; returns the index of the first.
   */
  private int takeExtents(SegmentImage image, int first, int pageCount) throws RefusedException {
    List<Extent> all = image.extents();
    long end = (long) first + pageCount;
    int from = extentCount;
    for (int i = 0; i < all.size(); i++) {
      Extent extent = all.get(i);
      if (extent.endFilePage() > first && extent.filePage() < end) {
        if (extentCount == extents.length) {
          extents = ArrayUtil.grow(extents);
        }
        extents[extentCount++] = extent;
      }
    }
    takenExtents = extentCount - from;
    int at = indexOfRun(from, takenExtents);
    if (at < from) {
      extentCount = from;
    }
    if (extentCount > OffloadWire.MAX_PLAN_EXTENTS) {
      throw new RefusedException(
          Refusal.Reason.PLAN_LIMIT, "image " + image.fileName() + " is in too many extents");
    }
    return at;
  }

  /** Index of the first run of extents equal to the {@code count} ones at {@code from}. */
  private int indexOfRun(int from, int count) {
    if (count > 0 && from <= MAX_SHARED) {
      for (int i = 0; i + count <= from; i++) {
        if (sameRuns(i, from, count)) {
          return i;
        }
      }
    }
    return from;
  }

  private boolean sameRuns(int one, int other, int count) {
    for (int i = 0; i < count; i++) {
      if (!extents[one + i].equals(extents[other + i])) {
        return false;
      }
    }
    return true;
  }

  /** Writes of the plan's tables only what they are made of, if that is known of all. */
  void shortenTables() {
    shortTables = tablesUsed > 0;
    for (int i = 0; i < tablesUsed; i++) {
      shortTables &= tables[i] instanceof NormTable table && table.bm25() != null;
    }
  }

  /** Pages that hold the lists and the columns. */
  long pages() {
    return pages;
  }

  /** Bytes of the encoded plan, but for the tail that its mode may have. */
  public int bytes() {
    return PlanHeaderLayout.BYTES
        + nodes * PlanNodeLayout.BYTES
        + lists * ListRefLayout.BYTES
        + extentCount * ExtentLayout.BYTES
        + tableCount * (shortTables ? Bm25TableLayout.BYTES : OffloadWire.NORM_TABLE_BYTES)
        + columnCount * ColumnRefLayout.BYTES
        + ranges * ValueRangeLayout.BYTES;
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
    PlanWriter.writeHeader(
        b, request, bytes, nodes, lists, extentCount, tableCount, columnCount, ranges, maxDoc);
    if (shortTables) {
      PlanHeaderLayout.flags(b, 0, request.flags | OffloadWire.PlanFlag.BM25_TABLES);
    }
    int at = writeNode(b, PlanHeaderLayout.BYTES, root, request.resources);
    at += lists * ListRefLayout.BYTES;
    for (int i = 0; i < extentCount; i++) {
      Extent extent = extents[i];
      at = PlanWriter.writeExtent(b, at, extent.filePage(), extent.pageCount(), extent.lba());
    }
    for (int i = 0; i < tablesUsed; i++) {
      at =
          shortTables
              ? PlanWriter.writeBm25Table(b, at, ((NormTable) tables[i]).bm25())
              : PlanWriter.writeTable(b, at, tables[i]);
    }
    for (int i = 0; i < columnCount; i++) {
      at = writeColumn(b, at, columns[i]);
    }
    if (ranges > 0) {
      writeRanges(b, at, root);
      at += (ranges - tailRanges.length) * ValueRangeLayout.BYTES;
      for (ValueRange range : tailRanges) {
        PlanWriter.writeRange(b, at, range.min(), range.max());
        at += ValueRangeLayout.BYTES;
      }
    }
    at = tail.write(b, at);
    assert at == bytes;
    return bytes;
  }

  /** Writes a subtree in pre-order, and its lists; returns the offset after the nodes. */
  private int writeNode(ByteBuffer b, int at, LeafNode node, int[] resources) {
    int list = 0;
    int table = 0;
    int count = 0;
    int minShould = 0;
    int children = node.children().length;
    switch (node) {
      case TermLeaf term -> {
        list = term.listIndex;
        table = term.tableIndex;
        count = term.scoreTables();
        minShould = term.firstHigh();
        writeList(b, term);
      }
      case UnionLeaf union -> {
        int size = union.lists().size();
        list = size == 1 ? union.listIndex : 0;
        children = size == 1 ? 0 : size;
        writeLists(b, union);
      }
      case PhraseLeaf phrase -> {
        list = phrase.listIndex;
        table = phrase.tableIndex;
        count = phrase.termCount();
        minShould = phrase.slop();
        writeLists(b, phrase);
      }
      case ColumnLeaf column -> {
        list = column.columnIndex;
        table = column.rangeIndex;
        count = node.op() == OffloadWire.Op.COLUMN_IN ? column.rangeCount() : 0;
      }
      case DocSetLeaf set -> {
        list = resources[set.index];
        count = (int) set.cost();
      }
      case CombinedLeaf combined -> {
        list = resources[combined.index];
        table = combined.tableIndex;
      }
      case LeafNode.Synonym synonym -> table = synonym.tableIndex;
      case LeafNode.Bool bool -> minShould = bool.minShould();
      default -> {}
    }
    int next =
        PlanWriter.writeNode(
            b, at, node.op(), node.occur(), children, minShould, list, table, count, node.weight());
    for (LeafNode child : node.children()) {
      next = writeNode(b, next, child, resources);
    }
    if (node instanceof UnionLeaf union && children > 0) {
      next = PlanWriter.writeTerms(b, next, children, union.listIndex);
    }
    return next;
  }

  private static int writeColumn(ByteBuffer b, int at, PlacedColumn placed) {
    DeviceColumn column = placed.column();
    return PlanWriter.writeColumn(
        b,
        at,
        column.firstPage(),
        column.pageCount(),
        column.docCount(),
        column.image().stamp(),
        column.valueCount(),
        column.min(),
        column.max(),
        placed.firstExtent(),
        placed.extentCount());
  }

  private static void writeRanges(ByteBuffer b, int first, LeafNode node) {
    if (node instanceof ColumnLeaf column) {
      int at = first + column.rangeIndex * ValueRangeLayout.BYTES;
      for (int i = 0; i < column.rangeCount(); i++) {
        at = PlanWriter.writeRange(b, at, column.lo(i), column.hi(i));
      }
    }
    for (LeafNode child : node.children()) {
      writeRanges(b, first, child);
    }
  }

  private void writeList(ByteBuffer b, TermLeaf node) {
    writeList(
        b, offsetOf(node.listIndex), node.list(), node.image(), node.firstExtent, node.extentCount);
  }

  private int offsetOf(int listIndex) {
    return PlanHeaderLayout.BYTES + nodes * PlanNodeLayout.BYTES + listIndex * ListRefLayout.BYTES;
  }

  private static int writeList(
      ByteBuffer b,
      int at,
      OffloadTermState list,
      SegmentImage image,
      int firstExtent,
      int extentCount) {
    return list.isInline()
        ? PlanWriter.writeInline(b, at, list.inlineDoc(), list.inlineFreq(), list.inlineNorm())
        : PlanWriter.writePaged(
            b,
            at,
            list.firstPage(),
            list.slot(),
            list.pageCount(),
            list.docFreq,
            image.stamp(),
            list.impacts(),
            firstExtent,
            extentCount);
  }

  private void writeLists(ByteBuffer b, UnionLeaf union) {
    TermLists all = union.lists();
    long stamp = union.image().stamp();
    int at = offsetOf(union.listIndex);
    for (int i = 0; i < all.size(); i++) {
      at =
          all.isInline(i)
              ? PlanWriter.writeInline(b, at, all.inlineDoc(i), 1, 1)
              : PlanWriter.writePaged(
                  b,
                  at,
                  all.firstPage(i),
                  all.slot(i),
                  all.pageCount(i),
                  all.postings(i),
                  stamp,
                  0,
                  union.firstExtent,
                  union.extentCount);
    }
  }

  private void writeLists(ByteBuffer b, PhraseLeaf phrase) {
    int at = offsetOf(phrase.listIndex);
    for (int i = 0; i < phrase.termCount(); i++) {
      OffloadTermState list = phrase.list(i);
      SegmentImage image = phrase.image();
      int positions = 2 * i + 1;
      at = writeList(b, at, list, image, phrase.firstExtents[2 * i], phrase.extentCounts[2 * i]);
      at =
          list.hasOnePosition()
              ? PlanWriter.writeOnePosition(
                  b, at, phrase.place(i), list.onePosition(), phrase.uses(i))
              : PlanWriter.writePositions(
                  b,
                  at,
                  phrase.firstPositionPage(i),
                  list.positionSlot(),
                  list.positionPageCount(),
                  list.docFreq,
                  image.stamp(),
                  phrase.firstExtents[positions],
                  phrase.extentCounts[positions],
                  phrase.place(i),
                  phrase.uses(i));
    }
  }
}
