/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.cli.search;

import java.util.Map;
import java.util.TreeMap;
import org.luceneoffload.OffloadDirectory;
import org.luceneoffload.cli.output.Figures;
import org.luceneoffload.config.Placement;
import org.luceneoffload.report.OffloadStats;
import org.luceneoffload.report.OffloadStats.Counter;
import org.luceneoffload.store.image.ImageDirectory;

/**
 * The device's work between two moments: differences of its counters.
 *
 * @param queriesCompiled queries, or parts of queries, that became plans
 * @param queriesRefused queries of which no plan could be made
 * @param leavesOffloaded segments of queries that the device answered
 * @param leavesOnHost segments of queries that the host answered because it had to or was faster
 * @param leavesFallenBack segments of queries that the host answered because the device failed
 * @param plansExecuted plans that the device answered, one a segment and result page
 * @param plansFailed plans that it refused or failed
 * @param bytesToDevice bytes of plans and live docs that crossed the link
 * @param bytesFromDevice bytes of result pages that crossed the link
 * @param hostBytes bytes of the posting pages that a host would have read for the same answers
 * @param pagesRead posting pages that the device visited
 * @param pagesSkipped pages of lists and columns that it did not have to read
 * @param blocksDecoded posting blocks that the device decoded
 * @param blocksSkipped posting blocks that the device stepped over
 * @param postingsDecoded postings that the device decoded
 * @param docsScored postings that the device scored
 * @param ways in which ways the device found matches, and in how many result pages
 * @param refusals why segments or queries were not given to the device, and how often
 * @param fallbacks by which failures of the device segments fell to the host, and how often
 * @param troubles what went wrong with posting images, and how often
 * @param reasons all three in one: why segments or queries ran on the host, and how often
 */
public record DeviceWork(
    long queriesCompiled,
    long queriesRefused,
    long leavesOffloaded,
    long leavesOnHost,
    long leavesFallenBack,
    long plansExecuted,
    long plansFailed,
    long bytesToDevice,
    long bytesFromDevice,
    long hostBytes,
    long pagesRead,
    long pagesSkipped,
    long blocksDecoded,
    long blocksSkipped,
    long postingsDecoded,
    long docsScored,
    Map<String, Long> ways,
    Map<String, Long> refusals,
    Map<String, Long> fallbacks,
    Map<String, Long> troubles,
    Map<String, Long> reasons) {

  private static final String NO_DEVICE = "the index is open without a device";
  private static final String NEVER = "--placement never";

  /** Counters at one moment. */
  public static final class Mark {
    private final OffloadStats stats;
    private final String whyHost; // null: the device is asked
    private final OffloadStats.Snapshot before;

    private Mark(OffloadDirectory directory) {
      stats = directory.stats();
      whyHost = whyHost(directory);
      before = stats.read();
    }

    /** Returns what was done since then for one query. */
    public DeviceWork since() {
      return since(1);
    }

    /** Returns what was done since then for some queries. */
    public DeviceWork since(long queries) {
      OffloadStats.Snapshot work = stats.read().since(before);
      Map<String, Long> refusals = new TreeMap<>(work.refusals());
      if (whyHost != null) {
        refusals.put(whyHost, queries);
      }
      Map<String, Long> reasons = new TreeMap<>(refusals);
      work.fallbacks().forEach((cause, count) -> reasons.put("device failed: " + cause, count));
      work.troubles().forEach((trouble, count) -> reasons.merge(trouble, count, Long::sum));
      return new DeviceWork(
          work.get(Counter.QUERIES_COMPILED),
          work.get(Counter.QUERIES_REFUSED),
          work.get(Counter.LEAVES_OFFLOADED),
          work.get(Counter.LEAVES_ON_HOST),
          work.get(Counter.LEAVES_FALLEN_BACK),
          work.get(Counter.PLANS_EXECUTED),
          work.get(Counter.PLANS_FAILED),
          work.get(Counter.BYTES_TO_DEVICE),
          work.get(Counter.BYTES_FROM_DEVICE),
          work.get(Counter.LIST_BYTES),
          work.get(Counter.PAGES_READ),
          work.get(Counter.PAGES_SKIPPED),
          work.get(Counter.BLOCKS_DECODED),
          work.get(Counter.BLOCKS_SKIPPED),
          work.get(Counter.POSTINGS_DECODED),
          work.get(Counter.DOCS_SCORED),
          work.ways(),
          refusals,
          work.fallbacks(),
          work.troubles(),
          reasons);
    }
  }

  /** Returns why no query over a directory is given to a device, or null if they are. */
  public static String whyHost(OffloadDirectory directory) {
    return ImageDirectory.find(directory).handle() == null
        ? NO_DEVICE
        : directory.options().placement() == Placement.NEVER ? NEVER : null;
  }

  /** Starts to count. */
  public static Mark mark(OffloadDirectory directory) {
    return new Mark(directory);
  }

  /** Returns whether segments were searched, and the device answered for each of them. */
  public boolean allOnDevice() {
    return leavesOffloaded > 0 && leavesOnHost + leavesFallenBack == 0 && reasons.isEmpty();
  }

  /** Returns how many bytes crossed the link, both ways. */
  public long linkBytes() {
    return bytesToDevice + bytesFromDevice;
  }

  /**
   * Returns who answered one query, in a few words.
   *
   * @param count its matches
   */
  public String place(long count) {
    return place(
        count > 0
            ? "no segment searched: the index's statistics have the count"
            : "no segment searched: none has a match");
  }

  /**
   * Returns who answered, in a few words: {@code 3 of 4 segments on device (rest on host: ...)}.
   */
  public String place() {
    return place("no segment searched");
  }

  private String place(String nothingSearched) {
    long host = leavesOnHost + leavesFallenBack;
    if (leavesOffloaded + host == 0) {
      return reasons.isEmpty() ? nothingSearched : "host (" + why() + ")";
    }
    String text =
        Figures.count(leavesOffloaded)
            + " of "
            + Figures.count(leavesOffloaded + host, "segment")
            + " on device";
    return host == 0 && reasons.isEmpty() ? text : text + " (rest on host: " + why() + ")";
  }

  /** Returns in which ways the device found the matches, in a few words; null if it did not say. */
  public String how() {
    return ways.isEmpty() ? null : "found by " + String.join(", ", ways.keySet());
  }

  private String why() {
    return reasons.isEmpty() ? "no reason given" : String.join("; ", reasons.keySet());
  }
}
