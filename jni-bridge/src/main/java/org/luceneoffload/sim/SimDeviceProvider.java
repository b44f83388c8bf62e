/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.sim;

import java.io.IOException;
import java.nio.file.Path;
import org.luceneoffload.device.Device;
import org.luceneoffload.device.DeviceProvider;
import org.luceneoffload.wire.OffloadException;
import org.luceneoffload.wire.OffloadWire;

/** Opens simulated devices: {@code sim}, or {@code sim:key=value,...} as in {@link SimOptions}. */
public final class SimDeviceProvider implements DeviceProvider {
  /** For {@link java.util.ServiceLoader}. */
  public SimDeviceProvider() {}

  @Override
  public String scheme() {
    return "sim";
  }

  @Override
  public String description() {
    return "the device engine in this process, over a file; sim:key=value,... with "
        + SimOptions.GRAMMAR;
  }

  @Override
  public String unavailableReason() {
    try {
      NativeLoader.load();
      return null;
    } catch (IllegalStateException e) {
      return e.getMessage();
    }
  }

  @Override
  public Device open(String rest, Path home) throws IOException {
    SimOptions options = SimOptions.parse(rest, home);
    String reason = unavailableReason();
    if (reason != null) {
      throw new OffloadException(OffloadWire.Status.INTERNAL, reason);
    }
    return SimDevice.open(rest.isEmpty() ? "sim" : "sim:" + rest, options);
  }

  @Override
  public boolean isReadOnly(String rest) {
    return SimOptions.parse(rest, Path.of("")).readOnly();
  }

  @Override
  public String storeFileName() {
    return SimOptions.STORE_FILE_NAME;
  }

  @Override
  public Path storeFile(String rest, Path home) {
    return SimOptions.parse(rest, home).store();
  }
}
