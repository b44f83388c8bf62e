/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.contract;

import java.io.IOException;
import java.nio.file.Path;
import org.luceneoffload.device.Device;
import org.luceneoffload.sim.SimDeviceProvider;

/** The engine in the process: a lock on the store file. */
class TestSimWriterContract extends WriterContractTest {
  @Override
  public Device open(Path home, boolean readOnly) throws IOException {
    String rest = "capacity=4m,dram=1m" + (readOnly ? ",readonly=true" : "");
    return new SimDeviceProvider().open(rest, home);
  }
}
