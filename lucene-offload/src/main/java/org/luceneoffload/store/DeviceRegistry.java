/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.store;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.apache.lucene.util.IOUtils;
import org.luceneoffload.device.Device;
import org.luceneoffload.device.DeviceProvider;
import org.luceneoffload.device.Devices;
import org.luceneoffload.device.OffloadException;
import org.luceneoffload.wire.OffloadWire;

/** The devices that are open in this process: one handle per store, however many use it. */
public final class DeviceRegistry {
  /** What to do with a device that has just been opened, before anybody else gets it. */
  @FunctionalInterface
  public interface Preparation {
    /** Prepares the device. */
    void prepare(DeviceHandle handle) throws IOException;
  }

  private static final String READ_ONLY = "readonly=true";

  /** By {@link StoreKey}, or by any object if the application opened the device. */
  private static final Map<Object, DeviceHandle> HANDLES = new HashMap<>();

  /** A store; {@code name} is the device name if the device has no store file. */
  private record StoreKey(Path file, String name, boolean readOnly) {}

  private DeviceRegistry() {}

  /**
   * The handle of a named device, with one more reference. A device that another process has open
   * for writing is opened for reading, if it can be.
   *
   * @param home directory of the index
   * @param preparation for a device that was not open yet
   * @throws IllegalArgumentException if the name is unknown or malformed
   */
  public static DeviceHandle open(Path home, Devices.Name name, Preparation preparation)
      throws IOException {
    DeviceProvider provider = Devices.provider(name.scheme());
    String reason = provider.unavailableReason();
    if (reason != null) {
      throw new IOException("device " + name + " cannot be opened here: " + reason);
    }
    boolean readOnly = name.rest().contains(READ_ONLY);
    StoreKey writing = key(home, name, provider, false);
    StoreKey reading = key(home, name, provider, true);
    while (true) {
      DeviceHandle ending;
      synchronized (HANDLES) {
        DeviceHandle present = HANDLES.get(writing);
        if (present == null && readOnly) {
          present = HANDLES.get(reading);
        }
        if (present == null) {
          return openNew(home, name, provider, readOnly ? reading : writing, preparation);
        }
        if (present.tryRetain()) {
          return present;
        }
        ending = present;
      }
      ending.awaitClosed();
    }
  }

  /** The handle of a device that the application opened and will close itself. */
  public static DeviceHandle share(Device device) throws IOException {
    while (true) {
      DeviceHandle ending;
      synchronized (HANDLES) {
        DeviceHandle present = null;
        for (DeviceHandle handle : HANDLES.values()) {
          if (handle.device() == device) {
            present = handle; // perhaps one that was opened by name
          }
        }
        if (present == null) {
          return register(new Object(), device, false);
        }
        if (present.tryRetain()) {
          return present;
        }
        ending = present;
      }
      ending.awaitClosed();
    }
  }

  /**
   * The file that holds the store of a device; null if none does.
   *
   * @return a path that is the same for all ways to write it, as far as its folder exists
   */
  public static Path storeFile(DeviceProvider provider, Devices.Name name, Path home)
      throws IOException {
    Path store = provider.storeFile(name.rest(), home.toRealPath());
    if (store == null) {
      return null;
    }
    Path folder = store.toAbsolutePath().normalize().getParent();
    return (Files.exists(folder) ? folder.toRealPath() : folder).resolve(store.getFileName());
  }

  private static StoreKey key(
      Path home, Devices.Name name, DeviceProvider provider, boolean readOnly) throws IOException {
    Path store = storeFile(provider, name, home);
    return store == null
        ? new StoreKey(null, name.toString(), readOnly)
        : new StoreKey(store, null, readOnly);
  }

  private static DeviceHandle openNew(
      Path home, Devices.Name name, DeviceProvider provider, StoreKey key, Preparation preparation)
      throws IOException {
    DeviceHandle handle = register(key, openDevice(home, name, provider), true);
    try {
      preparation.prepare(handle);
    } catch (Throwable t) {
      IOUtils.closeWhileSuppressingExceptions(t, (Closeable) handle::release);
      throw t;
    }
    return handle;
  }

  private static Device openDevice(Path home, Devices.Name name, DeviceProvider provider)
      throws IOException {
    try {
      return provider.open(name.rest(), home);
    } catch (OffloadException locked) {
      if (locked.status() != OffloadWire.Status.LOCKED || name.rest().contains(READ_ONLY)) {
        throw locked;
      }
      try {
        String rest = name.rest().isEmpty() ? READ_ONLY : name.rest() + "," + READ_ONLY;
        return provider.open(rest, home);
      } catch (IOException | IllegalArgumentException e) {
        locked.addSuppressed(e);
        throw locked;
      }
    } catch (LinkageError e) {
      throw new IOException("device " + name + " cannot be opened: " + e.getMessage(), e);
    }
  }

  private static DeviceHandle register(Object key, Device device, boolean owned)
      throws IOException {
    Volume volume;
    try {
      volume = Volume.open(device);
    } catch (Throwable t) {
      if (owned) {
        IOUtils.closeWhileSuppressingExceptions(t, device);
      }
      throw t;
    }
    Closeable onClose =
        () -> {
          try {
            if (owned) {
              device.close();
            }
          } finally {
            synchronized (HANDLES) {
              // If the store was removed, another may have come under its key.
              HANDLES.values().removeIf(handle -> handle.device() == device);
            }
          }
        };
    DeviceHandle handle = new DeviceHandle(device, volume, onClose);
    HANDLES.put(key, handle);
    return handle;
  }

  /**
   * Removes the store file of a device, if the volume in it is empty and nobody uses the device but
   * the caller, who closes what it has open next. Whoever opens a device of that name gets a new
   * one.
   *
   * @return whether it was done
   */
  public static boolean removeEmptyStore(DeviceHandle handle) throws IOException {
    synchronized (HANDLES) {
      for (Map.Entry<Object, DeviceHandle> entry : HANDLES.entrySet()) {
        if (entry.getValue() == handle
            && entry.getKey() instanceof StoreKey store
            && store.file() != null
            && !store.readOnly()
            && handle.volume().list().isEmpty()
            && handle.isHeldOnce()) {
          Files.deleteIfExists(store.file());
          HANDLES.remove(store);
          return true;
        }
      }
      return false;
    }
  }
}
