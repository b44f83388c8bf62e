/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.search;

import org.luceneoffload.OffloadStats;
import org.luceneoffload.device.DeviceSession;

/** A session of a device and the counters of its runs; for one thread at a time. */
final class PlanSession {
  final DeviceSession device;
  final OffloadStats.Share counts;

  PlanSession(DeviceSession device, OffloadStats.Share counts) {
    this.device = device;
    this.counts = counts;
  }
}
