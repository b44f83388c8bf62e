/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.sim;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import org.luceneoffload.wire.OffloadException;

/** Reads what the model says of a plan, of which the length is known only at its end. */
final class ModelFetch {
  /** Bytes of one crossing; a report takes less. */
  private static final int CHUNK_BYTES = 64 << 10;

  /** Reads the next bytes into the chunk, from its byte 0 on. */
  @FunctionalInterface
  interface Reader {
    /**
     * Reads the next bytes.
     *
     * @param from bytes read so far
     * @return bytes read, fewer than the chunk has at the end
     */
    int read(int from, ByteBuffer chunk) throws OffloadException;
  }

  private final ByteBuffer chunk = ByteBuffer.allocateDirect(CHUNK_BYTES);
  private byte[] bytes = new byte[CHUNK_BYTES];

  /** Fetches all bytes, little-endian; valid until the next call. */
  ByteBuffer all(Reader reader) throws OffloadException {
    int length = 0;
    int read;
    do {
      read = reader.read(length, chunk);
      if (bytes.length < length + read) {
        bytes = Arrays.copyOf(bytes, Math.max(2 * bytes.length, length + read));
      }
      chunk.get(0, bytes, length, read);
      length += read;
    } while (read == CHUNK_BYTES);
    return ByteBuffer.wrap(bytes, 0, length).slice().order(ByteOrder.LITTLE_ENDIAN);
  }
}
