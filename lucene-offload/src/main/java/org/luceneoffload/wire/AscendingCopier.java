/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.wire;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Copies doc IDs out of a result page. The host does so, never the device; a session of a device
 * may do it in native code of its own.
 */
public interface AscendingCopier {
  /**
   * Copies doc IDs and tells whether they ascend.
   *
   * @param page a result page
   * @param from the byte of the page where the first doc ID stands
   * @param count doc IDs to copy, all of them within the limit of the page
   * @param docs takes them from index 0 on; what it holds is undefined if they do not ascend
   * @return whether none is negative, and each is greater than the one before it
   * @throws OffloadException if they come from the device, and it fails
   */
  default boolean copyAscending(ByteBuffer page, int from, int count, int[] docs)
      throws OffloadException {
    page.slice(from, count * Integer.BYTES)
        .order(ByteOrder.LITTLE_ENDIAN)
        .asIntBuffer()
        .get(docs, 0, count);
    int previous = -1;
    for (int i = 0; i < count; i++) {
      int doc = docs[i];
      if (doc <= previous) {
        return false;
      }
      previous = doc;
    }
    return true;
  }
}
