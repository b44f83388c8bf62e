/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.sim;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;

/**
 * How much memory a simulated device takes for pages when nobody says: a quarter of what this
 * process may use. It is touched only as pages come in. The machine's size alone would not do: in a
 * container it is far more than the process may have.
 */
final class DeviceMemory {
  private static final int SHARE = 4;

  private DeviceMemory() {}

  /** Bytes, or 0 for the engine's own default where the runtime cannot tell. */
  static long defaultBytes() {
    try {
      OperatingSystemMXBean system =
          ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
      return system == null ? 0 : Math.max(0, system.getTotalMemorySize() / SHARE);
    } catch (LinkageError e) {
      return 0; // a runtime image without the management modules
    }
  }
}
