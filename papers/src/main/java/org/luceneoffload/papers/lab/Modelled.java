/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.papers.lab;

import org.luceneoffload.model.ModelReport;

/**
 * The model's result of an experiment.
 *
 * @param device the program on the device
 * @param host the same work on the host, with the same drive
 * @param results documents that matched
 */
public record Modelled(ModelReport device, ModelReport host, long results) {
  /** Returns how many times faster the device is. */
  public double latencyGain() {
    return host.elapsedMs() / device.elapsedMs();
  }

  /** Returns how many times less energy over idle the device takes. */
  public double energyGain() {
    return host.activeMj() / device.activeMj();
  }
}
