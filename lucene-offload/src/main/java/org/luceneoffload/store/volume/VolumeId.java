/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.store.volume;

import java.util.Locale;
import java.util.UUID;

/**
 * Random number that names a volume.
 *
 * @param high upper half
 * @param low lower half
 */
public record VolumeId(long high, long low) {
  /** Returns a new, random ID. */
  static VolumeId random() {
    UUID uuid = UUID.randomUUID();
    return new VolumeId(uuid.getMostSignificantBits(), uuid.getLeastSignificantBits());
  }

  @Override
  public String toString() {
    return String.format(Locale.ROOT, "%016x%016x", high, low);
  }
}
