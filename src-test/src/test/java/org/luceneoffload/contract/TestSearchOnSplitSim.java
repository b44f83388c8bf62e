/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.contract;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.luceneoffload.device.Device;
import org.luceneoffload.search.SearchContractTest;
import org.luceneoffload.sim.SimDeviceProvider;

/** Stock Lucene's answers from plans that the engine's own threads and the callers' share. */
class TestSearchOnSplitSim extends SearchContractTest {
  @Override
  protected Device newDevice(Path storeHome) throws IOException {
    return new SplittingDevice(
        new SimDeviceProvider().openForWriting("capacity=1g,dram=64m,sessions=64", storeHome));
  }

  /** The device cuts lists of any length; a long run has lists of many pages. */
  @Override
  protected int manyDocuments() {
    return Boolean.getBoolean("tests.long") ? 30_000 : 3_000;
  }

  @AfterAll
  static void bothSidesHadWindows() {
    assertTrue(SplittingDevice.ON_DEVICE.get() > 0, "the device has done no window");
    assertTrue(
        SplittingDevice.WINDOWS.get() > SplittingDevice.ON_DEVICE.get(),
        "the device has done all windows");
  }
}
