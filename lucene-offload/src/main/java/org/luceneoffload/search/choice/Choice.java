/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.search.choice;

import java.io.IOException;
import java.util.Arrays;
import java.util.function.IntFunction;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.ScoreMode;
import org.luceneoffload.report.Refusal;
import org.luceneoffload.search.compile.IndexedFields;
import org.luceneoffload.search.compile.QueryNode;
import org.luceneoffload.search.plan.LeafPlan;

/**
 * The rules by which {@code Placement.AUTO} leaves work to stock Lucene, in the order in which they
 * are asked; the first that has a reason decides. Immutable.
 */
public final class Choice {
  private static final UniqueTermsRule UNIQUE_TERMS = new UniqueTermsRule();

  /** Leaves nothing to stock. */
  public static final Choice NONE = new Choice();

  /** For a device whose plans are measured. */
  public static final Choice MEASURED =
      new Choice(UNIQUE_TERMS, new PointsRule(), new FeatureRule(), new GroupRule());

  /** For a device with a profile, whose planner weighs the other plans. */
  public static final Choice MODELLED = new Choice(UNIQUE_TERMS);

  private final StockRule.OfQuery[] ofQuery;
  private final StockRule.OfTree[] ofTree;
  private final StockRule.OfGroup[] ofGroup;
  private final StockRule.OfSegment[] ofSegment;
  private final StockRule.OfPlan[] ofPlan;

  private Choice(StockRule... rules) {
    ofQuery = at(StockRule.OfQuery.class, StockRule.OfQuery[]::new, rules);
    ofTree = at(StockRule.OfTree.class, StockRule.OfTree[]::new, rules);
    ofGroup = at(StockRule.OfGroup.class, StockRule.OfGroup[]::new, rules);
    ofSegment = at(StockRule.OfSegment.class, StockRule.OfSegment[]::new, rules);
    ofPlan = at(StockRule.OfPlan.class, StockRule.OfPlan[]::new, rules);
  }

  /** Returns the rules that are asked at a moment. */
  private static <T> T[] at(Class<T> moment, IntFunction<T[]> array, StockRule... rules) {
    return Arrays.stream(rules).filter(moment::isInstance).toArray(array);
  }

  /** Returns why stock is quicker with a rewritten query; null if no rule says so. */
  public Refusal ofQuery(Query query, int mode, IndexSearcher searcher, IndexedFields fields)
      throws IOException {
    Refusal reason = null;
    for (int i = 0; i < ofQuery.length && reason == null; i++) {
      reason = ofQuery[i].ofQuery(query, mode, searcher, fields);
    }
    return reason;
  }

  /** Returns why stock is quicker with a compiled query; null if no rule says so. */
  public Refusal ofTree(QueryNode root, int mode, int threshold, int maxDoc) {
    Refusal reason = null;
    for (int i = 0; i < ofTree.length && reason == null; i++) {
      reason = ofTree[i].ofTree(root, mode, threshold, maxDoc);
    }
    return reason;
  }

  /** Returns why stock is quicker with some clauses of a query; null if no rule says so. */
  public Refusal ofGroup(QueryNode.BoolNode group, ScoreMode scoreMode, int maxDoc) {
    Refusal reason = null;
    for (int i = 0; i < ofGroup.length && reason == null; i++) {
      reason = ofGroup[i].ofGroup(group, scoreMode, maxDoc);
    }
    return reason;
  }

  /** Returns why stock is quicker with a query in one segment; null if no rule says so. */
  public Refusal ofSegment(QueryNode root, int mode, LeafReaderContext segment) throws IOException {
    Refusal reason = null;
    for (int i = 0; i < ofSegment.length && reason == null; i++) {
      reason = ofSegment[i].ofSegment(root, mode, segment);
    }
    return reason;
  }

  /** Returns why stock is quicker with the plan of a segment; null if no rule says so. */
  public Refusal ofPlan(LeafPlan plan, int mode, LeafReaderContext segment) throws IOException {
    Refusal reason = null;
    for (int i = 0; i < ofPlan.length && reason == null; i++) {
      reason = ofPlan[i].ofPlan(plan, mode, segment);
    }
    return reason;
  }
}
