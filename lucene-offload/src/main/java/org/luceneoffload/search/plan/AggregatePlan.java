/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.search.plan;

import java.util.List;
import org.luceneoffload.wire.OffloadWire;
import org.luceneoffload.wire.aggregate.Aggregate;

/**
 * The work on a segment for aggregations.
 *
 * @param leaf what to do, and on whose side
 * @param aggregates one for each aggregation, null where the segment lacks the field; empty if
 *     there is no plan
 * @param resultBytes about what the result page takes with all keys that there may be
 */
public record AggregatePlan(LeafPlan leaf, List<Aggregate> aggregates, long resultBytes) {
  /** Returns work for the host. */
  public static AggregatePlan onHost(LeafPlan leaf) {
    return new AggregatePlan(leaf, List.of(), 0);
  }

  /** Returns the mode of the plan: matches are only counted in a segment that lacks all fields. */
  public int mode() {
    for (Aggregate aggregate : aggregates) {
      if (aggregate != null) {
        return OffloadWire.Mode.AGGREGATE;
      }
    }
    return OffloadWire.Mode.COUNT;
  }
}
