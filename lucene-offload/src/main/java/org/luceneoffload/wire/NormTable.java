/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.wire;

/** The 256 floats of a norm table: the {@code ni} of the BM25 score, one for each norm byte. */
public final class NormTable extends ScoringTable {
  private final float[] values;

  /**
   * @param values one float for each norm byte; copied
   * @throws IllegalArgumentException if there are not exactly 256
   */
  public NormTable(float[] values) {
    super(values);
    if (values.length != OffloadWire.NORM_TABLE_ENTRIES) {
      throw new IllegalArgumentException(
          "a norm table has " + OffloadWire.NORM_TABLE_ENTRIES + " values, got " + values.length);
    }
    this.values = values.clone();
  }

  /** The value of a norm byte, 0 to 255. */
  public float get(int norm) {
    return values[norm];
  }
}
