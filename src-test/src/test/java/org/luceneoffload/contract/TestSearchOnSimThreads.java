/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.contract;

import java.io.IOException;
import java.nio.file.Path;
import org.luceneoffload.device.Device;
import org.luceneoffload.search.SearchContractTest;
import org.luceneoffload.sim.SimDeviceProvider;

/** Stock Lucene's answers from the C engine on threads of its own. */
class TestSearchOnSimThreads extends SearchContractTest {
  @Override
  protected Device newDevice(Path storeHome) throws IOException {
    return new SimDeviceProvider()
        .openForWriting("capacity=1g,dram=64m,sessions=64,threads=2", storeHome);
  }
}
