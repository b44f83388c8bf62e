/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.store.volume;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Random;
import org.luceneoffload.wire.OffloadWire;

/** Writes and reads whole files of a volume. */
final class VolumeContents {
  static final int LBA_BYTES = OffloadWire.LBA_BYTES;

  private VolumeContents() {}

  /** Random bytes, the same for the same seed. */
  static byte[] bytes(int seed, int length) {
    byte[] result = new byte[length];
    new Random(seed).nextBytes(result);
    return result;
  }

  /** Whole pages, of which the last may end with zeros, that begin with some bytes. */
  static ByteBuffer direct(byte[] source, int from, int length) {
    int lbas = (length + LBA_BYTES - 1) / LBA_BYTES;
    ByteBuffer buffer = ByteBuffer.allocateDirect(lbas * LBA_BYTES).order(ByteOrder.LITTLE_ENDIAN);
    buffer.put(0, source, from, length);
    return buffer;
  }

  /** Writes a file. */
  static void write(Volume volume, String name, byte[] contents) throws IOException {
    VolumeWriter writer = volume.create(name, 0);
    try {
      int step = 7 * LBA_BYTES;
      for (int at = 0; at < contents.length; at += step) {
        writer.append(direct(contents, at, Math.min(step, contents.length - at)));
      }
      writer.finish(contents.length);
    } finally {
      writer.abort();
    }
  }

  /** Reads a file. */
  static byte[] read(Volume volume, String name) throws IOException {
    try (VolumeReader reader = volume.openFile(name)) {
      return read(reader);
    }
  }

  /** Reads an open file. */
  static byte[] read(VolumeReader reader) throws IOException {
    byte[] result = new byte[(int) reader.length()];
    int step = 3 * LBA_BYTES;
    for (int at = 0; at < result.length; at += step) {
      int bytes = Math.min(step, result.length - at);
      int lbas = (bytes + LBA_BYTES - 1) / LBA_BYTES;
      ByteBuffer buffer =
          ByteBuffer.allocateDirect(lbas * LBA_BYTES).order(ByteOrder.LITTLE_ENDIAN);
      reader.read(at / LBA_BYTES, buffer);
      buffer.get(0, result, at, bytes);
    }
    return result;
  }
}
