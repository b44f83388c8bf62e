/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.contract.csd;

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

/** Stock Lucene's answers from a storage node in a process of its own. */
class TestSearchOnCsd extends SearchContractTest {
  private static final List<CsdTarget> TARGETS = new ArrayList<>();

  @Override
  protected Device newDevice(Path storeHome) throws IOException {
    List<String> all = new ArrayList<>(List.of("--capacity", "1G", "--dram", "64M"));
    all.addAll(nodeOptions());
    CsdTarget target = new CsdTarget(storeHome, all.toArray(String[]::new));
    TARGETS.add(target);
    return new CsdDeviceProvider().openForWriting(target.node() + hostOptions(), storeHome);
  }

  /** Returns further options of the node. */
  List<String> nodeOptions() {
    return List.of();
  }

  /** Returns how the node is reached. */
  String hostOptions() {
    return ",claim=empty,timeout=60000";
  }

  /** No command may end at a time limit here, however busy the machine is. */
  @Override
  protected OffloadOptions options() {
    return OffloadOptions.DEFAULT.withDeviceTimeout(Duration.ofMinutes(2));
  }

  @AfterAll
  static void stop() {
    TARGETS.forEach(CsdTarget::close);
    TARGETS.clear();
  }
}
