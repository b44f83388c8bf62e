/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.search.session;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import org.luceneoffload.device.Device;
import org.luceneoffload.device.DeviceSession;
import org.luceneoffload.device.SplitPlans;
import org.luceneoffload.events.OffloadEvents;
import org.luceneoffload.events.PlanRun;
import org.luceneoffload.search.plan.LeafPlan;
import org.luceneoffload.search.set.DocSets;
import org.luceneoffload.wire.OffloadException;
import org.luceneoffload.wire.plan.PlanRequest;
import org.luceneoffload.wire.plan.PlanTail;
import org.luceneoffload.wire.plan.ResultReader;

/** A segment's plan that is run together with those of other segments; see {@link StagedPlans}. */
public final class StagedPlan {
  final LeafPlan plan;
  final PlanRequest request;
  final List<DocSets.Held> held;
  private final PlanTail tail;
  private final PlanRunner.RawPageTaker taker;
  private PlanRun event; // null unless a recording wants it
  private int planBytes;
  private boolean answered;
  private OffloadException failure;

  /**
   * @param held what the plan refers to, in the request already
   */
  StagedPlan(
      LeafPlan plan,
      PlanRequest request,
      PlanTail tail,
      List<DocSets.Held> held,
      PlanRunner.RawPageTaker taker) {
    this.plan = plan;
    this.request = request;
    this.tail = tail;
    this.held = held;
    this.taker = taker;
  }

  /** Writes the plan into a buffer; returns its bytes. */
  int write(ByteBuffer buffer) throws IOException {
    event = OffloadEvents.planRun();
    planBytes = plan.layout().write(buffer, request, tail);
    return planBytes;
  }

  /** Takes what is needed out of the result page. */
  ResultReader take(Device device, ByteBuffer bytes, DeviceSession session)
      throws OffloadException {
    ResultReader page = taker.take(bytes, session);
    answered = true;
    if (event != null) {
      event.answered(
          device, plan::imageNames, request.mode, planBytes, page, SplitPlans.Counts.NONE);
    }
    return page;
  }

  void fail(Device device, OffloadException cause) {
    failure = cause;
    if (event != null) {
      event.failed(device, plan::imageNames, request.mode, cause);
    }
  }

  /**
   * Returns whether it was run, and its page taken; if not, it has still to be run by itself.
   *
   * @throws OffloadException if it was run and failed
   */
  public boolean isAnswered() throws OffloadException {
    if (failure != null) {
      throw failure.again(); // the plans behind it may have failed by the same one
    }
    return answered;
  }
}
