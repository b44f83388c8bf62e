/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.cli;

import java.util.Map;
import java.util.TreeMap;
import org.luceneoffload.OffloadDirectory;
import org.luceneoffload.OffloadStats;
import org.luceneoffload.OffloadStats.Counter;

/**
 * What the device did between two moments: differences of its counters.
 *
 * @param leavesOffloaded segments of queries that the device answered
 * @param leavesOnHost segments of queries that the host answered because it had to or was faster
 * @param leavesFallenBack segments of queries that the host answered because the device failed
 * @param bytesToDevice bytes of plans and live docs that crossed the link
 * @param bytesFromDevice bytes of result pages that crossed the link
 * @param hostBytes bytes of the posting pages that a host would have read for the same answers
 * @param pagesRead posting pages that the device visited
 * @param postingsDecoded postings that the device decoded
 * @param reasons why segments or queries ran on the host, and how often
 */
record DeviceWork(
    long leavesOffloaded,
    long leavesOnHost,
    long leavesFallenBack,
    long bytesToDevice,
    long bytesFromDevice,
    long hostBytes,
    long pagesRead,
    long postingsDecoded,
    Map<String, Long> reasons) {

  private static final String NO_DEVICE = "the index is open without a device";

  /** Counters at one moment. */
  static final class Mark {
    private final OffloadStats stats;
    private final boolean hasDevice;
    private final Map<Counter, Long> counters;
    private final Map<String, Long> reasons;

    private Mark(OffloadDirectory directory) {
      stats = directory.stats();
      hasDevice = directory.handle() != null;
      counters = stats.snapshot();
      reasons = stats.reasons();
    }

    /** What was done since then. */
    DeviceWork since() {
      Map<String, Long> why = new TreeMap<>();
      if (!hasDevice) {
        why.put(NO_DEVICE, 1L);
      }
      stats
          .reasons()
          .forEach(
              (reason, count) -> {
                long more = count - reasons.getOrDefault(reason, 0L);
                if (more > 0) {
                  why.put(reason, more);
                }
              });
      return new DeviceWork(
          more(Counter.LEAVES_OFFLOADED),
          more(Counter.LEAVES_ON_HOST),
          more(Counter.LEAVES_FALLEN_BACK),
          more(Counter.BYTES_TO_DEVICE),
          more(Counter.BYTES_FROM_DEVICE),
          more(Counter.LIST_BYTES),
          more(Counter.PAGES_READ),
          more(Counter.POSTINGS_DECODED),
          why);
    }

    private long more(Counter counter) {
      return stats.get(counter) - counters.get(counter);
    }
  }

  /** Starts to count. */
  static Mark mark(OffloadDirectory directory) {
    return new Mark(directory);
  }

  /** Whether the device answered for every segment for which there was something to do. */
  boolean allOnDevice() {
    return leavesOnHost + leavesFallenBack == 0 && reasons.isEmpty();
  }

  /** Bytes that crossed the link, both ways. */
  long linkBytes() {
    return bytesToDevice + bytesFromDevice;
  }

  /** Who answered, in a few words: {@code 3 of 4 segments on device (rest on host: ...)}. */
  String place() {
    long host = leavesOnHost + leavesFallenBack;
    if (leavesOffloaded + host == 0) {
      return reasons.isEmpty() ? "no segment had a match to look for" : "host (" + why() + ")";
    }
    String text =
        leavesOffloaded + " of " + Figures.count(leavesOffloaded + host, "segment") + " on device";
    return host == 0 && reasons.isEmpty() ? text : text + " (rest on host: " + why() + ")";
  }

  private String why() {
    return reasons.isEmpty() ? "no reason given" : String.join("; ", reasons.keySet());
  }
}
