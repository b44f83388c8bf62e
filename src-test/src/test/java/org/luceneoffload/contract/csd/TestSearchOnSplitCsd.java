/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.contract.csd;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.luceneoffload.config.OffloadOptions;
import org.luceneoffload.contract.SearchThroughWrapperTest;
import org.luceneoffload.contract.SplittingDevice;
import org.luceneoffload.device.Device;
import org.luceneoffload.nvme.tcp.CsdDeviceProvider;
import org.luceneoffload.nvme.tcp.CsdTarget;

/** Stock Lucene's answers from plans that a storage node and the host share. */
class TestSearchOnSplitCsd extends SearchThroughWrapperTest {
  private static final List<CsdTarget> TARGETS = new ArrayList<>();

  @Override
  protected Device open(Path storeHome) throws IOException {
    CsdTarget target = new CsdTarget(storeHome, "--capacity", "1G", "--dram", "64M");
    TARGETS.add(target);
    String options = ",claim=empty,timeout=60000";
    return new CsdDeviceProvider().openForWriting(target.node() + options, storeHome);
  }

  @Override
  protected Device wrap(Device device) {
    return new SplittingDevice(device);
  }

  @Override
  protected OffloadOptions options() {
    return OffloadOptions.DEFAULT.withDeviceTimeout(Duration.ofMinutes(2));
  }

  @AfterAll
  static void stop() {
    TARGETS.forEach(CsdTarget::close);
    TARGETS.clear();
    SplittingDevice.checkBothSidesHadWindows(takeWrappers(SplittingDevice.class));
  }
}
