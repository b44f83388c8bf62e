/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.device;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * A device that is here, whether it can be used or not.
 *
 * @param name what opens it
 * @param facts what it says of itself, for people, in an order of its own
 * @param info its capabilities; null if it cannot be used
 * @param reason why it cannot be used; null if it can
 */
public record FoundDevice(String name, Map<String, String> facts, DeviceInfo info, String reason) {
  /** Keeps the facts as they are now. */
  public FoundDevice {
    facts = Collections.unmodifiableMap(new LinkedHashMap<>(facts));
  }
}
