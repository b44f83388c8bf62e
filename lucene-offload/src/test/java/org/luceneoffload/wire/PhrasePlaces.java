/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.wire;

import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Checks what the terms of a phrase in a plan say of their places. */
final class PhrasePlaces {
  private PhrasePlaces() {}

  static void check(PlanNode node, List<ListRef> lists) throws OffloadException {
    OperatorRule.Positions rule = node.operator().rule().positions();
    int places = 0;
    int repeats = 0;
    Set<Integer> repeated = new HashSet<>();
    for (int t = 0; t < node.ranges(); t++) {
      ListRef at = lists.get(node.list() + 2 * t + 1);
      int uses = at.inlineNorm();
      boolean alternative = (uses & OffloadWire.PositionUse.ALTERNATIVE) != 0;
      if ((uses & ~rule.uses()) != 0) {
        throw malformed("a term of " + node.operator() + " has bits " + uses);
      }
      if (!rule.places() && at.inlineDoc() != 0) {
        throw malformed("a term of " + node.operator() + " has place " + at.inlineDoc());
      }
      if (alternative) {
        ListRef before = t == 0 ? null : lists.get(node.list() + 2 * t - 1);
        if (before == null
            || before.inlineDoc() != at.inlineDoc()
            || ((before.inlineNorm() | uses) & OffloadWire.PositionUse.REPEAT) != 0) {
          throw malformed("term " + t + " is no alternative");
        }
      }
      if ((uses & OffloadWire.PositionUse.REPEAT) != 0) {
        repeats++;
        if (node.minShould() == 0 || !repeated.add(at.inlineDoc())) {
          throw malformed("term " + t + " may not repeat");
        }
      }
      places += alternative ? 0 : 1;
    }
    if (places < 2 || repeats == 1) {
      throw malformed(places + " places, " + repeats + " repeat");
    }
  }

  private static OffloadException malformed(String what) {
    return new OffloadException(OffloadWire.Status.PLAN_MALFORMED, "phrase: " + what);
  }
}
