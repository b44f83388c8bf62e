/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.search.plan;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.lucene.index.LeafReaderContext;
import org.luceneoffload.aggregate.ValueRange;
import org.luceneoffload.codec.column.DeviceColumn;
import org.luceneoffload.report.Refusal;
import org.luceneoffload.search.aggregate.Tally;
import org.luceneoffload.search.compile.QueryNode;
import org.luceneoffload.wire.OffloadWire;
import org.luceneoffload.wire.aggregate.Aggregate;
import org.luceneoffload.wire.aggregate.AggregatePart;

/** Plans all aggregations of a search in one pass over a segment. */
public final class AggregatePlanner {
  private AggregatePlanner() {}

  /** Returns what a segment has to do for aggregations of the matches of a query. */
  public static AggregatePlan plan(LeafReaderContext context, QueryNode root, List<Tally> tallies)
      throws IOException {
    LeafPlanner planner = new LeafPlanner(context, false);
    List<Aggregate> aggregates = new ArrayList<>(tallies.size());
    long[] keyBytes = {0};
    LeafPlan leaf =
        planner.planTailed(
            root,
            (node, layout) -> {
              for (Tally tally : tallies) {
                DeviceColumn column =
                    planner.tailColumn(tally.field(), info -> tally.takes(info.getDocValuesType()));
                if (column == null) {
                  aggregates.add(null);
                  continue;
                }
                List<ValueRange> ranges = tally.ranges(context, column);
                int first = layout.addTailRanges(ranges);
                int index = layout.addTailColumn(column);
                int firstRange = ranges.isEmpty() ? 0 : first;
                Aggregate aggregate =
                    tally.plan(column, index, firstRange, ranges.size(), node.cost());
                aggregates.add(aggregate);
                keyBytes[0] +=
                    aggregate.mostKeyBytes(column.min(), column.max(), column.valueCount());
              }
            });
    if (!leaf.onDevice()) {
      return AggregatePlan.onHost(leaf);
    }
    List<Aggregate> asked = new ArrayList<>(aggregates.size());
    for (Aggregate aggregate : aggregates) {
      if (aggregate != null) {
        asked.add(aggregate);
      }
    }
    int room = leaf.handle().device().info().maxResultBytes();
    int least = new AggregatePart(asked).minResultBytes();
    if (asked.size() > OffloadWire.MAX_AGGREGATES || least > room) {
      String detail = asked.size() + " aggregations, of " + least + " bytes at least";
      Refusal refusal = new Refusal(Refusal.Reason.PLAN_LIMIT, detail);
      return AggregatePlan.onHost(LeafPlan.onHost(refusal));
    }
    return new AggregatePlan(leaf, aggregates, least + keyBytes[0]);
  }
}
