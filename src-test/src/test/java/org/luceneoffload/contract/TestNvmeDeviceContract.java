/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.contract;

import java.io.IOException;
import java.nio.file.Path;
import org.luceneoffload.device.Device;
import org.luceneoffload.nvme.FakeController;
import org.luceneoffload.sim.SimDeviceProvider;

/** The NVMe backend, over a controller made of the simulator. */
class TestNvmeDeviceContract extends DeviceContractTest {
  @Override
  public Device newDevice(Path home, long lbaCount) throws IOException {
    return FakeController.over(
        new SimDeviceProvider().openForWriting("capacity=" + lbaCount * 4 + "k,dram=1m", home));
  }
}
