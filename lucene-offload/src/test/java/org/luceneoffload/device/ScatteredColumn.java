/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.device;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import org.luceneoffload.wire.ColumnRef;
import org.luceneoffload.wire.OffloadWire;
import org.luceneoffload.wire.Plan;
import org.luceneoffload.wire.PlanExtent;
import org.luceneoffload.wire.WireRange;
import org.luceneoffload.wire.page.ColumnPageEncoder;

/**
 * A column on a device whose values are known beforehand: 0 to 999, scattered over all docs. For
 * tests of modes that look at values.
 *
 * @param ref the column, whose extent is the second one of a plan
 * @param extent where its pages are
 */
public record ScatteredColumn(ColumnRef ref, PlanExtent extent) {
  /**
   * Writes a column.
   *
   * @param lba where its pages go
   * @param docs how many docs it has
   * @param stamp stamp of its pages
   */
  public static ScatteredColumn write(Device device, long lba, int docs, long stamp)
      throws IOException {
    ByteBuffer lbaBytes =
        ByteBuffer.allocateDirect(OffloadWire.PAGE_BYTES).order(ByteOrder.LITTLE_ENDIAN);
    long[] next = {lba};
    ColumnPageEncoder encoder =
        new ColumnPageEncoder(
            stamp,
            1,
            page -> {
              lbaBytes.clear().put(page).flip();
              device.write(next[0]++, lbaBytes);
            });
    for (int doc = 0; doc < docs; doc++) {
      encoder.add(doc, value(doc));
    }
    encoder.finish();
    ColumnRef ref =
        new ColumnRef(
            1,
            encoder.pageCount(),
            encoder.docCount(),
            stamp,
            encoder.valueCount(),
            encoder.min(),
            encoder.max(),
            1,
            1);
    return new ScatteredColumn(ref, new PlanExtent(1, encoder.pageCount(), lba));
  }

  /** The value of a doc. */
  public static long value(int doc) {
    return doc * 7919L % 1000;
  }

  /** A plan that finds the docs of a list and may look at the column, with some ranges. */
  public Plan plan(StridedList list, List<WireRange> ranges) {
    Plan plan = list.plan();
    return new Plan(
        plan.root(),
        plan.lists(),
        List.of(list.extent(), extent),
        plan.tables(),
        List.of(ref),
        ranges,
        list.maxDoc());
  }
}
