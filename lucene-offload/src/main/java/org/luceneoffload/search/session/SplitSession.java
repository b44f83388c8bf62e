/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.search.session;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.luceneoffload.device.DeviceSession;
import org.luceneoffload.device.SplitPlans;
import org.luceneoffload.device.TaskCommands;
import org.luceneoffload.device.task.DeviceTask;
import org.luceneoffload.device.task.HostProgram;
import org.luceneoffload.report.OffloadStats;
import org.luceneoffload.report.OffloadStats.Counter;
import org.luceneoffload.search.plan.node.TermLeaf;
import org.luceneoffload.wire.OffloadException;
import org.luceneoffload.wire.OffloadWire;
import org.luceneoffload.wire.layout.ResultHeaderLayout;
import org.luceneoffload.wire.plan.PlanRequest;
import org.luceneoffload.wire.plan.ResultReader;

/**
 * A session of a device as one plan sees it: the device runs the plan alone, or device and host
 * share its windows. The host's are done by the session, with an engine in the process, or by stock
 * Lucene. For one thread.
 */
final class SplitSession {
  private static final int DOCS_OF_A_WORD = 64;

  private final PlanJob job;
  private final PlanSession session;
  private final OffloadStats stats;
  private final SplitPlans splits; // null: the device has all of the plan, or stock Lucene a part
  private final boolean byStock;
  private final int windows; // 0: the device has all of them
  private SplitPlans.Counts splitCounts = SplitPlans.Counts.NONE;

  /** Cuts a plan, as far as its session can run windows. */
  SplitSession(PlanJob job, PlanSession session, OffloadStats stats) {
    this.job = job;
    this.session = session;
    this.stats = stats;
    boolean shared = job.plan().isShared();
    this.splits = shared ? session.device.as(SplitPlans.class) : null;
    boolean engine = splits != null && splits.canSplit();
    int most = shared && !isUncut() ? job.plan().windows(session.device.windowPages()) : 1;
    this.byStock =
        shared
            && !engine
            && most > 1
            && session.device.as(TaskCommands.class) != null
            && mayByStock();
    this.windows = engine || byStock ? most : 0;
  }

  /**
   * Returns whether the plan is not worth cutting: docs come in pages of their own, and the count
   * of a term's docs without a look at its pages.
   */
  private boolean isUncut() {
    PlanRequest request = job.request();
    return request.mode == OffloadWire.Mode.DOCS
        || request.mode == OffloadWire.Mode.SCORED_DOCS
        || (request.mode == OffloadWire.Mode.COUNT
            && request.liveDocs == 0
            && job.plan().root() instanceof TermLeaf);
  }

  /** Returns whether stock Lucene may do windows of the plan; counts why not. */
  private boolean mayByStock() {
    String reason = whyNotByStock();
    if (reason != null) {
      stats.increment(Counter.PLANS_UNSHARED);
      stats.countReason("not shared with stock Lucene: " + reason);
    }
    return reason == null;
  }

  /** Returns why stock Lucene may do no window; null if it may. */
  private String whyNotByStock() {
    if (job.strict()) {
      return "a strict search takes no answer of the host";
    } else if (job.stop() != DeviceSession.StopSignal.NEVER) {
      return "a search with a time limit";
    } else if (job.stock() != null) {
      return null;
    }
    return switch (job.request().mode) {
      case OffloadWire.Mode.TOP_K, OffloadWire.Mode.TOP_K_BY_COLUMN ->
          "scores would be rounded in another way";
      case OffloadWire.Mode.AGGREGATE -> "sums of doubles, or more keys than a page has room for";
      default -> "the plan is about a part of the query";
    };
  }

  /**
   * Executes the plan, which is in the session's buffer, and counts what became of it.
   *
   * @param signal stops it
   * @return its result page; the head alone, if the device did nothing
   */
  ResultReader execute(int bytes, DeviceSession.StopSignal signal) throws IOException {
    ResultReader page = byStock ? executeByStock(bytes, signal) : executeByEngine(bytes, signal);
    PlanRunner.count(page, session.counts);
    countWindows();
    return page;
  }

  /** Returns what became of the windows of the plan that was executed. */
  SplitPlans.Counts splitCounts() {
    return splitCounts;
  }

  private ResultReader executeByEngine(int bytes, DeviceSession.StopSignal signal)
      throws IOException {
    DeviceSession device = session.device;
    if (windows > 0) {
      ByteBuffer page = splits.executeSplit(bytes, windows, job.plan().taskMode(), signal);
      splitCounts = splits.splitCounts();
      return job.taker().take(page, device);
    }
    ByteBuffer page =
        job.request().mode == OffloadWire.Mode.DOCS
            ? device.executeDocs(bytes, signal)
            : device.execute(bytes, signal);
    return job.taker().take(page, device);
  }

  /** Executes READ, COMPUTE and GATHER by stock Lucene; the caller adds what both have found. */
  private ResultReader executeByStock(int bytes, DeviceSession.StopSignal signal)
      throws IOException {
    PlanRequest request = job.request();
    int docs = request.limitDoc - request.minDoc;
    int windowDocs = (docs / windows + DOCS_OF_A_WORD) / DOCS_OF_A_WORD * DOCS_OF_A_WORD;
    StockWindows<?> stock = job.stock();
    DeviceTask.Mode mode =
        job.plan().taskMode() == OffloadWire.TaskMode.STATIC
            ? DeviceTask.Mode.STATIC
            : DeviceTask.Mode.DYNAMIC;
    try (DeviceTask task = DeviceTask.init(session.device, bytes, mode, 0, signal)) {
      HostProgram program =
          new HostProgram(
              task,
              (minDoc, limitDoc) -> {
                stock.compute(minDoc, limitDoc);
                signal.answered(); // the time of the host's windows is not the device's
              });
      program.read(request.minDoc, request.limitDoc, windowDocs);
      ByteBuffer page = program.gather();
      stock.end();
      splitCounts = program.counts();
      return take(page);
    }
  }

  private ResultReader take(ByteBuffer page) throws OffloadException {
    if (splitCounts.onDevice() == 0) {
      ResultReader head = new ResultReader();
      head.resetHead(page, job.request());
      return head;
    }
    // The page ends with the device's last window; those behind it are the host's.
    ResultHeaderLayout.nextDoc(page, 0, job.request().limitDoc);
    return job.taker().take(page, session.device);
  }

  /** Adds what became of the windows to the session's counters. */
  private void countWindows() {
    OffloadStats.Share counts = session.counts;
    SplitPlans.Counts split = splitCounts;
    if (split.windows() > 0) {
      counts.add(Counter.PLANS_SPLIT, 1);
      counts.add(Counter.WINDOWS_ON_DEVICE, split.onDevice());
      counts.add(Counter.WINDOWS_RAW, split.raw());
      counts.add(Counter.WINDOWS_HANDED_BACK, split.handedBack());
      counts.add(Counter.WINDOWS_BY_STOCK, byStock ? split.raw() + split.handedBack() : 0);
    }
  }
}
