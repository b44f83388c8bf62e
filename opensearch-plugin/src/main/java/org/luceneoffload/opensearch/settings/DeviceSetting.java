/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.opensearch.settings;

import java.io.UncheckedIOException;
import java.nio.file.Path;
import org.luceneoffload.device.DeviceProvider;
import org.luceneoffload.device.Devices;

/** Checks names of devices as settings have them. */
final class DeviceSetting {
  private DeviceSetting() {}

  /**
   * Checks a name; no device is opened.
   *
   * @throws IllegalArgumentException saying what is wrong with it, and what there is
   */
  static void check(String setting, String device) {
    Devices.Name name = Devices.Name.parse(device);
    try {
      if (name.scheme().equals(Devices.HOST)) {
        if (!name.rest().isEmpty()) {
          throw new IllegalArgumentException("device \"host\" takes nothing behind it");
        }
        return;
      }
      DeviceProvider provider = Devices.provider(name.scheme());
      provider.isReadOnly(name.rest());
      provider.storeFile(name.rest(), Path.of(""));
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          "["
              + setting
              + "] names no device that can be used, \""
              + device
              + "\": "
              + e.getMessage(),
          e);
    } catch (UncheckedIOException e) {
      // Whether it can be reached is for the node that opens it.
    }
  }
}
