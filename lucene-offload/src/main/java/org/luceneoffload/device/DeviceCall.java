/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.device;

import java.io.IOException;

/** A call of a device. */
@FunctionalInterface
public interface DeviceCall<T> {
  /** Makes the call; returns its result, null if it has none. */
  T make() throws IOException;
}
