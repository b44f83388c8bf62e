/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.fuzz.device;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicBoolean;
import org.luceneoffload.device.DeviceSession;
import org.luceneoffload.device.FilterSession;
import org.luceneoffload.device.SplitPlans;
import org.luceneoffload.device.TaskCommands;
import org.luceneoffload.wire.layout.PlanHeaderLayout;

/** A session that is counted while it is open, and whose answers may be falsified. */
public final class WatchedSession extends FilterSession implements SplitPlans {
  private final SplitPlans splits;
  private final Mutation mutation;
  private final AtomicBoolean closed = new AtomicBoolean();

  public WatchedSession(DeviceSession in, Mutation mutation) {
    super(in);
    this.splits = in.as(SplitPlans.class);
    this.mutation = mutation;
    WatchedDevice.OPEN_SESSIONS.incrementAndGet();
  }

  @Override
  public ByteBuffer execute(int planBytes, StopSignal stop) throws IOException {
    int docs = docs();
    ByteBuffer page = in.execute(planBytes, stop);
    return mutation == null ? page : mutation.apply(page, docs);
  }

  /** By {@link #execute}, whose answers may be falsified. */
  @Override
  public ByteBuffer executeDocs(int planBytes, StopSignal stop) throws IOException {
    return execute(planBytes, stop);
  }

  @Override
  public boolean stage(int planBytes, int resultBytes) {
    return false;
  }

  /** Tasks are hidden: they would go round {@link #executeSplit}. */
  @Override
  public <T> T as(Class<T> facet) {
    return facet == TaskCommands.class ? null : super.as(facet);
  }

  /** How many docs the plan is about. */
  private int docs() {
    ByteBuffer plan = in.planBuffer();
    return PlanHeaderLayout.limitDoc(plan, 0) - PlanHeaderLayout.minDoc(plan, 0);
  }

  @Override
  public boolean canSplit() {
    return splits.canSplit();
  }

  /** Small indexes are to be split, too. */
  @Override
  public int windowPages() {
    return 1;
  }

  @Override
  public ByteBuffer executeSplit(int planBytes, int windows, int mode, StopSignal stop)
      throws IOException {
    int docs = docs();
    ByteBuffer page = splits.executeSplit(planBytes, windows, mode, stop);
    return mutation == null ? page : mutation.apply(page, docs);
  }

  @Override
  public SplitPlans.Counts splitCounts() {
    return splits.splitCounts();
  }

  @Override
  public void close() throws IOException {
    if (closed.compareAndSet(false, true)) {
      WatchedDevice.OPEN_SESSIONS.decrementAndGet();
    }
    in.close();
  }
}
