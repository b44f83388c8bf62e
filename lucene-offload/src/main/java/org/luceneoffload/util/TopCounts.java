/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.util;

import org.apache.lucene.util.LongHeap;

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
    int wanted = Math.min(n, counts.length);
    if (wanted <= 0) {
      return new int[0];
    }
    // The count above the index from the end: the greater number is the better one.
    LongHeap best = new LongHeap(wanted);
    long worst = 1L << Integer.SIZE;
    for (int i = 0; i < counts.length; i++) {
      long candidate = (long) counts[i] << Integer.SIZE | (Integer.MAX_VALUE - i);
      if (candidate < worst) {
        continue;
      }
      best.insertWithOverflow(candidate);
      worst = best.size() < wanted ? worst : best.top();
    }
    int[] top = new int[best.size()];
    for (int i = top.length - 1; i >= 0; i--) {
      top[i] = Integer.MAX_VALUE - (int) best.pop();
    }
    return top;
  }
}
