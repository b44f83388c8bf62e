/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.fuzz.device;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.luceneoffload.device.Device;
import org.luceneoffload.device.DeviceSession;
import org.luceneoffload.device.FilterDevice;

/**
 * A device that counts, for the whole process, what of it is open: devices, sessions, resources.
 */
public final class WatchedDevice extends FilterDevice {
  public static final AtomicInteger OPEN_DEVICES = new AtomicInteger();
  public static final AtomicInteger OPEN_SESSIONS = new AtomicInteger();
  public static final AtomicInteger OPEN_RESOURCES = new AtomicInteger();

  private final String name;
  private final Mutation mutation;
  private final Set<Integer> resources = ConcurrentHashMap.newKeySet();
  private final AtomicBoolean closed = new AtomicBoolean();

  /**
   * @param mutation what to do to its answers; null: nothing
   */
  public WatchedDevice(String name, Device in, Mutation mutation) {
    super(in);
    this.name = name;
    this.mutation = mutation;
    OPEN_DEVICES.incrementAndGet();
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public DeviceSession openSession() throws IOException {
    return new WatchedSession(in.openSession(), mutation);
  }

  @Override
  public int putLiveDocs(ByteBuffer bits) throws IOException {
    int resource = in.putLiveDocs(bits);
    resources.add(resource);
    OPEN_RESOURCES.incrementAndGet();
    return resource;
  }

  @Override
  public void dropResource(int resource) throws IOException {
    if (resources.remove(resource)) {
      OPEN_RESOURCES.decrementAndGet();
    }
    in.dropResource(resource);
  }

  @Override
  public void close() throws IOException {
    if (closed.compareAndSet(false, true)) {
      OPEN_DEVICES.decrementAndGet();
    }
    in.close();
  }
}
