/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.search.plan;

import org.luceneoffload.report.Refusal;
import org.luceneoffload.search.plan.node.LeafNode;
import org.luceneoffload.search.plan.node.TermLeaf;
import org.luceneoffload.wire.OffloadWire;

/**
 * Whether stock is quicker than the engine in the process at handing over all docs but those of a
 * few postings. There is next to nothing to find, and doc IDs that stock counts up come from the
 * engine through a result page.
 */
public final class AllButLead {
  /** The answer to queries that stock is left to. */
  public static final Refusal BY_STOCK =
      new Refusal(Refusal.Reason.PLANNER, "all docs but those of a few postings");

  /** With postings of less than this part of all docs: 0.8 to 0.97 times stock's speed. */
  private static final int PART = 10;

  /** With fewer docs there is little to lose. */
  private static final int MIN_DOCS = 1 << 13;

  private AllButLead() {}

  /**
   * Returns why stock is expected to be quicker; null if it is not.
   *
   * @param mode the mode that the plan runs in
   */
  static Refusal refusal(LeafPlan plan, int maxDoc, int mode) {
    if (mode != OffloadWire.Mode.DOCS) {
      return null;
    }
    LeafNode root = plan.root();
    while (root instanceof LeafNode.Constant constant) {
      root = constant.children()[0];
    }
    return root instanceof LeafNode.Bool bool && isAllBut(bool, maxDoc) ? BY_STOCK : null;
  }

  /**
   * Returns whether stock is expected to be quicker at handing over all docs but some.
   *
   * @param excluded postings of these
   */
  static boolean isQuicker(long excluded, int maxDoc) {
    return maxDoc >= MIN_DOCS && excluded > 0 && excluded < maxDoc / PART;
  }

  private static boolean isAllBut(LeafNode.Bool bool, int maxDoc) {
    long excluded = 0;
    for (LeafNode child : bool.children()) {
      boolean isExcluded = child.occur() == OffloadWire.Occur.MUST_NOT;
      if (isExcluded ? !(child instanceof TermLeaf) : !(child instanceof LeafNode.All)) {
        return false;
      }
      excluded += isExcluded ? child.cost() : 0;
    }
    return isQuicker(excluded, maxDoc);
  }
}
