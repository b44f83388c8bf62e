/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.sim;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * The buffers of a session. Making them takes a good part of the time of a first query: they are
 * large, and the JVM fills them with zeros.
 *
 * @param plan where the host writes plans
 * @param result where result pages arrive
 */
record SessionBuffers(ByteBuffer plan, ByteBuffer result) {
  /** Makes buffers for plans of up to so many bytes. */
  static SessionBuffers of(int maxPlanBytes) {
    return new SessionBuffers(direct(maxPlanBytes), direct(SimSession.RESULT_BYTES));
  }

  private static ByteBuffer direct(int bytes) {
    return ByteBuffer.allocateDirect(bytes).order(ByteOrder.LITTLE_ENDIAN);
  }
}
