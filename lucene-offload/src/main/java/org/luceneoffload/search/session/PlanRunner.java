/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.search.session;

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
import org.luceneoffload.util.CauseLog;
import org.luceneoffload.wire.OffloadException;
import org.luceneoffload.wire.OffloadWire;
import org.luceneoffload.wire.plan.PlanRequest;
import org.luceneoffload.wire.plan.ResultReader;

/**
 * Runs plans on one device: acquires sessions, sends live docs, counts, and turns every kind of
 * failure into an {@link OffloadException}. {@link SplitSession} says what the host does of a plan,
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
  public interface PageTaker {
    void take(ResultReader page, DeviceSession session) throws OffloadException;
  }

  /** Takes a result page that has entries of a form of its own. */
  @FunctionalInterface
  public interface RawPageTaker {
    /** Checks the page, takes what it needs, and returns the head. */
    ResultReader take(ByteBuffer page, DeviceSession session) throws OffloadException;
  }

  final Device device;
  private final boolean guarded;
  final CircuitBreaker breaker;
  final OffloadStats stats;
  private final SessionPool sessions;
  private final LiveDocsStore liveDocs;
  final PlanResources keeper; // null: the device keeps none, and no plan refers to any
  final PlanFailures failures;
  private final DocArrays docArrays = new DocArrays();

  private PlanRunner(DeviceHandle handle) throws IOException {
    this.device = handle.device();
    this.guarded = device.mayBlock();
    this.breaker = handle.breaker();
    this.stats = handle.stats();
    this.sessions = new SessionPool(device, stats, handle.maxPlans(), breaker.timeoutNanos());
    this.liveDocs = new LiveDocsStore(device, breaker, stats);
    DocSets sets = DocSets.of(handle);
    this.keeper = sets == null ? null : new PlanResources(this, sets);
    this.failures = new PlanFailures(device, stats, breaker, sessions, liveDocs, keeper);
  }

  /**
   * Returns the one runner of a device.
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

  /** Returns the arrays for the docs of its result pages. */
  public DocArrays docArrays() {
    return docArrays;
  }

  /** Returns the number of bytes of the largest result page. */
  public int maxResultBytes() {
    return device.info().maxResultBytes();
  }

  /**
   * Returns the resource of a reader's live docs; see {@link LiveDocsStore#resource}.
   *
   * @throws OffloadException if the device does not take the bitmap
   */
  public int liveDocs(LeafReader reader) throws OffloadException {
    return liveDocs.resource(reader);
  }

  /** Runs a plan of which the host does nothing by stock Lucene; see {@link #run(PlanJob)}. */
  public void run(
      LeafPlan leafPlan,
      PlanRequest request,
      DeviceSession.StopSignal stop,
      boolean strict,
      PageTaker taker)
      throws OffloadException {
    run(new PlanJob(leafPlan, request, stop, strict, raw(request, taker)));
  }

  /** Takes pages of the modes that have entries of no form of their own. */
  public static RawPageTaker raw(PlanRequest request, PageTaker taker) {
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
  public void run(PlanJob job) throws OffloadException {
    ResourceLeaf[] kept = job.plan().layout().resources();
    if (kept.length == 0) {
      runWith(List.of(), job);
      return;
    }
    List<DocSets.Held> held = keeper.hold(kept, job.stop(), job.strict());
    try {
      job.request().resources = PlanResources.resources(held);
      runWith(held, job);
    } finally {
      keeper.release(held);
    }
  }

  private void runWith(List<DocSets.Held> held, PlanJob job) throws OffloadException {
    breaker.enter();
    PlanSession session = null;
    PlanRun event = null;
    boolean reusable = false;
    try {
      event = OffloadEvents.planRun(); // null unless a recording wants it
      session = acquire(job);
      SplitSession split = new SplitSession(job, session, stats);
      job.ahead().begin(job.plan(), session);
      int bytes = write(job, session);
      ResultReader page = split.execute(bytes, signal(session, job.stop(), job.strict()));
      job.ahead().answered(job.plan(), session);
      if (event != null) {
        int mode = job.request().mode;
        event.answered(device, job.plan()::imageNames, mode, bytes, page, split.splitCounts());
      }
      reusable = true;
      breaker.succeeded();
    } catch (Throwable t) {
      OffloadException failure = OffloadException.of(t);
      boolean innocent = PlanFailures.isStopped(failure) || job.hasFailedOnHost();
      reusable = innocent && session != null && isUsable(session);
      throw failed(held, job, session, event, failure);
    } finally {
      breaker.leave();
      if (session != null) {
        release(session, reusable);
      }
    }
  }

  /**
   * Returns a session for a plan.
   *
   * @throws OffloadException with status TOO_MANY_SESSIONS if none became free in time
   */
  private PlanSession acquire(PlanJob job) throws IOException {
    PlanSession session = acquire(job.plan(), job.strict());
    if (session == null) {
      throw new OffloadException(
          OffloadWire.Status.TOO_MANY_SESSIONS, "no session of the device became free in time");
    }
    return session;
  }

  /** Writes a plan into its session's buffer; returns its bytes. */
  private static int write(PlanJob job, PlanSession session) throws IOException {
    int bytes = job.plan().layout().write(session.device.planBuffer(), job.request(), job.tail());
    session.counts.add(Counter.BYTES_TO_DEVICE, bytes);
    return bytes;
  }

  /**
   * Blames the device for a failure unless it is innocent; returns the failure to throw.
   *
   * @param session null: none was to be had
   */
  private OffloadException failed(
      List<DocSets.Held> held,
      PlanJob job,
      PlanSession session,
      PlanRun event,
      OffloadException failure) {
    boolean ofTheHost = job.hasFailedOnHost();
    OffloadException told = ofTheHost ? failure : failures.stopped(failure, session);
    if (event != null) {
      event.failed(device, job.plan()::imageNames, job.request().mode, told);
    }
    boolean busy = session == null && told.status() == OffloadWire.Status.TOO_MANY_SESSIONS;
    if (!PlanFailures.isStopped(failure) && !busy && !ofTheHost) {
      failures.failed(job.plan(), job.request(), held, told);
    }
    return told;
  }

  /**
   * Opens a session for the caller's thread, if that takes no waiting: a device that may keep its
   * caller waiting is left alone, and what fails here fails again when a plan runs. An error of the
   * device, such as one of linking its native library, has become an {@link OffloadException}
   * before it comes here; one that comes is of this JVM or of this library.
   */
  public void openSession() {
    if (guarded || breaker.isOpen()) {
      return;
    }
    try {
      PlanSession session = sessions.acquire(0, false);
      if (session != null) {
        release(session, true);
      }
    } catch (IOException | RuntimeException e) {
      // As above.
    }
  }

  /** Returns a session for a plan; null if none was to be had in time. */
  PlanSession acquire(LeafPlan plan, boolean strict) throws IOException {
    return sessions.acquire(strict ? breaker.timeoutNanos() : waitNanos(plan), strict);
  }

  /** Returns the caller's signal, and the limit of a plan's time. */
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
    } catch (RuntimeException | Error e) {
      return false;
    }
  }

  /** Counts and logs that the host takes over because the device failed. */
  public void countFallback(OffloadException failure) {
    failures.countFallback(failure);
  }

  /** Counts and logs that the host takes over from a device that has no runner (any more). */
  public static void countFallback(DeviceHandle handle, OffloadException failure) {
    PlanFailures.countFallback(handle, failure);
  }

  /** Releases a session, or closes it. */
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
    counts.addWay(page.way());
  }
}
