/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.contract.csd;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.luceneoffload.contract.WriterContractTest;
import org.luceneoffload.device.Device;
import org.luceneoffload.nvme.tcp.CsdDeviceProvider;
import org.luceneoffload.nvme.tcp.CsdTarget;

/** A storage node: a lock among the processes of this host. */
class TestCsdWriterContract extends WriterContractTest {
  private CsdTarget target;

  @Override
  public Device open(Path home, boolean readOnly) throws IOException {
    if (target == null) {
      target = new CsdTarget(home, "--capacity", "4M", "--dram", "1M");
    }
    String claim = readOnly ? ",readonly=true" : ",claim=empty";
    return new CsdDeviceProvider().open(target.node() + claim + ",timeout=60000", home);
  }

  @AfterEach
  void stop() {
    target.close();
  }
}
