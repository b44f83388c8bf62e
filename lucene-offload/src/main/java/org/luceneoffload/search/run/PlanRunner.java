/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.search.run;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.lucene.index.LeafReader;
import org.apache.lucene.util.IOUtils;
import org.luceneoffload.codec.SegmentImage;
import org.luceneoffload.device.Device;
import org.luceneoffload.device.DeviceSession;
import org.luceneoffload.device.SplitCounts;
import org.luceneoffload.events.OffloadEvents;
import org.luceneoffload.events.PlanRun;
import org.luceneoffload.report.OffloadStats;
import org.luceneoffload.report.OffloadStats.Counter;
import org.luceneoffload.search.plan.LeafNode;
import org.luceneoffload.search.plan.LeafPlan;
import org.luceneoffload.search.set.DocSets;
import org.luceneoffload.store.guard.CircuitBreaker;
import org.luceneoffload.store.guard.DeviceHandle;
import org.luceneoffload.store.guard.DeviceLoad;
import org.luceneoffload.util.CauseLog;
import org.luceneoffload.wire.OffloadException;
import org.luceneoffload.wire.OffloadWire;
import org.luceneoffload.wire.PlanRequest;
import org.luceneoffload.wire.PlanTail;
import org.luceneoffload.wire.ResultReader;

/**
 * Runs plans on one device: acquires sessions, sends live docs, counts, and turns every kind of
 * failure into an {@link OffloadException}.
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

  /**
   * Runs a plan and hands its result page over.
   *
   * @param stop the application's signal; what it throws is thrown here as it is
   * @param strict true if the host may not answer: the plan then waits for a session up to the
   *     device's timeout, and never yields
   * @throws OffloadException if the circuit breaker is open, or the device refuses or fails in
   *     whatever way; with status ABORTED if the plan was stopped, by its caller or because it took
   *     too long; with status TOO_MANY_SESSIONS if it found no session in time
   */
  void run(
      LeafPlan leafPlan,
      PlanRequest request,
      DeviceSession.StopSignal stop,
      boolean strict,
      PageTaker taker)
      throws OffloadException {
    run(leafPlan, request, PlanTail.NONE, stop, strict, raw(request, taker));
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
   * The same for a mode that has a part of the plan, and entries, of its own.
   *
   * @param tail the part
   */
  void run(
      LeafPlan leafPlan,
      PlanRequest request,
      PlanTail tail,
      DeviceSession.StopSignal stop,
      boolean strict,
      RawPageTaker taker)
      throws OffloadException {
    LeafNode.Kept[] kept = leafPlan.layout().kept();
    if (kept.length == 0) {
      runWith(List.of(), leafPlan, request, tail, stop, strict, taker);
      return;
    }
    List<DocSets.Held> held = keeper.hold(kept, stop, strict);
    try {
      request.resources = KeptData.resources(held);
      runWith(held, leafPlan, request, tail, stop, strict, taker);
    } finally {
      keeper.release(held);
    }
  }

  private void runWith(
      List<DocSets.Held> held,
      LeafPlan leafPlan,
      PlanRequest request,
      PlanTail tail,
      DeviceSession.StopSignal stop,
      boolean strict,
      RawPageTaker taker)
      throws OffloadException {
    breaker.enter();
    PlanSession session = null;
    PlanRun event = null;
    DeviceLoad.Visit visit = null;
    boolean reusable = false;
    boolean shed = false;
    boolean answered = false;
    try {
      event = OffloadEvents.planRun(); // null unless a recording wants it
      boolean crowded = isCrowded(leafPlan, request);
      boolean shared = leafPlan.sharing() == LeafPlan.Sharing.ALWAYS;
      visit = crowded || shared ? null : visit(leafPlan, request);
      session = crowded && !strict ? sessions.acquire(0, false) : acquire(leafPlan, strict);
      int windows = session == null ? 0 : windows(leafPlan, request, session.device, crowded);
      shed = crowded && !strict && (session == null || (load.isElsewhere() && windows == 0));
      checkGoesOn(session, shed);
      visit = visit == null && windows == 0 ? visit(leafPlan, request) : visit;
      long from = crowded && windows > 0 ? load.now() : 0;
      int bytes = leafPlan.layout().write(session.device.planBuffer(), request, tail);
      session.counts.add(Counter.BYTES_TO_DEVICE, bytes);
      DeviceSession.StopSignal signal = signal(session, stop, strict);
      ByteBuffer result =
          windows == 0
              ? session.device.execute(bytes, signal)
              : session.device.executeSplit(bytes, windows, signal);
      ResultReader page = taker.take(result, session.device);
      SplitCounts split = windows == 0 ? SplitCounts.NONE : session.device.splitCounts();
      count(page, session.counts);
      count(split, session.counts);
      if (crowded && windows > 0) {
        countShed(leafPlan, request, load.now() - from, session.counts);
      }
      if (event != null) {
        event.answered(device, leafPlan::imageNames, request.mode, bytes, page, split);
      }
      answered = true;
      reusable = true;
      breaker.succeeded();
    } catch (Throwable t) {
      OffloadException failure = OffloadException.of(t);
      reusable = shed || (isStopped(failure) && session != null && isUsable(session));
      failure = stopped(failure, session);
      if (event != null) {
        event.failed(device, leafPlan::imageNames, request.mode, failure);
      }
      boolean busy =
          shed || (session == null && failure.status() == OffloadWire.Status.TOO_MANY_SESSIONS);
      if (!isStopped(failure) && !busy) {
        failed(leafPlan, request, held, failure);
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

  /** A plan was shed to the engine in the process, or shared with it. */
  private void countShed(
      LeafPlan plan, PlanRequest request, long nanos, OffloadStats.Share counts) {
    load.hostTook(request.mode, plan.pages(), nanos);
    counts.add(Counter.PLANS_SHED, 1);
    counts.add(Counter.PLANS_SHED_SPLIT, 1);
  }

  /**
   * Returns whether a plan of {@code Placement.AUTO} is better off the device, which has so much to
   * do. One that goes on from a page is where that came from.
   */
  boolean isCrowded(LeafPlan plan, PlanRequest request) {
    return plan.sharing() == LeafPlan.Sharing.IF_BUSY
        && request.minDoc == 0
        && load.isWatched()
        && load.prefersHost(request.mode, plan.pages());
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

  static boolean isStopped(OffloadException failure) {
    return failure.status() == OffloadWire.Status.ABORTED;
  }

  /**
   * Throws what the caller's signal threw; a plan that nobody stopped but its time gets a failure
   * that says so, any other one its own.
   *
   * @param session null: none was had
   */
  OffloadException stopped(OffloadException failure, PlanSession session) {
    if (session != null) {
      session.rethrow();
    }
    boolean tooLong = isStopped(failure) && (session == null || !session.stoppedByCaller());
    return tooLong ? tooLong(failure, session != null && session.yielded()) : failure;
  }

  /** A plan failed that nobody stopped: counts it, and draws the conclusions. */
  void failed(
      LeafPlan plan, PlanRequest request, List<DocSets.Held> held, OffloadException failure) {
    stats.increment(Counter.PLANS_FAILED);
    blame(plan, failure, breaker.failed(failure));
    forgetWhatIsGone(request, held, failure.status());
  }

  /**
   * Returns how many windows a plan is to be cut into; 0: the device has all of it. Docs come in
   * pages of their own, and the count of a term's docs without a look at its pages.
   *
   * @param crowded whether the device is to be relieved: not by a single window that it has to run
   */
  private int windows(LeafPlan plan, PlanRequest request, DeviceSession session, boolean crowded) {
    boolean always = plan.sharing() == LeafPlan.Sharing.ALWAYS;
    if (!(always || (crowded && load.isElsewhere())) || !session.canSplit()) {
      return 0;
    }
    boolean uncut =
        request.mode == OffloadWire.Mode.DOCS
            || request.mode == OffloadWire.Mode.SCORED_DOCS
            || (request.mode == OffloadWire.Mode.COUNT
                && request.liveDocs == 0
                && plan.root() instanceof LeafNode.Term);
    int windows = uncut ? 1 : plan.windows(session.windowPages());
    return windows > 1 || always || session.runsUncutHere() ? windows : 0;
  }

  /** A plan that is too big for its time is no fault of a device that can be told to stop it. */
  private OffloadException tooLong(OffloadException stopped, boolean yielded) {
    stats.increment(Counter.PLANS_TOO_LONG);
    if (!guarded) {
      breaker.succeeded();
    }
    return new OffloadException(
        OffloadWire.Status.ABORTED,
        (yielded
                ? "a query gave its session up for others, after a quarter of deviceTimeout, "
                : "a query took longer than deviceTimeout, ")
            + TimeUnit.NANOSECONDS.toMillis(breaker.timeoutNanos())
            + " ms",
        stopped);
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

  /**
   * A device that was started anew has neither the sessions nor the live docs and sets of before.
   */
  private void forgetWhatIsGone(PlanRequest request, List<DocSets.Held> held, int status) {
    if (status == OffloadWire.Status.NO_SESSION) {
      sessions.discardIdle();
      liveDocs.forgetAll();
      if (keeper != null) {
        keeper.forgetAll();
      }
    } else if (status == OffloadWire.Status.NO_RESOURCE) {
      liveDocs.forget(request.liveDocs);
      if (keeper != null) {
        keeper.forget(held);
      }
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

  /**
   * A page that is damaged stays damaged: do not ask for it with every query. One that cannot be
   * read may be asked for again, as long as that does not open the circuit breaker time and again.
   */
  private static void blame(LeafPlan plan, OffloadException failure, boolean setsAside) {
    switch (failure.status()) {
      case OffloadWire.Status.PAGE_CORRUPT,
          OffloadWire.Status.PAGE_STALE,
          OffloadWire.Status.LIST_CORRUPT -> {
        for (SegmentImage image : plan.imagesOn(failure.lba())) {
          image.markBad(failure.getMessage());
        }
      }
      case OffloadWire.Status.IO_ERROR -> {
        if (setsAside) {
          for (SegmentImage image : plan.imagesOn(failure.lba())) {
            image.setDeviceAside(failure.getMessage());
          }
        }
      }
      default -> {}
    }
  }

  /** Counts and logs that the host takes over because the device failed. */
  void countFallback(OffloadException failure) {
    countFallback(device, stats, failure);
  }

  /** As {@link #countFallback(OffloadException)}, of a device that has no runner (any more). */
  static void countFallback(DeviceHandle handle, OffloadException failure) {
    countFallback(handle.device(), handle.stats(), failure);
  }

  private static void countFallback(Device device, OffloadStats stats, OffloadException failure) {
    String cause = OffloadWire.Status.name(failure.status());
    stats.increment(Counter.LEAVES_FALLEN_BACK);
    stats.countFallback(cause);
    OffloadEvents.fellBack(device, cause, failure.getMessage());
    if (failure.status() == OffloadWire.Status.ABORTED) {
      CauseLog.warn(
          "took too long",
          device.name(),
          "device " + device.name() + ": " + failure.getMessage() + "; the host answers it");
    } else {
      CauseLog.warn(
          "device failed: " + cause,
          device.name(),
          "device "
              + device.name()
              + ": the host answers, since the device failed: "
              + failure.getMessage());
    }
  }

  @Override
  public void close() throws IOException {
    IOUtils.close(sessions, liveDocs);
  }

  /** Adds what became of the windows of a plan. */
  private static void count(SplitCounts split, OffloadStats.Share counts) {
    if (split.windows() > 0) {
      counts.add(Counter.PLANS_SPLIT, 1);
      counts.add(Counter.WINDOWS_ON_DEVICE, split.onDevice());
      counts.add(Counter.WINDOWS_RAW, split.raw());
      counts.add(Counter.WINDOWS_HANDED_BACK, split.handedBack());
    }
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
