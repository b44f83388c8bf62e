/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.store.guard;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.apache.lucene.util.IOSupplier;
import org.apache.lucene.util.IOUtils;
import org.luceneoffload.config.OffloadOptions;
import org.luceneoffload.device.Device;
import org.luceneoffload.device.DeviceProvider;
import org.luceneoffload.device.Devices;
import org.luceneoffload.store.volume.Volume;
import org.luceneoffload.util.LuceneVersion;
import org.luceneoffload.wire.OffloadException;

/** The devices that are open in this process: one handle per store, however many use it. */
public final class DeviceRegistry {
  /**
   * By {@link StoreKey}, or by {@link IdentityKey} if the application opened the device. Its
   * monitor is not held while a device is asked anything: one that hangs must not keep others from
   * being opened.
   */
  private static final Map<Object, Opening> HANDLES = new HashMap<>();

  /** A device that is being opened, or is open. */
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

    /** Returns the handle with one more reference; null if there is none any more. */
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

  /**
   * A store.
   *
   * @param file the file with the store; null if there is none
   * @param name the device's name if there is no such file, else null
   * @param readOnly whether the name asks for a device that is never written
   */
  private record StoreKey(Path file, String name, boolean readOnly) {}

  private DeviceRegistry() {}

  /**
   * Returns the handle of a named device, with one more reference. It is open for reading, or for
   * writing if this process has made it so.
   *
   * @param home directory of the index
   * @param options for a device that was not open yet
   * @throws IllegalArgumentException if the name is unknown or malformed
   */
  public static DeviceHandle open(Path home, Devices.Name name, OffloadOptions options)
      throws IOException {
    checkLucene();
    DeviceProvider provider = Devices.provider(name.scheme());
    String reason = provider.unavailableReason();
    if (reason != null) {
      throw new IOException("device " + name + " cannot be opened here: " + reason);
    }
    boolean readOnly = ask(name, () -> provider.isReadOnly(name.rest()));
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
            key, opening, () -> register(key, provider.open(name.rest(), home), options, true));
      }
      DeviceHandle present = opening.await();
      if (present != null) {
        return present;
      }
    }
  }

  /** Fails if this Lucene lacks what is called for a device. */
  private static void checkLucene() throws IOException {
    String unfit = LuceneVersion.unfit();
    if (unfit != null) {
      throw new IOException(unfit);
    }
  }

  /**
   * Returns the handle of a device that the application opened and will close itself.
   *
   * @param options for a device that is not in use yet
   */
  public static DeviceHandle share(Device device, OffloadOptions options) throws IOException {
    checkLucene();
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

  private static DeviceHandle end(Object key, Opening opening, IOSupplier<DeviceHandle> opener)
      throws IOException {
    DeviceHandle opened = null;
    try {
      opened = opener.get();
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
   * Returns the file that holds the store of a device; null if none does.
   *
   * @return a path that is the same for all ways to write it, as far as its folder exists
   */
  public static Path storeFile(DeviceProvider provider, Devices.Name name, Path home)
      throws IOException {
    Path real = home.toRealPath();
    Path store = ask(name, () -> provider.storeFile(name.rest(), real));
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

  /** Asks a provider. Its word that a name is malformed is for the caller. */
  private static <T> T ask(Devices.Name name, IOSupplier<T> question) throws IOException {
    try {
      return question.get();
    } catch (UncheckedIOException e) {
      throw new IOException("device " + name + " cannot be opened: " + e.getCause(), e);
    }
  }

  private static DeviceHandle register(
      Object key, Device device, OffloadOptions options, boolean owned) throws IOException {
    Device used = device;
    try {
      Device checked = device instanceof GuardedDevice ? device : Devices.checked(device);
      used = checked;
      CircuitBreaker breaker = new CircuitBreaker(checked, options);
      Device guarded = GuardedDevice.of(checked, breaker);
      used = guarded;
      Volume volume = Volume.open(guarded);
      return new DeviceHandle(guarded, breaker, options, volume, () -> unregister(guarded, owned));
    } catch (IOException e) {
      throw closing(e, used, owned);
    } catch (Throwable t) {
      // What a device says of itself may be impossible.
      throw closing(OffloadException.of(t), used, owned);
    }
  }

  private static IOException closing(IOException failure, Device device, boolean owned) {
    if (owned) {
      IOUtils.closeWhileSuppressingExceptions(failure, device);
    }
    return failure;
  }

  private static void unregister(Device device, boolean owned) throws IOException {
    try {
      if (owned) {
        device.close();
      } else if (device instanceof GuardedDevice guarded) {
        guarded.letGo();
      }
    } finally {
      synchronized (HANDLES) {
        // If the store was removed, another may have come under its key.
        HANDLES.values().removeIf(opening -> opening.isOver(device));
      }
    }
  }

  /**
   * Removes the store file of a device that is open for writing, if the volume in it is empty and
   * only the caller uses the device, who closes what it has open next. A device of that name that
   * is opened later is a new one.
   *
   * @return whether it was done
   */
  public static boolean removeEmptyStore(DeviceHandle handle) throws IOException {
    Opening removing = new Opening();
    Opening present;
    StoreKey store;
    synchronized (HANDLES) {
      store = storeOf(handle);
      if (store == null
          || !handle.volume().isWritable()
          || !handle.volume().list().isEmpty()
          || !handle.isHeldOnce()) {
        return false;
      }
      present = HANDLES.put(store, removing); // who opens it meanwhile waits
    }
    boolean removed = false;
    try {
      // Not a device file, such as that of a namespace.
      removed = Files.isRegularFile(store.file()) && Files.deleteIfExists(store.file());
      if (removed) {
        String index = store.file().getFileName() + DeviceProvider.STORE_INDEX_SUFFIX;
        Files.deleteIfExists(store.file().resolveSibling(index));
      }
      return removed;
    } finally {
      synchronized (HANDLES) {
        if (removed) {
          HANDLES.remove(store);
        } else {
          HANDLES.put(store, present);
        }
      }
      removing.end(null);
    }
  }

  private static StoreKey storeOf(DeviceHandle handle) {
    for (Map.Entry<Object, Opening> entry : HANDLES.entrySet()) {
      if (entry.getValue().handle == handle
          && entry.getKey() instanceof StoreKey store
          && store.file() != null) {
        return store;
      }
    }
    return null;
  }
}
