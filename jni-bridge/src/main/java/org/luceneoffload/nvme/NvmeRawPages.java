/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.nvme;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;
import org.luceneoffload.device.DeviceInfo;
import org.luceneoffload.sim.HostExecutor;
import org.luceneoffload.sim.RawPages;
import org.luceneoffload.util.CauseLog;
import org.luceneoffload.wire.OffloadException;

/**
 * What the host needs of a namespace to do windows of its plans: raw pages and live docs, with the
 * engine in the process. It begins with the first plan that is to be shared; live docs are kept for
 * it from before, on the heap. Safe for several threads.
 */
final class NvmeRawPages implements Closeable {
  /** Bytes of raw pages that a device's host keeps at most. */
  private static final long MAX_BYTES = 256L << 20;

  private final String name;
  private final DeviceInfo info;
  private final RawPages.Source source;

  // Guarded by the monitor.
  private final Map<Integer, LiveDocs> liveDocs = new HashMap<>(); // by the device's number
  private boolean asked;
  private boolean closed;
  private volatile RawPages pages; // null: not asked for, or there can be none

  /** Live docs, and their number in the process; 0: they are not there. */
  private static final class LiveDocs {
    final ByteBuffer bits;
    int here;

    LiveDocs(ByteBuffer bits) {
      this.bits = bits;
    }
  }

  NvmeRawPages(String name, DeviceInfo info, RawPages.Source source) {
    this.name = name;
    this.info = info;
    this.source = source;
  }

  /** Returns whether there is an engine in the process, with room for pages. */
  boolean areThere() {
    return pages != null || open();
  }

  private synchronized boolean open() {
    if (!asked && !closed) {
      asked = true;
      try {
        pages = RawPages.open(name, info.lbaCount(), MAX_BYTES, info.maxTransferBytes(), source);
      } catch (IOException | IllegalStateException e) {
        CauseLog.warn(
            "no host executor",
            name,
            "plans are not shared with device " + name + ", which runs all of them: " + e);
      }
    }
    return pages != null;
  }

  /** Opens the executor of one session. */
  HostExecutor openExecutor() throws OffloadException {
    return pages.openExecutor();
  }

  boolean copy(ByteBuffer extents, int count) throws OffloadException {
    return pages.copy(extents, count);
  }

  void forget(ByteBuffer extents) {
    pages.forget(extents);
  }

  /** Takes note of a write or trim. */
  void forget(long lba, long count) {
    RawPages there = pages;
    if (there != null) {
      there.forget(lba, count);
    }
  }

  /** Keeps live docs that the device has under a number. */
  synchronized void keepLiveDocs(int resource, ByteBuffer bits) {
    ByteBuffer copy = ByteBuffer.allocate(bits.remaining());
    copy.put(bits.duplicate()).flip();
    liveDocs.put(resource, new LiveDocs(copy));
  }

  /** Returns the number in the process of live docs that the device has; -1: they are not known. */
  synchronized int liveDocs(int resource) throws IOException {
    if (resource == 0) {
      return 0; // all docs are live
    }
    LiveDocs kept = liveDocs.get(resource);
    if (kept == null) {
      return -1;
    }
    if (kept.here == 0) {
      ByteBuffer direct = AlignedMemory.allocate(kept.bits.remaining());
      direct.put(0, kept.bits, 0, kept.bits.remaining()).limit(kept.bits.remaining());
      kept.here = pages.putLiveDocs(direct);
    }
    return kept.here;
  }

  /** Lets go of live docs. */
  synchronized void dropLiveDocs(int resource) throws IOException {
    LiveDocs kept = liveDocs.remove(resource);
    if (kept != null && kept.here != 0) {
      pages.dropLiveDocs(kept.here);
    }
  }

  @Override
  public synchronized void close() throws IOException {
    closed = true;
    liveDocs.clear();
    if (pages != null) {
      pages.close();
    }
  }
}
