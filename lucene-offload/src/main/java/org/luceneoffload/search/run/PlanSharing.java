/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.search.run;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.luceneoffload.device.DeviceSession;
import org.luceneoffload.device.SplitCounts;
import org.luceneoffload.device.SplitPlans;
import org.luceneoffload.device.TaskCommands;
import org.luceneoffload.device.task.DeviceTask;
import org.luceneoffload.device.task.HostProgram;
import org.luceneoffload.report.OffloadStats;
import org.luceneoffload.report.OffloadStats.Counter;
import org.luceneoffload.search.plan.LeafPlan;
import org.luceneoffload.search.plan.node.TermLeaf;
import org.luceneoffload.store.guard.DeviceLoad;
import org.luceneoffload.wire.OffloadException;
import org.luceneoffload.wire.OffloadWire;
import org.luceneoffload.wire.PlanRequest;
import org.luceneoffload.wire.ResultReader;
import org.luceneoffload.wire.layout.ResultHeaderLayout;

/**
 * Which windows of a plan device and host share, and who does the host's: the session, with an
 * engine in the process, or stock Lucene.
 */
final class PlanSharing {
  private static final int DOCS_OF_A_WORD = 64;

  /**
   * How a plan is cut.
   *
   * @param windows 0: the device has all of it
   * @param byStock whether stock Lucene does the host's
   */
  record Cut(int windows, boolean byStock) {
    static final Cut NONE = new Cut(0, false);

    /** Returns whether it is not the device's alone. */
    boolean isShared() {
      return windows > 0;
    }
  }

  /**
   * What a plan came to.
   *
   * @param page its head alone, if the device did nothing
   */
  record Result(ResultReader page, SplitCounts counts) {}

  private final DeviceLoad load;
  private final OffloadStats stats;

  PlanSharing(DeviceLoad load, OffloadStats stats) {
    this.load = load;
    this.stats = stats;
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

  /**
   * Returns how a plan is cut. Docs come in pages of their own, and the count of a term's docs
   * without a look at its pages.
   *
   * @param crowded whether the device is to be relieved: not by a single window that it has to run
   */
  Cut cut(PlanJob job, DeviceSession session, boolean crowded) {
    LeafPlan plan = job.plan();
    boolean always = plan.sharing() == LeafPlan.Sharing.ALWAYS;
    if (!always && !(crowded && load.isElsewhere())) {
      return Cut.NONE;
    }
    SplitPlans splits = session.as(SplitPlans.class);
    boolean engine = splits != null && splits.canSplit();
    if (!engine && !(always && session.as(TaskCommands.class) != null)) {
      return Cut.NONE;
    }
    int windows = isUncut(job) ? 1 : plan.windows(session.windowPages());
    if (engine) {
      return windows > 1 || always || splits.runsUncutHere() ? new Cut(windows, false) : Cut.NONE;
    }
    if (windows == 1) {
      return Cut.NONE;
    }
    String reason = whyNotByStock(job);
    if (reason != null) {
      stats.increment(Counter.PLANS_UNSHARED);
      stats.countReason("not shared with stock Lucene: " + reason);
      return Cut.NONE;
    }
    return new Cut(windows, true);
  }

  private static boolean isUncut(PlanJob job) {
    PlanRequest request = job.request();
    return request.mode == OffloadWire.Mode.DOCS
        || request.mode == OffloadWire.Mode.SCORED_DOCS
        || (request.mode == OffloadWire.Mode.COUNT
            && request.liveDocs == 0
            && job.plan().root() instanceof TermLeaf);
  }

  /** Returns why stock Lucene may do no window; null if it may. */
  private static String whyNotByStock(PlanJob job) {
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
   * Runs a plan that is in the session's buffer.
   *
   * @param signal stops it
   */
  static Result run(
      PlanJob job, Cut cut, DeviceSession session, int bytes, DeviceSession.StopSignal signal)
      throws IOException {
    if (cut.byStock()) {
      return runByStock(job, cut, session, bytes, signal);
    } else if (cut.isShared()) {
      SplitPlans splits = session.as(SplitPlans.class);
      ByteBuffer page = splits.executeSplit(bytes, cut.windows(), signal);
      return new Result(job.taker().take(page, session), splits.splitCounts());
    }
    ByteBuffer page =
        job.request().mode == OffloadWire.Mode.DOCS
            ? session.executeDocs(bytes, signal)
            : session.execute(bytes, signal);
    return new Result(job.taker().take(page, session), SplitCounts.NONE);
  }

  /** READ, COMPUTE and GATHER, by stock Lucene; what both have found is added by the caller. */
  private static Result runByStock(
      PlanJob job, Cut cut, DeviceSession session, int bytes, DeviceSession.StopSignal signal)
      throws IOException {
    PlanRequest request = job.request();
    int docs = request.limitDoc - request.minDoc;
    int windowDocs = (docs / cut.windows() + DOCS_OF_A_WORD) / DOCS_OF_A_WORD * DOCS_OF_A_WORD;
    StockHalf<?> stock = job.stock();
    try (DeviceTask task = DeviceTask.init(session, bytes, DeviceTask.Mode.DYNAMIC, 0, signal)) {
      HostProgram program =
          new HostProgram(
              task,
              (minDoc, limitDoc) -> {
                stock.compute(minDoc, limitDoc);
                signal.answered(); // the time of the host's half is not the device's
              });
      program.read(request.minDoc, request.limitDoc, windowDocs);
      ByteBuffer page = program.gather();
      stock.end();
      return new Result(take(job, session, page, program.counts()), program.counts());
    }
  }

  private static ResultReader take(
      PlanJob job, DeviceSession session, ByteBuffer page, SplitCounts counts)
      throws OffloadException {
    if (counts.onDevice() == 0) {
      ResultReader head = new ResultReader();
      head.resetHead(page, job.request());
      return head;
    }
    // The page ends with the device's last window; those behind it are the host's.
    ResultHeaderLayout.nextDoc(page, 0, job.request().limitDoc);
    return job.taker().take(page, session);
  }

  /** A plan was shed to the engine in the process, or shared with it. */
  void countShed(LeafPlan plan, PlanRequest request, long nanos, OffloadStats.Share counts) {
    load.hostTook(request.mode, plan.pages(), nanos);
    counts.add(Counter.PLANS_SHED, 1);
    counts.add(Counter.PLANS_SHED_SPLIT, 1);
  }

  /** Adds what became of the windows of a plan. */
  static void count(Cut cut, SplitCounts split, OffloadStats.Share counts) {
    if (split.windows() > 0) {
      counts.add(Counter.PLANS_SPLIT, 1);
      counts.add(Counter.WINDOWS_ON_DEVICE, split.onDevice());
      counts.add(Counter.WINDOWS_RAW, split.raw());
      counts.add(Counter.WINDOWS_HANDED_BACK, split.handedBack());
      counts.add(Counter.WINDOWS_BY_STOCK, cut.byStock() ? split.raw() + split.handedBack() : 0);
    }
  }
}
