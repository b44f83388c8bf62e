/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.search.compile;

import java.util.List;
import org.apache.lucene.index.DocValues;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.BooleanClause.Occur;
import org.luceneoffload.search.join.JoinTerms;
import org.luceneoffload.search.score.CombinedFields;
import org.luceneoffload.search.score.FeatureScores;
import org.luceneoffload.search.score.TermScores;
import org.luceneoffload.wire.plan.NormTable;

/** A node of a compiled query: what a plan needs of it that is the same in every segment. */
public sealed interface QueryNode {
  /** Stock's query cache takes no disjunction of more clauses. */
  int MAX_CACHEABLE_CLAUSES = 16;

  /**
   * Returns whether this is a node of all docs, at whatever constant score. A Boolean query is
   * none, even if it matches all docs.
   */
  default boolean isAllDocs() {
    return false;
  }

  /**
   * Returns whether all matches have the same score or none, as far as the kinds of the nodes say.
   */
  default boolean hasEqualScores() {
    return false;
  }

  /**
   * Returns whether stock's query cache would take the query in a segment: it does not take huge
   * disjunctions, nor values that may be updated while the segment stays.
   */
  default boolean isCacheable(LeafReaderContext context) {
    return true;
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
   * A term under another similarity than BM25.
   *
   * @param term the term, as if its score were not needed
   */
  record ScoredTermNode(TermNode term, TermScores scores) implements QueryNode {}

  /**
   * A term whose frequencies are the values of a feature.
   *
   * @param term the term, as if its score were not needed
   */
  record FeatureNode(TermNode term, FeatureScores scores) implements QueryNode {}

  /**
   * A phrase, or terms near each other.
   *
   * @param phrase the terms, of one field
   * @param lookups where each term is, and its positions; absence of any kind means no match
   * @param table norm table, null if the score is not needed, or of intervals
   * @param weight boost * idf, of intervals the boost, 0 if the score is not needed
   */
  record PhraseNode(PhraseTerms phrase, List<TermLookup> lookups, NormTable table, float weight)
      implements QueryNode {}

  /**
   * The docs with certain values in a column, at a constant score.
   *
   * @param scored whether the score is needed
   * @param weight the score, 0 if it is not needed
   */
  record ColumnNode(ColumnFilter filter, boolean scored, float weight) implements QueryNode {
    @Override
    public boolean hasEqualScores() {
      return true;
    }

    @Override
    public boolean isCacheable(LeafReaderContext context) {
      return DocValues.isCacheable(context, filter.field());
    }
  }

  /** The docs with any of the terms of a union, without scores. */
  record UnionNode(TermUnion union) implements QueryNode {}

  /**
   * The docs with any of the terms of a join, each at the score of one of its terms. The score is
   * needed: without it, this is a union.
   *
   * @param union the terms without their scores
   */
  record JoinNode(JoinTerms join, TermUnion union, float boost) implements QueryNode {
    @Override
    public boolean hasEqualScores() {
      return join.hasOneScore();
    }
  }

  /** Every doc at a constant score. */
  record AllNode(float weight) implements QueryNode {
    @Override
    public boolean isAllDocs() {
      return true;
    }

    @Override
    public boolean hasEqualScores() {
      return true;
    }
  }

  /** No doc. */
  record NothingNode() implements QueryNode {}

  /** A subtree at a constant score. */
  record ConstantNode(QueryNode child, float weight) implements QueryNode {
    @Override
    public boolean isAllDocs() {
      return child.isAllDocs();
    }

    @Override
    public boolean hasEqualScores() {
      return true;
    }

    @Override
    public boolean isCacheable(LeafReaderContext context) {
      return child.isCacheable(context);
    }
  }

  /**
   * The docs that any child matches, at the greatest of their scores and a part of the others. The
   * score is needed: without it, this is a Boolean query of optional clauses.
   *
   * @param tieBreaker which part of the scores but the greatest counts
   */
  record DisMaxNode(List<QueryNode> children, float tieBreaker) implements QueryNode {
    @Override
    public boolean isCacheable(LeafReaderContext context) {
      return children.size() <= MAX_CACHEABLE_CLAUSES
          && children.stream().allMatch(child -> child.isCacheable(context));
    }
  }

  /**
   * Terms of a field that count as one. The score is needed: without it, this is a Boolean query of
   * optional clauses.
   *
   * @param terms the terms, without norm table, each with the factor of its frequencies as weight
   * @param table norm table of the field
   * @param weight boost * idf of all of them as one
   */
  record SynonymNode(List<TermNode> terms, NormTable table, float weight) implements QueryNode {}

  /**
   * A term in several fields, which counts as one of one field. The score is needed: without it,
   * this is a Boolean query of optional clauses.
   *
   * @param terms the terms, without norm table, each with the weight of its field as weight
   * @param table norm table of all fields together
   * @param weight boost * idf of all of them as one
   */
  record CombinedNode(List<TermNode> terms, CombinedFields fields, NormTable table, float weight)
      implements QueryNode {}

  /** A clause of a Boolean query. */
  record Clause(Occur occur, QueryNode node) {}

  /**
   * A Boolean query.
   *
   * @param scored whether its score is needed
   */
  record BoolNode(List<Clause> clauses, int minShould, boolean scored) implements QueryNode {
    @Override
    public boolean isCacheable(LeafReaderContext context) {
      return clauses.size() <= MAX_CACHEABLE_CLAUSES
          && clauses.stream().allMatch(clause -> clause.node.isCacheable(context));
    }

    /**
     * Returns whether all clauses with scores have to match, or there is one, and each has one
     * score.
     */
    @Override
    public boolean hasEqualScores() {
      int required = 0;
      int optional = 0;
      for (Clause clause : clauses) {
        required += clause.occur == Occur.MUST ? 1 : 0;
        optional += clause.occur == Occur.SHOULD ? 1 : 0;
        if (clause.occur != Occur.MUST_NOT
            && clause.occur != Occur.FILTER
            && !clause.node.hasEqualScores()) {
          return false;
        }
      }
      return optional == 0 || (optional == 1 && required == 0);
    }
  }
}
