/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.device;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.SortedMap;
import java.util.TreeMap;
import org.luceneoffload.wire.ColumnRef;
import org.luceneoffload.wire.OffloadException;
import org.luceneoffload.wire.OffloadWire;
import org.luceneoffload.wire.Plan;
import org.luceneoffload.wire.PlanExtent;
import org.luceneoffload.wire.layout.PageHeaderLayout;
import org.luceneoffload.wire.page.ColumnPageDecoder;

/** Reads whole columns of a plan, the plain way: every page, every value. */
final class ReferenceColumns {
  private final Device device;
  private final Plan plan;

  ReferenceColumns(Device device, Plan plan) {
    this.device = device;
    this.plan = plan;
  }

  /** The values of each doc that has any, ascending. */
  SortedMap<Integer, long[]> values(ColumnRef column) throws IOException {
    SortedMap<Integer, long[]> all = new TreeMap<>();
    int end = 0;
    for (int i = 0; i < column.pageCount(); i++) {
      SortedMap<Integer, long[]> values = page(column, column.firstPage() + i);
      if (values.firstKey() < end || values.lastKey() >= plan.maxDoc()) {
        throw corrupt("docs of page " + i);
      }
      end = values.lastKey() + 1;
      all.putAll(values);
      if (values.values().stream()
          .flatMapToLong(Arrays::stream)
          .anyMatch(v -> v < column.min() || v > column.max())) {
        throw corrupt("values of page " + i);
      }
    }
    return all;
  }

  private SortedMap<Integer, long[]> page(ColumnRef column, int filePage) throws IOException {
    ByteBuffer page =
        ByteBuffer.allocateDirect(OffloadWire.PAGE_BYTES).order(ByteOrder.LITTLE_ENDIAN);
    device.read(lba(column, filePage), page);
    page.clear();
    // The headers of posting pages begin like those of column pages.
    boolean posting = PageHeaderLayout.magic(page, 0) == OffloadWire.PAGE_MAGIC;
    SortedMap<Integer, long[]> values = posting ? null : ColumnPageDecoder.decode(page);
    if (PageHeaderLayout.stamp(page, 0) != column.stamp()
        || PageHeaderLayout.filePage(page, 0) != filePage) {
      throw new OffloadException(OffloadWire.Status.PAGE_STALE, "file page " + filePage);
    }
    if (posting) {
      throw corrupt("a posting page");
    }
    return values;
  }

  private long lba(ColumnRef column, int filePage) throws OffloadException {
    for (int i = 0; i < column.extentCount(); i++) {
      PlanExtent extent = plan.extents().get(column.firstExtent() + i);
      if (filePage >= extent.filePage() && filePage < extent.filePage() + extent.pageCount()) {
        return extent.lba() + filePage - extent.filePage();
      }
    }
    throw corrupt("no extent has file page " + filePage);
  }

  private static OffloadException corrupt(String what) {
    return new OffloadException(OffloadWire.Status.LIST_CORRUPT, "column: " + what);
  }
}
