/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.search;

import java.util.ArrayDeque;

/**
 * Large arrays for the doc IDs of result pages, lent for the time of one search of a segment. Fresh
 * ones would cost more than the copying: the heap has to clear half a megabyte for each query.
 */
final class DocArrays {
  /** Pages of fewer docs are not worth a look here. */
  static final int LEAST_DOCS = 1 << 10;

  /** Length of a lent array. */
  static final int LENGTH = 1 << 17;

  private static final int MOST_IDLE = 8;

  private final ArrayDeque<int[]> idle = new ArrayDeque<>(MOST_IDLE);

  /** An array of {@link #LENGTH} with anything in it; give it back or forget it. */
  int[] lend() {
    synchronized (this) {
      int[] array = idle.pollLast();
      if (array != null) {
        return array;
      }
    }
    return new int[LENGTH];
  }

  /** Takes back an array that nobody looks at any more. */
  synchronized void giveBack(int[] array) {
    if (array.length == LENGTH && idle.size() < MOST_IDLE) {
      idle.addLast(array);
    }
  }
}
