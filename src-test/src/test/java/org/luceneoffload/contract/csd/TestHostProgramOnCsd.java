/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.contract.csd;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.luceneoffload.contract.HostProgramContractTest;
import org.luceneoffload.device.Device;
import org.luceneoffload.nvme.tcp.CsdDeviceProvider;
import org.luceneoffload.nvme.tcp.CsdTarget;

/** Programs of the host's own over a storage node in a process of its own. */
class TestHostProgramOnCsd extends HostProgramContractTest {
  private CsdTarget target;

  @Override
  public Device newDevice(Path home, int rawPercent, int queue) throws IOException {
    stop();
    target =
        new CsdTarget(
            home,
            "--capacity",
            "8M",
            "--dram",
            "2M",
            "--raw-percent",
            Integer.toString(rawPercent),
            "--task-queue",
            Integer.toString(queue));
    return new CsdDeviceProvider()
        .openForWriting(target.node() + ",claim=overwrite,timeout=60000", home);
  }

  @AfterEach
  void stop() {
    if (target != null) {
      target.close();
    }
  }
}
