/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.search;

import org.luceneoffload.OffloadStats;
import org.luceneoffload.device.DeviceSession;
import org.luceneoffload.wire.ResultReader;

/** A session of a device with what each of its runs needs anew; for one thread at a time. */
final class PlanSession {
  final DeviceSession device;
  final OffloadStats.Share counts;
  final ResultReader page = new ResultReader();

  PlanSession(DeviceSession device, OffloadStats.Share counts) {
    this.device = device;
    this.counts = counts;
  }
}
