/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.search;

import java.io.Closeable;
import java.io.IOException;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.lucene.index.LeafReader;
import org.apache.lucene.store.AlreadyClosedException;
import org.apache.lucene.util.IOUtils;
import org.luceneoffload.OffloadStats;
import org.luceneoffload.OffloadStats.Counter;
import org.luceneoffload.codec.SegmentImage;
import org.luceneoffload.device.Device;
import org.luceneoffload.device.DeviceSession;
import org.luceneoffload.device.OffloadException;
import org.luceneoffload.store.DeviceHandle;
import org.luceneoffload.wire.OffloadWire;
import org.luceneoffload.wire.PlanRequest;
import org.luceneoffload.wire.ResultReader;

/**
 * Runs plans on one device: lends sessions, sends live docs, counts, and turns every kind of
 * failure into an {@link OffloadException}.
 */
final class PlanRunner implements Closeable {
  private static final System.Logger LOGGER = System.getLogger(PlanRunner.class.getName());

  /** Takes what it needs out of a result page, which is gone when it returns. */
  @FunctionalInterface
  interface PageTaker {
    void take(ResultReader page, DeviceSession session) throws OffloadException;
  }

  private final Device device;
  private final OffloadStats stats;
  private final SessionPool sessions;
  private final LiveDocsStore liveDocs;
  private final DocArrays docArrays = new DocArrays();
  private final Set<String> logged = ConcurrentHashMap.newKeySet();

  private PlanRunner(DeviceHandle handle) {
    this.device = handle.device();
    this.stats = handle.stats();
    this.sessions = new SessionPool(device, stats);
    this.liveDocs = new LiveDocsStore(device, stats);
  }

  /**
   * The one runner of a device.
   *
   * @throws OffloadException with status CLOSED if the device is closed
   */
  static PlanRunner of(DeviceHandle handle) throws OffloadException {
    try {
      return handle.attachment(PlanRunner.class, PlanRunner::new);
    } catch (IOException | RuntimeException e) {
      throw asOffloadException(e);
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

  /** Whether the device supports a mode of {@link OffloadWire.Mode}. */
  boolean supports(int mode) {
    return (device.info().modeBits() & (1 << mode)) != 0;
  }

  /** See {@link LiveDocsStore#resource}. */
  int liveDocs(LeafReader reader) throws OffloadException {
    try {
      return liveDocs.resource(reader);
    } catch (IOException | RuntimeException e) {
      throw asOffloadException(e);
    }
  }

  /**
   * Runs a plan and hands its result page over.
   *
   * @throws OffloadException if the device refuses or fails in whatever way
   */
  void run(LeafPlan leafPlan, PlanRequest request, DeviceSession.StopSignal stop, PageTaker taker)
      throws OffloadException {
    PlanSession session = null;
    boolean reusable = false;
    try {
      session = sessions.lend();
      int bytes = leafPlan.layout().write(session.device.planBuffer(), request);
      session.counts.add(Counter.BYTES_TO_DEVICE, bytes);
      ResultReader page = new ResultReader();
      page.reset(session.device.execute(bytes, stop), request);
      taker.take(page, session.device);
      page.addTo(session.counts);
      reusable = true;
    } catch (IOException | RuntimeException e) {
      OffloadException failure = asOffloadException(e);
      reusable = failure.status() == OffloadWire.Status.ABORTED;
      if (!reusable) {
        stats.increment(Counter.PLANS_FAILED);
        blame(leafPlan, failure);
      }
      throw failure;
    } finally {
      if (session != null) {
        release(session, reusable);
      }
    }
  }

  private void release(PlanSession session, boolean reusable) {
    try {
      if (reusable) {
        sessions.giveBack(session);
      } else {
        sessions.discard(session);
      }
    } catch (IOException | RuntimeException e) {
      // The answer is complete or lost already; a session that will not close changes neither.
      log("close", "a session does not close: " + e);
    }
  }

  /** A page that is damaged stays damaged: do not ask for it with every query. */
  private static void blame(LeafPlan plan, OffloadException failure) {
    switch (failure.status()) {
      case OffloadWire.Status.PAGE_CORRUPT,
          OffloadWire.Status.PAGE_STALE,
          OffloadWire.Status.LIST_CORRUPT -> {
        for (SegmentImage image : plan.images()) {
          image.markBad(failure.getMessage());
        }
      }
      default -> {}
    }
  }

  /** Counts and logs (once for each cause) that the host takes over because the device failed. */
  void countFallback(OffloadException failure) {
    String status = OffloadWire.Status.name(failure.status());
    stats.increment(Counter.LEAVES_FALLEN_BACK);
    stats.countReason("device failed: " + status);
    log(status, "the host answers, since the device failed: " + failure.getMessage());
  }

  private void log(String cause, String message) {
    if (logged.add(cause)) {
      LOGGER.log(System.Logger.Level.WARNING, "device " + device.name() + ": " + message);
    }
  }

  /** Any failure as one of the device, keeping the status of those that have one. */
  static OffloadException asOffloadException(Exception e) {
    if (e instanceof OffloadException failure) {
      return failure;
    }
    int status =
        e instanceof AlreadyClosedException
            ? OffloadWire.Status.CLOSED
            : e instanceof IOException ? OffloadWire.Status.IO_ERROR : OffloadWire.Status.INTERNAL;
    return new OffloadException(status, String.valueOf(e), e);
  }

  @Override
  public void close() throws IOException {
    IOUtils.close(sessions, liveDocs);
  }
}
