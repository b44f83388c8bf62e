/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.device;

import org.luceneoffload.wire.Operator;

/** Capabilities that differ from others in what a test is about. */
public final class DeviceInfos {
  private DeviceInfos() {}

  /**
   * Returns these capabilities, but for whether writes are refused, and the size of a result page.
   */
  public static DeviceInfo like(DeviceInfo info, boolean readOnly, int maxResultBytes) {
    return made(info, readOnly, maxResultBytes, info.opBits(), info.series());
  }

  /** Returns these capabilities, but that no plan may follow another. */
  public static DeviceInfo withoutSeries(DeviceInfo info) {
    return made(info, info.readOnly(), info.maxResultBytes(), info.opBits(), false);
  }

  /** Returns these capabilities, but for an operator. */
  public static DeviceInfo without(Operator operator, DeviceInfo info) {
    long others = info.opBits() & ~operator.bit();
    return made(info, info.readOnly(), info.maxResultBytes(), others, info.series());
  }

  private static DeviceInfo made(
      DeviceInfo info, boolean readOnly, int maxResultBytes, long opBits, boolean series) {
    return new DeviceInfo(
        info.model(),
        info.kernels(),
        readOnly,
        info.lbaBytes(),
        info.pageBytes(),
        info.lbaCount(),
        info.dramBytes(),
        info.maxTransferBytes(),
        info.maxPlanBytes(),
        maxResultBytes,
        info.maxSessions(),
        info.modeBits(),
        opBits,
        info.shortTables(),
        series);
  }
}
