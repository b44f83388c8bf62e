/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.nvme.tcp.tls;

import java.io.IOException;
import java.nio.channels.ByteChannel;
import java.nio.channels.GatheringByteChannel;

/** Bytes over a socket that does not block, which become others on their way. */
public interface SealedChannel extends ByteChannel, GatheringByteChannel {
  /**
   * Goes on with the handshake.
   *
   * @return whether it is over; else there is something to wait for: see {@link #wantsWrite}
   */
  boolean handshake() throws IOException;

  /** Returns whether the socket is to be waited for until it takes bytes, not until it has some. */
  boolean wantsWrite();
}
