/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.search.choice;

import java.util.function.Predicate;
import org.apache.lucene.search.BooleanClause.Occur;
import org.luceneoffload.report.Refusal;
import org.luceneoffload.search.compile.QueryNode;
import org.luceneoffload.search.score.FeatureScores;
import org.luceneoffload.wire.OffloadWire;

/**
 * Leaves the best hits of queries with a feature to stock, which skips docs by the highest value of
 * each block, which the engine does not know. That is worth most where hardly anything else
 * restricts the docs, and a few have far higher scores than others. Where several linear features
 * add up, as in learned sparse vectors, hardly a block can be skipped.
 */
final class FeatureRule implements StockRule.OfTree {
  private static final Refusal BY_FEATURES =
      new Refusal(Refusal.Reason.PLANNER, "the values of a feature lead to the best hits");

  /** Of this part of all docs and more stock is quicker: 0.8 times the engine's time or less. */
  private static final int MIN_PART = 16;

  @Override
  public Refusal ofTree(QueryNode root, int mode, int threshold, int maxDoc) {
    return mode == OffloadWire.Mode.TOP_K && isQuicker(root, threshold, maxDoc)
        ? BY_FEATURES
        : null;
  }

  private static boolean isQuicker(QueryNode root, int threshold, int maxDoc) {
    if (root instanceof QueryNode.FeatureNode) {
      return threshold < cost(root);
    }
    int skewed = count(root, FeatureScores::areSkewed);
    int linear = skewed == 0 ? 0 : count(root, FeatureScores::areLinear);
    boolean addUp = linear == skewed && linear >= Costs.LINEAR_FEATURES;
    return skewed > 0 && !addUp && cost(root) > Math.max(maxDoc / MIN_PART, threshold);
  }

  /** Returns how many features have scores of a kind. */
  private static int count(QueryNode node, Predicate<FeatureScores> kind) {
    return switch (node) {
      case QueryNode.FeatureNode feature -> kind.test(feature.scores()) ? 1 : 0;
      case QueryNode.BoolNode bool ->
          bool.clauses().stream().mapToInt(clause -> count(clause.node(), kind)).sum();
      case QueryNode.DisMaxNode disMax ->
          disMax.children().stream().mapToInt(child -> count(child, kind)).sum();
      default -> 0;
    };
  }

  /** Returns about the most docs that may match; 0 if that takes a look at the segments. */
  private static long cost(QueryNode node) {
    return switch (node) {
      case QueryNode.FeatureNode feature -> feature.term().lookup().docFreq();
      case QueryNode.TermNode term -> term.table() == null ? 0 : term.lookup().docFreq();
      case QueryNode.BoolNode bool -> cost(bool);
      case QueryNode.DisMaxNode disMax ->
          disMax.children().stream().mapToLong(FeatureRule::cost).sum();
      default -> 0;
    };
  }

  private static long cost(QueryNode.BoolNode bool) {
    long least = Long.MAX_VALUE;
    long sum = 0;
    for (QueryNode.Clause clause : bool.clauses()) {
      if (clause.occur() == Occur.MUST) {
        least = Math.min(least, cost(clause.node()));
      } else if (clause.occur() == Occur.SHOULD) {
        sum += cost(clause.node());
      } else if (clause.occur() == Occur.FILTER) {
        return 0;
      }
    }
    return least < Long.MAX_VALUE ? least : bool.minShould() > 1 ? 0 : sum;
  }
}
