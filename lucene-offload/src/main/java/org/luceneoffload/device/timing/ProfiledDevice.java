/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.device.timing;

import org.luceneoffload.device.Device;
import org.luceneoffload.model.DeviceProfile;

/**
 * A facet of devices that stand for another one, and its host: what the planner weighs by. Answers
 * do not depend on it.
 */
public interface ProfiledDevice {
  /** Returns what the device stands for; null if it stands for itself, and cannot be weighed. */
  DeviceProfile profile();

  /** Returns what a device stands for; null if it stands for itself, and cannot be weighed. */
  static DeviceProfile of(Device device) {
    ProfiledDevice facet = device.as(ProfiledDevice.class);
    return facet == null ? null : facet.profile();
  }
}
