/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.util;

import java.util.PriorityQueue;

/** Finds the greatest of some counts. */
public final class TopCounts {
  private TopCounts() {}

  /**
   * Returns the indexes of the greatest counts, the greatest first; of equal ones the first.
   *
   * @param counts none of which is negative; those that are 0 are not among the greatest
   * @param n indexes wanted at most
   */
  public static int[] of(int[] counts, int n) {
    // The count above the index from the end: the greater number is the better one.
    PriorityQueue<Long> best = new PriorityQueue<>();
    long worst = 1L << Integer.SIZE;
    for (int i = 0; i < counts.length; i++) {
      long candidate = (long) counts[i] << Integer.SIZE | (Integer.MAX_VALUE - i);
      if (candidate < worst) {
        continue;
      }
      if (best.size() == n) {
        best.remove();
      }
      best.add(candidate);
      worst = best.size() < n ? worst : best.element();
    }
    int[] top = new int[best.size()];
    for (int i = top.length - 1; i >= 0; i--) {
      top[i] = Integer.MAX_VALUE - best.remove().intValue();
    }
    return top;
  }
}
