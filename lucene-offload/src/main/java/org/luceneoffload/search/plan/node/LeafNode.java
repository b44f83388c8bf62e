/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.search.plan.node;

import java.util.ArrayList;
import java.util.List;
import org.luceneoffload.planner.ProgramNode;
import org.luceneoffload.planner.RefusedException;
import org.luceneoffload.report.PlanExplanation;
import org.luceneoffload.wire.OffloadWire;
import org.luceneoffload.wire.plan.PlanWriter;

/**
 * A node of a segment's plan, with its subtree and what stock would estimate of it. A planner
 * builds the tree, {@link PlanLayout} has its nodes number what they refer to; after that it does
 * not change.
 */
public abstract class LeafNode {
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

  /** Numbers what the node itself refers to; its children come after it. */
  abstract void number(PlanLayout layout) throws RefusedException;

  /** Writes the node and what it refers to; its children come after it. */
  abstract void write(PlanSink sink);

  /** Adds the first pages of each list of the node itself. */
  abstract void addPages(PageRuns runs);

  /**
   * Returns what a planner has to know of the subtree.
   *
   * @param maxDoc docs of the segment
   */
  public abstract ProgramNode estimate(int maxDoc);

  /** Returns the subtree as people read it. */
  public abstract PlanExplanation.Node explain();

  /** Returns the operator, a value of {@link OffloadWire.Op}. */
  public final int op() {
    return op;
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

  /** Sets the part that the node plays in its parent, once that is known. */
  public final void setOccur(int part) {
    occur = part;
  }

  /** Returns about the most docs that can match. */
  public final long cost() {
    return cost;
  }

  /** Returns an upper bound of the scores. */
  public final float maxScore() {
    return maxScore;
  }

  /** Returns the fields that all nodes have. */
  final PlanWriter.Node fields() {
    return PlanWriter.Node.of(op, occur, children.length, weight);
  }

  final List<ProgramNode> childEstimates(int maxDoc) {
    List<ProgramNode> estimates = new ArrayList<>(children.length);
    for (LeafNode child : children) {
      estimates.add(child.estimate(maxDoc));
    }
    return estimates;
  }

  /** Returns the explanation of a node without list or range. */
  final PlanExplanation.Node explain(int minShould) {
    List<PlanExplanation.Node> explained = new ArrayList<>(children.length);
    for (LeafNode child : children) {
      explained.add(child.explain());
    }
    return new PlanExplanation.Node(
        WireNames.op(op), WireNames.occur(occur), minShould, weight, null, null, explained);
  }

  /** Returns the explanation of a node with a list, a range or neither. */
  final PlanExplanation.Node explain(
      PlanExplanation.TermList list,
      PlanExplanation.ColumnRange range,
      List<PlanExplanation.Node> below) {
    return new PlanExplanation.Node(
        WireNames.op(op), WireNames.occur(occur), 0, weight, list, range, below);
  }

  /** A node that refers to nothing but its children. */
  abstract static class Inner extends LeafNode {
    Inner(int op, float weight, LeafNode[] children, long cost, float maxScore) {
      super(op, weight, children, cost, maxScore);
    }

    @Override
    final void number(PlanLayout layout) {}

    @Override
    void write(PlanSink sink) {
      sink.node(fields());
    }

    @Override
    final void addPages(PageRuns runs) {}

    @Override
    public ProgramNode estimate(int maxDoc) {
      return new ProgramNode(op(), occur(), 0, 0, 0, childEstimates(maxDoc));
    }

    @Override
    public PlanExplanation.Node explain() {
      return explain(0);
    }
  }

  /** No doc, where stock has a supplier that finds nothing. */
  public static final class None extends Inner {
    /** Makes the node. */
    public None() {
      super(OffloadWire.Op.NONE, 0f, NO_CHILDREN, 0, 0f);
    }
  }

  /** Every doc, at a constant score. */
  public static final class All extends Inner {
    /** Makes the node of a segment. */
    public All(float score, int maxDoc) {
      super(OffloadWire.Op.ALL, score, NO_CHILDREN, maxDoc, score);
    }
  }

  /** The matches of a child, at a constant score. */
  public static final class Constant extends Inner {
    /** Gives the child the occur MUST. */
    public Constant(float score, LeafNode child) {
      super(OffloadWire.Op.CONST, score, new LeafNode[] {child}, child.cost(), score);
      child.setOccur(OffloadWire.Occur.MUST);
    }
  }

  /** Clauses. */
  public static final class Bool extends Inner {
    private final int minShould;

    /**
     * Makes a node of clauses that know their occur.
     *
     * @param minShould the least number of SHOULD children that must match
     */
    public Bool(LeafNode[] children, int minShould, long cost, float maxScore) {
      super(OffloadWire.Op.BOOL, 0f, children, cost, maxScore);
      this.minShould = minShould;
    }

    /** Returns the least number of SHOULD children that must match. */
    public int minShould() {
      return minShould;
    }

    @Override
    void write(PlanSink sink) {
      sink.node(fields().minShould(minShould));
    }

    @Override
    public ProgramNode estimate(int maxDoc) {
      return ProgramNode.bool(occur(), minShould, childEstimates(maxDoc));
    }

    @Override
    public PlanExplanation.Node explain() {
      return explain(minShould);
    }
  }

  /** Optional children of which the greatest score counts, and a part of the others. */
  public static final class DisMax extends Inner {
    /**
     * Makes a node of optional children.
     *
     * @param tieBreaker the part of the others that counts
     */
    public DisMax(LeafNode[] children, float tieBreaker, long cost, float maxScore) {
      super(OffloadWire.Op.DIS_MAX, tieBreaker, children, cost, maxScore);
    }

    /** Returns what is known of any disjunction: it is read as one. */
    @Override
    public ProgramNode estimate(int maxDoc) {
      return ProgramNode.bool(occur(), 0, childEstimates(maxDoc));
    }
  }
}
