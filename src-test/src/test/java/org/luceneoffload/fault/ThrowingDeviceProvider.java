/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.fault;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Function;
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
    pass("description");
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
  public boolean needsName() {
    pass("needsName");
    return false;
  }

  @Override
  public String storeFileName() {
    pass("storeFileName");
    return null;
  }

  @Override
  public List<DeviceProvider.Found> find(Function<Device, String> contents) {
    pass("find");
    return List.of();
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

  @Override
  public Device openForWriting(String rest, Path home) throws IOException {
    pass("openForWriting");
    device.openForWriting();
    return device;
  }
}
