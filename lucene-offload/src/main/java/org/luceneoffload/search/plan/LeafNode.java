/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.search.plan;

import org.apache.lucene.index.Term;
import org.luceneoffload.codec.OffloadTermState;
import org.luceneoffload.codec.SegmentImage;
import org.luceneoffload.search.compile.QueryNode;
import org.luceneoffload.wire.NormTable;
import org.luceneoffload.wire.OffloadWire;

/**
 * A node of a segment's plan, with its subtree and what stock would estimate of it. {@link
 * LeafPlanner} builds the tree, {@link PlanLayout} numbers its parts; after that it does not
 * change.
 */
public final class LeafNode {
  private static final LeafNode[] NO_CHILDREN = {};

  /** A value of {@link OffloadWire.Op}. */
  public final int op;

  /** TERM: boost * idf; ALL and CONST: the score. */
  public final float weight;

  /** About the most docs that can match. */
  final long cost;

  /** Upper bound of a score. */
  final float maxScore;

  /** The part it plays in its parent, a value of {@link OffloadWire.Occur}; of the root: MUST. */
  public int occur = OffloadWire.Occur.MUST;

  /** BOOL: least number of SHOULD children that must match. */
  public int minShould;

  public LeafNode[] children = NO_CHILDREN;

  /** TERM: its term, its list in the segment and where that is; the table is null if unscored. */
  public Term term;

  public OffloadTermState list;
  SegmentImage image;
  NormTable table;

  /** TERM: numbers in the plan's tables, from {@link PlanLayout}. */
  int listIndex;

  int tableIndex;
  int firstExtent;
  int extentCount;

  LeafNode(int op, float weight, long cost, float maxScore) {
    this.op = op;
    this.weight = weight;
    this.cost = cost;
    this.maxScore = maxScore;
  }

  /** A node that matches no doc, where stock has a supplier that finds nothing. */
  static LeafNode none() {
    return new LeafNode(OffloadWire.Op.NONE, 0f, 0, 0f);
  }

  /** A node that matches every doc at a constant score. */
  static LeafNode all(float weight, int maxDoc) {
    return new LeafNode(OffloadWire.Op.ALL, weight, maxDoc, weight);
  }

  /** A node that gives its child's matches a constant score. */
  static LeafNode constant(float weight, LeafNode child) {
    LeafNode node = new LeafNode(OffloadWire.Op.CONST, weight, child.cost, weight);
    child.occur = OffloadWire.Occur.MUST;
    node.children = new LeafNode[] {child};
    return node;
  }

  /** A node that matches the postings of a list. */
  static LeafNode term(QueryNode.TermNode term, OffloadTermState list, SegmentImage image) {
    LeafNode node = new LeafNode(OffloadWire.Op.TERM, term.weight(), list.docFreq, term.weight());
    node.term = term.term();
    node.table = term.table();
    node.list = list;
    node.image = image;
    return node;
  }

  /** Whether no doc can match. */
  boolean isNone() {
    return op == OffloadWire.Op.NONE;
  }

  /** TERM: pages that hold blocks of the list; 0 if it is in the plan itself. */
  public int listPages() {
    return list.isInline() ? 0 : list.pageCount();
  }
}
