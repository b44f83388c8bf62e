/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.contract;

import java.io.IOException;
import java.nio.file.Path;
import org.luceneoffload.device.Device;
import org.luceneoffload.device.RamDeviceProvider;

/** The reference: a device in memory that has a lock as a store file does. */
class TestReferenceWriterContract extends WriterContractTest {
  @Override
  public Device open(Path home, boolean readOnly) throws IOException {
    return new RamDeviceProvider().open(readOnly ? "readonly=true" : "", home);
  }
}
