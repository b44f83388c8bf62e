/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.search;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.search.Query;
import org.luceneoffload.planner.RefusedException;
import org.luceneoffload.report.PlanExplanation;
import org.luceneoffload.report.Refusal;
import org.luceneoffload.search.compile.CompiledQuery;
import org.luceneoffload.search.plan.LeafPlan;
import org.luceneoffload.search.run.OffloadContext;
import org.luceneoffload.util.Text;
import org.luceneoffload.wire.OffloadWire;

/** Makes plan explanations; runs and counts nothing. */
final class PlanExplainer {
  private static final int HITS = 10;
  private static final int THRESHOLD = 1000;

  private PlanExplainer() {}

  static PlanExplanation explain(
      OffloadContext offload, Query original, Query rewritten, boolean scored) throws IOException {
    List<PlanExplanation.Leaf> leaves = new ArrayList<>();
    Refusal refusal = null;
    try {
      CompiledQuery compiled = offload.compile(rewritten, scored, 1f);
      int mode = scored ? OffloadWire.Mode.TOP_K : OffloadWire.Mode.COUNT;
      for (LeafReaderContext context : offload.host.searcher().getLeafContexts()) {
        leaves.add(leaf(context, offload.plan(compiled, context, mode, HITS, THRESHOLD)));
      }
    } catch (RefusedException e) {
      refusal = e.inFull();
    }
    return new PlanExplanation(Text.of(original), Text.of(rewritten), scored, refusal, leaves);
  }

  private static PlanExplanation.Leaf leaf(LeafReaderContext context, LeafPlan plan) {
    boolean onDevice = plan.onDevice();
    PlanExplanation.Place place =
        onDevice
            ? PlanExplanation.Place.DEVICE
            : plan.matchesNothing() ? PlanExplanation.Place.NOWHERE : PlanExplanation.Place.HOST;
    return new PlanExplanation.Leaf(
        context.ord,
        context.docBase,
        context.reader().maxDoc(),
        place,
        onDevice ? plan.handle().device().name() : null,
        plan.refusal(),
        onDevice ? plan.layout().bytes() : 0,
        plan.listBytes(),
        onDevice ? plan.root().explain() : null,
        plan.estimate());
  }
}
