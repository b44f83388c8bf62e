/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.contract;

import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.AfterAll;
import org.luceneoffload.device.Device;
import org.luceneoffload.sim.StagingDevice;

/** Stock Lucene's answers where the plans of several segments run together. */
class TestSearchOnStagingSim extends SearchThroughWrapperTest {
  @Override
  protected Device wrap(Device device) {
    return new StagingDevice(device, () -> null);
  }

  @AfterAll
  static void plansRanTogether() {
    assertTrue(
        takeWrappers(StagingDevice.class).stream().anyMatch(device -> device.staged.get() > 0),
        "no plan was staged");
  }
}
