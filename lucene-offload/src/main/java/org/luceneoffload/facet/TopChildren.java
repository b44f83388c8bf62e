/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.facet;

import java.util.PriorityQueue;

/** Finds the children that most matches have. */
final class TopChildren {
  private TopChildren() {}

  /**
   * Returns the indexes of the greatest counts, the greatest first; of equal ones the first.
   *
   * @param n indexes wanted at most
   */
  static int[] of(int[] counts, int n) {
    // The count above the index from the end: the greater number is the better child.
    PriorityQueue<Long> best = new PriorityQueue<>();
    for (int i = 0; i < counts.length; i++) {
      long child = (long) counts[i] << Integer.SIZE | (Integer.MAX_VALUE - i);
      if (best.size() == n && child > best.element()) {
        best.remove();
      }
      if (best.size() < n) {
        best.add(child);
      }
    }
    int[] top = new int[best.size()];
    for (int i = top.length - 1; i >= 0; i--) {
      top[i] = Integer.MAX_VALUE - best.remove().intValue();
    }
    return top;
  }
}
