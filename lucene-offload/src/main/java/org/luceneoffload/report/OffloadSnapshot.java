/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.report;

import java.util.EnumMap;
import java.util.Map;
import java.util.TreeMap;
import org.luceneoffload.report.OffloadStats.Counter;

/**
 * The values of {@link OffloadStats} at one moment, or their growth between two.
 *
 * @param counters every counter
 * @param refusals why queries, or segments of them, were not given to the device, and how often
 * @param fallbacks why the host answered in the device's place: names of statuses, and how often
 * @param troubles what went wrong with images and the volume, and how often
 * @param ways in which ways the device found matches, and in how many result pages
 */
public record OffloadSnapshot(
    Map<Counter, Long> counters,
    Map<String, Long> refusals,
    Map<String, Long> fallbacks,
    Map<String, Long> troubles,
    Map<String, Long> ways) {

  /** Returns the value of a counter. */
  public long get(Counter counter) {
    return counters.get(counter);
  }

  /** Returns the growth since an earlier moment; reasons without growth are left out. */
  public OffloadSnapshot since(OffloadSnapshot earlier) {
    Map<Counter, Long> more = new EnumMap<>(Counter.class);
    counters.forEach((counter, value) -> more.put(counter, value - earlier.get(counter)));
    return new OffloadSnapshot(
        more,
        since(refusals, earlier.refusals),
        since(fallbacks, earlier.fallbacks),
        since(troubles, earlier.troubles),
        since(ways, earlier.ways));
  }

  private static Map<String, Long> since(Map<String, Long> now, Map<String, Long> earlier) {
    Map<String, Long> more = new TreeMap<>();
    now.forEach(
        (reason, count) -> {
          long added = count - earlier.getOrDefault(reason, 0L);
          if (added != 0) {
            more.put(reason, added);
          }
        });
    return more;
  }
}
