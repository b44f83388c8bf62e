/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.sim;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;

/**
 * How much memory a simulated device takes for pages when nobody says: half of what is left of a
 * budget that all such devices of the process share, which is half of the memory that this process
 * may use. So the first gets a quarter of that memory, the next an eighth. A device that is closed
 * gives its share back; those that are open keep theirs. Memory is touched only as pages come in.
 *
 * <p>The machine's size alone would not do: in a container it is far more than the process may
 * have. Safe for use from many threads.
 */
final class DeviceMemory {
  /** The budget of this process, or rather of this class loader. */
  static final DeviceMemory OF_PROCESS = new DeviceMemory(processBytes() / 2);

  /** The least that a device gets, budget or not: it could hardly work with less. */
  static final long MIN_BYTES = 16 << 20;

  private final long budget; // 0: the runtime cannot tell
  private long taken;

  /** A budget of so many bytes; 0: unknown. */
  DeviceMemory(long budget) {
    this.budget = budget;
  }

  private static long processBytes() {
    try {
      OperatingSystemMXBean system =
          ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
      return system == null ? 0 : Math.max(0, system.getTotalMemorySize());
    } catch (LinkageError e) {
      return 0; // a runtime image without the management modules
    }
  }

  /**
   * Takes a device's share.
   *
   * @return bytes, to be given back once; 0 for the engine's own default if the budget is unknown
   */
  synchronized long take() {
    if (budget == 0) {
      return 0;
    }
    long share = Math.max(MIN_BYTES, (budget - taken) / 2);
    taken += share;
    return share;
  }

  /** Gives back what {@link #take} returned. */
  synchronized void giveBack(long share) {
    taken -= share;
  }
}
