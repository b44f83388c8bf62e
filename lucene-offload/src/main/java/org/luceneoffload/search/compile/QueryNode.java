/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.search.compile;

import java.util.List;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.BooleanClause.Occur;
import org.luceneoffload.wire.NormTable;

/** A node of a compiled query: what a plan needs of it that is the same in every segment. */
public sealed interface QueryNode {
  /**
   * Returns whether this is a node of all docs, at whatever constant score. A Boolean query is
   * none, even if it matches all docs.
   */
  default boolean isAllDocs() {
    return this instanceof AllNode
        || (this instanceof ConstantNode constant && constant.child().isAllDocs());
  }

  /**
   * A term.
   *
   * @param lookup where the term is; absent means what it means to the stock weight, as far as that
   *     makes a difference
   * @param table norm table, null if the score is not needed
   * @param weight boost * idf, 0 if the score is not needed
   */
  record TermNode(Term term, TermLookup lookup, NormTable table, float weight)
      implements QueryNode {}

  /**
   * The docs with certain values in a column, at a constant score.
   *
   * @param weight the score, 0 if it is not needed
   */
  record ColumnNode(ColumnFilter filter, float weight) implements QueryNode {}

  /** Every doc at a constant score. */
  record AllNode(float weight) implements QueryNode {}

  /** No doc. */
  record NothingNode() implements QueryNode {}

  /** A subtree at a constant score. */
  record ConstantNode(QueryNode child, float weight) implements QueryNode {}

  /** A clause of a Boolean query. */
  record Clause(Occur occur, QueryNode node) {}

  /**
   * A Boolean query.
   *
   * @param scored whether its score is needed
   */
  record BoolNode(List<Clause> clauses, int minShould, boolean scored) implements QueryNode {}
}
