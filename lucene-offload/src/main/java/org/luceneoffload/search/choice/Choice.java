/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.search.choice;

import java.io.IOException;
import java.util.List;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.Query;
import org.luceneoffload.report.Refusal;
import org.luceneoffload.search.compile.IndexedFields;
import org.luceneoffload.search.compile.QueryNode;
import org.luceneoffload.search.plan.LeafPlan;

/**
 * The rules by which {@code Placement.AUTO} leaves work to stock Lucene, in the order in which they
 * are asked; the first that has a reason decides. Immutable.
 */
public final class Choice {
  private static final StockRule UNIQUE_TERMS = new UniqueTermsRule();

  /** Leaves nothing to stock. */
  public static final Choice NONE = new Choice();

  /** For a device whose plans are measured. */
  public static final Choice MEASURED =
      new Choice(UNIQUE_TERMS, new PointsRule(), new FeatureRule());

  /** For a device with a profile, whose planner weighs the other plans. */
  public static final Choice MODELLED = new Choice(UNIQUE_TERMS);

  private final List<StockRule> rules;

  private Choice(StockRule... rules) {
    this.rules = List.of(rules);
  }

  /** A rule at one moment. */
  @FunctionalInterface
  private interface Moment {
    Refusal ask(StockRule rule) throws IOException;
  }

  private Refusal first(Moment moment) throws IOException {
    for (StockRule rule : rules) {
      Refusal reason = moment.ask(rule);
      if (reason != null) {
        return reason;
      }
    }
    return null;
  }

  /** Returns why stock is quicker with a rewritten query; null if no rule says so. */
  public Refusal ofQuery(Query query, int mode, IndexSearcher searcher, IndexedFields fields)
      throws IOException {
    return first(rule -> rule.ofQuery(query, mode, searcher, fields));
  }

  /** Returns why stock is quicker with a compiled query; null if no rule says so. */
  public Refusal ofTree(QueryNode root, int mode, int threshold, int maxDoc) throws IOException {
    return first(rule -> rule.ofTree(root, mode, threshold, maxDoc));
  }

  /** Returns why stock is quicker with a query in one segment; null if no rule says so. */
  public Refusal ofSegment(QueryNode root, int mode, LeafReaderContext segment) throws IOException {
    return first(rule -> rule.ofSegment(root, mode, segment));
  }

  /** Returns why stock is quicker with the plan of a segment; null if no rule says so. */
  public Refusal ofPlan(LeafPlan plan, int mode, LeafReaderContext segment) throws IOException {
    return first(rule -> rule.ofPlan(plan, mode, segment));
  }
}
