/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.contract;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.luceneoffload.config.OffloadOptions;
import org.luceneoffload.device.Device;
import org.luceneoffload.nvme.tcp.CsdDeviceProvider;
import org.luceneoffload.nvme.tcp.CsdTarget;
import org.luceneoffload.search.SearchContractTest;

/** Stock Lucene's answers from plans that a storage node and the host share. */
class TestSearchOnSplitCsd extends SearchContractTest {
  private static final List<CsdTarget> TARGETS = new ArrayList<>();
  private static final List<SplittingDevice> DEVICES = new ArrayList<>();

  @Override
  protected Device newDevice(Path storeHome) throws IOException {
    CsdTarget target = new CsdTarget(storeHome, "--capacity", "1G", "--dram", "64M");
    TARGETS.add(target);
    String options = ",claim=empty,timeout=60000";
    SplittingDevice device =
        new SplittingDevice(
            new CsdDeviceProvider().openForWriting(target.node() + options, storeHome));
    DEVICES.add(device);
    return device;
  }

  @Override
  protected OffloadOptions options() {
    return OffloadOptions.DEFAULT.withDeviceTimeout(Duration.ofMinutes(2));
  }

  /** Each round trip takes a node's time; a long run has lists of many pages. */
  @Override
  protected int manyDocuments() {
    return Boolean.getBoolean("tests.long") ? 30_000 : 3_000;
  }

  @AfterAll
  static void stop() {
    TARGETS.forEach(CsdTarget::close);
    TARGETS.clear();
    long windows = DEVICES.stream().mapToLong(device -> device.windows.get()).sum();
    long onDevice = DEVICES.stream().mapToLong(device -> device.onDevice.get()).sum();
    DEVICES.clear();
    assertTrue(onDevice > 0, "the node has done no window");
    assertTrue(windows > onDevice, "the node has done all windows");
  }
}
