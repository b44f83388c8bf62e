/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.papers.pageindex;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import org.luceneoffload.model.DeviceProfile;
import org.luceneoffload.model.ModelReport;
import org.luceneoffload.wire.OffloadWire;
import org.luceneoffload.wire.OffloadWire.Opcode;
import org.luceneoffload.wire.layout.ColumnRefLayout;
import org.luceneoffload.wire.layout.ExtentLayout;
import org.luceneoffload.wire.layout.ModelReportLayout;
import org.luceneoffload.wire.layout.PlanHeaderLayout;
import org.luceneoffload.wire.layout.PlanNodeLayout;
import org.luceneoffload.wire.layout.ResultHeaderLayout;
import org.luceneoffload.wire.layout.ValueRangeLayout;
import org.luceneoffload.wire.plan.PlanRequest;
import org.luceneoffload.wire.plan.PlanWriter;

/**
 * A plan of the engine that counts the rows of ranges under its timing model: one command, for
 * which the device walks the page index by itself.
 *
 * @param rows that match
 * @param report of the plan on the modelled device
 */
record IndexPlan(long rows, ModelReport report) {
  private static final int MAX_RESULT = 1 << 16;

  /** Runs a plan over a column of the keys of rows. */
  static IndexPlan run(
      IndexedStore store, IndexedStore.Column column, List<Range> ranges, DeviceProfile profile)
      throws IOException {
    ByteBuffer data = ByteBuffer.allocateDirect(1 << 16).order(ByteOrder.LITTLE_ENDIAN);
    byte[] values = profile.wireArray();
    data.put(0, values);
    store.run(Opcode.MODEL, data, values.length, values.length);
    int session = (int) store.run(Opcode.OPEN, null, 0);
    try {
      int bytes = write(data, column, ranges);
      store.run(Opcode.SUBMIT, data, bytes, session, bytes);
      int head = ResultHeaderLayout.BYTES;
      store.run(Opcode.FETCH, data, head, session, 0, head);
      long rows = ResultHeaderLayout.matchCount(data, 0);
      int report = ModelReportLayout.BYTES;
      int kind = OffloadWire.ModelData.DEVICE_REPORT;
      store.run(Opcode.MODEL_FETCH, data, report, session, 0, report, kind);
      return new IndexPlan(rows, ModelReport.read(data, 0));
    } finally {
      store.run(Opcode.CLOSE, null, 0, session);
      store.run(Opcode.MODEL, null, 0);
    }
  }

  private static int write(ByteBuffer b, IndexedStore.Column column, List<Range> ranges) {
    int bytes =
        PlanHeaderLayout.BYTES
            + PlanNodeLayout.BYTES
            + ExtentLayout.BYTES
            + ColumnRefLayout.BYTES
            + ranges.size() * ValueRangeLayout.BYTES;
    b.put(0, new byte[bytes]);
    int rows = column.rows();
    PlanRequest request = PlanRequest.of(OffloadWire.Mode.COUNT, 0, rows, MAX_RESULT);
    PlanWriter.writeHeader(
        b,
        request,
        PlanWriter.Counts.of(bytes, rows).nodes(1).extents(1).columns(1).ranges(ranges.size()));
    PlanWriter.Node node =
        PlanWriter.Node.of(OffloadWire.Op.COLUMN_IN, OffloadWire.Occur.MUST, 0, 0f)
            .count(ranges.size());
    int at = PlanWriter.writeNode(b, PlanHeaderLayout.BYTES, node);
    at = PlanWriter.writeExtent(b, at, 0, column.pages(), column.lba());
    PlanWriter.Pages pages =
        new PlanWriter.Pages(0, column.pages(), column.stamp(), new PlanWriter.Extents(0, 1));
    at =
        PlanWriter.writeColumn(
            b, at, new PlanWriter.Column(pages, rows, rows, column.min(), column.max()));
    for (Range range : ranges) {
      at = PlanWriter.writeRange(b, at, range.low(), range.high());
    }
    return at;
  }
}
