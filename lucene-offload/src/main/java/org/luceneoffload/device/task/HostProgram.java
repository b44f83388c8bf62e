/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.device.task;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import org.luceneoffload.device.Device;
import org.luceneoffload.device.SplitPlans;
import org.luceneoffload.wire.OffloadException;
import org.luceneoffload.wire.OffloadWire;
import org.luceneoffload.wire.layout.ResultHeaderLayout;

/**
 * The host's half of a program that a device shares, in the four steps of Summarizer (Koo et al.,
 * MICRO 2017, 3.3), whose unit is a page where ours is a window of docs:
 *
 * <ul>
 *   <li>STORE puts data into whole pages of the device: {@link #store};
 *   <li>READ offers windows to the device: {@link #read};
 *   <li>COMPUTE does on the host those that come back raw: the function given to the constructor,
 *       which is called by READ and by GATHER;
 *   <li>GATHER ends the task, has the host do what the device has not begun, and gives what the
 *       device has found: {@link #gather}. To put both together is the program's own matter.
 * </ul>
 *
 * <p>Whatever the device does, COMPUTE and the page of GATHER are about all windows, each once. For
 * one thread.
 */
public final class HostProgram {
  /** Does a window on the host. */
  @FunctionalInterface
  public interface Compute {
    /** Computes the docs from {@code minDoc} up to {@code limitDoc}. */
    void compute(int minDoc, int limitDoc) throws IOException;
  }

  private record Window(int minDoc, int limitDoc) {}

  private final DeviceTask task;
  private final Compute compute;
  private final List<Window> taken = new ArrayList<>();
  private int windows;
  private int raw;
  private int handedBack;

  /**
   * A program that has read nothing yet.
   *
   * @param task in mode STATIC or DYNAMIC
   * @param compute does windows on the host
   */
  public HostProgram(DeviceTask task, Compute compute) {
    if (task.mode() == DeviceTask.Mode.HAND_CODED) {
      throw new IllegalArgumentException("a hand-coded task is read by DeviceTask.filter");
    }
    this.task = task;
    this.compute = compute;
  }

  /**
   * Writes data to whole pages of a device, with zeros behind them: STORE.
   *
   * @param data from position to limit
   * @return LBAs that were written
   */
  public static long store(Device device, long lba, ByteBuffer data) throws IOException {
    int page = device.lbaBytes();
    int most = Math.max(1, device.info().maxTransferBytes() / page);
    ByteBuffer from = data.duplicate();
    long next = lba;
    while (from.hasRemaining()) {
      int pages = (int) Math.min(most, ((long) from.remaining() + page - 1) / page);
      int bytes = Math.min(from.remaining(), pages * page);
      ByteBuffer room = ByteBuffer.allocateDirect(pages * page).order(ByteOrder.LITTLE_ENDIAN);
      room.put(0, from, from.position(), bytes);
      from.position(from.position() + bytes);
      device.write(next, room);
      next += pages;
    }
    return next - lba;
  }

  /** Offers one window: READ. If the device does not take it, COMPUTE has done it on return. */
  public void read(int minDoc, int limitDoc) throws IOException {
    windows++;
    if (task.read(minDoc, limitDoc)) {
      taken.add(new Window(minDoc, limitDoc));
    } else {
      raw++;
      compute.compute(minDoc, limitDoc);
    }
  }

  /**
   * Offers the docs from {@code minDoc} up to {@code limitDoc}, in windows of so many docs: READ.
   */
  public void read(int minDoc, int limitDoc, int windowDocs) throws IOException {
    if (windowDocs < 1) {
      throw new IllegalArgumentException("windowDocs must be at least 1, got " + windowDocs);
    }
    for (int doc = minDoc; doc < limitDoc; ) {
      int limit = (int) Math.min(limitDoc, (long) doc + windowDocs);
      read(doc, limit);
      doc = limit;
    }
  }

  /**
   * Ends the task: GATHER. A task in mode DYNAMIC leaves to COMPUTE what the device has not begun.
   *
   * @return the device's result page, of the windows that COMPUTE has not done; the caller's own
   */
  public ByteBuffer gather() throws IOException {
    ByteBuffer left = task.end(task.mode() == DeviceTask.Mode.DYNAMIC);
    ByteBuffer page = ByteBuffer.allocateDirect(left.remaining()).order(ByteOrder.LITTLE_ENDIAN);
    page.put(left.duplicate()).flip();
    int done = ResultHeaderLayout.windows(page, 0);
    if (done < 0 || done > taken.size()) {
      throw new OffloadException(
          OffloadWire.Status.INTERNAL,
          "the device says that it has done " + done + " of " + taken.size() + " windows");
    }
    for (Window window : taken.subList(done, taken.size())) {
      handedBack++;
      compute.compute(window.minDoc, window.limitDoc);
    }
    return page;
  }

  /** Returns what has become of the windows, once they are gathered. */
  public SplitPlans.Counts counts() {
    return new SplitPlans.Counts(windows, taken.size() - handedBack, raw, handedBack);
  }
}
