/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.wire;

import java.util.List;

/**
 * A node of a {@link Plan}, with its subtree.
 *
 * @param op a value of {@link OffloadWire.Op}
 * @param occur the part it plays in its parent, a value of {@link OffloadWire.Occur}; of the root:
 *     MUST
 * @param minShould the field {@code min_should}, whose meaning depends on the operator as that of
 *     the next four: see {@code wire/WIRE.md}
 * @param list the field {@code list}
 * @param table the field {@code table}
 * @param ranges the field {@code range_count}
 * @param weight the field {@code weight}
 * @param children the children, in order
 */
public record PlanNode(
    int op,
    int occur,
    int minShould,
    int list,
    int table,
    int ranges,
    float weight,
    List<PlanNode> children) {

  /** Copies the children. */
  public PlanNode {
    children = List.copyOf(children);
  }

  /** Returns the operator. */
  public Operator operator() {
    return Operator.of(op);
  }

  /** Returns this node with children. */
  PlanNode with(List<PlanNode> own) {
    return own.isEmpty()
        ? this
        : new PlanNode(op, occur, minShould, list, table, ranges, weight, own);
  }

  /** A leaf of the tree that matches the postings of a list. */
  public static PlanNode term(int occur, int list, int table, float weight) {
    return new PlanNode(OffloadWire.Op.TERM, occur, 0, list, table, 0, weight, List.of());
  }

  /** A node that matches every doc at a constant score. */
  public static PlanNode all(int occur, float weight) {
    return new PlanNode(OffloadWire.Op.ALL, occur, 0, 0, 0, 0, weight, List.of());
  }

  /** A node that matches no doc. */
  public static PlanNode none(int occur) {
    return new PlanNode(OffloadWire.Op.NONE, occur, 0, 0, 0, 0, 0f, List.of());
  }

  /** A node that gives its child's matches a constant score. */
  public static PlanNode constant(int occur, float weight, PlanNode child) {
    return new PlanNode(OffloadWire.Op.CONST, occur, 0, 0, 0, 0, weight, List.of(child));
  }

  /** A Boolean combination. */
  public static PlanNode bool(int occur, int minShould, List<PlanNode> children) {
    return new PlanNode(OffloadWire.Op.BOOL, occur, minShould, 0, 0, 0, 0f, children);
  }

  /** Nodes of the subtree, this one included. */
  public int nodeCount() {
    int count = 1;
    for (PlanNode child : children) {
      count += child.nodeCount();
    }
    return count;
  }

  /** Levels of the subtree; 1 for a node without children. */
  public int depth() {
    int deepest = 0;
    for (PlanNode child : children) {
      deepest = Math.max(deepest, child.depth());
    }
    return deepest + 1;
  }
}
