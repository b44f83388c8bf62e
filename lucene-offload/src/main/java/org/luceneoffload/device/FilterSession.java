/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.device;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.function.Consumer;
import org.apache.lucene.util.IOSupplier;
import org.luceneoffload.wire.OffloadException;

/** Hands every call on to another session, those of its facets too; see {@link FilterDevice}. */
public abstract class FilterSession implements DeviceSession {
  /** The session behind it. */
  protected final DeviceSession in;

  /**
   * Hands calls on to a session.
   *
   * @param in what is behind
   */
  protected FilterSession(DeviceSession in) {
    this.in = in;
  }

  /**
   * Makes a call of a facet; as {@link FilterDevice#call}.
   *
   * @param <T> the kind of result
   * @param what what is done, for messages
   * @param call asks what is behind
   * @param late takes the result if no caller waits for it any more; null if the call failed
   * @return what the call returns
   * @throws IOException if the device fails
   */
  protected <T> T call(String what, IOSupplier<T> call, Consumer<T> late) throws IOException {
    return call.get();
  }

  /**
   * Returns null if the session behind lacks the facet; this session if it implements it itself;
   * else the facet of the session behind, with each method that throws IOException made by {@link
   * #call}.
   */
  @Override
  public <T> T as(Class<T> facet) {
    T behind = in.as(facet);
    if (behind == null) {
      return null;
    }
    return facet.isInstance(this) ? facet.cast(this) : Facets.through(this::call, facet, behind);
  }

  @Override
  public ByteBuffer planBuffer() {
    return in.planBuffer();
  }

  @Override
  public ByteBuffer execute(int planBytes, StopSignal stop) throws IOException {
    return in.execute(planBytes, stop);
  }

  @Override
  public ByteBuffer executeDocs(int planBytes, StopSignal stop) throws IOException {
    return in.executeDocs(planBytes, stop);
  }

  @Override
  public boolean hasAsked() {
    return in.hasAsked();
  }

  @Override
  public void ask(long[] runs, int count) {
    in.ask(runs, count);
  }

  @Override
  public boolean stage(int planBytes, int resultBytes) {
    return in.stage(planBytes, resultBytes);
  }

  @Override
  public List<Staged> executeStaged(StopSignal stop) throws IOException {
    return in.executeStaged(stop);
  }

  @Override
  public int windowPages() {
    return in.windowPages();
  }

  @Override
  public boolean copyAscending(ByteBuffer page, int from, int count, int[] docs)
      throws OffloadException {
    return in.copyAscending(page, from, count, docs);
  }

  @Override
  public boolean isUsable() {
    return in.isUsable();
  }

  @Override
  public void close() throws IOException {
    in.close();
  }
}
