/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.search.run;

import org.apache.lucene.search.IndexSearcher.LeafReaderContextPartition;
import org.apache.lucene.search.IndexSearcher.LeafSlice;
import org.luceneoffload.device.DeviceSession;
import org.luceneoffload.search.plan.LeafPlan;
import org.luceneoffload.search.plan.PageRuns;

/**
 * Has the segments of a slice wait for storage together, not one after the other: once a plan had
 * to ask for pages, the first pages of all lists of the segments behind it are asked for. If none
 * has to, nothing is done. For one thread.
 */
final class PagesAhead {
  private final LeafSlice slice;
  private final LeafPlan[] plans; // by segment
  private boolean done;

  PagesAhead(LeafSlice slice, LeafPlan[] plans) {
    this.slice = slice;
    this.plans = plans;
  }

  /** Told of each plan that a session has answered, while it may be asked. */
  void answered(LeafReaderContextPartition partition, DeviceSession session) {
    if (done || !session.hasAsked()) {
      return;
    }
    done = true;
    PageRuns runs = new PageRuns();
    boolean behind = false;
    for (LeafReaderContextPartition other : slice.partitions) {
      LeafPlan plan = plans[other.ctx.ord];
      if (behind && plan.onDevice() && isOfOneDevice(plan, partition)) {
        plan.firstPages(runs);
      }
      behind |= other == partition;
    }
    if (runs.count() > 0) {
      session.ask(runs.pairs(), runs.count());
    }
  }

  private boolean isOfOneDevice(LeafPlan plan, LeafReaderContextPartition partition) {
    return plan.handle() == plans[partition.ctx.ord].handle();
  }
}
