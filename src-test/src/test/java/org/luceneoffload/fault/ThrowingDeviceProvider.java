/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.fault;

import java.nio.file.Path;
import org.luceneoffload.device.Device;
import org.luceneoffload.device.DeviceProvider;

/** Scheme {@code throwing}: opens what a test has put here, or throws what it should not. */
public final class ThrowingDeviceProvider implements DeviceProvider {
  static final String SCHEME = "throwing";

  static volatile Device device;
  private static volatile String armed = "";
  private static volatile RuntimeException toThrow;

  /** For {@link java.util.ServiceLoader}. */
  public ThrowingDeviceProvider() {}

  /** Lets a method throw from now on; an empty name: none. */
  static void arm(String method, RuntimeException what) {
    toThrow = what;
    armed = method;
  }

  private static void pass(String method) {
    if (armed.equals(method)) {
      throw toThrow;
    }
  }

  @Override
  public String scheme() {
    pass("scheme");
    return SCHEME;
  }

  @Override
  public String description() {
    return "a device of tests that throws";
  }

  @Override
  public String unavailableReason() {
    pass("unavailableReason");
    return null;
  }

  @Override
  public boolean isReadOnly(String rest) {
    pass("isReadOnly");
    return false;
  }

  @Override
  public Path storeFile(String rest, Path home) {
    pass("storeFile");
    return home.resolve("throwing.vol");
  }

  @Override
  public Device open(String rest, Path home) {
    pass("open");
    return device;
  }
}
