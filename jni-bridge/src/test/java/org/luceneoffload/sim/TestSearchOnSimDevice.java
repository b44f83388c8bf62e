/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.sim;

import java.io.IOException;
import java.nio.file.Path;
import org.luceneoffload.device.Device;
import org.luceneoffload.search.SearchContractTest;

/** Stock Lucene's answers from the simulated device, to the bit. */
class TestSearchOnSimDevice extends SearchContractTest {
  @Override
  protected Device newDevice(Path storeHome) throws IOException {
    return new SimDeviceProvider().open("", storeHome);
  }

  /** Enough for posting lists of many pages. */
  @Override
  protected int manyDocuments() {
    return 30_000;
  }
}
