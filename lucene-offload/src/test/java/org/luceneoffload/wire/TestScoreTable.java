/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.wire;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.luceneoffload.wire.plan.ScoreTable;

class TestScoreTable {
  /** Tables of which each has one score. */
  private static ScoreTable tables(float... scores) {
    float[] all = new float[scores.length * OffloadWire.NORM_TABLE_ENTRIES];
    for (int i = 0; i < scores.length; i++) {
      int at = i * OffloadWire.NORM_TABLE_ENTRIES;
      Arrays.fill(all, at, at + OffloadWire.NORM_TABLE_ENTRIES, scores[i]);
    }
    return new ScoreTable(all);
  }

  @Test
  void lastTablesThatAreTheSameAreOne() {
    ScoreTable table = tables(1, 2, 2, 3, 3, 3);
    assertEquals(6, table.count());
    assertEquals(4, table.upTo(6).count());
    assertEquals(4, table.upTo(5).count());
    assertEquals(4, table.upTo(4).count());
    assertEquals(2, table.upTo(3).count());
    assertEquals(2, table.upTo(2).count());
    assertEquals(1, table.upTo(1).count());
    assertEquals(3f, table.upTo(6).get(4, 255));
  }

  @Test
  void tablesThatDifferAreKept() {
    ScoreTable table = tables(1, 2, 3);
    assertSame(table, table.upTo(3));
    assertEquals(2, table.upTo(2).count());
    assertThrows(IllegalArgumentException.class, () -> table.upTo(4));
    assertThrows(IllegalArgumentException.class, () -> table.upTo(0));
  }
}
