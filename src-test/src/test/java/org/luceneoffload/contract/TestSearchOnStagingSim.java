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

/** Stock Lucene's answers where the plans of several segments run together. */
class TestSearchOnStagingSim extends SearchContractTest {
  private static final List<StagingDevice> DEVICES = new ArrayList<>();

  @Override
  protected Device newDevice(Path storeHome) throws IOException {
    StagingDevice device =
        new StagingDevice(
            new SimDeviceProvider().openForWriting("capacity=1g,dram=64m,sessions=64", storeHome),
            () -> null);
    DEVICES.add(device);
    return device;
  }

  @Override
  protected int manyDocuments() {
    return Boolean.getBoolean("tests.long") ? 30_000 : 3_000;
  }

  @AfterAll
  static void plansRanTogether() {
    assertTrue(DEVICES.stream().anyMatch(device -> device.staged.get() > 0), "no plan was staged");
    DEVICES.clear();
  }
}
