/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.fault;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.luceneoffload.device.Device;
import org.luceneoffload.device.DeviceSession;
import org.luceneoffload.device.timing.ProfiledDevice;

/**
 * A device one of whose methods, or of its sessions', throws what no device should. Made of the
 * interfaces as they are, so that a method that they get is one that can throw.
 */
final class ThrowingDevice {
  /** Methods that throw after they have done what they should: they give something back. */
  private static final Set<String> AFTERWARDS =
      Set.of("Device.close", "Device.dropResource", "DeviceSession.close");

  private final Device in;
  private final boolean mayBlock;
  private final AtomicInteger openSessions = new AtomicInteger();
  private final AtomicInteger closed = new AtomicInteger();
  private final AtomicInteger thrown = new AtomicInteger();
  private final Set<String> called = ConcurrentHashMap.newKeySet();
  private volatile String armed = "";
  private volatile Class<? extends Throwable> kind;

  ThrowingDevice(Device in, boolean mayBlock) {
    this.in = in;
    this.mayBlock = mayBlock;
  }

  /** Names of all methods that can throw. */
  static Set<String> methods() {
    Set<String> names = new TreeSet<>();
    for (Class<?> type : new Class<?>[] {Device.class, DeviceSession.class}) {
      Stream.of(type.getMethods())
          .filter(method -> !Modifier.isStatic(method.getModifiers()))
          .forEach(method -> names.add(type.getSimpleName() + "." + method.getName()));
    }
    return names;
  }

  /** The device. */
  Device device() {
    return proxy(Device.class, in);
  }

  /** Lets a method throw from now on; an empty name: none. */
  void arm(String method, Class<? extends Throwable> what) {
    kind = what;
    armed = method;
  }

  /** How often a method threw. */
  int thrown() {
    return thrown.get();
  }

  /** How often the device was closed. */
  int closed() {
    return closed.get();
  }

  /** Sessions that are open. */
  int openSessions() {
    return openSessions.get();
  }

  private <T> T proxy(Class<T> type, T target) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (self, method, arguments) -> call(type, self, target, method, arguments)));
  }

  private Object call(Class<?> type, Object self, Object target, Method method, Object[] arguments)
      throws Throwable {
    switch (method.getName()) {
      case "equals":
        return self == arguments[0];
      case "hashCode":
        return System.identityHashCode(self);
      case "toString":
        return "throwing " + type.getSimpleName();
      default:
    }
    String name = type.getSimpleName() + "." + method.getName();
    called.add(name);
    boolean throwing = name.equals(armed);
    if (throwing && !AFTERWARDS.contains(name)) {
      throw make();
    }
    Object result = delegate(name, target, method, arguments);
    if (throwing) {
      throw make();
    }
    return result;
  }

  private Object delegate(String name, Object target, Method method, Object[] arguments)
      throws Throwable {
    if (name.equals("Device.mayBlock")) {
      return mayBlock;
    }
    if (name.equals("DeviceSession.hasAsked")) {
      return true; // so that it is asked for more
    }
    try {
      Object result = method.invoke(target, arguments);
      if (name.equals("Device.openSession")) {
        openSessions.incrementAndGet();
        return proxy(DeviceSession.class, (DeviceSession) result);
      }
      if (result instanceof ProfiledDevice profiled && name.equals("Device.as")) {
        return proxy(ProfiledDevice.class, profiled);
      }
      if (name.equals("Device.close")) {
        closed.incrementAndGet();
      }
      if (name.equals("DeviceSession.close")) {
        openSessions.decrementAndGet();
      }
      return result;
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
  }

  private Throwable make() throws ReflectiveOperationException {
    thrown.incrementAndGet();
    return kind.getDeclaredConstructor().newInstance();
  }
}
