/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.search.plan;

import org.luceneoffload.wire.NormTable;
import org.luceneoffload.wire.OffloadWire;

/**
 * A node of a segment's plan, with its subtree and what stock would estimate of it. {@link
 * LeafPlanner} builds the tree, {@link PlanLayout} numbers its parts; after that it does not
 * change.
 */
public abstract sealed class LeafNode
    permits LeafNode.None,
        LeafNode.All,
        LeafNode.Constant,
        LeafNode.Bool,
        LeafNode.DisMax,
        LeafNode.Synonym,
        PagedLeaf,
        PhraseLeaf,
        KeptLeaf {
  static final LeafNode[] NO_CHILDREN = {};

  private final int op;
  private final float weight;
  private final LeafNode[] children;
  private final long cost;
  private final float maxScore;
  private int occur = OffloadWire.Occur.MUST;

  LeafNode(int op, float weight, LeafNode[] children, long cost, float maxScore) {
    this.op = op;
    this.weight = weight;
    this.children = children;
    this.cost = cost;
    this.maxScore = maxScore;
  }

  /** Returns the operator, a value of {@link OffloadWire.Op}. */
  public final int op() {
    return op;
  }

  /**
   * Returns boost * idf of a term, SYNONYM or COMBINED, the greatest score of a TABLE_TERM or
   * FEATURE_TERM, the factor of a SYNONYM's or COMBINED's term, the score of a constant, the tie
   * breaker of a DIS_MAX, 0 of any other node.
   */
  public final float weight() {
    return weight;
  }

  /** Returns the children, in the order in which their scores are added; not to be changed. */
  public final LeafNode[] children() {
    return children;
  }

  /**
   * Returns the part that the node plays in its parent, a value of {@link OffloadWire.Occur}; of
   * the root: MUST.
   */
  public final int occur() {
    return occur;
  }

  /** Says which part the node plays in its parent, once that is known. */
  final void setOccur(int part) {
    occur = part;
  }

  /** Returns about the most docs that can match. */
  final long cost() {
    return cost;
  }

  /** Returns an upper bound of the scores. */
  final float maxScore() {
    return maxScore;
  }

  /** No doc, where stock has a supplier that finds nothing. */
  static final class None extends LeafNode {
    None() {
      super(OffloadWire.Op.NONE, 0f, NO_CHILDREN, 0, 0f);
    }
  }

  /** Every doc, at a constant score. */
  static final class All extends LeafNode {
    All(float score, int maxDoc) {
      super(OffloadWire.Op.ALL, score, NO_CHILDREN, maxDoc, score);
    }
  }

  /** The matches of a child, at a constant score. */
  static final class Constant extends LeafNode {
    Constant(float score, LeafNode child) {
      super(OffloadWire.Op.CONST, score, new LeafNode[] {child}, child.cost, score);
      child.setOccur(OffloadWire.Occur.MUST);
    }
  }

  /** Clauses. */
  public static final class Bool extends LeafNode {
    private final int minShould;

    Bool(LeafNode[] children, int minShould, long cost, float maxScore) {
      super(OffloadWire.Op.BOOL, 0f, children, cost, maxScore);
      this.minShould = minShould;
    }

    /** Returns the least number of SHOULD children that must match. */
    public int minShould() {
      return minShould;
    }
  }

  /** Optional children of which the greatest score counts, and a part of the others. */
  static final class DisMax extends LeafNode {
    /**
     * A node of optional children.
     *
     * @param tieBreaker the part of the others that counts
     */
    DisMax(LeafNode[] children, float tieBreaker, long cost, float maxScore) {
      super(OffloadWire.Op.DIS_MAX, tieBreaker, children, cost, maxScore);
    }
  }

  /** Terms that count as one. */
  static final class Synonym extends LeafNode {
    private final NormTable table;

    int tableIndex; // in the plan's tables, from PlanLayout

    /**
     * A node of terms.
     *
     * @param terms with factors of their frequencies as weights
     * @param table the norm table of all of them
     */
    Synonym(LeafNode[] terms, NormTable table, float weight, long cost) {
      super(OffloadWire.Op.SYNONYM, weight, terms, cost, weight);
      this.table = table;
    }

    /** Returns the norm table. */
    NormTable table() {
      return table;
    }
  }
}
