/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.device;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.luceneoffload.wire.OffloadException;

/** Hands on what every session has to take but plans, which a test runs in its own way. */
public abstract class FilterSession implements DeviceSession {
  /** The session behind it. */
  protected final DeviceSession session;

  protected FilterSession(DeviceSession session) {
    this.session = session;
  }

  @Override
  public ByteBuffer planBuffer() {
    return session.planBuffer();
  }

  @Override
  public boolean hasAsked() {
    return session.hasAsked();
  }

  @Override
  public void ask(long[] runs, int count) {
    session.ask(runs, count);
  }

  @Override
  public boolean copyAscending(ByteBuffer page, int from, int count, int[] docs)
      throws OffloadException {
    return session.copyAscending(page, from, count, docs);
  }

  @Override
  public void close() throws IOException {
    session.close();
  }
}
