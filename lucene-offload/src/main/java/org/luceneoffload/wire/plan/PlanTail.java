/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.wire.plan;

import java.nio.ByteBuffer;

/** The part of a plan that only its mode has; it stands behind all others. */
public interface PlanTail {
  /** The tail of the modes that have none. */
  PlanTail NONE =
      new PlanTail() {
        @Override
        public int bytes() {
          return 0;
        }

        @Override
        public int write(ByteBuffer b, int at) {
          return at;
        }
      };

  /** Returns the number of bytes of the part. */
  int bytes();

  /** Writes the part, every byte of it; returns the offset after it. */
  int write(ByteBuffer b, int at);
}
