/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.fuzz.device;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicBoolean;
import org.luceneoffload.device.DeviceSession;
import org.luceneoffload.device.SplitCounts;
import org.luceneoffload.wire.OffloadException;
import org.luceneoffload.wire.layout.PlanHeaderLayout;

/** A session that is counted while it is open, and whose answers may be falsified. */
public final class WatchedSession implements DeviceSession {
  private final DeviceSession in;
  private final Mutation mutation;
  private final AtomicBoolean closed = new AtomicBoolean();

  public WatchedSession(DeviceSession in, Mutation mutation) {
    this.in = in;
    this.mutation = mutation;
    WatchedDevice.OPEN_SESSIONS.incrementAndGet();
  }

  @Override
  public ByteBuffer planBuffer() {
    return in.planBuffer();
  }

  @Override
  public ByteBuffer execute(int planBytes, StopSignal stop) throws IOException {
    int docs = docs();
    ByteBuffer page = in.execute(planBytes, stop);
    return mutation == null ? page : mutation.apply(page, docs);
  }

  /** How many docs the plan is about. */
  private int docs() {
    ByteBuffer plan = in.planBuffer();
    return PlanHeaderLayout.limitDoc(plan, 0) - PlanHeaderLayout.minDoc(plan, 0);
  }

  @Override
  public boolean canSplit() {
    return in.canSplit();
  }

  /** Small indexes are to be split, too. */
  @Override
  public int windowPages() {
    return 1;
  }

  @Override
  public ByteBuffer executeSplit(int planBytes, int windows, StopSignal stop) throws IOException {
    int docs = docs();
    ByteBuffer page = in.executeSplit(planBytes, windows, stop);
    return mutation == null ? page : mutation.apply(page, docs);
  }

  @Override
  public SplitCounts splitCounts() {
    return in.splitCounts();
  }

  @Override
  public boolean copyAscending(ByteBuffer page, int from, int count, int[] docs)
      throws OffloadException {
    return in.copyAscending(page, from, count, docs);
  }

  @Override
  public ByteBuffer modelData(int data) throws IOException {
    return in.modelData(data);
  }

  @Override
  public void close() throws IOException {
    if (closed.compareAndSet(false, true)) {
      WatchedDevice.OPEN_SESSIONS.decrementAndGet();
    }
    in.close();
  }
}
