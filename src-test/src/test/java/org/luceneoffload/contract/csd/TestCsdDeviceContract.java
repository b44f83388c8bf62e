/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.contract.csd;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.luceneoffload.contract.DeviceContractTest;
import org.luceneoffload.device.Device;
import org.luceneoffload.nvme.tcp.CsdDeviceProvider;
import org.luceneoffload.nvme.tcp.CsdTarget;

/** A storage node in a process of its own. */
class TestCsdDeviceContract extends DeviceContractTest {
  private CsdTarget target;

  @Override
  public Device newDevice(Path home, long lbaCount) throws IOException {
    List<String> all = new ArrayList<>(List.of("--capacity", lbaCount * 4 + "K", "--dram", "1M"));
    all.addAll(nodeOptions(home));
    target = new CsdTarget(home, all.toArray(String[]::new));
    return new CsdDeviceProvider().openForWriting(target.node() + options(), home);
  }

  /** Further options of the node. */
  List<String> nodeOptions(Path home) throws IOException {
    return List.of();
  }

  /** How it is reached. */
  String options() {
    return ",claim=empty,timeout=60000";
  }

  @AfterEach
  void stop() {
    target.close();
  }
}
