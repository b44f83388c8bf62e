/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.device;

import java.nio.ByteBuffer;

/** A session that runs nothing: what it can do is what every session can by default. */
public final class PlainSession implements DeviceSession {
  @Override
  public ByteBuffer planBuffer() {
    throw new UnsupportedOperationException();
  }

  @Override
  public ByteBuffer execute(int planBytes, StopSignal stop) {
    throw new UnsupportedOperationException();
  }

  @Override
  public void close() {}
}
