/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.wire.plan;

import java.util.Arrays;
import org.luceneoffload.wire.OffloadWire;

/** The scores of a term: a table for each frequency from 1 on, with one for each norm byte. */
public final class ScoreTable extends ScoringTable {
  private final float[] scores;
  private final int[] runs; // of each table: how many there are up to the first that is the same

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
    this.runs = runs(scores);
  }

  private ScoreTable(ScoreTable all, int freqs) {
    super(all, freqs);
    this.scores = all.scores;
    this.runs = all.runs;
  }

  private static int[] runs(float[] scores) {
    int size = OffloadWire.NORM_TABLE_ENTRIES;
    int[] runs = new int[scores.length / size];
    for (int i = 0; i < runs.length; i++) {
      int at = i * size;
      boolean same = i > 0 && Arrays.equals(scores, at, at + size, scores, at - size, at);
      runs[i] = same ? runs[i - 1] : i + 1;
    }
    return runs;
  }

  /**
   * Returns the scores of lower frequencies. There are fewer tables if the last ones are the same:
   * the last one is that of all higher frequencies, too.
   *
   * @param freqs the highest one; this has at least as many tables
   */
  public ScoreTable upTo(int freqs) {
    if (freqs < 1 || freqs > count()) {
      throw new IllegalArgumentException(freqs + " of " + count() + " tables");
    }
    int tables = runs[freqs - 1];
    return tables == count() ? this : new ScoreTable(this, tables);
  }

  /** Returns the score of a frequency, 1 or more, and a norm byte, 0 to 255. */
  public float get(int freq, int norm) {
    return scores[(freq - 1) * OffloadWire.NORM_TABLE_ENTRIES + norm];
  }
}
