/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.device;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.function.Consumer;
import org.apache.lucene.util.IOSupplier;

/**
 * Hands every call on to another device, those of its facets too. A subclass overrides what it does
 * otherwise; {@link #call} is how all calls are made that may wait for the device.
 */
public abstract class FilterDevice implements Device {
  /** The device behind it. */
  protected final Device in;

  /**
   * Hands calls on to a device.
   *
   * @param in what is behind
   */
  protected FilterDevice(Device in) {
    this.in = in;
  }

  /** A call of the device behind without a result. */
  @FunctionalInterface
  protected interface Action {
    /**
     * Makes the call.
     *
     * @throws IOException if the device fails
     */
    void run() throws IOException;
  }

  /**
   * Makes a call of the device behind.
   *
   * @param <T> the kind of result
   * @param what what is done, for messages
   * @param late takes the result if no caller waits for it any more; null if the call failed
   * @param call asks what is behind
   * @return what the call returns
   * @throws IOException if the device fails
   */
  protected <T> T call(String what, IOSupplier<T> call, Consumer<T> late) throws IOException {
    return call.get();
  }

  private void act(String what, Action action) throws IOException {
    IOSupplier<Void> call =
        () -> {
          action.run();
          return null;
        };
    call(what, call, unused -> {});
  }

  /**
   * Returns this device if it implements the facet itself, else the facet of the device behind,
   * with each method that throws IOException made by {@link #call}.
   */
  @Override
  public <T> T as(Class<T> facet) {
    if (facet.isInstance(this)) {
      return facet.cast(this);
    }
    T behind = in.as(facet);
    return behind == null ? null : Facets.through(this::call, facet, behind);
  }

  @Override
  public String name() {
    return in.name();
  }

  @Override
  public DeviceInfo info() {
    return in.info();
  }

  @Override
  public Claim claim() {
    return in.claim();
  }

  @Override
  public boolean mayBlock() {
    return in.mayBlock();
  }

  @Override
  public boolean plansRunElsewhere() {
    return in.plansRunElsewhere();
  }

  @Override
  public int mostStaged() {
    return in.mostStaged();
  }

  @Override
  public boolean hasUnfinishedWrites() {
    return in.hasUnfinishedWrites();
  }

  @Override
  public MemoryCounts memoryCounts() {
    return in.memoryCounts();
  }

  @Override
  public void openForWriting() throws IOException {
    act("opening for writing", in::openForWriting);
  }

  @Override
  public void read(long lba, ByteBuffer dst) throws IOException {
    act("reading", () -> in.read(lba, dst));
  }

  @Override
  public void write(long lba, ByteBuffer src) throws IOException {
    act("writing", () -> in.write(lba, src));
  }

  @Override
  public void flush() throws IOException {
    act("flushing", in::flush);
  }

  @Override
  public void trim(long lba, long count) throws IOException {
    act("trimming", () -> in.trim(lba, count));
  }

  @Override
  public DeviceSession openSession() throws IOException {
    return call("opening a session", in::openSession, unused -> {});
  }

  @Override
  public int putLiveDocs(ByteBuffer bits) throws IOException {
    return call("sending live docs", () -> in.putLiveDocs(bits), unused -> {});
  }

  @Override
  public void dropResource(int resource) throws IOException {
    act("dropping a resource", () -> in.dropResource(resource));
  }

  @Override
  public void close() throws IOException {
    act("closing", in::close);
  }
}
