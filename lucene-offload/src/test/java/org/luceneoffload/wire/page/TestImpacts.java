/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.wire.page;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Random;
import org.junit.jupiter.api.Test;
import org.luceneoffload.wire.OffloadWire;

class TestImpacts {
  private final Impacts impacts = new Impacts();

  @Test
  void keepsTheFrontierWhenItIsSmall() {
    long word = impacts.of(new int[] {3, 1, 2, 7, 7}, new int[] {10, 5, 12, 20, 30}, 5);
    assertEquals(0x0000_1407_0A03_0501L, word);
  }

  @Test
  void capsTheFrequency() {
    assertEquals(0x09FFL, impacts.of(new int[] {100_000}, new int[] {9}, 1));
    assertTrue(Impacts.covers(0x09FFL, 1 << 30, 9));
    assertFalse(Impacts.covers(0x09FEL, 255, 9));
    assertFalse(Impacts.covers(0x09FFL, 1, 8));
  }

  @Test
  void coversEveryPosting() {
    Random random = new Random(42);
    for (int round = 0; round < 2000; round++) {
      int count = 1 + random.nextInt(128);
      int[] freqs = new int[count];
      int[] norms = new int[count];
      int maxFreq = 1 << random.nextInt(10);
      for (int i = 0; i < count; i++) {
        freqs[i] = 1 + random.nextInt(maxFreq);
        norms[i] = random.nextInt(256);
      }
      long word = impacts.of(freqs, norms, count);
      long other =
          impacts.of(new int[] {1 + random.nextInt(300)}, new int[] {random.nextInt(256)}, 1);
      long merged = impacts.merge(word, other);
      for (int i = 0; i < count; i++) {
        assertTrue(Impacts.covers(word, freqs[i], norms[i]));
        assertTrue(Impacts.covers(merged, freqs[i], norms[i]));
      }
      assertTrue(Impacts.covers(merged, Impacts.freq(other, 0), Impacts.norm(other, 0)));
      // No pair may claim a frequency or a norm that no posting has.
      for (int pair = 0; pair < OffloadWire.IMPACT_PAIRS; pair++) {
        int freq = Impacts.freq(word, pair);
        int norm = Impacts.norm(word, pair);
        assertTrue(
            freq == 0 || has(freqs, freq) && has(norms, norm) || freq == 255 && has(norms, norm));
      }
    }
  }

  @Test
  void unknownStaysUnknown() {
    assertEquals(0, impacts.merge(0, 0x0101));
    assertEquals(0, impacts.merge(0x0101, 0));
    assertTrue(Impacts.covers(0, 1000, 0));
  }

  private static boolean has(int[] values, int value) {
    for (int v : values) {
      if (v == value) {
        return true;
      }
    }
    return false;
  }
}
