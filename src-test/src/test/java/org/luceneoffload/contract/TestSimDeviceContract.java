/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.contract;

import java.io.IOException;
import java.nio.file.Path;
import org.luceneoffload.device.Device;
import org.luceneoffload.sim.SimDeviceProvider;

/** The simulator, through JNI. */
class TestSimDeviceContract extends DeviceContractTest {
  @Override
  public Device newDevice(Path home, long lbaCount) throws IOException {
    return new SimDeviceProvider().openForWriting("capacity=" + lbaCount * 4 + "k,dram=1m", home);
  }

  @Override
  public boolean namesLbas() {
    return true;
  }
}
