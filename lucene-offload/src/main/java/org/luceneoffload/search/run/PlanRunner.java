/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.search.run;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import org.apache.lucene.index.LeafReader;
import org.apache.lucene.util.IOUtils;
import org.luceneoffload.device.Device;
import org.luceneoffload.device.DeviceSession;
import org.luceneoffload.events.OffloadEvents;
import org.luceneoffload.events.PlanRun;
import org.luceneoffload.report.OffloadStats;
import org.luceneoffload.report.OffloadStats.Counter;
import org.luceneoffload.search.plan.LeafPlan;
import org.luceneoffload.search.plan.node.ResourceLeaf;
import org.luceneoffload.search.set.DocSets;
import org.luceneoffload.store.guard.CircuitBreaker;
import org.luceneoffload.store.guard.DeviceHandle;
import org.luceneoffload.store.guard.DeviceLoad;
import org.luceneoffload.util.CauseLog;
import org.luceneoffload.wire.OffloadException;
import org.luceneoffload.wire.OffloadWire;
import org.luceneoffload.wire.PlanRequest;
import org.luceneoffload.wire.ResultReader;

/**
 * Runs plans on one device: acquires sessions, sends live docs, counts, and turns every kind of
 * failure into an {@link OffloadException}. {@link PlanSharing} says what the host does of a plan,
 * {@link PlanFailures} what follows from a failure.
 */
public final class PlanRunner implements Closeable {
  /** The least time that a plan waits for a session: longer than a thread is kept from its core. */
  private static final long MIN_WAIT_NANOS = 5_000_000;

  /** About what the host takes for a byte of posting pages. */
  private static final long HOST_NANOS_PER_BYTE = 2;

  /** The part of the device's timeout that a plan waits for a session at most: an eighth. */
  private static final int MAX_WAIT_PART = 8;

  /** Takes what it needs out of a result page, which is gone when it returns. */
  @FunctionalInterface
  interface PageTaker {
    void take(ResultReader page, DeviceSession session) throws OffloadException;
  }

  /** Takes a result page that has entries of a form of its own. */
  @FunctionalInterface
  interface RawPageTaker {
    /** Checks the page, takes what it needs, and returns the head. */
    ResultReader take(ByteBuffer page, DeviceSession session) throws OffloadException;
  }

  final Device device;
  private final boolean guarded;
  final CircuitBreaker breaker;
  final OffloadStats stats;
  final DeviceLoad load;
  private final SessionPool sessions;
  private final LiveDocsStore liveDocs;
  final KeptData keeper; // null: the device keeps none, and no plan refers to any
  final PlanFailures failures;
  final PlanSharing sharing;
  private final DocArrays docArrays = new DocArrays();

  private PlanRunner(DeviceHandle handle) throws IOException {
    this.device = handle.device();
    this.guarded = device.mayBlock();
    this.breaker = handle.breaker();
    this.stats = handle.stats();
    this.load = handle.load();
    this.sessions =
        new SessionPool(
            device, stats, handle.maxPlans(), breaker.timeoutNanos(), load::sessionsAreShort);
    this.liveDocs = new LiveDocsStore(device, breaker, stats);
    DocSets sets = DocSets.of(handle);
    this.keeper = sets == null ? null : new KeptData(this, sets);
    this.failures = new PlanFailures(device, stats, breaker, sessions, liveDocs, keeper);
    this.sharing = new PlanSharing(load, stats);
  }

  /**
   * The one runner of a device.
   *
   * @throws OffloadException with status CLOSED if the device is closed
   */
  public static PlanRunner of(DeviceHandle handle) throws OffloadException {
    try {
      return handle.attachment(PlanRunner.class, PlanRunner::new);
    } catch (Throwable t) {
      throw OffloadException.of(t);
    }
  }

  /** Arrays for the docs of its result pages. */
  DocArrays docArrays() {
    return docArrays;
  }

  /** Bytes of the largest result page. */
  int maxResultBytes() {
    return device.info().maxResultBytes();
  }

  /**
   * See {@link LiveDocsStore#resource}.
   *
   * @throws OffloadException if the device does not take the bitmap
   */
  public int liveDocs(LeafReader reader) throws OffloadException {
    return liveDocs.resource(reader);
  }

  /** Runs a plan of which the host does nothing by stock Lucene; see {@link #run(PlanJob)}. */
  void run(
      LeafPlan leafPlan,
      PlanRequest request,
      DeviceSession.StopSignal stop,
      boolean strict,
      PageTaker taker)
      throws OffloadException {
    run(new PlanJob(leafPlan, request, stop, strict, raw(request, taker)));
  }

  /** Takes pages of the modes that have entries of no form of their own. */
  static RawPageTaker raw(PlanRequest request, PageTaker taker) {
    return (bytes, session) -> {
      ResultReader page = new ResultReader();
      page.reset(bytes, request);
      taker.take(page, session);
      return page;
    };
  }

  /**
   * Runs a plan and hands its result page over.
   *
   * @throws OffloadException if the circuit breaker is open, or the device refuses or fails in
   *     whatever way; with status ABORTED if the plan was stopped, by its caller or because it took
   *     too long; with status TOO_MANY_SESSIONS if it found no session in time
   */
  void run(PlanJob job) throws OffloadException {
    ResourceLeaf[] kept = job.plan().layout().resources();
    if (kept.length == 0) {
      runWith(List.of(), job);
      return;
    }
    List<DocSets.Held> held = keeper.hold(kept, job.stop(), job.strict());
    try {
      job.request().resources = KeptData.resources(held);
      runWith(held, job);
    } finally {
      keeper.release(held);
    }
  }

  private void runWith(List<DocSets.Held> held, PlanJob job) throws OffloadException {
    LeafPlan plan = job.plan();
    PlanRequest request = job.request();
    breaker.enter();
    PlanSession session = null;
    PlanRun event = null;
    DeviceLoad.Visit visit = null;
    boolean reusable = false;
    boolean shed = false;
    boolean answered = false;
    try {
      event = OffloadEvents.planRun(); // null unless a recording wants it
      boolean crowded = sharing.isCrowded(plan, request);
      boolean shared = plan.sharing() == LeafPlan.Sharing.ALWAYS;
      visit = crowded || shared ? null : visit(plan, request);
      session = crowded && !job.strict() ? sessions.acquire(0, false) : acquire(plan, job.strict());
      PlanSharing.Cut cut =
          session == null ? PlanSharing.Cut.NONE : sharing.cut(job, session.device, crowded);
      shed =
          crowded && !job.strict() && (session == null || (load.isElsewhere() && !cut.isShared()));
      checkGoesOn(session, shed);
      visit = visit == null && !cut.isShared() ? visit(plan, request) : visit;
      long from = crowded && cut.isShared() ? load.now() : 0;
      job.ahead().begin(plan, session);
      int bytes = plan.layout().write(session.device.planBuffer(), request, job.tail());
      session.counts.add(Counter.BYTES_TO_DEVICE, bytes);
      DeviceSession.StopSignal signal = signal(session, job.stop(), job.strict());
      PlanSharing.Result result = PlanSharing.run(job, cut, session.device, bytes, signal);
      job.ahead().answered(plan, session);
      count(result.page(), session.counts);
      PlanSharing.count(cut, result.counts(), session.counts);
      if (crowded && cut.isShared()) {
        sharing.countShed(plan, request, load.now() - from, session.counts);
      }
      if (event != null) {
        event.answered(
            device, plan::imageNames, request.mode, bytes, result.page(), result.counts());
      }
      answered = true;
      reusable = true;
      breaker.succeeded();
    } catch (Throwable t) {
      OffloadException failure = OffloadException.of(t);
      boolean ofTheHost = job.hasFailedOnHost();
      boolean stopped = PlanFailures.isStopped(failure);
      reusable = shed || ((stopped || ofTheHost) && session != null && isUsable(session));
      failure = ofTheHost ? failure : failures.stopped(failure, session);
      if (event != null) {
        event.failed(device, plan::imageNames, request.mode, failure);
      }
      boolean busy =
          shed || (session == null && failure.status() == OffloadWire.Status.TOO_MANY_SESSIONS);
      if (!stopped && !busy && !ofTheHost) {
        failures.failed(plan, request, held, failure);
      }
      throw failure;
    } finally {
      breaker.leave();
      if (visit != null) {
        load.ended(visit, 1, answered && request.minDoc == 0);
      }
      if (session != null) {
        release(session, reusable);
      }
    }
  }

  /** A plan comes to the device; null: nothing is measured. */
  private DeviceLoad.Visit visit(LeafPlan plan, PlanRequest request) {
    return load.isWatched() ? load.begun(request.mode, 1, plan.pages()) : null;
  }

  /**
   * Returns if the plan is the device's, or shared with it.
   *
   * @param session null: none was to be had
   * @param shed whether the host is to do all of it
   * @throws OffloadException with status BUSY if it is shed, TOO_MANY_SESSIONS if it has no session
   */
  private void checkGoesOn(PlanSession session, boolean shed) throws OffloadException {
    if (shed) {
      stats.increment(Counter.PLANS_SHED);
      throw new OffloadException(OffloadWire.Status.BUSY, "the host is expected to be done sooner");
    } else if (session == null) {
      throw new OffloadException(
          OffloadWire.Status.TOO_MANY_SESSIONS, "no session of the device became free in time");
    }
  }

  /**
   * Sees to it that the caller's thread finds a session, if that takes no waiting: a device that
   * may keep its caller waiting is left alone, and what fails here fails again when a plan runs. An
   * error of the device, such as one of linking its native library, has become an {@link
   * OffloadException} before it comes here; one that comes is of this JVM or of this library.
   */
  void openSession() {
    if (guarded || breaker.isOpen()) {
      return;
    }
    try {
      PlanSession session = sessions.acquire(0, false);
      if (session != null) {
        release(session, true);
      }
    } catch (@SuppressWarnings("unused") IOException | RuntimeException e) {
      // As above.
    }
  }

  /** A session for a plan; null if none was to be had in time. */
  PlanSession acquire(LeafPlan plan, boolean strict) throws IOException {
    return sessions.acquire(strict ? breaker.timeoutNanos() : waitNanos(plan), strict);
  }

  /** The caller's signal, and the limit of a plan's time. */
  DeviceSession.StopSignal signal(
      PlanSession session, DeviceSession.StopSignal stop, boolean strict) {
    PlanSession.Limit limit =
        guarded
            ? PlanSession.Limit.NONE
            : strict ? PlanSession.Limit.TIME : PlanSession.Limit.YIELDING;
    return session.signal(stop, limit);
  }

  /**
   * Returns how long a plan waits for a session if the host can answer, too: about as long as the
   * host takes, so that waiting in vain doubles the time of a query at most.
   */
  private long waitNanos(LeafPlan plan) {
    return Math.min(
        breaker.timeoutNanos() / MAX_WAIT_PART,
        MIN_WAIT_NANOS + plan.listBytes() * HOST_NANOS_PER_BYTE);
  }

  static boolean isUsable(PlanSession session) {
    try {
      return session.device.isUsable();
    } catch (@SuppressWarnings("unused") RuntimeException | Error e) {
      return false;
    }
  }

  /** Gives a session back, or closes it. */
  void release(PlanSession session, boolean reusable) {
    try {
      if (reusable) {
        sessions.release(session);
      } else {
        sessions.discard(session);
      }
    } catch (Throwable e) {
      // The answer is complete or lost already; a session that will not close changes neither.
      CauseLog.warn(
          "session does not close",
          device.name(),
          "device " + device.name() + ": a session does not close: " + e);
    }
  }

  @Override
  public void close() throws IOException {
    IOUtils.close(sessions, liveDocs);
  }

  /** Adds the page and what the device says it did for it to the counters. */
  static void count(ResultReader page, OffloadStats.Share counts) {
    counts.add(Counter.PLANS_EXECUTED, 1);
    counts.add(Counter.BYTES_FROM_DEVICE, page.bytes());
    counts.add(Counter.PAGES_READ, page.pagesRead());
    counts.add(Counter.PAGES_SKIPPED, page.pagesSkipped());
    counts.add(Counter.BLOCKS_DECODED, page.blocksDecoded());
    counts.add(Counter.BLOCKS_SKIPPED, page.blocksSkipped());
    counts.add(Counter.POSTINGS_DECODED, page.postingsDecoded());
    counts.add(Counter.DOCS_SCORED, page.docsScored());
  }
}
