/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.wire;

import java.nio.ByteBuffer;
import org.luceneoffload.wire.layout.ExtentLayout;
import org.luceneoffload.wire.layout.ListRefLayout;
import org.luceneoffload.wire.layout.PlanHeaderLayout;
import org.luceneoffload.wire.layout.PlanNodeLayout;

/** Encodes plans as the wire's plan descriptors. */
public final class PlanWriter {
  private PlanWriter() {}

  /**
   * Encodes a plan from byte 0 of a buffer; the buffer's position does not matter.
   *
   * @param b little-endian, with at least {@link Plan#encodedBytes()} bytes of capacity
   * @return bytes written
   * @throws IllegalArgumentException if the buffer is too small
   */
  public static int write(ByteBuffer b, Plan plan, PlanRequest request) {
    int bytes = plan.encodedBytes();
    if (bytes > b.capacity()) {
      throw new IllegalArgumentException(
          "the plan has " + bytes + " bytes, the plan buffer " + b.capacity());
    }
    b.clear();
    writeHeader(
        b,
        request,
        bytes,
        plan.root().nodeCount(),
        plan.lists().size(),
        plan.extents().size(),
        plan.tables().size(),
        plan.maxDoc());
    int at = writeTree(b, PlanHeaderLayout.BYTES, plan.root());
    for (ListRef list : plan.lists()) {
      at = writeList(b, at, list);
    }
    for (PlanExtent extent : plan.extents()) {
      at = writeExtent(b, at, extent.filePage(), extent.pageCount(), extent.lba());
    }
    for (NormTable table : plan.tables()) {
      at = writeTable(b, at, table);
    }
    assert at == bytes;
    return bytes;
  }

  /** Writes a subtree in pre-order; returns the offset after it. */
  private static int writeTree(ByteBuffer b, int at, PlanNode node) {
    int next =
        writeNode(
            b,
            at,
            node.op(),
            node.occur(),
            node.children().size(),
            node.minShould(),
            node.list(),
            node.table(),
            node.weight());
    for (PlanNode child : node.children()) {
      next = writeTree(b, next, child);
    }
    return next;
  }

  /** Writes every field, whatever the kind: a plan that was read is written as it was. */
  private static int writeList(ByteBuffer b, int at, ListRef list) {
    writeKind(b, at, list.kind(), list.slot());
    writePlace(b, at, list.firstPage(), list.pageCount(), list.postingCount());
    writeSource(b, at, list.stamp(), list.impacts(), list.firstExtent(), list.extentCount());
    return writePosting(b, at, list.inlineDoc(), list.inlineFreq(), list.inlineNorm());
  }

  // The parts. What is written covers every byte, so that a buffer can be used again as it is.

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
    b.putInt(PlanHeaderLayout.RESERVED0, 0);
  }

  /** Writes a node, whose children have to follow; returns the offset after it. */
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
    PlanNodeLayout.op(b, at, op);
    PlanNodeLayout.occur(b, at, occur);
    PlanNodeLayout.childCount(b, at, children);
    PlanNodeLayout.minShould(b, at, minShould);
    b.putShort(at + PlanNodeLayout.RESERVED0, (short) 0);
    PlanNodeLayout.list(b, at, list);
    PlanNodeLayout.table(b, at, table);
    PlanNodeLayout.weight(b, at, weight);
    b.putInt(at + PlanNodeLayout.RESERVED1, 0);
    return at + PlanNodeLayout.BYTES;
  }

  /** Writes a list of one posting; returns the offset after it. See {@link ListRef}. */
  public static int writeInline(ByteBuffer b, int at, int doc, int freq, int norm) {
    writeKind(b, at, OffloadWire.ListKind.INLINE, 0);
    writePlace(b, at, 0, 0, 1);
    writeSource(b, at, 0, 0, 0, 0);
    return writePosting(b, at, doc, freq, norm);
  }

  /** Writes a list in posting pages; returns the offset after it. See {@link ListRef}. */
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

  private static void writePlace(ByteBuffer b, int at, int firstPage, int pages, int postings) {
    ListRefLayout.firstPage(b, at, firstPage);
    ListRefLayout.pageCount(b, at, pages);
    ListRefLayout.postingCount(b, at, postings);
  }

  private static void writeSource(
      ByteBuffer b, int at, long stamp, long impacts, int firstExtent, int extents) {
    ListRefLayout.stamp(b, at, stamp);
    ListRefLayout.impacts(b, at, impacts);
    ListRefLayout.firstExtent(b, at, firstExtent);
    ListRefLayout.extentCount(b, at, extents);
  }

  private static int writePosting(ByteBuffer b, int at, int doc, int freq, int norm) {
    ListRefLayout.inlineDoc(b, at, doc);
    ListRefLayout.inlineFreq(b, at, freq);
    // The three reserved bytes after the norm byte are zero: written as one word.
    b.putInt(at + ListRefLayout.INLINE_NORM, norm & 0xFF);
    return at + ListRefLayout.BYTES;
  }

  private static void writeKind(ByteBuffer b, int at, int kind, int slot) {
    ListRefLayout.kind(b, at, kind);
    b.put(at + ListRefLayout.RESERVED0, (byte) 0);
    ListRefLayout.slot(b, at, slot);
  }

  /** Writes an extent; returns the offset after it. See {@link PlanExtent}. */
  public static int writeExtent(ByteBuffer b, int at, int filePage, int pages, long lba) {
    ExtentLayout.filePage(b, at, filePage);
    ExtentLayout.pageCount(b, at, pages);
    ExtentLayout.lba(b, at, lba);
    return at + ExtentLayout.BYTES;
  }

  /** Writes a norm table; returns the offset after it. */
  public static int writeTable(ByteBuffer b, int at, NormTable table) {
    table.encode(b, at);
    return at + OffloadWire.NORM_TABLE_BYTES;
  }
}
