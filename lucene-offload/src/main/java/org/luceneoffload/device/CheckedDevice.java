/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.device;

import java.io.IOException;
import java.util.Objects;
import java.util.function.Consumer;
import org.apache.lucene.util.IOSupplier;
import org.luceneoffload.wire.OffloadException;

/**
 * A device that throws nothing but {@link OffloadException}, whatever the one behind it throws: no
 * fault of a backend ends an index writer or a search. What it says of itself is asked once.
 */
final class CheckedDevice extends FilterDevice {
  private final String name;
  private final DeviceInfo firstInfo;
  private final Claim claim;
  private final boolean mayBlock;
  private final boolean plansRunElsewhere;
  private final int mostStaged;

  private CheckedDevice(Device in) {
    super(in);
    this.name = Objects.requireNonNull(in.name(), "name");
    this.firstInfo = Objects.requireNonNull(in.info(), "info");
    this.claim = Objects.requireNonNull(in.claim(), "claim");
    this.mayBlock = in.mayBlock();
    this.plansRunElsewhere = in.plansRunElsewhere();
    this.mostStaged = in.mostStaged();
  }

  /**
   * Returns a device that throws nothing else; the device itself if it is such a one.
   *
   * @throws OffloadException if the device does not say what it is
   */
  static Device of(Device device) throws OffloadException {
    return device instanceof CheckedDevice
        ? device
        : DeviceFailures.call(() -> new CheckedDevice(device));
  }

  /** Returns the device behind; the device itself if there is none. */
  static Device unwrap(Device device) {
    return device instanceof CheckedDevice checked ? checked.in : device;
  }

  @Override
  protected <T> T call(String what, IOSupplier<T> call, Consumer<T> late) throws IOException {
    return DeviceFailures.call(call);
  }

  /** Returns the facet; null, as if the device lacked it, if the device does not say. */
  @Override
  public <T> T as(Class<T> facet) {
    return DeviceFailures.callOr(null, () -> super.as(facet));
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public DeviceInfo info() {
    DeviceInfo info = DeviceFailures.callOr(null, in::info);
    return info == null ? firstInfo : info;
  }

  @Override
  public Claim claim() {
    return claim;
  }

  @Override
  public boolean mayBlock() {
    return mayBlock;
  }

  @Override
  public boolean plansRunElsewhere() {
    return plansRunElsewhere;
  }

  @Override
  public int mostStaged() {
    return mostStaged;
  }

  /** Returns whether writes may be unfinished; true if the device cannot tell. */
  @Override
  public boolean hasUnfinishedWrites() {
    return DeviceFailures.callOr(true, in::hasUnfinishedWrites);
  }

  @Override
  public MemoryCounts memoryCounts() {
    MemoryCounts counts = DeviceFailures.callOr(MemoryCounts.NONE, in::memoryCounts);
    return counts == null ? MemoryCounts.NONE : counts;
  }

  @Override
  public DeviceSession openSession() throws IOException {
    return CheckedSession.of(super.openSession());
  }

  @Override
  public String toString() {
    return "CheckedDevice(" + name + ")";
  }
}
