/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.wire;

import java.nio.ByteBuffer;

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
    writeHeader(b, plan, request, bytes);
    int at = writeNode(b, OffloadWire.PlanHeader.BYTES, plan.root());
    for (ListRef list : plan.lists()) {
      writeList(b, at, list);
      at += OffloadWire.ListRef.BYTES;
    }
    for (PlanExtent extent : plan.extents()) {
      OffloadWire.Extent.filePage(b, at, extent.filePage());
      OffloadWire.Extent.pageCount(b, at, extent.pageCount());
      OffloadWire.Extent.lba(b, at, extent.lba());
      at += OffloadWire.Extent.BYTES;
    }
    for (NormTable table : plan.tables()) {
      table.encode(b, at);
      at += OffloadWire.NORM_TABLE_BYTES;
    }
    assert at == bytes;
    return bytes;
  }

  private static void writeHeader(ByteBuffer b, Plan plan, PlanRequest request, int bytes) {
    OffloadWire.PlanHeader.magic(b, 0, OffloadWire.PLAN_MAGIC);
    OffloadWire.PlanHeader.version(b, 0, OffloadWire.VERSION);
    OffloadWire.PlanHeader.mode(b, 0, request.mode);
    OffloadWire.PlanHeader.flags(b, 0, request.flags);
    OffloadWire.PlanHeader.totalBytes(b, 0, bytes);
    OffloadWire.PlanHeader.nodeCount(b, 0, plan.root().nodeCount());
    OffloadWire.PlanHeader.listCount(b, 0, plan.lists().size());
    OffloadWire.PlanHeader.extentCount(b, 0, plan.extents().size());
    OffloadWire.PlanHeader.tableCount(b, 0, plan.tables().size());
    OffloadWire.PlanHeader.maxDoc(b, 0, plan.maxDoc());
    OffloadWire.PlanHeader.minDoc(b, 0, request.minDoc);
    OffloadWire.PlanHeader.limitDoc(b, 0, request.limitDoc);
    OffloadWire.PlanHeader.k(b, 0, request.k);
    OffloadWire.PlanHeader.countThreshold(b, 0, request.countThreshold);
    OffloadWire.PlanHeader.liveDocs(b, 0, request.liveDocs);
    OffloadWire.PlanHeader.maxResultBytes(b, 0, request.maxResultBytes);
    OffloadWire.PlanHeader.minScore(b, 0, request.minScore);
    OffloadWire.PlanHeader.afterScore(b, 0, request.afterScore);
    OffloadWire.PlanHeader.afterDoc(b, 0, request.afterDoc);
    b.putInt(OffloadWire.PlanHeader.RESERVED0, 0);
  }

  /** Writes a subtree in pre-order; returns the offset after it. */
  private static int writeNode(ByteBuffer b, int at, PlanNode node) {
    OffloadWire.PlanNode.op(b, at, node.op());
    OffloadWire.PlanNode.occur(b, at, node.occur());
    OffloadWire.PlanNode.childCount(b, at, node.children().size());
    OffloadWire.PlanNode.minShould(b, at, node.minShould());
    b.putShort(at + OffloadWire.PlanNode.RESERVED0, (short) 0);
    OffloadWire.PlanNode.list(b, at, node.list());
    OffloadWire.PlanNode.table(b, at, node.table());
    OffloadWire.PlanNode.weight(b, at, node.weight());
    b.putInt(at + OffloadWire.PlanNode.RESERVED1, 0);
    int next = at + OffloadWire.PlanNode.BYTES;
    for (PlanNode child : node.children()) {
      next = writeNode(b, next, child);
    }
    return next;
  }

  private static void writeList(ByteBuffer b, int at, ListRef list) {
    OffloadWire.ListRef.kind(b, at, list.kind());
    b.put(at + OffloadWire.ListRef.RESERVED0, (byte) 0);
    OffloadWire.ListRef.slot(b, at, list.slot());
    OffloadWire.ListRef.firstPage(b, at, list.firstPage());
    OffloadWire.ListRef.pageCount(b, at, list.pageCount());
    OffloadWire.ListRef.postingCount(b, at, list.postingCount());
    OffloadWire.ListRef.stamp(b, at, list.stamp());
    OffloadWire.ListRef.impacts(b, at, list.impacts());
    OffloadWire.ListRef.firstExtent(b, at, list.firstExtent());
    OffloadWire.ListRef.extentCount(b, at, list.extentCount());
    OffloadWire.ListRef.inlineDoc(b, at, list.inlineDoc());
    OffloadWire.ListRef.inlineFreq(b, at, list.inlineFreq());
    // The three reserved bytes after the norm byte are zero: written as one word.
    b.putInt(at + OffloadWire.ListRef.INLINE_NORM, list.inlineNorm() & 0xFF);
  }
}
