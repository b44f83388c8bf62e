/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.device;

import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.function.Consumer;
import org.apache.lucene.util.IOSupplier;
import org.luceneoffload.util.FacetCall;

/** Makes the facets of what stands in front of a device or a session. */
final class Facets {
  private Facets() {}

  /** Makes calls of a device or a session that may wait. */
  interface Caller {
    /** Makes a call; see {@link FilterDevice#call}. */
    <T> T call(String what, IOSupplier<T> call, Consumer<T> late) throws IOException;
  }

  /**
   * Returns a facet whose methods are those of the one behind; each that throws IOException is
   * called by {@code caller}.
   */
  static <T> T through(Caller caller, Class<T> facet, T behind) {
    return facet.cast(
        Proxy.newProxyInstance(
            facet.getClassLoader(),
            new Class<?>[] {facet},
            (proxy, method, arguments) -> call(caller, behind, method, arguments)));
  }

  private static Object call(Caller caller, Object facet, Method method, Object[] arguments)
      throws IOException {
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
    return caller.call(what, () -> invoke(facet, method, arguments), late);
  }

  private static void undo(Object facet, Method method, String undo, Object argument) {
    try {
      Method undoing = method.getDeclaringClass().getMethod(undo, method.getParameterTypes()[0]);
      invoke(facet, undoing, argument);
    } catch (NoSuchMethodException e) {
      throw new IllegalStateException(e);
    } catch (IOException e) {
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
}
