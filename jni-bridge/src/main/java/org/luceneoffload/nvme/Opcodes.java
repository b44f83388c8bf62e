/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.nvme;

import java.util.Locale;
import org.luceneoffload.wire.OffloadWire;

/**
 * The vendor opcodes of a device. The wire's begin at 80h; a device that uses those for something
 * else has the same ones from another multiple of 10h on.
 *
 * @param base what stands for 80h
 */
public record Opcodes(int base) {
  /** Where the wire's own begin, and the vendor's range of NVMe. */
  static final int WIRE_BASE = 0x80;

  /** As the wire has them. */
  static final Opcodes WIRE = new Opcodes(WIRE_BASE);

  /** The opcodes that the tool needs; a device may have more. */
  private static final int[] NEEDED = {
    OffloadWire.Opcode.OPEN,
    OffloadWire.Opcode.SUBMIT,
    OffloadWire.Opcode.FETCH,
    OffloadWire.Opcode.CLOSE,
    OffloadWire.Opcode.PUT,
    OffloadWire.Opcode.DROP
  };

  /** Checks the base. */
  public Opcodes {
    if (base < WIRE_BASE || base > 0xF0 || base % 0x10 != 0) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "vendor opcodes begin at a multiple of 10h from 80h to F0h, got %Xh",
              base));
    }
  }

  /** Returns the device's number of an opcode of the wire. */
  int of(int wireOpcode) {
    return wireOpcode < WIRE_BASE ? wireOpcode : wireOpcode - WIRE_BASE + base;
  }

  /** Returns the device's opcodes that a host cannot do without. */
  int[] needed() {
    int[] result = NEEDED.clone();
    for (int i = 0; i < result.length; i++) {
      result[i] = of(result[i]);
    }
    return result;
  }
}
