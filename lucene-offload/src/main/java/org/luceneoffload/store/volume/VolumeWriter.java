/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.store.volume;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.luceneoffload.wire.OffloadWire;

/**
 * Writes one file of a volume, from its first page to its last. One thread at a time. Ends with
 * either {@link #finish} or {@link #abort}.
 */
public final class VolumeWriter {
  private static final int LBA_BYTES = OffloadWire.LBA_BYTES;
  private static final int MIN_GROWTH = 64;
  private static final int MAX_GROWTH = 4096;

  private final Volume volume;
  private final String name;
  private final long stamp;
  private final List<Extent> extents = new ArrayList<>();
  private int nextGrowth;
  private int pagesWritten;
  private int pagesReserved;
  private boolean ended;
  private boolean writeOutcomeUnknown; // a write was given up

  VolumeWriter(Volume volume, String name, long expectedBytes, long stamp) {
    this.volume = volume;
    this.name = name;
    this.stamp = stamp;
    this.nextGrowth = Math.clamp(expectedBytes / LBA_BYTES, MIN_GROWTH, MAX_GROWTH);
  }

  /** Writes whole pages, from position to limit, behind those written before. */
  public void append(ByteBuffer pages) throws IOException {
    if (ended) {
      throw new IllegalStateException("file " + name + " is finished");
    }
    int limit = pages.limit();
    try {
      while (pages.position() < limit) {
        if (pagesWritten == pagesReserved) {
          grow();
        }
        Extent extent = extents.getLast();
        int room = pagesReserved - pagesWritten;
        int bytes =
            (int)
                Math.min(
                    Math.min(limit - pages.position(), volume.transferBytes()),
                    (long) room * LBA_BYTES);
        pages.limit(pages.position() + bytes);
        write(extent.lba() + pagesWritten - extent.filePage(), pages);
        pagesWritten += bytes / LBA_BYTES;
      }
    } finally {
      pages.limit(limit);
    }
  }

  private void write(long lba, ByteBuffer pages) throws IOException {
    try {
      volume.device().write(lba, pages);
    } catch (IOException e) {
      writeOutcomeUnknown |= VolumeSpace.isUnsettled(e);
      throw e;
    }
  }

  /**
   * Ends the file and names it.
   *
   * @param length its length in bytes; at most what was appended
   */
  public void finish(long length) throws IOException {
    if (ended || length > (long) pagesWritten * LBA_BYTES) {
      throw new IllegalStateException(
          "file " + name + " of " + length + " bytes has " + pagesWritten + " pages");
    }
    trimTail();
    boolean named = false;
    try {
      volume.add(name, new VolumeFile(extents, length, stamp));
      named = true;
    } finally {
      ended = true;
      if (!named) {
        volume.space().giveUp(extents, writeOutcomeUnknown);
      }
    }
  }

  /** Gives the file up; harmless once it is finished. */
  public void abort() {
    if (!ended) {
      ended = true;
      volume.space().giveUp(extents, writeOutcomeUnknown);
    }
  }

  private void grow() throws IOException {
    Extent last = extents.isEmpty() ? null : extents.getLast();
    FreeSpace.Run run = volume.allocate(last == null ? -1 : last.endLba(), nextGrowth);
    int count = (int) run.count();
    if (last != null && last.endLba() == run.lba()) {
      extents.set(
          extents.size() - 1, new Extent(last.filePage(), last.pageCount() + count, last.lba()));
    } else {
      extents.add(new Extent(pagesReserved, count, run.lba()));
    }
    pagesReserved += count;
    nextGrowth = Math.clamp(pagesReserved, MIN_GROWTH, MAX_GROWTH);
  }

  private void trimTail() {
    int surplus = pagesReserved - pagesWritten;
    if (surplus > 0) {
      Extent last = extents.removeLast();
      int kept = last.pageCount() - surplus;
      if (kept > 0) {
        extents.add(new Extent(last.filePage(), kept, last.lba()));
      }
      volume.space().freeNow(new Extent(last.filePage() + kept, surplus, last.lba() + kept));
      pagesReserved = pagesWritten;
    }
  }
}
