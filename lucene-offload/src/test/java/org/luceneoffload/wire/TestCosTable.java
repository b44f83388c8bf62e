/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.wire;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/**
 * The engine's table of cosines and sines has the bits of SloppyMath's, which are StrictMath's.
 * {@code -Dtests.write=true} writes it.
 */
class TestCosTable {
  private static final Path FILE = Path.of("../device-sim/src/core/geo/cos_table.inc");
  private static final int ANGLES = 2048;

  // A turn in two parts, as fdlibm has it.
  private static final double TURN_HIGH = 4 * Double.longBitsToDouble(0x3FF921FB54400000L);
  private static final double TURN_LOW = 4 * Double.longBitsToDouble(0x3DD0B4611A626331L);

  private static String table() {
    StringBuilder text = new StringBuilder();
    text.append(
        "/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top");
    text.append(" of the project. */\n/* Written by TestCosTable, which compares it with");
    text.append(" StrictMath; do not edit. */\n");
    for (int i = 0; i < ANGLES; i++) {
      double angle = i * (TURN_HIGH / ANGLES) + i * (TURN_LOW / ANGLES);
      // Zeros are exact.
      double cos = i % (ANGLES / 2) == ANGLES / 4 ? 0 : StrictMath.cos(angle);
      double sin = i == ANGLES / 2 ? 0 : StrictMath.sin(angle);
      text.append(Double.toHexString(cos)).append(',').append(Double.toHexString(sin));
      text.append(i % 2 == 0 ? "," : ",\n");
    }
    return text.toString();
  }

  @Test
  void isSloppyMaths() throws IOException {
    if (Boolean.getBoolean("tests.write")) {
      Files.writeString(FILE, table());
    }
    assertEquals(table(), Files.readString(FILE));
  }
}
