/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.codec.term;

import java.io.IOException;

/**
 * What a look-up tells before it reads what was not read before, and so may wait for storage: the
 * moment to ask for all else that will be read, so that it waits once and not each time.
 */
@FunctionalInterface
public interface ReadAhead {
  /** Asks for more; does not wait for it. Called for each such read. */
  void beforeReading() throws IOException;

  /**
   * Notes that a read had to wait for storage, though its bytes were read before: the system has
   * let go of them, and so most likely of all else.
   */
  default void afterWaiting() throws IOException {}
}
