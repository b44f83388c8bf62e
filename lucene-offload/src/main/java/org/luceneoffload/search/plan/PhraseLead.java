/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.search.plan;

import org.luceneoffload.report.Refusal;
import org.luceneoffload.wire.OffloadWire;

/**
 * Whether stock is quicker than the engine in the process at all docs of an exact phrase: of two
 * words that are in a good part of the docs. Nearly all of their docs have both, so that nothing is
 * left to the engine but to compare positions, which stock does as fast. Where only the best hits
 * are wanted, most positions are not looked at.
 */
final class PhraseLead {
  /** Of this part of all docs and more: 0.64 to 1.4 times stock's speed, below 1 on the whole. */
  private static final int PART = 10;

  /** With fewer docs there is little to lose. */
  private static final int LEAST_DOCS = 1 << 13;

  private PhraseLead() {}

  /**
   * Returns why stock is expected to be quicker; null if it is not.
   *
   * @param mode the mode that the plan runs in
   */
  static Refusal refusal(LeafPlan plan, int maxDoc, int mode) {
    if (mode != OffloadWire.Mode.COUNT && mode != OffloadWire.Mode.DOCS) {
      return null;
    }
    LeafNode root = plan.root();
    while (root instanceof LeafNode.Constant constant) {
      root = constant.children()[0];
    }
    return root instanceof LeafNode.Phrase phrase
            && phrase.op() == OffloadWire.Op.PHRASE
            && phrase.termCount() == 2
            && phrase.cost() > Math.max(maxDoc / PART, LEAST_DOCS)
        ? new Refusal(Refusal.Reason.PLANNER, "a phrase of two frequent words")
        : null;
  }
}
