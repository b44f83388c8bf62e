/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.opensearch.load;

import java.util.concurrent.locks.LockSupport;

/** A clock that waits. */
interface Pacer {
  /** Nanoseconds since some moment. */
  long now();

  /** Returns once {@link #now()} is at least this. */
  void await(long time);

  /** The system's. */
  Pacer SYSTEM =
      new Pacer() {
        @Override
        public long now() {
          return System.nanoTime();
        }

        @Override
        public void await(long time) {
          for (long left = time - now(); left > 0; left = time - now()) {
            LockSupport.parkNanos(left);
          }
        }
      };
}
