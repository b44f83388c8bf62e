/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.wire;

import java.util.List;

/**
 * A node of a {@link Plan}, with its subtree.
 *
 * @param op a value of {@link OffloadWire.Op}
 * @param occur the part it plays in its parent, a value of {@link OffloadWire.Occur}; of the root:
 *     MUST
 * @param minShould BOOL: least number of SHOULD children that must match; FEATURE_TERM: high byte
 *     of its first table; MULTI_PHRASE: slop
 * @param list TERM: index of its list in the plan; phrases: of its first; COLUMN_RANGE, COLUMN_IN:
 *     of its column
 * @param table TERM: index of its norm table in the plan; TABLE_TERM, FEATURE_TERM: of its first
 *     table; COLUMN_RANGE, COLUMN_IN: of its first range
 * @param ranges COLUMN_IN: how many ranges it has; phrases: how many terms; TABLE_TERM,
 *     FEATURE_TERM: how many tables; else 0
 * @param weight TERM: boost * idf; ALL, CONST, COLUMN_RANGE and COLUMN_IN: the score; DIS_MAX:
 *     factor
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
