/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.contract;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.luceneoffload.device.Device;

/**
 * The NVMe backend over a real namespace of 4 MiB, which is overwritten: {@code
 * -Doffload.nvme.small=/dev/ng0n1}.
 */
@EnabledIfSystemProperty(
    named = NvmeNamespace.SMALL,
    matches = ".+",
    disabledReason = "no NVMe namespace is named; the guest test has one")
class TestNvmeNamespaceContract extends DeviceContractTest {
  @Override
  public Device newDevice(Path home, long lbaCount) throws IOException {
    return NvmeNamespace.cleared(NvmeNamespace.SMALL, lbaCount);
  }
}
