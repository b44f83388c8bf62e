/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.sim;

import java.io.Closeable;
import java.nio.ByteBuffer;
import org.luceneoffload.device.DeviceSession.StopSignal;
import org.luceneoffload.device.SplitPlans;
import org.luceneoffload.natives.NativeHandle;
import org.luceneoffload.natives.Trail;
import org.luceneoffload.wire.OffloadException;
import org.luceneoffload.wire.OffloadWire;
import org.luceneoffload.wire.layout.ExtentLayout;

/**
 * Executes the host's part of plans that are split with a device elsewhere: the engine in the
 * process does the windows that the device refuses or hands back, over its raw pages, and adds
 * both. Its caller sends the commands and copies the pages. For one thread at a time, but for
 * {@link #close}.
 */
public final class HostExecutor implements Closeable {
  /** Sends a command to the device. */
  @FunctionalInterface
  public interface Sender {
    /**
     * Sends it and waits for its end.
     *
     * @param opcode of {@link OffloadWire.Opcode}: INIT_TSK, of the plan; READ_PROC; FINAL; or
     *     FETCH, of the whole result page from byte 0 on
     * @param dwords cdw11 to cdw13, which the command has behind the session
     * @return dword 0 of the completion
     */
    int send(int opcode, int[] dwords) throws OffloadException;
  }

  /** Copies pages from the device. */
  @FunctionalInterface
  public interface Copier {
    /**
     * Brings the pages into the process.
     *
     * @param extents the plan's, of {@link ExtentLayout}
     * @param count of these
     * @return whether they are; if not, the device has to run the plan
     */
    boolean copy(ByteBuffer extents, int count) throws OffloadException;
  }

  /** What the native step wants, as csd_split.h has it. */
  private static final int COMPLETE = 0;

  private static final int COMMAND = 2;
  private static final int PAGES = 3;

  private static final int DWORDS = 3;

  private final NativeHandle handle;
  private final Trail trail = new Trail();
  private final int[] command = new int[DWORDS + 2];
  private final int[] dwords = new int[DWORDS];
  private final ByteBuffer extents;
  private int extentCount;
  private boolean failedHere;

  /**
   * @param device address of the device with the pages, which stays during this call
   * @param extents room for those of any plan
   */
  HostExecutor(long device, ByteBuffer extents) throws OffloadException {
    long opened = nativeOpen(device, SimSession.GRANT_BYTES, trail.bytes);
    this.handle = new NativeHandle("the host's executor", trail.check(opened, "opening a session"));
    this.extents = extents;
  }

  /**
   * Runs a plan. If this fails, or returns 0, a task that was begun is the caller's to end.
   *
   * @param plan the plan, with the live docs that the pages' device has; direct
   * @param windows to cut it into, about
   * @param mode of {@link OffloadWire.TaskMode}: DYNAMIC, or STATIC
   * @param result the result page goes there, and what FETCH brings must be there; direct
   * @return bytes of the result page; 0 if the device has to run the plan as it is
   */
  public int run(
      ByteBuffer plan,
      int planBytes,
      int windows,
      int mode,
      ByteBuffer result,
      Sender sender,
      Copier copier,
      StopSignal stop)
      throws OffloadException {
    extentCount = 0;
    failedHere = false;
    boolean complete = false;
    try {
      if (begin(plan, planBytes, windows, mode) != 0) {
        return 0;
      }
      while (true) {
        if (stop.stop()) {
          throw new OffloadException(OffloadWire.Status.ABORTED, "the caller stopped the plan");
        }
        int wanted = step();
        if (wanted == COMPLETE) {
          complete = true;
          return page(result);
        } else if (wanted == COMMAND) {
          send(sender, result);
        } else if (wanted == PAGES && !copier.copy(extents, readExtents())) {
          return 0;
        }
      }
    } finally {
      if (!complete) {
        abort();
      }
    }
  }

  private void send(Sender sender, ByteBuffer result) throws OffloadException {
    int opcode = command[0];
    System.arraycopy(command, 1, dwords, 0, DWORDS);
    int dw0 = sender.send(opcode, dwords);
    int bytes = opcode == OffloadWire.Opcode.FETCH ? command[DWORDS + 1] : 0;
    long address = handle.acquire();
    try {
      trail.check(nativeAnswer(address, dw0, result, bytes, trail.bytes), "sharing a plan");
    } finally {
      handle.release();
    }
  }

  private int begin(ByteBuffer plan, int planBytes, int windows, int mode) throws OffloadException {
    long address = handle.acquire();
    try {
      long begun = nativeBegin(address, plan, planBytes, windows, mode, trail.bytes);
      return (int) trail.check(begun, "sharing a plan");
    } finally {
      handle.release();
    }
  }

  private int step() throws OffloadException {
    long address = handle.acquire();
    try {
      long wanted = nativeStep(address, SimSession.BUDGET_POSTINGS, command, trail.bytes);
      return (int) trail.check(wanted, "running a part of a plan on the host");
    } catch (OffloadException e) {
      failedHere = true;
      throw e;
    } finally {
      handle.release();
    }
  }

  private int readExtents() throws OffloadException {
    long address = handle.acquire();
    try {
      extentCount = nativeExtents(address, extents);
    } finally {
      handle.release();
    }
    if (extentCount < 0) {
      throw new OffloadException(OffloadWire.Status.INTERNAL, "a plan of too many extents");
    }
    return extentCount;
  }

  private int page(ByteBuffer result) throws OffloadException {
    long address = handle.acquire();
    try {
      long bytes = nativePage(address, result, trail.bytes);
      return Math.toIntExact(trail.check(bytes, "sharing a plan"));
    } finally {
      handle.release();
    }
  }

  private void abort() {
    try {
      long address = handle.acquire();
      try {
        nativeAbort(address);
      } finally {
        handle.release();
      }
    } catch (OffloadException e) {
      // It is closed, and has nothing under way.
    }
  }

  /** Returns the extents whose pages the latest plan needed here, from byte 0 to the limit. */
  public ByteBuffer extents() {
    return extents
        .duplicate()
        .order(extents.order())
        .clear()
        .limit(extentCount * ExtentLayout.BYTES);
  }

  /**
   * Returns whether it was the engine in the process that failed with the latest plan, as it does
   * over pages that the device has other ones for by now.
   */
  public boolean failedHere() {
    return failedHere;
  }

  /** Returns what became of the windows of the latest plan that ended well. */
  public SplitPlans.Counts counts() throws OffloadException {
    long address = handle.acquire();
    try {
      return counts(nativeCounts(address));
    } finally {
      handle.release();
    }
  }

  /** Unpacks counts of 16 bits each. */
  static SplitPlans.Counts counts(long packed) {
    return new SplitPlans.Counts(
        (int) packed & 0xFFFF,
        (int) (packed >>> 16) & 0xFFFF,
        (int) (packed >>> 32) & 0xFFFF,
        (int) (packed >>> 48));
  }

  @Override
  public void close() {
    handle.close(HostExecutor::nativeClose);
  }

  private static native long nativeOpen(long device, int grantBytes, byte[] trail);

  private static native long nativeBegin(
      long handle, ByteBuffer plan, int planBytes, int windows, int mode, byte[] trail);

  private static native long nativeStep(long handle, long budget, int[] command, byte[] trail);

  private static native long nativeAnswer(
      long handle, int dw0, ByteBuffer data, int bytes, byte[] trail);

  private static native int nativeExtents(long handle, ByteBuffer extents);

  private static native long nativePage(long handle, ByteBuffer result, byte[] trail);

  private static native long nativeCounts(long handle);

  private static native void nativeAbort(long handle);

  private static native void nativeClose(long handle);
}
