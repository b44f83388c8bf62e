/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.contract;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.luceneoffload.config.OffloadOptions;
import org.luceneoffload.device.Device;
import org.luceneoffload.search.SearchContractTest;

/**
 * Stock Lucene's answers from a real NVMe namespace of at least 8 MiB, which is overwritten: {@code
 * -Doffload.nvme.big=/dev/ng0n1}.
 */
@EnabledIfSystemProperty(
    named = NvmeNamespace.BIG,
    matches = ".+",
    disabledReason = "no NVMe namespace is named; the guest test has one")
class TestSearchOnNvmeNamespace extends SearchContractTest {
  @Override
  protected Device newDevice(Path storeHome) throws IOException {
    return NvmeNamespace.overwritten(NvmeNamespace.BIG);
  }

  /**
   * No command may end at a time limit here, however busy the machine is: an emulated guest with
   * several threads that search may wait for seconds.
   */
  @Override
  protected OffloadOptions options() {
    return OffloadOptions.DEFAULT.withDeviceTimeout(Duration.ofMinutes(2));
  }
}
