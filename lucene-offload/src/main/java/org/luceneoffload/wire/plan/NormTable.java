/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.wire.plan;

import java.nio.ByteBuffer;
import org.luceneoffload.wire.OffloadWire;
import org.luceneoffload.wire.layout.Bm25TableLayout;

/** The 256 floats of a norm table: the {@code ni} of the BM25 score, one for each norm byte. */
public final class NormTable extends ScoringTable {
  private final float[] values;
  private final Bm25 bm25;

  /**
   * The numbers that a table of BM25 is made of.
   *
   * @param k1 BM25's k1
   * @param b BM25's b
   * @param averageLength terms of the field that a document has
   */
  public record Bm25(float k1, float b, float averageLength) {
    /** Returns whether a device makes a table of them. */
    boolean isWithinLimits() {
      return k1 >= 0
          && Float.isFinite(k1)
          && b >= 0
          && b <= 1
          && averageLength >= 1
          && Float.isFinite(averageLength);
    }

    void encode(ByteBuffer b, int at) {
      Bm25TableLayout.k1(b, at, k1);
      Bm25TableLayout.b(b, at, this.b);
      Bm25TableLayout.averageLength(b, at, averageLength);
      b.putInt(at + Bm25TableLayout.RESERVED, 0);
    }
  }

  /**
   * @param values one float for each norm byte; copied
   * @throws IllegalArgumentException if there are not exactly 256
   */
  public NormTable(float[] values) {
    this(values, null);
  }

  /**
   * @param values one float for each norm byte; copied
   * @param bm25 what they are made of; null if that is unknown
   * @throws IllegalArgumentException if there are not exactly 256
   */
  public NormTable(float[] values, Bm25 bm25) {
    super(values);
    if (values.length != OffloadWire.NORM_TABLE_ENTRIES) {
      throw new IllegalArgumentException(
          "a norm table has " + OffloadWire.NORM_TABLE_ENTRIES + " values, got " + values.length);
    }
    this.values = values.clone();
    this.bm25 = bm25 != null && bm25.isWithinLimits() ? bm25 : null;
  }

  /** Returns what the table is made of; null if a plan has to have the whole. */
  public Bm25 bm25() {
    return bm25;
  }

  /** Returns the value of a norm byte, 0 to 255. */
  public float get(int norm) {
    return values[norm];
  }
}
