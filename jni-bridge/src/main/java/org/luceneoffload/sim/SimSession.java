/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.sim;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.luceneoffload.device.DeviceSession;
import org.luceneoffload.device.SplitPlans;
import org.luceneoffload.device.TaskCommands;
import org.luceneoffload.device.timing.ModelListener;
import org.luceneoffload.device.timing.ModelledPlan;
import org.luceneoffload.natives.NativeHandle;
import org.luceneoffload.natives.Trail;
import org.luceneoffload.util.LoneInt;
import org.luceneoffload.wire.OffloadException;
import org.luceneoffload.wire.OffloadWire;

/**
 * A session of the simulated device.
 *
 * <p>A plan is submitted and its result fetched in one crossing; only a plan that works off more
 * than its budget comes back in between, so that the stop signal is asked and a close is seen.
 */
final class SimSession implements DeviceSession, SplitPlans, TaskCommands, ModelledPlan {
  /** Device memory of a session in bytes; the engine's result page is an eighth of it. */
  static final int GRANT_BYTES = 4 << 20;

  static final int RESULT_BYTES = GRANT_BYTES / 8;

  /** Postings worked off between two looks at the stop signal, by default: a few milliseconds. */
  static final int BUDGET_POSTINGS = 1 << 19;

  /** With the bytes of a result: its plan has asked storage for pages; jni_sim_session.c has it. */
  private static final long PLAN_HAS_ASKED = 1L << 40;

  /** From so many doc IDs on, native code copies them faster, with the crossing. */
  private static final int FEW_DOCS = 128;

  /** A larger page of doc IDs is fetched without them: these go from the device to the caller. */
  private static final int MAX_WITH_DOCS = 1 << 14;

  private final NativeHandle handle;
  private final ByteBuffer plan;
  private final ByteBuffer result;
  private final Trail trail = new Trail();
  private final LoneInt running = new LoneInt(); // 1 while a thread runs a plan
  private final Supplier<ModelListener> listener;
  private final Consumer<SimSession> onClose;
  private final boolean ownThreads;
  private final int budget;
  private final int windowPages;
  private ModelFetch modelFetch; // made when it is first needed
  private boolean asked; // of the latest plan
  private boolean lacksDocs; // the page: the device has them
  private SplitPlans.Counts splitCounts = SplitPlans.Counts.NONE;
  private SimTask task; // made when it is first needed

  /**
   * Opens a session.
   *
   * @param device address of the device, which stays during this call
   * @param buffers the session's own from now on
   * @param ownThreads whether all plans run on the device's own threads
   * @param budget postings worked off between two looks at the stop signal
   * @param windowPages pages of lists that a window has at least; 0: the default
   * @param listener gives who is told of a plan that has been run; null: nobody
   * @param onClose told once when the session closes
   */
  SimSession(
      long device,
      SessionBuffers buffers,
      boolean ownThreads,
      int budget,
      int windowPages,
      Supplier<ModelListener> listener,
      Consumer<SimSession> onClose)
      throws OffloadException {
    plan = buffers.plan();
    result = buffers.result();
    long opened = nativeOpen(device, plan, result, GRANT_BYTES, trail.bytes);
    handle = new NativeHandle("the session", trail.check(opened, "opening a session"));
    this.ownThreads = ownThreads;
    this.budget = budget;
    this.windowPages = windowPages;
    this.listener = listener;
    this.onClose = onClose;
  }

  @Override
  public ByteBuffer planBuffer() {
    return plan;
  }

  /** Returns whether plans can be split. A plan that is split is not modelled. */
  @Override
  public boolean canSplit() {
    return listener.get() == null;
  }

  @Override
  public int windowPages() {
    return windowPages != 0 ? windowPages : DEFAULT_WINDOW_PAGES;
  }

  @Override
  public ByteBuffer execute(int planBytes, StopSignal stop) throws IOException {
    return ownThreads && canSplit()
        ? execute(planBytes, 1, OffloadWire.TaskMode.STATIC, RESULT_BYTES, stop)
        : execute(planBytes, 0, 0, RESULT_BYTES, stop);
  }

  @Override
  public ByteBuffer executeDocs(int planBytes, StopSignal stop) throws IOException {
    return ownThreads ? execute(planBytes, stop) : execute(planBytes, 0, 0, MAX_WITH_DOCS, stop);
  }

  @Override
  public ByteBuffer executeSplit(int planBytes, int windows, int mode, StopSignal stop)
      throws IOException {
    if (windows < 1) {
      throw new IllegalArgumentException("windows must be at least 1, got " + windows);
    }
    if (windows == 1) {
      splitCounts = SplitPlans.Counts.NONE;
      return execute(planBytes, 0, 0, RESULT_BYTES, stop);
    }
    ByteBuffer page = execute(planBytes, windows, mode, RESULT_BYTES, stop);
    long address = handle.acquire();
    try {
      splitCounts = HostExecutor.counts(nativeSplitCounts(address));
    } finally {
      handle.release();
    }
    return page;
  }

  @Override
  public SplitPlans.Counts splitCounts() {
    return splitCounts;
  }

  /**
   * Runs a plan.
   *
   * @param windows to cut it into; 0: it is run as it is on this thread
   * @param mode of the task, of {@link OffloadWire.TaskMode}
   * @param mostBytes of a page that is fetched whole; of a larger one the header is
   */
  private ByteBuffer execute(int planBytes, int windows, int mode, int mostBytes, StopSignal stop)
      throws IOException {
    if (planBytes < 0 || planBytes > plan.capacity()) {
      throw new IllegalArgumentException(
          "planBytes must be between 0 and " + plan.capacity() + ", got " + planBytes);
    }
    beginRunning();
    try {
      ModelListener told = listener.get();
      lacksDocs = false;
      long bytes = start(planBytes, windows, mode, mostBytes);
      while (bytes == 0) {
        if (wantsStop(stop)) {
          abort();
          throw new OffloadException(OffloadWire.Status.ABORTED, "the caller stopped the plan");
        }
        bytes = goOn();
      }
      if (told != null) {
        told.modelled(this);
      }
      asked = (bytes & PLAN_HAS_ASKED) != 0;
      int length = Math.toIntExact(bytes & ~PLAN_HAS_ASKED);
      lacksDocs = length > mostBytes;
      return result.clear().limit(length);
    } finally {
      running.set(0);
    }
  }

  @Override
  public boolean hasAsked() {
    return asked;
  }

  @Override
  public void ask(long[] runs, int count) {
    Objects.checkFromIndexSize(0, 2 * count, runs.length);
    try {
      long address = handle.acquire();
      try {
        nativeAsk(address, runs, count);
      } finally {
        handle.release();
      }
    } catch (OffloadException e) {
      // It is closed: the next plan says so.
    }
  }

  @Override
  public int taskCommand(int opcode, int dword11, int dword12, int dword13, StopSignal stop)
      throws IOException {
    beginRunning();
    try {
      if (task == null) {
        task = new SimTask(handle, trail);
      }
      long answer = task.begin(opcode, dword11, dword12, dword13, budget);
      while (answer == 0) {
        if (wantsStop(stop)) {
          abort();
          throw new OffloadException(OffloadWire.Status.ABORTED, "the caller stopped the task");
        }
        answer = task.goOn(budget);
      }
      return (int) (answer - 1);
    } finally {
      running.set(0);
    }
  }

  @Override
  public ByteBuffer taskPage(int bytes) throws IOException {
    beginRunning();
    try {
      if (task == null) {
        throw new OffloadException(OffloadWire.Status.INVALID_FIELD, "the session had no task");
      }
      return result.clear().limit(task.page(bytes));
    } finally {
      running.set(0);
    }
  }

  private void beginRunning() throws OffloadException {
    if (!running.compareAndSet(0, 1)) {
      throw new OffloadException(
          OffloadWire.Status.BUSY, "the session runs a plan of another thread");
    }
  }

  @Override
  public boolean copyAscending(ByteBuffer page, int from, int count, int[] docs)
      throws OffloadException {
    if (page == result && lacksDocs) {
      return fetchAscending(from, count, docs);
    }
    if (count < FEW_DOCS || page != result) {
      return DeviceSession.super.copyAscending(page, from, count, docs);
    }
    Objects.checkFromIndexSize(from, (long) count * Integer.BYTES, page.limit());
    Objects.checkFromIndexSize(0, count, docs.length);
    return nativeCopyAscending(page, from, count, docs);
  }

  private boolean fetchAscending(int from, int count, int[] docs) throws OffloadException {
    beginRunning();
    try {
      long address = handle.acquire();
      try {
        long ascend = nativeFetchAscending(address, from, count, docs, trail.bytes);
        return trail.check(ascend, "fetching doc IDs") != 0;
      } finally {
        handle.release();
      }
    } finally {
      running.set(0);
    }
  }

  @Override
  public ByteBuffer modelData(int data) throws OffloadException {
    if (modelFetch == null) {
      modelFetch = new ModelFetch();
    }
    return modelFetch.all(
        (from, chunk) -> {
          long address = handle.acquire();
          try {
            long read = nativeModelData(address, data, from, chunk, chunk.capacity(), trail.bytes);
            return (int) trail.check(read, "asking the model about a plan");
          } finally {
            handle.release();
          }
        });
  }

  private boolean wantsStop(StopSignal stop) throws IOException {
    try {
      return stop.stop();
    } catch (RuntimeException | Error e) {
      try {
        abort();
      } catch (OffloadException suppressed) {
        e.addSuppressed(suppressed);
      }
      throw e;
    }
  }

  // The handle is held for the native calls alone: between them the session may be closed.

  private long start(int planBytes, int windows, int mode, int mostBytes) throws OffloadException {
    long address = handle.acquire();
    try {
      long begun =
          windows == 0
              ? nativeExecute(address, planBytes, mostBytes, budget, trail.bytes)
              : nativeSplit(address, planBytes, windows, mode, budget, trail.bytes);
      return trail.check(begun, "running a plan");
    } finally {
      handle.release();
    }
  }

  private long goOn() throws OffloadException {
    long address = handle.acquire();
    try {
      return trail.check(nativeContinue(address, budget, trail.bytes), "running a plan");
    } finally {
      handle.release();
    }
  }

  private void abort() throws OffloadException {
    long address = handle.acquire();
    try {
      nativeAbort(address);
    } finally {
      handle.release();
    }
  }

  /** Ends a plan that another thread runs with status CLOSED, and frees the session. */
  @Override
  public void close() {
    handle.close(SimSession::nativeClose);
    onClose.accept(this);
  }

  private static native long nativeOpen(
      long device, ByteBuffer plan, ByteBuffer result, int grantBytes, byte[] trail);

  private static native long nativeExecute(
      long handle, int planBytes, int mostBytes, long budget, byte[] trail);

  private static native long nativeSplit(
      long handle, int planBytes, int windows, int mode, long budget, byte[] trail);

  private static native long nativeSplitCounts(long handle);

  private static native long nativeContinue(long handle, long budget, byte[] trail);

  static native boolean nativeCopyAscending(ByteBuffer page, int from, int count, int[] docs);

  private static native long nativeFetchAscending(
      long handle, int from, int count, int[] docs, byte[] trail);

  private static native void nativeAsk(long handle, long[] runs, int count);

  private static native long nativeModelData(
      long handle, int what, int from, ByteBuffer chunk, int bytes, byte[] trail);

  private static native void nativeAbort(long handle);

  private static native void nativeClose(long handle);
}
