/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.wire;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.reflect.Field;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.junit.jupiter.api.Test;
import org.luceneoffload.device.DeviceInfo;
import org.luceneoffload.wire.layout.DeviceInfoLayout;

class TestOperator {
  private static DeviceInfo device(long opBits) {
    return new DeviceInfo("", "", false, 0, 0, 0, 0, 0, 0, 0, 0, 0, opBits, false, false);
  }

  @Test
  void hasTheNumbersAndNamesOfTheWire() throws IllegalAccessException {
    int constants = 0;
    for (Field field : OffloadWire.Op.class.getFields()) {
      Operator operator = Operator.of(field.getInt(null));
      assertEquals(field.getName(), operator.name());
      assertSame(operator, Operator.valueOf(field.getName()));
      constants++;
    }
    assertEquals(Operator.values().length, constants);
    for (int none : new int[] {-1, 0, 63, 64, 255, Integer.MAX_VALUE}) {
      assertNull(Operator.of(none));
    }
  }

  @Test
  void devicesSayWhichTheyKnow() {
    for (Operator operator : Operator.values()) {
      assertTrue(operator.since() >= 1 && operator.since() <= OffloadWire.VERSION);
      assertTrue(device(operator.bit()).knows(operator));
      assertFalse(device(~operator.bit()).knows(operator));
    }
  }

  /** The upper word was reserved and zero, where numbers above 31 have their bits. */
  @Test
  void hasRoomBeyond32() {
    ByteBuffer b = ByteBuffer.allocate(DeviceInfoLayout.BYTES).order(ByteOrder.LITTLE_ENDIAN);
    DeviceInfoLayout.opBits(b, 0, 1L << 40 | Operator.TERM.bit());
    assertEquals(1 << Operator.TERM.number(), b.getInt(DeviceInfoLayout.OP_BITS));
    assertEquals(1 << 8, b.getInt(DeviceInfoLayout.OP_BITS + Integer.BYTES));
    DeviceInfo info = device(DeviceInfoLayout.opBits(b, 0));
    assertTrue(info.knows(Operator.TERM));
    assertFalse(info.knows(Operator.DIS_MAX)); // its number is 40 - 32
  }
}
