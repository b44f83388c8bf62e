/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.contract;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.luceneoffload.device.Device;
import org.luceneoffload.nvme.tcp.CsdDeviceProvider;
import org.luceneoffload.nvme.tcp.CsdTarget;

/** A storage node in a process of its own. */
class TestCsdDeviceContract extends DeviceContractTest {
  private CsdTarget target;

  @Override
  Device newDevice(Path home, long lbaCount) throws IOException {
    target = new CsdTarget(home, "--capacity", lbaCount * 4 + "K", "--dram", "1M");
    return new CsdDeviceProvider().openForWriting(target.node() + options(), home);
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
