/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.contract;

import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.luceneoffload.device.Device;
import org.luceneoffload.nvme.FakeController;
import org.luceneoffload.sim.SimDeviceProvider;

/** The NVMe backend: a lock on the device file, over controllers made of one simulator. */
class TestNvmeWriterContract extends WriterContractTest {
  private final AtomicInteger locks = new AtomicInteger();
  private Device namespace;

  @Override
  public Device open(Path home, boolean readOnly) throws IOException {
    if (namespace == null) {
      namespace = new SimDeviceProvider().openForWriting("capacity=4m,dram=1m", home);
    }
    return FakeController.beside(namespace, locks, readOnly);
  }

  @AfterEach
  void close() throws IOException {
    namespace.close();
  }
}
