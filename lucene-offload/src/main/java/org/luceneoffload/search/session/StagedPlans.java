/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.search.session;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.lucene.index.LeafReader;
import org.luceneoffload.device.DeviceSession;
import org.luceneoffload.device.DeviceSession.StopSignal;
import org.luceneoffload.report.OffloadStats.Counter;
import org.luceneoffload.search.plan.LeafPlan;
import org.luceneoffload.search.plan.node.ResourceLeaf;
import org.luceneoffload.search.set.DocSets;
import org.luceneoffload.store.guard.DeviceHandle;
import org.luceneoffload.wire.OffloadException;
import org.luceneoffload.wire.OffloadWire;
import org.luceneoffload.wire.plan.PlanRequest;
import org.luceneoffload.wire.plan.PlanTail;

/**
 * The plans of one query for several segments, or for windows of one ({@link DocsAhead}), for a
 * device that takes several in one exchange. They are run ahead of the segments' turns: each has
 * then its page, its failure, or, if it was not run, neither. So whatever is in the way here is met
 * again, and dealt with, by the plan that is run by itself.
 */
public final class StagedPlans {
  private final PlanRunner runner;
  private final StopSignal stop;
  private final boolean strict;
  private final int seriesHits;
  private final List<StagedPlan> plans = new ArrayList<>();

  private StagedPlans(PlanRunner runner, StopSignal stop, boolean strict, int seriesHits) {
    this.runner = runner;
    this.stop = stop;
    this.strict = strict;
    this.seriesHits = runner.device.info().series() ? seriesHits : 0;
  }

  /**
   * Returns an empty collection of plans; null for a device that gains nothing by one.
   *
   * @param seriesHits that the search wants, if the plans are TOP_K plans of one search that are
   *     added with ascending docs; else 0. Those of an exchange then know what those before them
   *     have found, if the device can tell them.
   */
  public static StagedPlans of(
      DeviceHandle handle, StopSignal stop, boolean strict, int seriesHits) {
    if (handle.device().mostStaged() <= 1) {
      return null;
    }
    try {
      return new StagedPlans(PlanRunner.of(handle), stop, strict, seriesHits);
    } catch (OffloadException e) {
      return null;
    }
  }

  /**
   * Adds a plan.
   *
   * @param request without live docs and other data, which are filled in
   * @param taker takes its page
   * @return null if it has to be run by itself
   */
  public StagedPlan add(
      LeafPlan plan, LeafReader reader, PlanRequest request, PlanRunner.PageTaker taker) {
    return add(plan, reader, request, PlanTail.NONE, PlanRunner.raw(request, taker));
  }

  /** Adds a plan of a mode that has a part of the plan, and entries, of its own. */
  public StagedPlan add(
      LeafPlan plan,
      LeafReader reader,
      PlanRequest request,
      PlanTail tail,
      PlanRunner.RawPageTaker taker) {
    if (!takes(plan)) {
      return null;
    }
    try {
      int liveDocs = runner.liveDocs(reader);
      if (liveDocs == LiveDocsStore.UNAVAILABLE) {
        return null;
      }
      request.liveDocs = liveDocs;
    } catch (OffloadException e) {
      return null;
    }
    return add(plan, request, tail, taker);
  }

  /** Adds a plan for a window of a segment's docs, with live docs in the request. */
  public StagedPlan addWindow(LeafPlan plan, PlanRequest request, PlanRunner.PageTaker taker) {
    return takes(plan) ? add(plan, request, PlanTail.NONE, PlanRunner.raw(request, taker)) : null;
  }

  private boolean takes(LeafPlan plan) {
    // A plan that device and host share is run by itself, unless it is a single window.
    boolean cut = plan.isShared() && plan.windows(DeviceSession.DEFAULT_WINDOW_PAGES) > 1;
    return !cut && plan.handle().device() == runner.device;
  }

  private StagedPlan add(
      LeafPlan plan, PlanRequest request, PlanTail tail, PlanRunner.RawPageTaker taker) {
    try {
      List<DocSets.Held> held = List.of();
      ResourceLeaf[] kept = plan.layout().resources();
      if (kept.length > 0) {
        held = runner.keeper.hold(kept, stop, strict);
        request.resources = PlanResources.resources(held);
      }
      StagedPlan staged = new StagedPlan(plan, request, tail, held, taker);
      plans.add(staged);
      return staged;
    } catch (OffloadException e) {
      return null;
    }
  }

  /** Lets go of what plans that have not been run would have needed. */
  private void releaseData() {
    for (StagedPlan plan : plans) {
      if (!plan.held.isEmpty()) {
        runner.keeper.release(plan.held);
      }
    }
  }

  /** Runs the plans, in as few exchanges as they fit in. A single one is left: it gains nothing. */
  public void run() {
    try {
      int next = 0;
      while (plans.size() - next > 1) {
        next = runFrom(next);
      }
    } finally {
      releaseData();
    }
  }

  /** Runs plans from one on; returns the first that is left. */
  private int runFrom(int first) {
    List<StagedPlan> sent = new ArrayList<>();
    PlanSession session = null;
    boolean entered = false;
    boolean reusable = false;
    try {
      runner.breaker.enter();
      entered = true;
      session = runner.acquire(plans.get(first).plan, strict);
      if (session == null) {
        return plans.size();
      }
      int next = stage(first, session, sent);
      reusable = true;
      if (!sent.isEmpty()) {
        StopSignal signal = runner.signal(session, stop, strict);
        reusable = take(sent, session.device.executeStaged(signal), session);
      }
      return next;
    } catch (Throwable t) {
      OffloadException failure = OffloadException.of(t);
      reusable = PlanFailures.isStopped(failure) && session != null && PlanRunner.isUsable(session);
      failed(sent, runner.failures.stopped(failure, session));
      return plans.size();
    } finally {
      if (entered) {
        runner.breaker.leave();
      }
      if (session != null) {
        runner.release(session, reusable);
      }
    }
  }

  /** Stages plans from one on, as many as fit; returns the first that is left. */
  private int stage(int first, PlanSession session, List<StagedPlan> sent) {
    int next = first;
    boolean begun = false; // a series of as many hits as the search wants
    while (next < plans.size() && sent.size() < runner.device.mostStaged()) {
      StagedPlan plan = plans.get(next);
      plan.request.follows(begun);
      int bytes = written(plan, session);
      boolean fits = bytes > 0 && session.device.stage(bytes, plan.request.maxResultBytes);
      if (!fits && bytes > 0 && !sent.isEmpty()) {
        break;
      }
      next++; // one that cannot be written, or never fits, is left
      if (fits) {
        session.counts.add(Counter.BYTES_TO_DEVICE, bytes);
        sent.add(plan);
        begun |= seriesHits > 0 && plan.request.k == seriesHits;
      }
    }
    return next;
  }

  /** Writes a plan; returns its bytes, 0 if that fails. */
  private static int written(StagedPlan plan, PlanSession session) {
    try {
      return plan.write(session.device.planBuffer());
    } catch (IOException | RuntimeException e) {
      return 0;
    }
  }

  /** Takes the results; returns whether their session may be used again. */
  private boolean take(
      List<StagedPlan> sent, List<DeviceSession.Staged> results, PlanSession session) {
    boolean reusable = true;
    int count = 0;
    while (count < sent.size() && isOfThePlan(results.get(count))) {
      reusable &= take(sent.get(count), results.get(count), session);
      count++;
    }
    if (count < sent.size()) {
      failed(sent.subList(count, sent.size()), results.get(count).failure());
      return false;
    }
    return reusable;
  }

  /** Takes a result; returns whether its session may be used again. */
  private boolean take(StagedPlan plan, DeviceSession.Staged result, PlanSession session) {
    OffloadException failure = result.failure();
    if (failure == null) {
      try {
        PlanRunner.count(plan.take(runner.device, result.page(), session.device), session.counts);
        runner.breaker.succeeded();
        return true;
      } catch (Throwable t) {
        failure = OffloadException.of(t);
      }
    }
    plan.fail(runner.device, failure);
    runner.failures.failed(plan.plan, plan.request, plan.held, failure);
    return false;
  }

  /** Returns whether a result says something of its plan: not if there was no session for it. */
  private static boolean isOfThePlan(DeviceSession.Staged result) {
    return result.answered()
        && (result.failure() == null || result.failure().status() != OffloadWire.Status.NO_SESSION);
  }

  /**
   * Fails the plans that a failed exchange did not come to, but blames the device once. If it was
   * the connection that failed, or the sessions of one before that, the plans are run in their turn
   * over a new one, as if they had never been sent.
   */
  private void failed(List<StagedPlan> unanswered, OffloadException failure) {
    if (!mayComeAgain(failure)) {
      for (StagedPlan plan : unanswered) {
        plan.fail(runner.device, failure);
      }
    }
    if (!unanswered.isEmpty() && !PlanFailures.isStopped(failure)) {
      runner.stats.add(Counter.PLANS_FAILED, unanswered.size() - 1L);
      StagedPlan one = unanswered.getFirst();
      runner.failures.failed(one.plan, one.request, one.held, failure);
    }
  }

  /** Returns whether plans may succeed if they are run once more, and at once. */
  private static boolean mayComeAgain(OffloadException failure) {
    return failure.status() == OffloadWire.Status.NO_SESSION
        || failure.status() == OffloadWire.Status.IO_ERROR;
  }
}
