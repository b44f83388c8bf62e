/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.store.guard;

import java.io.Closeable;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.apache.lucene.util.IOUtils;
import org.luceneoffload.config.OffloadOptions;
import org.luceneoffload.device.Device;
import org.luceneoffload.device.DeviceProvider;
import org.luceneoffload.device.Devices;
import org.luceneoffload.store.volume.Volume;
import org.luceneoffload.wire.OffloadException;
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

  /**
   * By {@link StoreKey}, or by {@link IdentityKey} if the application opened the device. Its
   * monitor is not held while a device is asked anything: one that hangs must not keep others from
   * being opened.
   */
  private static final Map<Object, Opening> HANDLES = new HashMap<>();

  /** A device that somebody opens, or has opened. */
  private static final class Opening {
    private final CountDownLatch ended = new CountDownLatch(1);
    private volatile DeviceHandle handle; // null before the end, and if it failed

    void end(DeviceHandle opened) {
      handle = opened;
      ended.countDown();
    }

    boolean isOver(Device device) {
      return handle != null && handle.isOver(device);
    }

    /** The handle with one more reference; null if there is none any more. */
    DeviceHandle await() throws IOException {
      try {
        ended.await();
        DeviceHandle opened = handle;
        if (opened == null) {
          return null;
        }
        if (opened.tryRetain()) {
          return opened;
        }
        opened.awaitClosed();
        return null;
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new InterruptedIOException("waiting for a device");
      }
    }
  }

  /** A device that the application opened. */
  private record IdentityKey(Device device) {
    @Override
    public boolean equals(Object other) {
      return other instanceof IdentityKey key && key.device == device;
    }

    @Override
    public int hashCode() {
      return System.identityHashCode(device);
    }
  }

  /** A store; {@code name} is the device name if the device has no store file. */
  private record StoreKey(Path file, String name, boolean readOnly) {}

  private DeviceRegistry() {}

  /**
   * The handle of a named device, with one more reference. A device that another process has open
   * for writing is opened for reading, if it can be.
   *
   * @param home directory of the index
   * @param options for a device that was not open yet
   * @param preparation for a device that was not open yet
   * @throws IllegalArgumentException if the name is unknown or malformed
   */
  public static DeviceHandle open(
      Path home, Devices.Name name, OffloadOptions options, Preparation preparation)
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
      Opening opening;
      boolean first = false;
      Object key = readOnly ? reading : writing;
      synchronized (HANDLES) {
        opening = HANDLES.get(writing);
        if (opening == null && readOnly) {
          opening = HANDLES.get(reading);
        }
        if (opening == null) {
          first = true;
          opening = new Opening();
          HANDLES.put(key, opening);
        }
      }
      if (first) {
        return end(
            key,
            opening,
            () -> openNew(key, openDevice(home, name, provider), options, preparation));
      }
      DeviceHandle present = opening.await();
      if (present != null) {
        return present;
      }
    }
  }

  /**
   * The handle of a device that the application opened and will close itself.
   *
   * @param options for a device that is not in use yet
   */
  public static DeviceHandle share(Device device, OffloadOptions options) throws IOException {
    while (true) {
      Opening opening = null;
      boolean first = false;
      Object key = new IdentityKey(device);
      synchronized (HANDLES) {
        for (Opening present : HANDLES.values()) {
          if (present.isOver(device)) {
            opening = present; // perhaps one that was opened by name
          }
        }
        if (opening == null) {
          opening = HANDLES.get(key);
        }
        if (opening == null) {
          first = true;
          opening = new Opening();
          HANDLES.put(key, opening);
        }
      }
      if (first) {
        return end(key, opening, () -> register(key, device, options, false));
      }
      DeviceHandle present = opening.await();
      if (present != null) {
        return present;
      }
    }
  }

  /** Opens something. */
  @FunctionalInterface
  private interface Opener {
    DeviceHandle open() throws IOException;
  }

  private static DeviceHandle end(Object key, Opening opening, Opener opener) throws IOException {
    DeviceHandle opened = null;
    try {
      opened = opener.open();
      return opened;
    } finally {
      if (opened == null) {
        synchronized (HANDLES) {
          HANDLES.remove(key, opening);
        }
      }
      opening.end(opened);
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
      Object key, Device device, OffloadOptions options, Preparation preparation)
      throws IOException {
    DeviceHandle handle = register(key, device, options, true);
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
      } catch (IOException | RuntimeException e) {
        locked.addSuppressed(e);
        throw locked;
      }
    } catch (IllegalArgumentException malformed) {
      throw malformed;
    } catch (RuntimeException | LinkageError e) {
      throw new IOException("device " + name + " cannot be opened: " + e, e);
    }
  }

  private static DeviceHandle register(
      Object key, Device device, OffloadOptions options, boolean owned) throws IOException {
    DeviceHealth health = new DeviceHealth(device, options);
    Device used = GuardedDevice.of(device, health);
    Volume volume;
    try {
      volume = Volume.open(used);
    } catch (Throwable t) {
      if (owned) {
        IOUtils.closeWhileSuppressingExceptions(t, used);
      }
      throw t;
    }
    Closeable onClose =
        () -> {
          try {
            if (owned) {
              used.close();
            }
          } finally {
            synchronized (HANDLES) {
              // If the store was removed, another may have come under its key.
              HANDLES.values().removeIf(opening -> opening.isOver(device));
            }
          }
        };
    return new DeviceHandle(used, health, volume, onClose);
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
      for (Map.Entry<Object, Opening> entry : HANDLES.entrySet()) {
        if (entry.getValue().handle == handle
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
