/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.device;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import org.apache.lucene.util.IOSupplier;
import org.luceneoffload.util.CauseLog;
import org.luceneoffload.wire.OffloadException;

/**
 * A provider that throws nothing unexpected, whatever the one behind it throws, and whose devices
 * throw nothing but {@link OffloadException}. If the one behind does not say whether it works here,
 * it does not.
 */
final class CheckedProvider implements DeviceProvider {
  private final DeviceProvider in;
  private final String scheme;

  /** Asks a provider for its scheme; what it throws is thrown here. */
  CheckedProvider(DeviceProvider in) {
    this.in = in;
    this.scheme = Objects.requireNonNull(in.scheme(), "scheme");
  }

  @Override
  public String scheme() {
    return scheme;
  }

  @Override
  public String description() {
    String description = DeviceFailures.callOr(null, in::description);
    return description == null ? "a back end that does not say what it is" : description;
  }

  @Override
  public String unavailableReason() {
    try {
      return in.unavailableReason();
    } catch (Throwable t) {
      return "its provider failed: " + OffloadException.of(t).getMessage();
    }
  }

  @Override
  public Device open(String rest, Path home) throws IOException {
    return checked(() -> in.open(rest, home));
  }

  @Override
  public Device openForWriting(String rest, Path home) throws IOException {
    return checked(() -> in.openForWriting(rest, home));
  }

  private static Device checked(IOSupplier<Device> opening) throws IOException {
    Device device;
    try {
      device = Objects.requireNonNull(opening.get(), "the provider opened no device");
    } catch (IOException | IllegalArgumentException e) {
      throw e;
    } catch (Throwable t) {
      throw OffloadException.of(t);
    }
    try {
      return CheckedDevice.of(device);
    } catch (OffloadException e) {
      try {
        device.close();
      } catch (Throwable t) {
        e.addSuppressed(t);
      }
      throw e;
    }
  }

  @Override
  public List<DeviceProvider.Found> find(Function<Device, String> contents) {
    try {
      return List.copyOf(in.find(contents));
    } catch (Throwable t) {
      CauseLog.warn(
          "devices not found",
          scheme,
          "the provider of \"" + scheme + "\" does not find its devices: " + t);
      return List.of();
    }
  }

  /**
   * Returns what {@link DeviceProvider#isReadOnly} says.
   *
   * @throws UncheckedIOException if the provider fails
   */
  @Override
  public boolean isReadOnly(String rest) {
    return ask(() -> in.isReadOnly(rest));
  }

  /**
   * Returns the file that {@link DeviceProvider#storeFile} names.
   *
   * @throws UncheckedIOException if the provider fails
   */
  @Override
  public Path storeFile(String rest, Path home) {
    return ask(() -> in.storeFile(rest, home));
  }

  /** Asks the provider; passes on its word that a name is malformed, which is for the caller. */
  private static <T> T ask(IOSupplier<T> question) {
    try {
      return question.get();
    } catch (IllegalArgumentException e) {
      throw e;
    } catch (Throwable t) {
      throw new UncheckedIOException(OffloadException.of(t));
    }
  }

  @Override
  public boolean needsName() {
    return DeviceFailures.callOr(false, in::needsName);
  }

  @Override
  public boolean holdsIndexes() {
    return DeviceFailures.callOr(false, in::holdsIndexes);
  }

  @Override
  public String storeFileName() {
    return DeviceFailures.callOr(null, in::storeFileName);
  }
}
