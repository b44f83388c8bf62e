/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.device;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.TreeMap;
import org.luceneoffload.util.CauseLog;
import org.luceneoffload.wire.OffloadException;

/** The kinds of device that can be named here. */
public final class Devices {
  /** The scheme that stands for no device: plain Lucene does the work. */
  public static final String HOST = "host";

  /**
   * A device name, taken apart.
   *
   * @param scheme what precedes the first colon
   * @param rest what follows it; empty if there is none
   */
  public record Name(String scheme, String rest) {
    /**
     * Takes a name {@code scheme} or {@code scheme:rest} apart.
     *
     * @param name {@code scheme} or {@code scheme:rest}
     * @return its parts
     */
    public static Name parse(String name) {
      int colon = name.indexOf(':');
      return colon < 0
          ? new Name(name, "")
          : new Name(name.substring(0, colon), name.substring(colon + 1));
    }

    @Override
    public String toString() {
      return rest.isEmpty() ? scheme : scheme + ":" + rest;
    }
  }

  /** The providers that this class's own loader finds: always the same ones, so looked for once. */
  private static final class Own {
    static final Map<String, DeviceProvider> BY_SCHEME = collect(Devices.class.getClassLoader());
  }

  private Devices() {}

  /**
   * {@return the providers on the class path, by scheme} They and their devices are checked: none
   * throws anything but what {@link DeviceProvider} and {@link Device} say. A question that can
   * only be answered by an {@link java.io.IOException} is answered by one, unchecked if need be.
   */
  public static Collection<DeviceProvider> providers() {
    return Collections.unmodifiableCollection(byScheme().values());
  }

  private static Map<String, DeviceProvider> byScheme() {
    ClassLoader context = Thread.currentThread().getContextClassLoader();
    if (context == null || context == Devices.class.getClassLoader()) {
      return Own.BY_SCHEME;
    }
    Map<String, DeviceProvider> found = collect(context);
    found.putAll(Own.BY_SCHEME);
    return found;
  }

  /**
   * {@return the provider of a scheme}
   *
   * @param scheme such as {@code sim}
   * @throws IllegalArgumentException if there is none; the message lists those that there are
   */
  public static DeviceProvider provider(String scheme) {
    List<String> known = new ArrayList<>(List.of(HOST));
    for (Map.Entry<String, DeviceProvider> provider : byScheme().entrySet()) {
      if (provider.getKey().equals(scheme)) {
        return provider.getValue();
      }
      known.add(provider.getKey());
    }
    throw new IllegalArgumentException(
        "unknown device \"" + scheme + "\"; known: " + String.join(", ", known));
  }

  /**
   * {@return a device that throws nothing but {@link OffloadException}, whatever this one throws;
   * the device itself if it is such a one}
   *
   * @param device any device
   * @throws OffloadException if the device does not say what it is
   */
  public static Device checked(Device device) throws OffloadException {
    return CheckedDevice.of(device);
  }

  /**
   * {@return the device that {@link #checked} was given; any other device itself}
   *
   * @param device any device
   */
  public static Device unchecked(Device device) {
    return CheckedDevice.unwrap(device);
  }

  /**
   * {@return whether devices of a scheme hold whole indexes; false if no provider has it}
   *
   * @param scheme such as {@code sim}
   */
  public static boolean isHolder(String scheme) {
    DeviceProvider provider = byScheme().get(scheme);
    return provider != null && provider.holdsIndexes();
  }

  private static Map<String, DeviceProvider> collect(ClassLoader loader) {
    Map<String, DeviceProvider> found = new TreeMap<>();
    Iterator<DeviceProvider> providers =
        ServiceLoader.load(DeviceProvider.class, loader).iterator();
    while (true) {
      try {
        if (!providers.hasNext()) {
          return found;
        }
        DeviceProvider provider = new CheckedProvider(providers.next());
        found.putIfAbsent(provider.scheme(), provider);
      } catch (ServiceConfigurationError | LinkageError | RuntimeException e) {
        // A provider that does not load must not take the others with it.
        String message = "device provider left out: " + e.getMessage();
        CauseLog.warn("device provider left out", message, message);
      }
    }
  }
}
