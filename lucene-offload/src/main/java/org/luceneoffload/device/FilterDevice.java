/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.device;

import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.function.Consumer;
import org.luceneoffload.model.DeviceProfile;

/**
 * Hands every call on to another device, those of its facets too. A subclass overrides what it does
 * otherwise; {@link #call} is how all calls are made that may wait for the device.
 */
public abstract class FilterDevice implements Device {
  /** The device behind it. */
  protected final Device in;

  /** Hands calls on to a device. */
  protected FilterDevice(Device in) {
    this.in = in;
  }

  /** A call of the device behind. */
  @FunctionalInterface
  protected interface Call<T> {
    /** Makes the call. */
    T make() throws IOException;
  }

  /** A call of the device behind without a result. */
  @FunctionalInterface
  protected interface Action {
    /** Makes the call. */
    void run() throws IOException;
  }

  /**
   * Makes a call of the device behind.
   *
   * @param what what is done, for messages
   * @param late takes the result if no caller waits for it any more; null if the call failed
   */
  protected <T> T call(String what, Call<T> call, Consumer<T> late) throws IOException {
    return call.make();
  }

  private void act(String what, Action action) throws IOException {
    Call<Void> call =
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
    return behind == null
        ? null
        : facet.cast(
            Proxy.newProxyInstance(
                facet.getClassLoader(),
                new Class<?>[] {facet},
                (proxy, method, arguments) -> callOfFacet(behind, method, arguments)));
  }

  private Object callOfFacet(Object facet, Method method, Object[] arguments) throws IOException {
    if (!List.of(method.getExceptionTypes()).contains(IOException.class)) {
      return invoke(facet, method, arguments);
    }
    FacetCall described = method.getAnnotation(FacetCall.class);
    String what = described == null ? method.getName() : described.value();
    String undo = described == null ? "" : described.undo();
    Consumer<Object> late =
        result -> {
          if (result != null && !undo.isEmpty()) {
            undo(facet, method, undo, arguments[0]);
          }
        };
    return call(what, () -> invoke(facet, method, arguments), late);
  }

  private static void undo(Object facet, Method method, String undo, Object argument) {
    try {
      Method undoing = method.getDeclaringClass().getMethod(undo, method.getParameterTypes()[0]);
      invoke(facet, undoing, argument);
    } catch (NoSuchMethodException e) {
      throw new IllegalStateException(e);
    } catch (
        @SuppressWarnings("unused")
        IOException e) {
      // What was taken ends by itself with the device.
    }
  }

  private static Object invoke(Object facet, Method method, Object... arguments)
      throws IOException {
    try {
      return method.invoke(facet, arguments);
    } catch (InvocationTargetException e) {
      switch (e.getCause()) {
        case IOException cause -> throw cause;
        case RuntimeException cause -> throw cause;
        case Error cause -> throw cause;
        default -> throw new IllegalStateException(e.getCause());
      }
    } catch (IllegalAccessException e) {
      throw new IllegalStateException(e);
    }
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
  public DeviceProfile profile() {
    return in.profile();
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
