/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.search.session;

import org.luceneoffload.util.Spares;

/**
 * Large arrays for the doc IDs and scores of result pages, acquired for the time of one search of a
 * segment. Fresh ones would cost more than the copying: the heap has to clear half a megabyte for
 * each query.
 */
public final class DocArrays {
  /** Pages of fewer docs are not worth a look here. */
  public static final int MIN_DOCS = 1 << 10;

  /** Length of a shared array of doc IDs. */
  public static final int LENGTH = 1 << 17;

  /** Length of a shared array of scores: a page has room for half as many docs beside them. */
  public static final int SCORES_LENGTH = LENGTH / 2;

  private static final int MAX_IDLE = 8;

  private final Spares<int[]> idleDocs = new Spares<>(MAX_IDLE);
  private final Spares<float[]> idleScores = new Spares<>(MAX_IDLE);

  /** Acquires an array of {@link #LENGTH} with anything in it; release or forget it. */
  public int[] acquire() {
    int[] array = idleDocs.take();
    return array != null ? array : new int[LENGTH];
  }

  /** Acquires an array of {@link #SCORES_LENGTH} with anything in it; release or forget it. */
  public float[] acquireScores() {
    float[] array = idleScores.take();
    return array != null ? array : new float[SCORES_LENGTH];
  }

  /** Takes back an array that is no longer used. */
  public void release(int[] array) {
    if (array.length == LENGTH) {
      idleDocs.put(array);
    }
  }

  /** Takes back an array that is no longer used. */
  public void release(float[] array) {
    if (array.length == SCORES_LENGTH) {
      idleScores.put(array);
    }
  }
}
