/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.wire;

import java.util.List;
import org.luceneoffload.wire.layout.ColumnRefLayout;
import org.luceneoffload.wire.layout.ExtentLayout;
import org.luceneoffload.wire.layout.ListRefLayout;
import org.luceneoffload.wire.layout.PlanHeaderLayout;
import org.luceneoffload.wire.layout.PlanNodeLayout;
import org.luceneoffload.wire.layout.ValueRangeLayout;
import org.luceneoffload.wire.plan.NormTable;
import org.luceneoffload.wire.plan.PlanRequest;

/**
 * A tree to evaluate on one segment, and the lists that it refers to. What to return of it is a
 * {@link PlanRequest}.
 *
 * @param root the tree
 * @param lists posting lists, by index
 * @param extents extents, by index
 * @param tables norm tables, by index
 * @param columns columns, by index
 * @param ranges value ranges, by index
 * @param maxDoc doc IDs of the segment are below this
 */
public record Plan(
    PlanNode root,
    List<ListRef> lists,
    List<PlanExtent> extents,
    List<NormTable> tables,
    List<ColumnRef> columns,
    List<WireRange> ranges,
    int maxDoc) {

  /** A plan without columns. */
  public Plan(
      PlanNode root,
      List<ListRef> lists,
      List<PlanExtent> extents,
      List<NormTable> tables,
      int maxDoc) {
    this(root, lists, extents, tables, List.of(), List.of(), maxDoc);
  }

  /** Bytes of the encoded plan. */
  public int encodedBytes() {
    return PlanHeaderLayout.BYTES
        + root.nodeCount() * PlanNodeLayout.BYTES
        + lists.size() * ListRefLayout.BYTES
        + extents.size() * ExtentLayout.BYTES
        + tables.size() * OffloadWire.NORM_TABLE_BYTES
        + columns.size() * ColumnRefLayout.BYTES
        + ranges.size() * ValueRangeLayout.BYTES;
  }

  /** The first limit of the wire that the plan exceeds, for people; null if it keeps them all. */
  public String exceededLimit() {
    int nodes = root.nodeCount();
    if (nodes > OffloadWire.MAX_PLAN_NODES) {
      return exceeded("nodes", nodes, OffloadWire.MAX_PLAN_NODES);
    }
    if (nodes > OffloadWire.MAX_PLAN_DEPTH && root.depth() > OffloadWire.MAX_PLAN_DEPTH) {
      return exceeded("levels", root.depth(), OffloadWire.MAX_PLAN_DEPTH);
    }
    if (lists.size() > OffloadWire.MAX_PLAN_LISTS) {
      return exceeded("posting lists", lists.size(), OffloadWire.MAX_PLAN_LISTS);
    }
    if (extents.size() > OffloadWire.MAX_PLAN_EXTENTS) {
      return exceeded("extents", extents.size(), OffloadWire.MAX_PLAN_EXTENTS);
    }
    if (tables.size() > OffloadWire.MAX_PLAN_TABLES) {
      return exceeded("norm tables", tables.size(), OffloadWire.MAX_PLAN_TABLES);
    }
    return null;
  }

  private static String exceeded(String what, int count, int limit) {
    return "the plan has " + count + " " + what + ", the most is " + limit;
  }
}
