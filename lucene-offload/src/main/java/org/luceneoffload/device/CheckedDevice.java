/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.device;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Objects;
import org.luceneoffload.model.DeviceProfile;
import org.luceneoffload.wire.OffloadException;

/**
 * A device that throws nothing but {@link OffloadException}, whatever the one behind it throws: no
 * fault of a backend ends an index writer or a search. What it says of itself is asked once.
 */
public final class CheckedDevice implements Device {
  private final Device in;
  private final String name;
  private final DeviceInfo firstInfo;
  private final DeviceProfile profile;
  private final Claim claim;
  private final boolean mayBlock;
  private final boolean plansRunElsewhere;
  private final int mostStaged;

  private CheckedDevice(Device in) {
    this.in = in;
    this.name = Objects.requireNonNull(in.name(), "name");
    this.firstInfo = Objects.requireNonNull(in.info(), "info");
    this.profile = in.profile();
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
  public static Device of(Device device) throws OffloadException {
    return device instanceof CheckedDevice
        ? device
        : DeviceFailures.call(() -> new CheckedDevice(device));
  }

  /** Returns the device behind; the device itself if there is none. */
  public static Device unwrap(Device device) {
    return device instanceof CheckedDevice checked ? checked.in : device;
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
  public DeviceProfile profile() {
    return profile;
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

  /** A device that cannot tell may have some. */
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
  public boolean hasScopes() throws IOException {
    return DeviceFailures.call(in::hasScopes);
  }

  @Override
  public long takeScope(long scope, boolean passing) throws IOException {
    return DeviceFailures.call(() -> in.takeScope(scope, passing));
  }

  @Override
  public void dropScope(long scope) throws IOException {
    DeviceFailures.act(() -> in.dropScope(scope));
  }

  @Override
  public boolean hasLeases() throws IOException {
    return DeviceFailures.call(in::hasLeases);
  }

  @Override
  public long leastLease() throws IOException {
    return DeviceFailures.call(in::leastLease);
  }

  @Override
  public void holdLease(long sequence) throws IOException {
    DeviceFailures.act(() -> in.holdLease(sequence));
  }

  @Override
  public void shutOutIfLost() {
    in.shutOutIfLost();
  }

  @Override
  public void openForWriting() throws IOException {
    DeviceFailures.act(in::openForWriting);
  }

  @Override
  public void read(long lba, ByteBuffer dst) throws IOException {
    DeviceFailures.act(() -> in.read(lba, dst));
  }

  @Override
  public void write(long lba, ByteBuffer src) throws IOException {
    DeviceFailures.act(() -> in.write(lba, src));
  }

  @Override
  public void flush() throws IOException {
    DeviceFailures.act(in::flush);
  }

  @Override
  public void trim(long lba, long count) throws IOException {
    DeviceFailures.act(() -> in.trim(lba, count));
  }

  @Override
  public DeviceSession openSession() throws IOException {
    return CheckedSession.of(DeviceFailures.call(in::openSession));
  }

  @Override
  public int putLiveDocs(ByteBuffer bits) throws IOException {
    return DeviceFailures.call(() -> in.putLiveDocs(bits));
  }

  @Override
  public void dropResource(int resource) throws IOException {
    DeviceFailures.act(() -> in.dropResource(resource));
  }

  @Override
  public void startModel(ByteBuffer modelled, ModelSettings settings, ModelListener listener)
      throws IOException {
    DeviceFailures.act(() -> in.startModel(modelled, settings, listener));
  }

  @Override
  public ByteBuffer modelWrites(int side) throws IOException {
    return DeviceFailures.call(() -> in.modelWrites(side));
  }

  @Override
  public void stopModel() throws IOException {
    DeviceFailures.act(in::stopModel);
  }

  @Override
  public void close() throws IOException {
    DeviceFailures.act(in::close);
  }

  @Override
  public String toString() {
    return "CheckedDevice(" + name + ")";
  }
}
