/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.report;

import java.util.ArrayList;
import java.util.List;

/** The devices that are open in this process, with their counters. */
public final class OpenDevices {
  /**
   * An open device.
   *
   * @param name the device's own name; two open devices may have the same
   * @param stats its counters
   */
  public record OpenDevice(String name, OffloadStats stats) {}

  private static final List<OpenDevice> OPEN = new ArrayList<>();

  private OpenDevices() {}

  /**
   * Adds a device.
   *
   * @param name its own name
   * @param stats its counters
   */
  public static synchronized void add(String name, OffloadStats stats) {
    OPEN.add(new OpenDevice(name, stats));
  }

  /**
   * Takes a device away; false if it was not there.
   *
   * @param stats its counters
   * @return whether it was there
   */
  public static synchronized boolean remove(OffloadStats stats) {
    return OPEN.removeIf(device -> device.stats == stats);
  }

  /** {@return all open devices, the first opened first} */
  public static synchronized List<OpenDevice> all() {
    return List.copyOf(OPEN);
  }
}
