/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.contract;

import org.junit.jupiter.api.AfterAll;
import org.luceneoffload.device.Device;

/** Stock Lucene's answers from plans that the engine's own threads and the callers' share. */
class TestSearchOnSplitSim extends SearchThroughWrapperTest {
  @Override
  protected Device wrap(Device device) {
    return new SplittingDevice(device);
  }

  @AfterAll
  static void bothSidesHadWindows() {
    SplittingDevice.checkBothSidesHadWindows(takeWrappers(SplittingDevice.class));
  }
}
