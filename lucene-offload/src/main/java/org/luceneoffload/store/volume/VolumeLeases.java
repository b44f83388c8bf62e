/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.store.volume;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import org.luceneoffload.device.SharedStorage;
import org.luceneoffload.util.CauseLog;

/**
 * What hosts that share a device keep for each other: the number of the oldest file table that this
 * process uses, and the files without a name that others may still read. May be used by several
 * threads; it holds no lock while it waits for the device.
 */
final class VolumeLeases {
  private final String device; // its name
  private final SharedStorage shared;
  private boolean wanted;
  private final TreeMap<Long, Integer> openAt = new TreeMap<>(); // open readers by file table
  private List<GoneFile> gone = new ArrayList<>();

  VolumeLeases(String device, SharedStorage shared) {
    this.device = device;
    this.shared = shared;
  }

  /** Has leases be held from now on. */
  synchronized void want() {
    wanted = true;
  }

  synchronized boolean areWanted() {
    return wanted;
  }

  /** Notes a reader of a file of a file table. */
  synchronized void opened(long sequence) {
    openAt.merge(sequence, 1, Integer::sum);
  }

  /**
   * Notes that a reader was closed, the opposite of {@link #opened}; nothing happens if there is no
   * such reader.
   */
  synchronized void closed(long sequence) {
    openAt.computeIfPresent(sequence, (key, count) -> count == 1 ? null : count - 1);
  }

  /**
   * Holds the number of the oldest file table that is in use here, if leases are wanted.
   *
   * @param sequence number of the one in which files are looked up; Long.MAX_VALUE by who writes
   */
  void hold(long sequence) throws IOException {
    long oldest;
    synchronized (this) {
      if (!wanted) {
        return;
      }
      oldest = openAt.isEmpty() ? sequence : Math.min(sequence, openAt.firstKey());
    }
    shared.holdLease(oldest);
  }

  /**
   * Holds leases as {@link #hold}; what cannot be told to the device now is told to it next time.
   */
  void tryHold(long sequence) {
    try {
      hold(sequence);
    } catch (IOException e) {
      CauseLog.log(
          System.Logger.Level.DEBUG,
          "lease not changed",
          device,
          "device " + device + ": it is not told what is read now: " + e.getMessage());
    }
  }

  /** Returns the files without a name that may still be read. */
  synchronized List<GoneFile> gone() {
    return new ArrayList<>(gone);
  }

  synchronized void setGone(List<GoneFile> files) {
    gone = new ArrayList<>(files);
  }

  synchronized void addGone(GoneFile file) {
    gone.add(file);
  }

  /**
   * Returns the least number that a reader of any host holds; -1 if the device cannot tell.
   *
   * @param sequence as of {@link #hold}
   */
  long least(long sequence) {
    try {
      hold(sequence); // this process may have closed readers from before it wrote
      return shared.leastLease();
    } catch (IOException e) {
      CauseLog.log(
          System.Logger.Level.DEBUG,
          "leases not known",
          device,
          "device " + device + ": deleted files stay for now: " + e.getMessage());
      return -1;
    }
  }

  /**
   * Frees the files that are no longer read on any host. If the device cannot tell, they stay.
   *
   * @param sequence as of {@link #hold}
   */
  void release(long sequence, VolumeSpace space) {
    if (gone().isEmpty()) {
      return;
    }
    long least = least(sequence);
    List<GoneFile> free = new ArrayList<>();
    synchronized (this) {
      gone.removeIf(file -> file.since() <= least && free.add(file));
    }
    free.forEach(file -> file.extents().forEach(space::freeNow));
  }
}
