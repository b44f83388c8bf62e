/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.search.aggregate;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.luceneoffload.search.aggregate.keyword.SortedCounts;

/** Merged counts are those of one map. */
class TestSortedCounts {
  private final Random random = new Random(7);

  @Test
  void mergeAddsWhatIsInBoth() {
    for (int round = 0; round < 200; round++) {
      Map<Long, Long> all = new TreeMap<>();
      SortedCounts<Long> merged = new SortedCounts<>();
      for (int part = random.nextInt(4); part >= 0; part--) {
        Map<Long, Long> counts = counts(random.nextInt(60), 1 + random.nextInt(80));
        counts.forEach((key, count) -> all.merge(key, count, Long::sum));
        merged.merge(of(counts));
      }
      assertEquals(all.toString(), map(merged).toString());
    }
  }

  @Test
  void appendAfterMergeKeepsTheOrder() {
    SortedCounts<Long> counts = of(Map.of(3L, 1L, 1L, 2L));
    counts.merge(of(Map.of(2L, 5L, 3L, 4L)));
    counts.append(9L, 6L);
    assertEquals("{1=2, 2=5, 3=5, 9=6}", map(counts).toString());
  }

  private Map<Long, Long> counts(int n, int keys) {
    Map<Long, Long> counts = new HashMap<>();
    for (int i = 0; i < n; i++) {
      counts.put((long) random.nextInt(keys) - 40, 1L + random.nextInt(9));
    }
    return counts;
  }

  private static SortedCounts<Long> of(Map<Long, Long> map) {
    SortedCounts<Long> counts = new SortedCounts<>();
    new TreeMap<>(map).forEach(counts::append);
    return counts;
  }

  /** The counts, in the order in which they are given. */
  private static Map<Long, Long> map(SortedCounts<Long> counts) {
    Map<Long, Long> map = new LinkedHashMap<>();
    for (int i = 0; i < counts.size(); i++) {
      map.put(counts.key(i), counts.count(i));
    }
    return map;
  }
}
