/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.report;

import java.util.Locale;

/**
 * The expected time of a request on either side: simulated time under a profile, worked out before
 * anything runs.
 *
 * @param deviceNs on the device, in ns
 * @param hostNs on the host with the same device as a plain drive, in ns
 */
public record LeafEstimate(double deviceNs, double hostNs) {
  private static final double NS_A_MS = 1e6;

  /** Returns whether the device is the better place; also if both are as good. */
  public boolean prefersDevice() {
    return deviceNs <= hostNs;
  }

  @Override
  public String toString() {
    return String.format(
        Locale.ROOT,
        "estimated device %.3f ms, host %.3f ms",
        deviceNs / NS_A_MS,
        hostNs / NS_A_MS);
  }
}
