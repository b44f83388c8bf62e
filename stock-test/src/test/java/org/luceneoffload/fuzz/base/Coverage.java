/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.fuzz.base;

import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.LongAdder;
import org.luceneoffload.report.OffloadStats;
import org.luceneoffload.report.OffloadStats.Counter;

/** Counts what has been tried, by group and name. May be added to from any thread. */
public final class Coverage {
  private final Map<String, Map<String, LongAdder>> groups = new ConcurrentSkipListMap<>();

  public void add(String group, String name) {
    add(group, name, 1);
  }

  public void add(String group, String name, long amount) {
    groups
        .computeIfAbsent(group, unused -> new ConcurrentSkipListMap<>())
        .computeIfAbsent(name, unused -> new LongAdder())
        .add(amount);
  }

  /** Takes over the counters of a device that will count no more. */
  public void add(OffloadStats stats) {
    for (Counter counter :
        new Counter[] {
          Counter.LEAVES_OFFLOADED,
          Counter.LEAVES_ON_HOST,
          Counter.LEAVES_FALLEN_BACK,
          Counter.QUERIES_COMPILED,
          Counter.QUERIES_REFUSED,
          Counter.PLANS_EXECUTED,
          Counter.PLANS_FAILED,
          Counter.IMAGES_WRITTEN,
          Counter.IMAGES_DROPPED,
          Counter.IMAGES_OPENED,
          Counter.IMAGES_MISSING,
          Counter.IMAGES_BAD
        }) {
      add("device", counter.name(), stats.get(counter));
    }
    stats.reasons().forEach((reason, count) -> add("host because", reason, count));
  }

  public long get(String group, String name) {
    LongAdder count = groups.getOrDefault(group, Map.of()).get(name);
    return count == null ? 0 : count.sum();
  }

  public long sum(String group) {
    return groups.getOrDefault(group, Map.of()).values().stream().mapToLong(LongAdder::sum).sum();
  }

  /** One line a group. */
  public String table() {
    StringBuilder table = new StringBuilder();
    groups.forEach(
        (group, counts) -> {
          Map<String, Long> sums = new TreeMap<>();
          counts.forEach((name, count) -> sums.put(name, count.sum()));
          StringBuilder line = new StringBuilder(group + ":");
          sums.forEach(
              (name, sum) -> line.append(' ').append(name).append(' ').append(sum).append(','));
          line.setLength(line.length() - 1);
          table.append(line).append('\n');
        });
    return table.toString();
  }
}
