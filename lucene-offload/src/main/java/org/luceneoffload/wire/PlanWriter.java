/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.wire;

import java.nio.ByteBuffer;
import org.luceneoffload.wire.layout.Bm25TableLayout;
import org.luceneoffload.wire.layout.ColumnRefLayout;
import org.luceneoffload.wire.layout.ExtentLayout;
import org.luceneoffload.wire.layout.ListRefLayout;
import org.luceneoffload.wire.layout.PlanHeaderLayout;
import org.luceneoffload.wire.layout.PlanNodeLayout;
import org.luceneoffload.wire.layout.ValueRangeLayout;

/** Encodes the parts of the wire's plan descriptors. */
public final class PlanWriter {
  private PlanWriter() {}

  // What is written covers every byte, so that a buffer can be used again as it is.

  /**
   * Writes the header at byte 0.
   *
   * @param bytes bytes of the whole plan
   * @param maxDoc doc IDs of the segment are below this
   */
  public static void writeHeader(
      ByteBuffer b,
      PlanRequest request,
      int bytes,
      int nodes,
      int lists,
      int extents,
      int tables,
      int columns,
      int ranges,
      int maxDoc) {
    PlanHeaderLayout.magic(b, 0, OffloadWire.PLAN_MAGIC);
    PlanHeaderLayout.version(b, 0, OffloadWire.VERSION);
    PlanHeaderLayout.mode(b, 0, request.mode);
    PlanHeaderLayout.flags(b, 0, request.flags);
    PlanHeaderLayout.totalBytes(b, 0, bytes);
    PlanHeaderLayout.nodeCount(b, 0, nodes);
    PlanHeaderLayout.listCount(b, 0, lists);
    PlanHeaderLayout.extentCount(b, 0, extents);
    PlanHeaderLayout.tableCount(b, 0, tables);
    PlanHeaderLayout.maxDoc(b, 0, maxDoc);
    PlanHeaderLayout.minDoc(b, 0, request.minDoc);
    PlanHeaderLayout.limitDoc(b, 0, request.limitDoc);
    PlanHeaderLayout.k(b, 0, request.k);
    PlanHeaderLayout.countThreshold(b, 0, request.countThreshold);
    PlanHeaderLayout.liveDocs(b, 0, request.liveDocs);
    PlanHeaderLayout.maxResultBytes(b, 0, request.maxResultBytes);
    PlanHeaderLayout.minScore(b, 0, request.minScore);
    PlanHeaderLayout.afterScore(b, 0, request.afterScore);
    PlanHeaderLayout.afterDoc(b, 0, request.afterDoc);
    PlanHeaderLayout.columnCount(b, 0, columns);
    PlanHeaderLayout.rangeCount(b, 0, ranges);
  }

  /** Writes a node of an operator without ranges; returns the offset after it. */
  public static int writeNode(
      ByteBuffer b,
      int at,
      int op,
      int occur,
      int children,
      int minShould,
      int list,
      int table,
      float weight) {
    return writeNode(b, at, op, occur, children, minShould, list, table, 0, weight);
  }

  /**
   * Writes a node, whose children have to follow.
   *
   * @param ranges COLUMN_IN: how many value ranges it has; PHRASE: how many terms; TABLE_TERM,
   *     FEATURE_TERM: how many tables; else 0
   * @return the offset after it
   */
  public static int writeNode(
      ByteBuffer b,
      int at,
      int op,
      int occur,
      int children,
      int minShould,
      int list,
      int table,
      int ranges,
      float weight) {
    PlanNodeLayout.op(b, at, op);
    PlanNodeLayout.occur(b, at, occur);
    PlanNodeLayout.childCount(b, at, children);
    PlanNodeLayout.minShould(b, at, minShould);
    b.putShort(at + PlanNodeLayout.RESERVED0, (short) 0);
    PlanNodeLayout.list(b, at, list);
    PlanNodeLayout.table(b, at, table);
    PlanNodeLayout.weight(b, at, weight);
    PlanNodeLayout.rangeCount(b, at, ranges);
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
    writeNode(b, at, OffloadWire.Op.TERM, OffloadWire.Occur.SHOULD, 0, 0, firstList, 0, 0f);
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
    writeKind(b, at, OffloadWire.ListKind.INLINE, 0);
    writePlace(b, at, 0, 0, 1);
    writeSource(b, at, 0, 0, 0, 0);
    return writePosting(b, at, doc, freq, norm);
  }

  /** Writes a list in posting pages; returns the offset after it. */
  public static int writePaged(
      ByteBuffer b,
      int at,
      int firstPage,
      int slot,
      int pages,
      int postings,
      long stamp,
      long impacts,
      int firstExtent,
      int extents) {
    writeKind(b, at, OffloadWire.ListKind.PAGED, slot);
    writePlace(b, at, firstPage, pages, postings);
    writeSource(b, at, stamp, impacts, firstExtent, extents);
    return writePosting(b, at, 0, 0, 0);
  }

  /**
   * Writes the positions of a list in position pages; returns the offset after them.
   *
   * @param place place of the term in the phrase
   * @param uses values of {@link OffloadWire.PositionUse}
   */
  public static int writePositions(
      ByteBuffer b,
      int at,
      int firstPage,
      int slot,
      int pages,
      int postings,
      long stamp,
      int firstExtent,
      int extents,
      int place,
      int uses) {
    writeKind(b, at, OffloadWire.ListKind.POSITIONS, slot);
    writePlace(b, at, firstPage, pages, postings);
    writeSource(b, at, stamp, 0, firstExtent, extents);
    return writePosting(b, at, place, 0, uses);
  }

  /** Likewise the one position of a list of one posting. */
  public static int writeOnePosition(ByteBuffer b, int at, int place, int position, int uses) {
    writeKind(b, at, OffloadWire.ListKind.POSITIONS, 0);
    writePlace(b, at, 0, 0, 1);
    writeSource(b, at, 0, 0, 0, 0);
    return writePosting(b, at, place, position, uses);
  }

  static void writePlace(ByteBuffer b, int at, int firstPage, int pages, int postings) {
    ListRefLayout.firstPage(b, at, firstPage);
    ListRefLayout.pageCount(b, at, pages);
    ListRefLayout.postingCount(b, at, postings);
  }

  static void writeSource(
      ByteBuffer b, int at, long stamp, long impacts, int firstExtent, int extents) {
    ListRefLayout.stamp(b, at, stamp);
    ListRefLayout.impacts(b, at, impacts);
    ListRefLayout.firstExtent(b, at, firstExtent);
    ListRefLayout.extentCount(b, at, extents);
  }

  static int writePosting(ByteBuffer b, int at, int doc, int freq, int norm) {
    ListRefLayout.inlineDoc(b, at, doc);
    ListRefLayout.inlineFreq(b, at, freq);
    // The three reserved bytes after the norm byte are zero: written as one word.
    b.putInt(at + ListRefLayout.INLINE_NORM, norm & 0xFF);
    return at + ListRefLayout.BYTES;
  }

  static void writeKind(ByteBuffer b, int at, int kind, int slot) {
    ListRefLayout.kind(b, at, kind);
    b.put(at + ListRefLayout.RESERVED0, (byte) 0);
    ListRefLayout.slot(b, at, slot);
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

  /**
   * Writes a column.
   *
   * @param firstPage page number, in the image, of its first page
   * @param docs docs with a value
   * @param values values of all docs
   * @param min the least value
   * @param max the greatest value
   * @param firstExtent index of the first extent
   * @return the offset after it
   */
  public static int writeColumn(
      ByteBuffer b,
      int at,
      int firstPage,
      int pages,
      int docs,
      long stamp,
      long values,
      long min,
      long max,
      int firstExtent,
      int extents) {
    ColumnRefLayout.firstPage(b, at, firstPage);
    ColumnRefLayout.pageCount(b, at, pages);
    ColumnRefLayout.docCount(b, at, docs);
    b.putInt(at + ColumnRefLayout.RESERVED0, 0);
    ColumnRefLayout.stamp(b, at, stamp);
    ColumnRefLayout.valueCount(b, at, values);
    ColumnRefLayout.min(b, at, min);
    ColumnRefLayout.max(b, at, max);
    ColumnRefLayout.firstExtent(b, at, firstExtent);
    ColumnRefLayout.extentCount(b, at, extents);
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
