/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.guest;

import org.luceneoffload.device.DeviceProvider;
import org.luceneoffload.device.Devices;
import org.luceneoffload.store.volume.Volume;

/** Prints the NVMe namespaces that are there, for somebody without privileges to try. */
public final class ListDevices {
  private ListDevices() {}

  /** Runs it. */
  public static void main(String[] args) {
    for (DeviceProvider.Found found : Devices.provider("nvme").find(Volume::describe)) {
      System.out.println(found.name() + ": " + found.reason());
    }
  }
}
