/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.device.timing;

/**
 * Settings of the model; see {@link TimingModel#startModel}.
 *
 * @param traceRecords stretches of simulated time to keep for one plan and side; what is beyond
 *     them is counted, not kept
 * @param hostRanks whether the host, on both sides, ranks the docs that a plan returns without
 *     having ranked them
 */
public record ModelSettings(int traceRecords, boolean hostRanks) {
  /** No trace, and nothing is done with the docs. */
  public static final ModelSettings DEFAULT = new ModelSettings(0, false);

  /** Checks the number. */
  public ModelSettings {
    if (traceRecords < 0) {
      throw new IllegalArgumentException("traceRecords must be at least 0, got " + traceRecords);
    }
  }

  /** Returns settings with traces. */
  public static ModelSettings withTrace(int traceRecords) {
    return new ModelSettings(traceRecords, false);
  }
}
