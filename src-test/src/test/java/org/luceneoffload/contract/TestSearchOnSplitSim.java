/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.contract;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.luceneoffload.device.Device;
import org.luceneoffload.search.SearchContractTest;
import org.luceneoffload.sim.SimDeviceProvider;

/** Stock Lucene's answers from plans that the engine's own threads and the callers' share. */
class TestSearchOnSplitSim extends SearchContractTest {
  private static final List<SplittingDevice> DEVICES = new ArrayList<>();

  @Override
  protected Device newDevice(Path storeHome) throws IOException {
    SplittingDevice device =
        new SplittingDevice(
            new SimDeviceProvider().openForWriting("capacity=1g,dram=64m,sessions=64", storeHome));
    DEVICES.add(device);
    return device;
  }

  /** The device cuts lists of any length; a long run has lists of many pages. */
  @Override
  protected int manyDocuments() {
    return Boolean.getBoolean("tests.long") ? 30_000 : 3_000;
  }

  @AfterAll
  static void bothSidesHadWindows() {
    long windows = DEVICES.stream().mapToLong(device -> device.windows.get()).sum();
    long onDevice = DEVICES.stream().mapToLong(device -> device.onDevice.get()).sum();
    DEVICES.clear();
    assertTrue(onDevice > 0, "the device has done no window");
    assertTrue(windows > onDevice, "the device has done all windows");
  }
}
