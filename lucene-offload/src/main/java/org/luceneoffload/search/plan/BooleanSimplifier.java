/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.search.plan;

import java.util.Arrays;
import org.apache.lucene.util.ArrayUtil;
import org.luceneoffload.search.plan.node.LeafNode;
import org.luceneoffload.wire.OffloadWire;

/** Simplifies the clauses of a Boolean query for one segment, as stock does. */
final class BooleanSimplifier {
  private BooleanSimplifier() {}

  /**
   * Returns the children in the order in which their scores are added: MUST, then SHOULD where all
   * have become MUST, FILTER, SHOULD, MUST_NOT. Optional and prohibited ones that match nothing are
   * left out.
   *
   * @param count how many of the children there are
   * @param allShould whether every SHOULD child has to match, and becomes MUST
   * @param dropShould whether SHOULD children make no difference
   */
  static LeafNode[] inOrder(LeafNode[] children, int count, boolean allShould, boolean dropShould) {
    LeafNode[] ordered = new LeafNode[count];
    int size = take(children, count, OffloadWire.Occur.MUST, true, ordered, 0);
    if (allShould) {
      int from = size;
      size = take(children, count, OffloadWire.Occur.SHOULD, true, ordered, size);
      for (int i = from; i < size; i++) {
        ordered[i].setOccur(OffloadWire.Occur.MUST);
      }
    }
    if (size < count) {
      size = take(children, count, OffloadWire.Occur.FILTER, true, ordered, size);
      if (!allShould && !dropShould) {
        size = take(children, count, OffloadWire.Occur.SHOULD, false, ordered, size);
      }
      size = take(children, count, OffloadWire.Occur.MUST_NOT, false, ordered, size);
    }
    return size == count ? ordered : ArrayUtil.copyOfSubArray(ordered, 0, size);
  }

  /** Appends the children of one occur; with {@code keepNone} those too that match nothing. */
  private static int take(
      LeafNode[] children, int count, int occur, boolean keepNone, LeafNode[] to, int size) {
    int end = size;
    for (int i = 0; i < count; i++) {
      LeafNode child = children[i];
      if (child.occur() == occur && (keepNone || !(child instanceof LeafNode.None))) {
        to[end++] = child;
      }
    }
    return end;
  }

  /** Builds the node, after what can be decided without any posting is decided. */
  static LeafNode combine(LeafNode[] children, int minShould, boolean scored) {
    int required = 0;
    int should = 0;
    for (LeafNode child : children) {
      switch (child.occur()) {
        case OffloadWire.Occur.SHOULD -> should++;
        case OffloadWire.Occur.MUST_NOT -> {
          if (child instanceof LeafNode.All) {
            return new LeafNode.None();
          }
        }
        default -> {
          required++;
          if (child instanceof LeafNode.None) {
            return new LeafNode.None();
          }
        }
      }
    }
    if (should < (required > 0 ? minShould : Math.max(1, minShould))) {
      return new LeafNode.None();
    }
    // The sum of one score is that score; a lone FILTER has none, so it stands for itself only
    // where no score is needed.
    if (children.length == 1 && !(scored && children[0].occur() == OffloadWire.Occur.FILTER)) {
      return children[0];
    }
    float maxScore =
        scoreBound(children, OffloadWire.Occur.MUST)
            + scoreBound(children, OffloadWire.Occur.SHOULD);
    return new LeafNode.Bool(children, minShould, cost(children, should, minShould), maxScore);
  }

  /** Builds the node of a disjunction of which the greatest score counts; null if it is empty. */
  static LeafNode disMax(LeafNode[] children, int count, float tieBreaker) {
    LeafNode[] kept = new LeafNode[count];
    int size = take(children, count, OffloadWire.Occur.SHOULD, false, kept, 0);
    if (size == 0) {
      return count == 0 ? null : new LeafNode.None(); // all children match nothing
    }
    if (size == 1) {
      return kept[0];
    }
    long cost = 0;
    double sum = 0;
    float most = 0;
    for (int i = 0; i < size; i++) {
      cost += kept[i].cost();
      sum += kept[i].maxScore();
      most = Math.max(most, kept[i].maxScore());
    }
    float maxScore = Math.nextUp((float) (most + (sum - most) * tieBreaker));
    return new LeafNode.DisMax(ArrayUtil.copyOfSubArray(kept, 0, size), tieBreaker, cost, maxScore);
  }

  // Plain loops: this is on the way of every query, and streams cost more than the work.

  private static long cost(LeafNode[] children, int should, int minShould) {
    long least = Long.MAX_VALUE;
    long sum = 0;
    for (LeafNode child : children) {
      if (child.occur() == OffloadWire.Occur.SHOULD) {
        sum += child.cost();
      } else if (child.occur() != OffloadWire.Occur.MUST_NOT) {
        least = Math.min(least, child.cost());
      }
    }
    if (least != Long.MAX_VALUE && minShould == 0) {
      return least;
    }
    if (minShould > 1) {
      sum = shortest(children, should, should - minShould + 1);
    }
    return Math.min(least, sum);
  }

  /**
   * Returns the sum of the shortest optional clauses. Of n clauses of which m must match, every
   * match is in one of the n - m + 1 shortest.
   */
  private static long shortest(LeafNode[] children, int should, int count) {
    long[] costs = new long[should];
    int at = 0;
    for (LeafNode child : children) {
      if (child.occur() == OffloadWire.Occur.SHOULD) {
        costs[at++] = child.cost();
      }
    }
    Arrays.sort(costs);
    long sum = 0;
    for (int i = 0; i < count; i++) {
      sum += costs[i];
    }
    return sum;
  }

  private static float scoreBound(LeafNode[] children, int occur) {
    double sum = 0;
    int count = 0;
    for (LeafNode child : children) {
      if (child.occur() == occur) {
        sum += child.maxScore();
        count++;
      }
    }
    // Clauses may be added in another order elsewhere: one step up covers the rounding.
    return count > 1 ? Math.nextUp((float) sum) : (float) sum;
  }
}
