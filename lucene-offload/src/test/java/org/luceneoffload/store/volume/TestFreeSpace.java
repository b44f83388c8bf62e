/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.store.volume;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.BitSet;
import java.util.Random;
import org.junit.jupiter.api.Test;

class TestFreeSpace {
  private static final int LBAS = 200;

  @Test
  void takesTheSmallestRunThatFits() {
    FreeSpace space = new FreeSpace();
    space.add(0, 10);
    space.add(20, 5);
    space.add(30, 7);
    assertEquals(new FreeSpace.Run(20, 5), space.take(5));
    assertEquals(new FreeSpace.Run(30, 6), space.take(6));
    assertEquals(new FreeSpace.Run(0, 10), space.take(100));
    assertEquals(new FreeSpace.Run(36, 1), space.take(3));
    assertNull(space.take(1));
  }

  @Test
  void growsInPlaceOnlyIntoFreeLbas() {
    FreeSpace space = new FreeSpace();
    space.add(10, 4);
    assertEquals(0, space.takeFrom(9, 1));
    assertEquals(0, space.takeFrom(11, 1));
    assertEquals(4, space.takeFrom(10, 9));
    assertEquals(0, space.free());
  }

  @Test
  void refusesToFreeTwice() {
    FreeSpace space = new FreeSpace();
    space.add(10, 4);
    assertThrows(IllegalStateException.class, () -> space.add(13, 1));
    assertThrows(IllegalStateException.class, () -> space.add(8, 3));
    assertThrows(IllegalStateException.class, () -> space.add(10, 4));
  }

  @Test
  void agreesWithABitmap() {
    Random random = new Random(7);
    FreeSpace space = new FreeSpace();
    BitSet free = new BitSet();
    for (int step = 0; step < 20_000; step++) {
      int lba = random.nextInt(LBAS);
      int count = 1 + random.nextInt(12);
      switch (random.nextInt(4)) {
        case 0 -> {
          int clear = free.nextClearBit(lba);
          int end = free.nextSetBit(clear);
          count = Math.min(count, (end < 0 ? LBAS : end) - clear);
          if (clear < LBAS && count > 0) {
            space.add(clear, count);
            free.set(clear, clear + count);
          }
        }
        case 1 -> {
          boolean all = free.nextClearBit(lba) >= lba + count;
          assertEquals(all, space.takeExactly(lba, count));
          if (all) {
            free.clear(lba, lba + count);
          }
        }
        case 2 -> {
          long taken = space.takeFrom(lba, count);
          boolean start = free.get(lba) && (lba == 0 || !free.get(lba - 1));
          assertEquals(start ? Math.min(count, free.nextClearBit(lba) - lba) : 0, taken);
          free.clear(lba, lba + (int) taken);
        }
        default -> {
          FreeSpace.Run run = space.take(count);
          assertEquals(free.isEmpty(), run == null);
          if (run != null) {
            int from = (int) run.lba();
            int to = from + (int) run.count();
            assertTrue(run.count() <= count);
            assertFalse(free.nextClearBit(from) < to);
            free.clear(from, to);
          }
        }
      }
      assertEquals(free.cardinality(), space.free());
    }
  }
}
