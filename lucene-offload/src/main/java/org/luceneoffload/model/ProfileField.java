/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.model;

import java.nio.ByteBuffer;

/**
 * A number of a profile, with its unit and limits.
 *
 * @param path its place in the profile's JSON, such as {@code device.link_bytes_per_s}
 * @param unit the only unit that is taken
 * @param min least value
 * @param max greatest value
 * @param required whether it has to be there; otherwise 0 stands for it
 * @param offset of the number in a {@code model_profile} of the wire
 * @param bytes of the number there: 4 or 8
 */
public record ProfileField(
    String path, String unit, long min, long max, boolean required, int offset, int bytes) {
  void put(ByteBuffer struct, long value) {
    if (bytes == Integer.BYTES) {
      struct.putInt(offset, (int) value);
    } else {
      struct.putLong(offset, value);
    }
  }

  long get(ByteBuffer struct) {
    return bytes == Integer.BYTES
        ? Integer.toUnsignedLong(struct.getInt(offset))
        : struct.getLong(offset);
  }

  /** Returns the range and unit that are allowed, for messages. */
  String range() {
    // Of a choice, the unit says what each number stands for.
    return min + " to " + max + (unit.contains("=") ? ": " : " ") + unit;
  }
}
