/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.device;

import org.apache.lucene.util.IORunnable;
import org.apache.lucene.util.IOSupplier;
import org.luceneoffload.wire.OffloadException;

/**
 * Turns whatever a device or its provider throws into an {@link OffloadException}, the one kind of
 * failure that the rest of this library meets and answers with the host.
 */
final class DeviceFailures {
  private DeviceFailures() {}

  /** Makes a call; whatever it throws comes out as an {@link OffloadException}. */
  static <T> T call(IOSupplier<T> call) throws OffloadException {
    try {
      return call.get();
    } catch (Throwable t) {
      throw OffloadException.of(t);
    }
  }

  /** Runs an action as {@link #call}. */
  static void act(IORunnable action) throws OffloadException {
    try {
      action.run();
    } catch (Throwable t) {
      throw OffloadException.of(t);
    }
  }

  /** Makes a call; returns {@code otherwise} if it throws, whatever that is. */
  static <T> T callOr(T otherwise, IOSupplier<T> call) {
    try {
      return call.get();
    } catch (Throwable t) {
      return otherwise;
    }
  }
}
