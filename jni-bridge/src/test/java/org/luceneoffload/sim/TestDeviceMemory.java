/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.sim;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The memory that the devices of a process share. */
class TestDeviceMemory {
  private static final long BUDGET = 1L << 32;

  @Test
  void eachGetsHalfOfTheRest() {
    DeviceMemory memory = new DeviceMemory(BUDGET);
    assertEquals(BUDGET / 2, memory.take());
    assertEquals(BUDGET / 4, memory.take());
    memory.giveBack(BUDGET / 2);
    assertEquals(3 * BUDGET / 8, memory.take());
  }

  @Test
  void manyStayWithinTheBudgetButForTheLeast() {
    DeviceMemory memory = new DeviceMemory(BUDGET);
    List<Long> shares = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      shares.add(memory.take());
    }
    assertEquals(DeviceMemory.MIN_BYTES, shares.get(99));
    long above = shares.stream().filter(s -> s > DeviceMemory.MIN_BYTES).mapToLong(s -> s).sum();
    assertTrue(above < BUDGET);
    shares.forEach(memory::giveBack);
    assertEquals(BUDGET / 2, memory.take());
  }

  @Test
  void theEngineDecidesWhereTheRuntimeCannotTell() {
    DeviceMemory memory = new DeviceMemory(0);
    assertEquals(0, memory.take());
    memory.giveBack(0);
    assertEquals(0, memory.take());
  }
}
