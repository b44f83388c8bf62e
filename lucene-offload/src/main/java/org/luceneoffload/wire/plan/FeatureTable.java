/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.wire.plan;

import org.luceneoffload.wire.OffloadWire;

/**
 * The scores of a feature: a table for each high byte of its frequencies, from the highest low byte
 * to the lowest.
 */
public final class FeatureTable extends ScoringTable {
  private final int firstHigh;
  private final float greatest;

  /**
   * @param firstHigh the high byte of the frequencies of the first table
   * @param scores of a frequency each, from the low byte 0 of the first table on; 256 for each
   *     table
   * @throws IllegalArgumentException if there are no tables, or there is a part of one, or a high
   *     byte is none
   */
  public FeatureTable(int firstHigh, float[] scores) {
    super(turned(scores));
    int tables = scores.length / OffloadWire.NORM_TABLE_ENTRIES;
    if (tables == 0
        || scores.length % OffloadWire.NORM_TABLE_ENTRIES != 0
        || firstHigh < 0
        || firstHigh + tables > 0x100) {
      throw new IllegalArgumentException(
          "tables of " + scores.length + " scores from high byte " + firstHigh);
    }
    this.firstHigh = firstHigh;
    float most = 0f;
    for (float score : scores) {
      most = Math.max(most, score);
    }
    this.greatest = most;
  }

  /**
   * Returns scores in the order of a table, whose entries fall with the low byte while scores rise.
   */
  private static float[] turned(float[] scores) {
    float[] entries = new float[scores.length];
    for (int i = 0; i < scores.length; i++) {
      entries[i ^ 0xFF] = scores[i];
    }
    return entries;
  }

  /** Returns the high byte of the frequencies of the first table. */
  public int firstHigh() {
    return firstHigh;
  }

  /** Returns the greatest score. */
  public float greatest() {
    return greatest;
  }
}
