/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.wire.plan;

import java.nio.ByteBuffer;
import org.luceneoffload.wire.OffloadWire;
import org.luceneoffload.wire.layout.Bm25TableLayout;
import org.luceneoffload.wire.layout.ColumnRefLayout;
import org.luceneoffload.wire.layout.ExtentLayout;
import org.luceneoffload.wire.layout.ListRefLayout;
import org.luceneoffload.wire.layout.PlanHeaderLayout;
import org.luceneoffload.wire.layout.PlanNodeLayout;
import org.luceneoffload.wire.layout.ValueRangeLayout;

/**
 * Encodes the parts of the wire's plan descriptors. What is written covers every byte, so that a
 * buffer can be used again as it is.
 */
public final class PlanWriter {
  /**
   * How many of each part a plan has; those that are not said are 0.
   *
   * @param bytes bytes of the whole plan
   * @param maxDoc doc IDs of the segment are below this
   */
  public record Counts(
      int bytes,
      int maxDoc,
      int nodes,
      int lists,
      int extents,
      int tables,
      int columns,
      int ranges) {
    /** Returns the counts of a plan of one node, which refers to nothing. */
    public static Counts of(int bytes, int maxDoc) {
      return new Counts(bytes, maxDoc, 1, 0, 0, 0, 0, 0);
    }

    /** Returns these counts with another number of nodes. */
    public Counts nodes(int count) {
      return new Counts(bytes, maxDoc, count, lists, extents, tables, columns, ranges);
    }

    /** Returns these counts with another number of lists. */
    public Counts lists(int count) {
      return new Counts(bytes, maxDoc, nodes, count, extents, tables, columns, ranges);
    }

    /** Returns these counts with another number of extents. */
    public Counts extents(int count) {
      return new Counts(bytes, maxDoc, nodes, lists, count, tables, columns, ranges);
    }

    /** Returns these counts with another number of tables. */
    public Counts tables(int count) {
      return new Counts(bytes, maxDoc, nodes, lists, extents, count, columns, ranges);
    }

    /** Returns these counts with another number of columns. */
    public Counts columns(int count) {
      return new Counts(bytes, maxDoc, nodes, lists, extents, tables, count, ranges);
    }

    /** Returns these counts with another number of value ranges. */
    public Counts ranges(int count) {
      return new Counts(bytes, maxDoc, nodes, lists, extents, tables, columns, count);
    }
  }

  /**
   * The fields of a node; those that are not said are 0.
   *
   * @param op a value of {@link OffloadWire.Op}
   * @param occur a value of {@link OffloadWire.Occur}
   * @param children how many nodes follow as its children
   * @param minShould BOOL: the least number of SHOULD children that must match; other operators
   *     have other numbers here
   * @param list the first list, the column or the resource that it refers to
   * @param table the first table or value range that it refers to
   * @param count how many ranges, terms or tables it refers to
   */
  public record Node(
      int op,
      int occur,
      int children,
      float weight,
      int minShould,
      int list,
      int table,
      int count) {
    /** Returns the fields of a node that refers to nothing. */
    public static Node of(int op, int occur, int children, float weight) {
      return new Node(op, occur, children, weight, 0, 0, 0, 0);
    }

    /** Returns these fields with another number of children. */
    public Node children(int number) {
      return new Node(op, occur, number, weight, minShould, list, table, count);
    }

    /** Returns these fields with another {@link #minShould}. */
    public Node minShould(int number) {
      return new Node(op, occur, children, weight, number, list, table, count);
    }

    /** Returns these fields with another {@link #list}. */
    public Node list(int index) {
      return new Node(op, occur, children, weight, minShould, index, table, count);
    }

    /** Returns these fields with another {@link #table}. */
    public Node table(int index) {
      return new Node(op, occur, children, weight, minShould, list, index, count);
    }

    /** Returns these fields with another {@link #count}. */
    public Node count(int number) {
      return new Node(op, occur, children, weight, minShould, list, table, number);
    }
  }

  /**
   * Extents of a plan that stand one after the other.
   *
   * @param first index of the first
   */
  public record Extents(int first, int count) {
    /** No extents, of what the plan itself has. */
    public static final Extents NONE = new Extents(0, 0);
  }

  /**
   * Pages of an image.
   *
   * @param first page number, in the image, of the first
   * @param stamp of the image
   * @param extents those of the plan that hold the pages
   */
  public record Pages(int first, int count, long stamp, Extents extents) {
    /** No pages, of what the plan itself has. */
    static final Pages NONE = new Pages(0, 0, 0, Extents.NONE);
  }

  /**
   * The place of a list, or of its positions.
   *
   * @param slot number of its first block in the first page
   * @param postings how many postings it has
   */
  public record ListPlace(Pages pages, int slot, int postings) {
    private static final ListPlace ONE_POSTING = new ListPlace(Pages.NONE, 0, 1);
  }

  /**
   * A column.
   *
   * @param docs docs with a value
   * @param values values of all docs
   * @param min the least value
   * @param max the greatest value
   */
  public record Column(Pages pages, int docs, long values, long min, long max) {}

  private PlanWriter() {}

  /** Writes the header at byte 0. */
  public static void writeHeader(ByteBuffer b, PlanRequest request, Counts counts) {
    PlanHeaderLayout.magic(b, 0, OffloadWire.PLAN_MAGIC);
    PlanHeaderLayout.version(b, 0, OffloadWire.VERSION);
    PlanHeaderLayout.mode(b, 0, request.mode);
    PlanHeaderLayout.flags(b, 0, request.flags);
    PlanHeaderLayout.totalBytes(b, 0, counts.bytes);
    PlanHeaderLayout.nodeCount(b, 0, counts.nodes);
    PlanHeaderLayout.listCount(b, 0, counts.lists);
    PlanHeaderLayout.extentCount(b, 0, counts.extents);
    PlanHeaderLayout.tableCount(b, 0, counts.tables);
    PlanHeaderLayout.maxDoc(b, 0, counts.maxDoc);
    PlanHeaderLayout.minDoc(b, 0, request.minDoc);
    PlanHeaderLayout.limitDoc(b, 0, request.limitDoc);
    PlanHeaderLayout.k(b, 0, request.k);
    PlanHeaderLayout.countThreshold(b, 0, request.countThreshold);
    PlanHeaderLayout.liveDocs(b, 0, request.liveDocs);
    PlanHeaderLayout.maxResultBytes(b, 0, request.maxResultBytes);
    PlanHeaderLayout.minScore(b, 0, request.minScore);
    PlanHeaderLayout.afterScore(b, 0, request.afterScore);
    PlanHeaderLayout.afterDoc(b, 0, request.afterDoc);
    PlanHeaderLayout.columnCount(b, 0, counts.columns);
    PlanHeaderLayout.rangeCount(b, 0, counts.ranges);
  }

  /** Writes a node, whose children have to follow; returns the offset after it. */
  public static int writeNode(ByteBuffer b, int at, Node node) {
    PlanNodeLayout.op(b, at, node.op);
    PlanNodeLayout.occur(b, at, node.occur);
    PlanNodeLayout.childCount(b, at, node.children);
    PlanNodeLayout.minShould(b, at, node.minShould);
    b.putShort(at + PlanNodeLayout.RESERVED0, (short) 0);
    PlanNodeLayout.list(b, at, node.list);
    PlanNodeLayout.table(b, at, node.table);
    PlanNodeLayout.weight(b, at, node.weight);
    PlanNodeLayout.rangeCount(b, at, node.count);
    return at + PlanNodeLayout.BYTES;
  }

  /**
   * Writes TERMs without scores, of which one has to match.
   *
   * @param firstList that of the first; those of the others follow it
   * @return the offset after them
   */
  public static int writeTerms(ByteBuffer b, int at, int count, int firstList) {
    int bytes = count * PlanNodeLayout.BYTES;
    Node first = Node.of(OffloadWire.Op.TERM, OffloadWire.Occur.SHOULD, 0, 0f);
    writeNode(b, at, first.list(firstList));
    // They differ in their lists alone, and there may be thousands.
    for (int done = PlanNodeLayout.BYTES; done < bytes; done *= 2) {
      b.put(at + done, b, at, Math.min(done, bytes - done));
    }
    for (int i = 1; i < count; i++) {
      PlanNodeLayout.list(b, at + i * PlanNodeLayout.BYTES, firstList + i);
    }
    return at + bytes;
  }

  /** Writes a list of one posting; returns the offset after it. */
  public static int writeInline(ByteBuffer b, int at, int doc, int freq, int norm) {
    writePlace(b, at, OffloadWire.ListKind.INLINE, ListPlace.ONE_POSTING, 0);
    return writePosting(b, at, doc, freq, norm);
  }

  /** Writes a list in posting pages; returns the offset after it. */
  public static int writePaged(ByteBuffer b, int at, ListPlace list, long impacts) {
    writePlace(b, at, OffloadWire.ListKind.PAGED, list, impacts);
    return writePosting(b, at, 0, 0, 0);
  }

  /**
   * Writes the positions of a list in position pages; returns the offset after them.
   *
   * @param place place of the term in the phrase
   * @param uses values of {@link OffloadWire.PositionUse}
   */
  public static int writePositions(ByteBuffer b, int at, ListPlace list, int place, int uses) {
    writePlace(b, at, OffloadWire.ListKind.POSITIONS, list, 0);
    return writePosting(b, at, place, 0, uses);
  }

  /** Writes the one position of a list of one posting likewise. */
  public static int writeOnePosition(ByteBuffer b, int at, int place, int position, int uses) {
    writePlace(b, at, OffloadWire.ListKind.POSITIONS, ListPlace.ONE_POSTING, 0);
    return writePosting(b, at, place, position, uses);
  }

  /** Writes where a list lies. */
  public static void writePlace(ByteBuffer b, int at, int kind, ListPlace list, long impacts) {
    ListRefLayout.kind(b, at, kind);
    b.put(at + ListRefLayout.RESERVED0, (byte) 0);
    ListRefLayout.slot(b, at, list.slot);
    ListRefLayout.firstPage(b, at, list.pages.first);
    ListRefLayout.pageCount(b, at, list.pages.count);
    ListRefLayout.postingCount(b, at, list.postings);
    ListRefLayout.stamp(b, at, list.pages.stamp);
    ListRefLayout.impacts(b, at, impacts);
    ListRefLayout.firstExtent(b, at, list.pages.extents.first);
    ListRefLayout.extentCount(b, at, list.pages.extents.count);
  }

  /** Writes the one posting of a list; returns the byte behind it. */
  public static int writePosting(ByteBuffer b, int at, int doc, int freq, int norm) {
    ListRefLayout.inlineDoc(b, at, doc);
    ListRefLayout.inlineFreq(b, at, freq);
    // The three reserved bytes after the norm byte are zero: written as one word.
    b.putInt(at + ListRefLayout.INLINE_NORM, norm & 0xFF);
    return at + ListRefLayout.BYTES;
  }

  /** Writes an extent; returns the offset after it. */
  public static int writeExtent(ByteBuffer b, int at, int filePage, int pages, long lba) {
    ExtentLayout.filePage(b, at, filePage);
    ExtentLayout.pageCount(b, at, pages);
    ExtentLayout.lba(b, at, lba);
    return at + ExtentLayout.BYTES;
  }

  /** Writes a norm table, or tables of scores; returns the offset after them. */
  public static int writeTable(ByteBuffer b, int at, ScoringTable table) {
    table.encode(b, at);
    return at + table.count() * OffloadWire.NORM_TABLE_BYTES;
  }

  /** Writes what a norm table is made of; returns the offset after it. */
  public static int writeBm25Table(ByteBuffer b, int at, NormTable.Bm25 table) {
    table.encode(b, at);
    return at + Bm25TableLayout.BYTES;
  }

  /** Writes a column; returns the offset after it. */
  public static int writeColumn(ByteBuffer b, int at, Column column) {
    ColumnRefLayout.firstPage(b, at, column.pages.first);
    ColumnRefLayout.pageCount(b, at, column.pages.count);
    ColumnRefLayout.docCount(b, at, column.docs);
    b.putInt(at + ColumnRefLayout.RESERVED0, 0);
    ColumnRefLayout.stamp(b, at, column.pages.stamp);
    ColumnRefLayout.valueCount(b, at, column.values);
    ColumnRefLayout.min(b, at, column.min);
    ColumnRefLayout.max(b, at, column.max);
    ColumnRefLayout.firstExtent(b, at, column.pages.extents.first);
    ColumnRefLayout.extentCount(b, at, column.pages.extents.count);
    b.putInt(at + ColumnRefLayout.RESERVED1, 0);
    return at + ColumnRefLayout.BYTES;
  }

  /** Writes a range of values, both ends included; returns the offset after it. */
  public static int writeRange(ByteBuffer b, int at, long lo, long hi) {
    ValueRangeLayout.lo(b, at, lo);
    ValueRangeLayout.hi(b, at, hi);
    return at + ValueRangeLayout.BYTES;
  }
}
