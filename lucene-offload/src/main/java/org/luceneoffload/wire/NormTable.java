/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.wire;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** The 256 floats of a norm table: the {@code ni} of the BM25 score, one for each norm byte. */
public final class NormTable {
  private final float[] values;
  private final byte[] encoded;

  /**
   * @param values one float for each norm byte; copied
   * @throws IllegalArgumentException if there are not exactly 256
   */
  public NormTable(float[] values) {
    if (values.length != OffloadWire.NORM_TABLE_ENTRIES) {
      throw new IllegalArgumentException(
          "a norm table has " + OffloadWire.NORM_TABLE_ENTRIES + " values, got " + values.length);
    }
    this.values = values.clone();
    this.encoded = new byte[OffloadWire.NORM_TABLE_BYTES];
    ByteBuffer.wrap(encoded).order(ByteOrder.LITTLE_ENDIAN).asFloatBuffer().put(values);
  }

  /** The value of a norm byte, 0 to 255. */
  public float get(int norm) {
    return values[norm];
  }

  void encode(ByteBuffer b, int at) {
    b.put(at, encoded);
  }
}
