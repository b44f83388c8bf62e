/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.store.volume;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Runs of free LBAs. Not thread-safe. */
final class FreeSpace {
  /** A run of LBAs. */
  record Run(long lba, long count) {}

  private final TreeMap<Long, Long> runs = new TreeMap<>();
  private long free;

  /** Returns the number of free LBAs in all. */
  long free() {
    return free;
  }

  /** Returns all runs, as extents of a file that has nothing but them. */
  List<Extent> extents() {
    List<Extent> extents = new ArrayList<>();
    int pages = 0;
    for (Map.Entry<Long, Long> run : runs.entrySet()) {
      int count = Math.toIntExact(run.getValue());
      extents.add(new Extent(pages, count, run.getKey()));
      pages = Math.addExact(pages, count);
    }
    return extents;
  }

  /** Gives LBAs back. */
  void add(long lba, long count) {
    if (count <= 0) {
      throw new IllegalArgumentException("count must be > 0, got " + count);
    }
    long start = lba;
    long end = lba + count;
    Map.Entry<Long, Long> before = runs.floorEntry(lba);
    Map.Entry<Long, Long> after = runs.ceilingEntry(lba);
    if (before != null && before.getKey() + before.getValue() > lba
        || after != null && after.getKey() < end) {
      throw new IllegalStateException("LBAs " + lba + " to " + (end - 1) + " are free already");
    }
    if (before != null && before.getKey() + before.getValue() == lba) {
      start = before.getKey();
    }
    if (after != null && after.getKey() == end) {
      end += after.getValue();
      runs.remove(after.getKey());
    }
    runs.put(start, end - start);
    free += count;
  }

  /** Takes LBAs that a snapshot says are in use; false if they are not all free. */
  boolean takeExactly(long lba, long count) {
    Map.Entry<Long, Long> run = runs.floorEntry(lba);
    if (run == null || run.getKey() + run.getValue() < lba + count) {
      return false;
    }
    take(run.getKey(), run.getValue(), lba, count);
    return true;
  }

  /** Takes up to {@code wanted} LBAs from {@code lba} on; returns how many, perhaps 0. */
  long takeFrom(long lba, long wanted) {
    Long count = runs.get(lba);
    if (count == null) {
      return 0;
    }
    long taken = Math.min(count, wanted);
    take(lba, count, lba, taken);
    return taken;
  }

  /**
   * Takes up to {@code wanted} neighbouring LBAs: from the smallest run that has them all, or else
   * the whole of the largest.
   *
   * @return the LBAs, or null if none is free
   */
  Run take(long wanted) {
    Map.Entry<Long, Long> best = null;
    for (Map.Entry<Long, Long> run : runs.entrySet()) {
      if (best == null || better(run.getValue(), best.getValue(), wanted)) {
        best = run;
      }
    }
    if (best == null) {
      return null;
    }
    long lba = best.getKey();
    long count = Math.min(best.getValue(), wanted);
    take(lba, best.getValue(), lba, count);
    return new Run(lba, count);
  }

  private static boolean better(long count, long best, long wanted) {
    return best >= wanted ? count >= wanted && count < best : count > best;
  }

  private void take(long runLba, long runCount, long lba, long count) {
    runs.remove(runLba);
    if (lba > runLba) {
      runs.put(runLba, lba - runLba);
    }
    long rest = runLba + runCount - (lba + count);
    if (rest > 0) {
      runs.put(lba + count, rest);
    }
    free -= count;
  }
}
