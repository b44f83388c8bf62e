/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.search;

import java.nio.file.Path;
import org.luceneoffload.device.Device;
import org.luceneoffload.device.RamBlockDevice;
import org.luceneoffload.device.ReferenceProgram;

/** The whole Java path, with plans run by the reference program. */
class TestSearchOnReferenceDevice extends SearchContractTest {
  @Override
  protected Device newDevice(Path storeHome) {
    return new RamBlockDevice(1 << 16, new ReferenceProgram());
  }
}
