/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.device;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.luceneoffload.wire.OffloadException;
import org.luceneoffload.wire.OffloadWire;

/**
 * Scheme {@code testram}: RAM devices by index directory, for tests of what opens devices by name.
 * Like a store file, the contents outlive the device object, and one object at a time may write.
 */
public final class RamDeviceProvider implements DeviceProvider {
  /** Name of the store file, which only marks the place. */
  public static final String STORE_FILE = "testram.vol";

  private static final String READ_ONLY = "readonly=true";
  private static final long LBAS = 1 << 16;

  /** A store: its contents, and whether somebody has it open for writing. */
  private static final class Store {
    final RamBlockDevice contents = new RamBlockDevice(LBAS, new ReferenceProgram());
    boolean locked;
  }

  private static final Map<Path, Store> STORES = new ConcurrentHashMap<>();

  @Override
  public String scheme() {
    return "testram";
  }

  @Override
  public String description() {
    return "RAM device for tests";
  }

  @Override
  public String unavailableReason() {
    return null;
  }

  @Override
  public String storeFileName() {
    return STORE_FILE;
  }

  @Override
  public Path storeFile(String rest, Path home) {
    if (rest.startsWith("store=")) {
      return home.resolve(rest.substring("store=".length())).normalize();
    }
    if (rest.isEmpty() || rest.equals(READ_ONLY)) {
      return home.resolve(STORE_FILE);
    }
    throw new IllegalArgumentException("testram: unknown option \"" + rest + "\"");
  }

  @Override
  public boolean isReadOnly(String rest) {
    return rest.equals(READ_ONLY);
  }

  @Override
  public Device open(String rest, Path home) throws IOException {
    Path marker = storeFile(rest, home.toRealPath());
    Store store = STORES.computeIfAbsent(marker, unused -> new Store());
    return new StoreView(store.contents, isReadOnly(rest), new Lock(store, marker));
  }

  /** The lock of a store, and the file that marks its place. */
  private record Lock(Store store, Path marker) implements StoreView.Lock {
    @Override
    public void take() throws IOException {
      synchronized (store) {
        if (store.locked) {
          throw new OffloadException(OffloadWire.Status.LOCKED, "testram at " + marker);
        }
        store.locked = true;
      }
      if (!Files.exists(marker)) {
        Files.createFile(marker);
      }
    }

    @Override
    public void release() {
      synchronized (store) {
        store.locked = false;
      }
    }
  }

  /** Lets the store of an index directory look as if another process had it open for writing. */
  public static void setLocked(Path home, boolean locked) throws IOException {
    Path marker = home.toRealPath().resolve(STORE_FILE);
    Store store = STORES.computeIfAbsent(marker, unused -> new Store());
    synchronized (store) {
      store.locked = locked;
    }
  }
}
