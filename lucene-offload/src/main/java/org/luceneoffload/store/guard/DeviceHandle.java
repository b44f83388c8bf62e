/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.store.guard;

import java.io.Closeable;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.ReentrantLock;
import org.apache.lucene.store.AlreadyClosedException;
import org.apache.lucene.util.IOFunction;
import org.apache.lucene.util.IORunnable;
import org.apache.lucene.util.IOUtils;
import org.luceneoffload.config.OffloadOptions;
import org.luceneoffload.device.Device;
import org.luceneoffload.device.Devices;
import org.luceneoffload.device.timing.ProfiledDevice;
import org.luceneoffload.events.OffloadEvents;
import org.luceneoffload.model.DeviceProfile;
import org.luceneoffload.planner.CostModel;
import org.luceneoffload.report.OffloadStats;
import org.luceneoffload.store.volume.Volume;
import org.luceneoffload.util.CauseLog;

/**
 * A device with its volume and counters, shared by every directory and reader that uses it, and
 * closed when the last of them lets go. All methods may be called from several threads.
 */
public final class DeviceHandle {
  private final Device device;
  private final Volume volume;
  private final OffloadStats stats;
  private final CircuitBreaker breaker;
  private final CostModel costs;
  private final long unionBytes;
  private final Closeable onClose;
  private final Map<Class<?>, Closeable> attachments = new LinkedHashMap<>();
  private volatile Closeable[] known = {}; // all attachments: a few, asked for often
  private final CountDownLatch closed = new CountDownLatch(1);

  /** Held while the volume is made writable: who wants to write waits, who reads does not. */
  private final ReentrantLock openingForWriting = new ReentrantLock();

  private volatile boolean preparedForWriting;
  private int references = 1;

  /**
   * A handle with one reference and no volume.
   *
   * @param device the device
   * @param onClose what to do after the last release
   */
  public DeviceHandle(Device device, Closeable onClose) {
    this(device, OffloadOptions.DEFAULT, onClose);
  }

  /**
   * A handle with one reference and no volume.
   *
   * @param device the device
   * @param options gives the device's timeout
   * @param onClose what to do after the last release
   */
  public DeviceHandle(Device device, OffloadOptions options, Closeable onClose) {
    this(device, new CircuitBreaker(device, options), options, onClose);
  }

  private DeviceHandle(
      Device device, CircuitBreaker breaker, OffloadOptions options, Closeable onClose) {
    this(GuardedDevice.of(device, breaker), breaker, options, null, onClose);
  }

  /**
   * A handle with one reference.
   *
   * @param device the device, guarded if it may hang
   * @param breaker its health
   * @param options what the device's memory is used for
   * @param volume the volume on it; closed after the last release
   * @param onClose what to do after that
   */
  DeviceHandle(
      Device device,
      CircuitBreaker breaker,
      OffloadOptions options,
      Volume volume,
      Closeable onClose) {
    this.device = device;
    this.breaker = breaker;
    this.stats = breaker.stats();
    this.volume = volume;
    DeviceProfile profile = ProfiledDevice.of(device);
    this.costs = profile == null ? null : new CostModel(profile);
    this.unionBytes = options.unionBytes();
    this.onClose = onClose;
    OffloadEvents.deviceOpened(device, stats);
  }

  /** Returns the device, so guarded that its calls end, if it may hang. */
  public Device device() {
    return device;
  }

  /**
   * Returns how many plans may run on the device at once: as many as it has sessions. If its calls
   * may hang, some threads are left for other calls.
   */
  public int maxPlans() {
    int sessions = device.info().maxSessions();
    return device.mayBlock() ? Math.min(sessions, DeviceCalls.MAX_PLANS) : sessions;
  }

  /** Returns whether this is the handle of a device. */
  boolean isOver(Device other) {
    return unwrap(device) == unwrap(other);
  }

  private static Device unwrap(Device device) {
    return Devices.unchecked(GuardedDevice.unwrap(device));
  }

  /** Returns the circuit breaker, which says whether the device is to be used. */
  public CircuitBreaker breaker() {
    return breaker;
  }

  /** Returns the volume on it; null if the handle was made without. */
  public Volume volume() {
    return volume;
  }

  /**
   * Makes the volume writable; harmless if it is.
   *
   * @param preparation run by whoever makes it so, before anybody else may write; a failure of it
   *     is logged
   * @throws IOException if it cannot be written, see {@link Volume#openForWriting}; it may be asked
   *     again
   */
  public void openForWriting(IORunnable preparation) throws IOException {
    if (preparedForWriting) {
      return;
    }
    openingForWriting.lock();
    try {
      if (preparedForWriting || volume.isWritable()) { // the latter within the preparation
        return;
      }
      volume.openForWriting();
      try {
        preparation.run();
      } catch (IOException | AlreadyClosedException e) {
        CauseLog.warn(
            "not cleared away",
            device.name(),
            "device " + device.name() + ": what a crash has left is not cleared away: " + e);
      }
      preparedForWriting = true;
    } finally {
      openingForWriting.unlock();
    }
  }

  /**
   * Makes the volume writable for the files of an index that lies on the device, see {@link
   * Volume#openForWriting(String)}; harmless if it is.
   *
   * @throws IOException if it cannot be written; it may be asked again
   */
  public void openForWriting(String index) throws IOException {
    volume.openForWriting(index);
  }

  /** Returns the costs of work on the device that it stands for; null if it stands for none. */
  public CostModel costs() {
    return costs;
  }

  /**
   * Returns the number of bytes of its memory that the docs of unions may take; see {@link
   * OffloadOptions}.
   */
  public long unionBytes() {
    return unionBytes;
  }

  /** Returns its counters. */
  public OffloadStats stats() {
    return stats;
  }

  /**
   * Returns the one object of class {@code type} that goes with this device, made when first asked
   * for and closed before the device is.
   */
  public <T extends Closeable> T attachment(Class<T> type, IOFunction<DeviceHandle, T> factory)
      throws IOException {
    for (Closeable one : known) {
      if (one.getClass() == type) {
        return type.cast(one);
      }
    }
    return findOrMake(type, factory);
  }

  private synchronized <T extends Closeable> T findOrMake(
      Class<T> type, IOFunction<DeviceHandle, T> factory) throws IOException {
    if (references == 0) {
      throw new AlreadyClosedException("device " + device.name() + " is closed");
    }
    Closeable present = attachments.get(type);
    if (present == null) {
      present = factory.apply(this);
      attachments.put(type, present);
    }
    known = attachments.values().toArray(new Closeable[0]);
    return type.cast(present);
  }

  /** Returns whether there is but one reference. */
  synchronized boolean isHeldOnce() {
    return references == 1;
  }

  /** Adds a reference; false if the last one is already gone. */
  public synchronized boolean tryRetain() {
    if (references == 0) {
      return false;
    }
    references++;
    return true;
  }

  /** Lets a reference go; the last one closes the attachments, the volume and an owned device. */
  public void release() throws IOException {
    List<Closeable> toClose = new ArrayList<>();
    synchronized (this) {
      if (references == 0) {
        throw new IllegalStateException("device " + device.name() + " released too often");
      }
      if (--references > 0) {
        return;
      }
      toClose.addAll(attachments.values());
      attachments.clear();
      known = new Closeable[0];
    }
    try {
      toClose.forEach(this::closeQuietly);
      OffloadEvents.deviceClosed(device, stats);
      closeVolume();
      closeQuietly(onClose);
    } finally {
      closed.countDown();
    }
  }

  /** Closes a part of the device; if that fails, nothing is taken from the index. */
  private void closeQuietly(Closeable closeable) {
    try {
      closeable.close();
    } catch (IOException | RuntimeException e) {
      CauseLog.warn("close", device.name(), "closing device " + device.name() + ": " + e);
    }
  }

  /**
   * Closes the volume; images are derived data, so a failure to make them durable does not fail the
   * close.
   */
  private void closeVolume() {
    try {
      IOUtils.close(volume);
    } catch (IOException | RuntimeException e) {
      stats.increment(OffloadStats.Counter.VOLUME_SYNC_FAILURES);
      String why = "posting images may be lost at the next restart: " + e.getMessage();
      stats.countReason(why);
      CauseLog.warn("images may be lost", why, why);
    }
  }

  /** Waits until everything is closed, by the thread that let the last reference go. */
  void awaitClosed() throws IOException {
    try {
      closed.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("waiting for device " + device.name());
    }
  }

  @Override
  public String toString() {
    return "DeviceHandle(" + device.name() + ")";
  }
}
