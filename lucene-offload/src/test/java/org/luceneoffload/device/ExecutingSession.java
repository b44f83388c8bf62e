/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.device;

import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * A session in front of another that runs all plans by {@link #execute}, in a test's own way. It
 * stages none, and has the facets that it implements, not those of the session behind.
 */
public abstract class ExecutingSession extends FilterSession {
  /** A session in front of another. */
  protected ExecutingSession(DeviceSession in) {
    super(in);
  }

  @Override
  public abstract ByteBuffer execute(int planBytes, StopSignal stop) throws IOException;

  @Override
  public ByteBuffer executeDocs(int planBytes, StopSignal stop) throws IOException {
    return execute(planBytes, stop);
  }

  @Override
  public boolean stage(int planBytes, int resultBytes) {
    return false;
  }

  @Override
  public <T> T as(Class<T> facet) {
    return facet.isInstance(this) ? facet.cast(this) : null;
  }
}
