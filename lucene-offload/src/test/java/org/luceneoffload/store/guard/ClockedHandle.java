/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.store.guard;

import java.util.function.LongSupplier;
import org.luceneoffload.config.OffloadOptions;
import org.luceneoffload.device.Device;

/** Makes a handle whose circuit breaker goes by a clock of the test's. */
public final class ClockedHandle {
  private ClockedHandle() {}

  /**
   * Returns a handle with one reference and no volume.
   *
   * @param device the device
   * @param options gives the device's timeout
   * @param clock nanoseconds, which the breaker goes by
   */
  public static DeviceHandle of(Device device, OffloadOptions options, LongSupplier clock) {
    CircuitBreaker breaker = new CircuitBreaker(device, options, clock);
    Device guarded = GuardedDevice.of(device, breaker);
    return new DeviceHandle(guarded, breaker, options, null, () -> {});
  }
}
