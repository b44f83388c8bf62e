/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.cli.options;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import org.luceneoffload.cli.command.Failure;
import org.luceneoffload.device.DeviceProvider;
import org.luceneoffload.device.Devices;

/** Names of devices on the command line. */
public final class DeviceNames {
  private DeviceNames() {}

  /**
   * Fails unless a device of that name can be opened here.
   *
   * @throws Failure of usage if no backend has that name; else with the backend's reason
   */
  public static void check(String name) {
    String reason = whyUnavailable(name);
    if (reason != null) {
      throw Failure.of(
          "device " + name + " is not available: " + reason + " (--device host needs none)");
    }
  }

  /**
   * Returns why no device of that name can be opened here; null if one can, or none is needed.
   *
   * @throws Failure of usage if no backend has that name
   */
  static String whyUnavailable(String name) {
    String scheme = Devices.Name.parse(name).scheme();
    if (scheme.equals(Devices.HOST)) {
      if (!name.equals(Devices.HOST)) {
        throw Failure.usage("device " + Devices.HOST + " takes no options: " + name);
      }
      return null;
    }
    try {
      return Devices.provider(scheme).unavailableReason();
    } catch (IllegalArgumentException e) {
      throw Failure.usage(e.getMessage(), e);
    }
  }

  /**
   * Returns whether the file that holds the store of a device exists; true if no file does.
   *
   * @param index an existing directory
   */
  public static boolean hasStore(String name, Path index) throws IOException {
    Path store = store(name, index);
    return store == null || Files.exists(store);
  }

  /**
   * Returns the file that holds the store of a device; null if none does, or if the name is wrong,
   * which opening the device reports.
   *
   * @param index an existing directory
   */
  static Path store(String name, Path index) throws IOException {
    Devices.Name parsed = Devices.Name.parse(name);
    if (parsed.scheme().equals(Devices.HOST)) {
      return null;
    }
    try {
      DeviceProvider provider = Devices.provider(parsed.scheme());
      return provider.storeFile(parsed.rest(), index.toRealPath());
    } catch (NoSuchFileException | IllegalArgumentException | UncheckedIOException e) {
      return null;
    }
  }

  /** Returns whether a device of that name is none: plain Lucene does the work. */
  public static boolean isHost(String name) {
    return name.equals(Devices.HOST);
  }
}
