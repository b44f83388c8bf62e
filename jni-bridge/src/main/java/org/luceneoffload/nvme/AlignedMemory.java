/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.nvme;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Memory that starts on a page and is a multiple of pages long, as a device that moves the data
 * itself likes it best. It is freed when neither the buffer nor a view of it is reachable any more.
 */
final class AlignedMemory {
  private static final int PAGE_BYTES = 4096;

  private AlignedMemory() {}

  /** Allocates {@code bytes}, at least, of zeros; direct, little-endian. */
  static ByteBuffer allocate(int bytes) {
    int whole = Math.toIntExact((bytes + (PAGE_BYTES - 1L)) / PAGE_BYTES * PAGE_BYTES);
    return ByteBuffer.allocateDirect(whole + PAGE_BYTES)
        .alignedSlice(PAGE_BYTES)
        .slice(0, whole)
        .order(ByteOrder.LITTLE_ENDIAN);
  }
}
