/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.wire.plan;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.luceneoffload.wire.OffloadWire;

/** One or several of a plan's tables, each of 256 floats: one for each norm byte. */
public abstract sealed class ScoringTable permits NormTable, ScoreTable, FeatureTable {
  private final byte[] encoded; // may go on behind the tables
  private final int count;

  /** Tables that have all of an array's floats. */
  ScoringTable(float[] values) {
    this.count = values.length / OffloadWire.NORM_TABLE_ENTRIES;
    this.encoded = new byte[count * OffloadWire.NORM_TABLE_BYTES];
    ByteBuffer.wrap(encoded).order(ByteOrder.LITTLE_ENDIAN).asFloatBuffer().put(values);
  }

  /** The first of another one's tables. */
  ScoringTable(ScoringTable all, int count) {
    this.count = count;
    this.encoded = all.encoded;
  }

  /** Returns how many tables these are. */
  public final int count() {
    return count;
  }

  /** Returns whether both are made of the same array's floats. */
  public final boolean isSameAs(ScoringTable other) {
    return encoded == other.encoded && count == other.count;
  }

  final void encode(ByteBuffer b, int at) {
    b.put(at, encoded, 0, count * OffloadWire.NORM_TABLE_BYTES);
  }
}
