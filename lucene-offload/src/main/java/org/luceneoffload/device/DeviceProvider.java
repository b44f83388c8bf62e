/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.device;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.apache.lucene.util.IOUtils;
import org.luceneoffload.wire.OffloadException;

/**
 * A kind of device, found through {@link java.util.ServiceLoader}.
 *
 * <p>A device name is {@code scheme}, or {@code scheme:rest}; the provider of the scheme reads the
 * rest.
 */
public interface DeviceProvider {
  /** What the name of a store file is followed by in the name of its page index. */
  String STORE_INDEX_SUFFIX = ".idx";

  /** {@return the scheme, such as {@code sim}} */
  String scheme();

  /** {@return one line for people: what the device is and what the rest of the name may say} */
  String description();

  /**
   * {@return why no device of this kind can be opened here (no native library ...); null if one
   * can}
   */
  String unavailableReason();

  /**
   * Opens a device for reading: that hinders no other process, changes nothing and makes no file.
   * {@link Device#openForWriting} makes it writable.
   *
   * @param rest what follows the colon of the name; empty if there is none
   * @param home directory of the index, in which a simulated device keeps its store
   * @return the device
   * @throws IllegalArgumentException if {@code rest} is malformed; the message names the part
   * @throws OffloadException if the device cannot be opened
   */
  Device open(String rest, Path home) throws IOException;

  /**
   * Opens a device and makes it writable.
   *
   * @param rest what follows the colon of the name; empty if there is none
   * @param home directory of the index, in which a simulated device keeps its store
   * @return the device
   * @throws IllegalArgumentException if {@code rest} is malformed; the message names the part
   * @throws OffloadException if the device cannot be opened or written
   */
  default Device openForWriting(String rest, Path home) throws IOException {
    Device device = open(rest, home);
    try {
      device.openForWriting();
      return device;
    } catch (Throwable t) {
      IOUtils.closeWhileSuppressingExceptions(t, device);
      throw t;
    }
  }

  /**
   * {@return whether a name asks for a device that is never written, so that it cannot be shared
   * with a process that writes}
   *
   * @param rest what follows the colon of the name; empty if there is none
   * @throws IllegalArgumentException if {@code rest} is malformed; the message names the part
   */
  default boolean isReadOnly(String rest) {
    return false;
  }

  /**
   * {@return the devices of this kind that exist before they are opened} Looking changes nothing,
   * and asks nothing of a device that could harm it.
   *
   * @param contents says, for people, what a device holds; only reads
   */
  default List<Found> find(Function<Device, String> contents) {
    return List.of();
  }

  /** {@return whether the scheme alone opens nothing: the name has to say which device} */
  default boolean needsName() {
    return false;
  }

  /**
   * {@return whether a device of this kind can hold whole indexes, several of them by name: it is a
   * place of its own, apart from the host, such as a storage node}
   */
  default boolean holdsIndexes() {
    return false;
  }

  /**
   * {@return the name, in the index directory, of a file that holds the device's store; null if
   * none} Beside it a device may keep what {@link #STORE_INDEX_SUFFIX} says.
   */
  default String storeFileName() {
    return null;
  }

  /**
   * Returns the file that holds the store of a device, by which a process tells whether it has the
   * device open already.
   *
   * @param rest what follows the colon of the name; empty if there is none
   * @param home directory of the index
   * @return null if the device has no store file
   * @throws IllegalArgumentException if {@code rest} is malformed; the message names the part
   */
  default Path storeFile(String rest, Path home) {
    return storeFileName() == null ? null : home.resolve(storeFileName());
  }

  /**
   * A device that is here, whether it can be used or not.
   *
   * @param name what opens it
   * @param facts what it says of itself, for people, in an order of its own
   * @param info its capabilities; null if it cannot be used
   * @param reason why it cannot be used; null if it can
   */
  record Found(String name, Map<String, String> facts, DeviceInfo info, String reason) {
    /** Keeps the facts as they are now. */
    public Found {
      facts = Collections.unmodifiableMap(new LinkedHashMap<>(facts));
    }
  }
}
