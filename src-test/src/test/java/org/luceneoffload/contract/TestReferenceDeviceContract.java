/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.contract;

import java.nio.file.Path;
import org.luceneoffload.device.Device;
import org.luceneoffload.device.RamBlockDevice;
import org.luceneoffload.device.ReferenceProgram;

/** The reference: a device in memory whose programs are written to be read. */
class TestReferenceDeviceContract extends DeviceContractTest {
  @Override
  public Device newDevice(Path home, long lbaCount) {
    return new RamBlockDevice(lbaCount, new ReferenceProgram());
  }
}
