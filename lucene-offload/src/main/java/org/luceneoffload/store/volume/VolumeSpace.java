/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.store.volume;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import org.apache.lucene.index.CorruptIndexException;
import org.luceneoffload.device.Device;
import org.luceneoffload.util.CauseLog;
import org.luceneoffload.wire.OffloadException;
import org.luceneoffload.wire.OffloadWire;

/**
 * The LBAs of a volume that no file has: those that are free now, those that are once a snapshot
 * without their file is durable, and those that a write which was given up may still reach.
 *
 * <p>All methods may be called from several threads. The monitor of this object is taken after
 * every other, and not held while the device is asked.
 */
final class VolumeSpace {
  /** LBAs that a sync gives back. */
  record Waiting(List<Extent> freed, List<Extent> settled) {}

  private final Device device;
  private FreeSpace free = new FreeSpace();
  private List<Extent> freedBySync = new ArrayList<>();
  private List<Extent> unsettled = new ArrayList<>();

  /** No space at all, as long as no volume is known. */
  VolumeSpace(Device device) {
    this.device = device;
  }

  /**
   * Returns the LBAs that some files leave free.
   *
   * @throws CorruptIndexException if two files share LBAs
   */
  static FreeSpace freeBeside(Collection<VolumeFile> files, VolumeMetadata volume, Device device)
      throws CorruptIndexException {
    FreeSpace free = new FreeSpace();
    free.add(volume.firstFileLba(), device.info().lbaCount() - volume.firstFileLba());
    for (VolumeFile file : new HashSet<>(files)) {
      for (Extent extent : file.extents) {
        if (!free.takeExactly(extent.lba(), extent.pageCount())) {
          throw new CorruptIndexException(
              "no usable volume: two files share LBAs from " + extent.lba(),
              "device " + device.name());
        }
      }
    }
    return free;
  }

  /** Returns whether the command that failed may still take effect. */
  static boolean isUnsettled(IOException failure) {
    return failure instanceof OffloadException e && e.status() == OffloadWire.Status.TIMED_OUT;
  }

  /** Replaces what is free by what the device says. */
  synchronized void reset(FreeSpace found) {
    free = found;
  }

  /** Returns the number of LBAs that may be used now. */
  synchronized long free() {
    return free.free();
  }

  /** Takes LBAs, right behind {@code lba} if they are free; -1: anywhere. Null if none are left. */
  synchronized FreeSpace.Run take(long lba, long wanted) {
    if (lba >= 0) {
      long count = free.takeFrom(lba, wanted);
      if (count > 0) {
        return new FreeSpace.Run(lba, count);
      }
    }
    return free.take(wanted);
  }

  /** Takes LBAs of a file that was not finished; a write to them may have been given up. */
  void giveUp(List<Extent> extents, boolean writeOutcomeUnknown) {
    if (writeOutcomeUnknown) {
      synchronized (this) {
        unsettled.addAll(extents);
      }
    } else {
      extents.forEach(this::freeNow);
    }
  }

  /** Gives back what a sync had to wait for, now that it is durable. */
  void freeNow(Waiting waiting) {
    waiting.freed.forEach(this::freeNow);
    waiting.settled.forEach(this::freeNow);
  }

  /**
   * Gives back LBAs that no snapshot names. Not with a monitor held: the device is asked to trim
   * them before another process can have them.
   */
  void freeNow(Extent extent) {
    boolean settled = trim(extent);
    synchronized (this) {
      if (settled) {
        free.add(extent.lba(), extent.pageCount());
      } else {
        unsettled.add(extent);
      }
    }
  }

  /** Adds LBAs that were not written to since they were last trimmed. */
  synchronized void gain(Extent extent) {
    free.add(extent.lba(), extent.pageCount());
  }

  /**
   * Trims LBAs that no process uses, and that none can have meanwhile.
   *
   * @return false if the device may still do it later
   */
  boolean trim(Extent extent) {
    try {
      device.trim(extent.lba(), extent.pageCount());
      return true;
    } catch (IOException e) {
      // Trimming only saves the device work; the LBAs are just as free without it.
      CauseLog.log(
          System.Logger.Level.DEBUG,
          "trim failed",
          device.name(),
          "device " + device.name() + ": LBAs are not given back: " + e.getMessage());
      return !isUnsettled(e);
    }
  }

  /** Notes LBAs of a file that the latest snapshot names. */
  synchronized void freeAfterSync(List<Extent> extents) {
    freedBySync.addAll(extents);
  }

  /** Returns whether a sync would give anything back. */
  synchronized boolean isAnyWaiting() {
    return !freedBySync.isEmpty() || !unsettled.isEmpty();
  }

  /** Hands over what the sync that begins now will give back. */
  synchronized Waiting takeWaiting() {
    Waiting waiting = new Waiting(freedBySync, unsettled);
    freedBySync = new ArrayList<>();
    unsettled = new ArrayList<>();
    return waiting;
  }

  /** Takes it back: the sync failed. */
  synchronized void putBack(Waiting waiting) {
    freedBySync.addAll(waiting.freed);
    unsettled.addAll(waiting.settled);
  }
}
