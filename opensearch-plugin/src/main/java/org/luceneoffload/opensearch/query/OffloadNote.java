/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.opensearch.query;

import java.io.IOException;
import java.util.List;
import java.util.TreeSet;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.QueryVisitor;
import org.luceneoffload.report.PlanExplanation;
import org.luceneoffload.report.PlanExplanation.Place;
import org.opensearch.search.internal.SearchContext;
import org.opensearch.search.profile.Timer;
import org.opensearch.search.profile.query.QueryProfiler;
import org.opensearch.search.profile.query.QueryTimingType;

/**
 * A remark on offload in the profile of a search. Profiles have entries for queries alone, so it is
 * one, which nobody runs.
 */
final class OffloadNote extends Query {
  private final String text;

  private OffloadNote(String text) {
    this.text = text;
  }

  /** Says that OpenSearch alone answers. */
  static void stock(SearchContext context, String why) {
    new OffloadNote("stock: " + why).addTo(context);
  }

  /** Says which segments the device answers, and why it does not answer the others. */
  static void offloaded(SearchContext context, ShardOffloadQuery query) throws IOException {
    WholeSearcher searcher = new WholeSearcher(context.searcher(), query.index());
    PlanExplanation plan = searcher.explainPlan(query.query());
    StringBuilder text = new StringBuilder();
    TreeSet<String> reasons = new TreeSet<>();
    if (plan.refusal() != null) {
      text.append("device: parts of the query at most");
      reasons.add(plan.refusal().toString());
    } else {
      text.append("device: the query in ").append(count(plan.leaves(), Place.DEVICE));
      text.append(" segments; host: ").append(count(plan.leaves(), Place.HOST));
      text.append("; nothing to find in ").append(count(plan.leaves(), Place.NOWHERE));
    }
    for (PlanExplanation.Leaf leaf : plan.leaves()) {
      if (leaf.refusal() != null) {
        reasons.add(leaf.refusal().toString());
      }
    }
    if (!reasons.isEmpty()) {
      text.append("; because: ").append(String.join(", ", reasons));
    }
    String why = WholeRequest.whyCollected(context);
    text.append("; OpenSearch collects because of ").append(why == null ? "profile" : why);
    new OffloadNote(text.toString()).addTo(context);
  }

  private static long count(List<PlanExplanation.Leaf> leaves, Place place) {
    return leaves.stream().filter(leaf -> leaf.place() == place).count();
  }

  private void addTo(SearchContext context) {
    QueryProfiler profiler = context.getProfilers().getCurrentQueryProfiler();
    Timer timer = profiler.getQueryBreakdown(this).getTimer(QueryTimingType.CREATE_WEIGHT);
    timer.start(); // a profile is about time: an entry has some
    timer.stop();
    profiler.pollLastElement();
  }

  @Override
  public void visit(QueryVisitor visitor) {
    visitor.visitLeaf(this);
  }

  @Override
  public boolean equals(Object other) {
    return sameClassAs(other) && text.equals(((OffloadNote) other).text);
  }

  @Override
  public int hashCode() {
    return 31 * classHash() + text.hashCode();
  }

  @Override
  public String toString(String field) {
    return text;
  }
}
