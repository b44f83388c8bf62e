/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.contract;

import java.io.IOException;
import java.nio.file.Path;
import org.luceneoffload.device.Device;
import org.luceneoffload.sim.SimDeviceProvider;

/** Programs of the host's own over the simulator, through JNI. */
class TestHostProgramOnSim extends HostProgramContractTest {
  @Override
  public Device newDevice(Path home, int rawPercent, int queue) throws IOException {
    String options = "capacity=8m,dram=2m,raw=" + rawPercent + ",queue=" + queue;
    return new SimDeviceProvider().openForWriting(options, home);
  }
}
