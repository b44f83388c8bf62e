/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.wire;

/** The scores of a term: a table for each frequency from 1 on, with one for each norm byte. */
public final class ScoreTable extends ScoringTable {
  private final float[] scores;

  /**
   * @param scores 256 for each frequency, in its order; not to be changed
   * @throws IllegalArgumentException if there are no tables, or there is a part of one
   */
  public ScoreTable(float[] scores) {
    super(scores);
    if (scores.length == 0 || scores.length % OffloadWire.NORM_TABLE_ENTRIES != 0) {
      throw new IllegalArgumentException("tables of " + scores.length + " scores");
    }
    this.scores = scores;
  }

  private ScoreTable(ScoreTable all, int freqs) {
    super(all, freqs);
    this.scores = all.scores;
  }

  /**
   * The scores of lower frequencies.
   *
   * @param freqs the highest one; this has at least as many tables
   */
  public ScoreTable upTo(int freqs) {
    if (freqs < 1 || freqs > count()) {
      throw new IllegalArgumentException(freqs + " of " + count() + " tables");
    }
    return freqs == count() ? this : new ScoreTable(this, freqs);
  }

  /** The score of a frequency, 1 or more, and a norm byte, 0 to 255. */
  public float get(int freq, int norm) {
    return scores[(freq - 1) * OffloadWire.NORM_TABLE_ENTRIES + norm];
  }
}
