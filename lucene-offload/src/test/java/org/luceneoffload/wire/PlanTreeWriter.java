/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.wire;

import java.nio.ByteBuffer;
import org.luceneoffload.wire.layout.PlanHeaderLayout;
import org.luceneoffload.wire.plan.NormTable;
import org.luceneoffload.wire.plan.PlanRequest;
import org.luceneoffload.wire.plan.PlanTail;
import org.luceneoffload.wire.plan.PlanWriter;

/** Encodes {@link Plan}s as the wire's plan descriptors. */
public final class PlanTreeWriter {
  private PlanTreeWriter() {}

  /**
   * Encodes a plan from byte 0 of a buffer; the buffer's position does not matter.
   *
   * @param b little-endian, with at least {@link Plan#encodedBytes()} bytes of capacity
   * @return bytes written
   * @throws IllegalArgumentException if the buffer is too small
   */
  public static int write(ByteBuffer b, Plan plan, PlanRequest request) {
    return write(b, plan, request, PlanTail.NONE);
  }

  /** As the other, with the part that only the plan's mode has. */
  public static int write(ByteBuffer b, Plan plan, PlanRequest request, PlanTail tail) {
    int bytes = plan.encodedBytes() + tail.bytes();
    if (bytes > b.capacity()) {
      throw new IllegalArgumentException(
          "the plan has " + bytes + " bytes, the plan buffer " + b.capacity());
    }
    b.clear();
    PlanWriter.Counts counts =
        PlanWriter.Counts.of(bytes, plan.maxDoc())
            .nodes(plan.root().nodeCount())
            .lists(plan.lists().size())
            .extents(plan.extents().size())
            .tables(plan.tables().size())
            .columns(plan.columns().size())
            .ranges(plan.ranges().size());
    PlanWriter.writeHeader(b, request, counts);
    int at = writeTree(b, PlanHeaderLayout.BYTES, plan.root());
    for (ListRef list : plan.lists()) {
      at = writeList(b, at, list);
    }
    for (PlanExtent extent : plan.extents()) {
      at = PlanWriter.writeExtent(b, at, extent.filePage(), extent.pageCount(), extent.lba());
    }
    for (NormTable table : plan.tables()) {
      at = PlanWriter.writeTable(b, at, table);
    }
    for (ColumnRef column : plan.columns()) {
      PlanWriter.Extents extents =
          new PlanWriter.Extents(column.firstExtent(), column.extentCount());
      PlanWriter.Pages pages =
          new PlanWriter.Pages(column.firstPage(), column.pageCount(), column.stamp(), extents);
      PlanWriter.Column written =
          new PlanWriter.Column(
              pages, column.docCount(), column.valueCount(), column.min(), column.max());
      at = PlanWriter.writeColumn(b, at, written);
    }
    for (WireRange range : plan.ranges()) {
      at = PlanWriter.writeRange(b, at, range.lo(), range.hi());
    }
    at = tail.write(b, at);
    assert at == bytes;
    return bytes;
  }

  /** Writes a subtree in pre-order; returns the offset after it. */
  private static int writeTree(ByteBuffer b, int at, PlanNode node) {
    PlanWriter.Node fields =
        PlanWriter.Node.of(node.op(), node.occur(), node.children().size(), node.weight())
            .minShould(node.minShould())
            .list(node.list())
            .table(node.table())
            .count(node.ranges());
    int next = PlanWriter.writeNode(b, at, fields);
    for (PlanNode child : node.children()) {
      next = writeTree(b, next, child);
    }
    return next;
  }

  /** Writes every field, whatever the kind: a plan that was read is written as it was. */
  private static int writeList(ByteBuffer b, int at, ListRef list) {
    PlanWriter.Extents extents = new PlanWriter.Extents(list.firstExtent(), list.extentCount());
    PlanWriter.Pages pages =
        new PlanWriter.Pages(list.firstPage(), list.pageCount(), list.stamp(), extents);
    PlanWriter.ListPlace place = new PlanWriter.ListPlace(pages, list.slot(), list.postingCount());
    PlanWriter.writePlace(b, at, list.kind(), place, list.impacts());
    return PlanWriter.writePosting(b, at, list.inlineDoc(), list.inlineFreq(), list.inlineNorm());
  }
}
