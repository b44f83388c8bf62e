/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.device;

import java.io.IOException;
import java.nio.file.Path;
import org.luceneoffload.wire.OffloadException;
import org.luceneoffload.wire.OffloadWire;

/** Scheme {@code testbroken}: a device that never opens, for tests. */
public final class BrokenDeviceProvider implements DeviceProvider {
  @Override
  public String scheme() {
    return "testbroken";
  }

  @Override
  public String description() {
    return "device that never opens";
  }

  @Override
  public String unavailableReason() {
    return null;
  }

  @Override
  public Device open(String rest, Path home) throws IOException {
    if (rest.equals("link")) {
      throw new UnsatisfiedLinkError("no native library");
    }
    if (rest.equals("state")) {
      throw new IllegalStateException("not expected of a provider");
    }
    throw new OffloadException(OffloadWire.Status.IO_ERROR, "the device is broken");
  }
}
