/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.util;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class TestSpares {
  @Test
  void keepsOneForEachThread() throws InterruptedException {
    Spares<String> spares = new Spares<>(2);
    assertNull(spares.take());
    assertTrue(spares.put("here"));
    assertFalse(spares.put("no room"));
    // Threads are numbered as they are made: one of many has the other slot.
    for (int i = 0; i < 100; i++) {
      Thread other = new Thread(() -> spares.put("there"));
      other.start();
      other.join();
    }
    assertEquals("here", spares.take());
    assertNull(spares.take());
    assertEquals("there", spares.takeAny());
    assertNull(spares.takeAny());
  }

  @Test
  void oneSlotIsEnough() {
    Spares<String> spares = new Spares<>(1);
    assertTrue(spares.put("it"));
    assertEquals("it", spares.takeAny());
    assertNull(spares.take());
  }
}
