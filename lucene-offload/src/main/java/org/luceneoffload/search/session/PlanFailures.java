/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.search.session;

import java.util.List;
import java.util.concurrent.TimeUnit;
import org.luceneoffload.codec.SegmentImage;
import org.luceneoffload.device.Device;
import org.luceneoffload.events.OffloadEvents;
import org.luceneoffload.report.OffloadStats;
import org.luceneoffload.report.OffloadStats.Counter;
import org.luceneoffload.search.plan.LeafPlan;
import org.luceneoffload.search.set.DocSets;
import org.luceneoffload.store.guard.CircuitBreaker;
import org.luceneoffload.store.guard.DeviceHandle;
import org.luceneoffload.util.CauseLog;
import org.luceneoffload.wire.OffloadException;
import org.luceneoffload.wire.OffloadWire;
import org.luceneoffload.wire.plan.PlanRequest;

/**
 * What follows from a plan that failed: what is counted and logged, which image is given up, and
 * what the device is taken to have lost. For all threads that run plans on one device.
 */
final class PlanFailures {
  private final Device device;
  private final OffloadStats stats;
  private final CircuitBreaker breaker;
  private final SessionPool sessions;
  private final LiveDocsStore liveDocs;
  private final PlanResources keeper; // null: the device keeps none

  PlanFailures(
      Device device,
      OffloadStats stats,
      CircuitBreaker breaker,
      SessionPool sessions,
      LiveDocsStore liveDocs,
      PlanResources keeper) {
    this.device = device;
    this.stats = stats;
    this.breaker = breaker;
    this.sessions = sessions;
    this.liveDocs = liveDocs;
    this.keeper = keeper;
  }

  static boolean isStopped(OffloadException failure) {
    return failure.status() == OffloadWire.Status.ABORTED;
  }

  /**
   * Throws what the caller's signal threw; a plan that only its time stopped gets a failure that
   * says so, any other one its own.
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

  /** Counts the failure of a plan that was not stopped, and draws the conclusions. */
  void failed(
      LeafPlan plan, PlanRequest request, List<DocSets.Held> held, OffloadException failure) {
    stats.increment(Counter.PLANS_FAILED);
    blame(plan, failure, breaker.failed(failure));
    forgetWhatIsGone(request, held, failure.status());
  }

  /**
   * Returns the failure of a plan that is too big for its time, which is no fault of a device that
   * can be told to stop it.
   */
  private OffloadException tooLong(OffloadException stopped, boolean yielded) {
    stats.increment(Counter.PLANS_TOO_LONG);
    if (!device.mayBlock()) {
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
   * Forgets what a device that was started anew has lost: the sessions, live docs and sets of
   * before.
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

  /**
   * Marks what a damaged page belongs to, which stays damaged, so that not every query asks for it.
   * A page that cannot be read may be asked for again, as long as that does not open the circuit
   * breaker time and again.
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

  /** Counts and logs that the host takes over from a device that has no runner (any more). */
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
}
