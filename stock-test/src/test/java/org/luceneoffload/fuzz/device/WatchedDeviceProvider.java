/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.fuzz.device;

import java.io.IOException;
import java.nio.file.Path;
import org.luceneoffload.device.Device;
import org.luceneoffload.device.DeviceProvider;
import org.luceneoffload.device.Devices;

/** Scheme {@code watched}: the simulated device, watched and perhaps falsified. For tests. */
public final class WatchedDeviceProvider implements DeviceProvider {
  /** The scheme. */
  public static final String SCHEME = "watched";

  private static final String BEHIND = "sim";
  private static volatile Mutation mutation;

  /** For {@link java.util.ServiceLoader}. */
  public WatchedDeviceProvider() {}

  /** Falsifies the answers of devices opened from now on; null: of none. */
  public static void setMutation(Mutation newMutation) {
    mutation = newMutation;
  }

  @Override
  public String scheme() {
    return SCHEME;
  }

  @Override
  public String description() {
    return "the simulated device, watched by tests";
  }

  @Override
  public String unavailableReason() {
    return Devices.provider(BEHIND).unavailableReason();
  }

  @Override
  public Device open(String rest, Path home) throws IOException {
    Device device = Devices.provider(BEHIND).open(rest, home);
    return new WatchedDevice(rest.isEmpty() ? SCHEME : SCHEME + ":" + rest, device, mutation);
  }

  @Override
  public boolean isReadOnly(String rest) {
    return Devices.provider(BEHIND).isReadOnly(rest);
  }

  @Override
  public String storeFileName() {
    return Devices.provider(BEHIND).storeFileName();
  }

  @Override
  public Path storeFile(String rest, Path home) {
    return Devices.provider(BEHIND).storeFile(rest, home);
  }
}
