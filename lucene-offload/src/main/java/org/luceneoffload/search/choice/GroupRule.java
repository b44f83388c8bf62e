/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.search.choice;

import org.apache.lucene.search.ScoreMode;
import org.luceneoffload.report.Refusal;
import org.luceneoffload.search.compile.QueryNode;

/**
 * Leaves clauses that run beside clauses of the host to stock: optional ones, unless scores tell
 * what need not be looked at, frequent ones that are matched alone, and ones so rare that to plan
 * and run them takes as long as stock does.
 */
final class GroupRule implements StockRule.OfGroup {
  private static final Refusal BESIDE_OTHERS =
      new Refusal(
          Refusal.Reason.PLANNER, "stock finds clauses beside others that it has to look at");

  /** Docs of the rarest required clause of an index: with fewer, nothing is gained. */
  private static final int MIN_DOCS = 1 << 12;

  /** If the rarest required clause has this part of all docs, stock ANDs bit sets of them. */
  private static final int DENSE_PART = 8;

  @Override
  public Refusal ofGroup(QueryNode.BoolNode group, ScoreMode scoreMode, int maxDoc) {
    boolean prohibits = false;
    boolean optional = false;
    long least = Long.MAX_VALUE;
    for (QueryNode.Clause clause : group.clauses()) {
      switch (clause.occur()) {
        case MUST, FILTER -> least = Math.min(least, docs(clause.node()));
        case MUST_NOT -> prohibits = true;
        case SHOULD -> optional = true;
      }
    }
    boolean gains = scoreMode == ScoreMode.TOP_SCORES;
    if (!gains && !optional) {
      gains = prohibits || scoreMode.needsScores() || least < maxDoc / DENSE_PART;
    }
    return gains && least >= MIN_DOCS ? null : BESIDE_OTHERS;
  }

  /** Returns about how many docs match at most, as far as that takes no look at the segments. */
  private static long docs(QueryNode node) {
    return switch (node) {
      case QueryNode.TermNode term -> {
        boolean known = term.lookup().isDone() || term.table() != null; // scores need statistics
        yield known ? term.lookup().docFreq() : Long.MAX_VALUE;
      }
      case QueryNode.ScoredTermNode scored -> docs(scored.term());
      default -> Long.MAX_VALUE;
    };
  }
}
