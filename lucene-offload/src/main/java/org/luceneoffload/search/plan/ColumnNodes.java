/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.search.plan;

import org.apache.lucene.util.ArrayUtil;
import org.luceneoffload.codec.column.DeviceColumn;
import org.luceneoffload.codec.column.PageBounds;
import org.luceneoffload.search.compile.ColumnFilter;
import org.luceneoffload.search.plan.node.ColumnLeaf;
import org.luceneoffload.search.plan.node.LeafNode;
import org.luceneoffload.wire.OffloadWire;

/** Makes the nodes of a plan that find docs by their values of a column. */
final class ColumnNodes {
  private ColumnNodes() {}

  /** Returns the parts of ranges that lie within a column's values. */
  static long[] clipped(long[] ranges, DeviceColumn column) {
    int from = 0;
    int to = ranges.length;
    while (from < to && ranges[from + 1] < column.min()) {
      from += 2;
    }
    while (to > from && ranges[to - 2] > column.max()) {
      to -= 2;
    }
    long[] within = ArrayUtil.copyOfSubArray(ranges, from, to);
    if (within.length > 0) {
      within[0] = Math.max(within[0], column.min());
      within[within.length - 1] = Math.min(within[within.length - 1], column.max());
    }
    return within;
  }

  /**
   * Returns one node of the docs with a value in any of some ranges; null if the column has none.
   */
  static LeafNode set(
      ColumnFilter filter, DeviceColumn column, long[] ranges, float score, int maxDoc) {
    if (ranges.length == 0) {
      return null;
    }
    boolean allValues =
        ranges.length == 2 && ranges[0] == column.min() && ranges[1] == column.max();
    if (allValues && column.docCount() == maxDoc) {
      return new LeafNode.All(score, maxDoc);
    }
    PageBounds.Overlap overlap = column.overlap(ranges);
    return overlap.pages() == 0 ? null : new ColumnLeaf(filter, column, ranges, overlap, score);
  }

  /** Returns a node of the docs with a point in the filter's area; null if the column has none. */
  static LeafNode area(ColumnFilter filter, DeviceColumn column, float score) {
    long[] hull = clipped(new long[] {filter.area().lo(), filter.area().hi()}, column);
    PageBounds.Overlap overlap = hull.length == 0 ? null : column.overlap(hull);
    return overlap == null || overlap.pages() == 0
        ? null
        : new ColumnLeaf(filter, column, hull, overlap, score);
  }

  /** Returns a node for each range; null if the column has no value in any. */
  static LeafNode ranges(
      ColumnFilter filter, DeviceColumn column, long[] ranges, float score, int maxDoc) {
    LeafNode[] parts = new LeafNode[ranges.length / 2];
    int count = 0;
    long cost = 0;
    for (int i = 0; i < ranges.length; i += 2) {
      long[] range = {ranges[i], ranges[i + 1]};
      LeafNode part = set(filter, column, range, score, maxDoc);
      if (part == null) {
        continue;
      }
      part.setOccur(OffloadWire.Occur.SHOULD);
      cost += part.cost();
      parts[count++] = part;
    }
    if (count <= 1) {
      return parts[0];
    }
    LeafNode any = new LeafNode.Bool(ArrayUtil.copyOfSubArray(parts, 0, count), 0, cost, 0f);
    return new LeafNode.Constant(score, any);
  }
}
