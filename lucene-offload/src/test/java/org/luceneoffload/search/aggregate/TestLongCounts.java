/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.search.aggregate;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Merged counts are those of one map. */
class TestLongCounts {
  private final Random random = new Random(7);

  @Test
  void mergeAddsWhatIsInBoth() {
    for (int round = 0; round < 200; round++) {
      Map<Long, Long> all = new TreeMap<>();
      LongCounts merged = new LongCounts();
      for (int part = random.nextInt(4); part >= 0; part--) {
        Map<Long, Long> counts = counts(random.nextInt(60), 1 + random.nextInt(80));
        counts.forEach((key, count) -> all.merge(key, count, Long::sum));
        merged.merge(LongCounts.of(counts));
      }
      assertEquals(all.toString(), map(merged).toString());
    }
  }

  @Test
  void appendAfterMergeKeepsTheOrder() {
    LongCounts counts = LongCounts.of(Map.of(3L, 1L, 1L, 2L));
    counts.merge(LongCounts.of(Map.of(2L, 5L, 3L, 4L)));
    counts.append(9L, 6L);
    assertEquals("{1=2, 2=5, 3=5, 9=6}", map(counts).toString());
  }

  @Test
  void countsOfADeviceAreTakenAsTheyAre() {
    LongCounts counts = LongCounts.of(new long[] {-5, 8}, new int[] {2, 7});
    counts.merge(LongCounts.of(new long[0], new int[0]));
    counts.merge(LongCounts.of(new long[] {-6, 8}, new int[] {1, 3}));
    counts.append(9, 1);
    assertEquals("{-6=1, -5=2, 8=10, 9=1}", map(counts).toString());
  }

  private Map<Long, Long> counts(int n, int keys) {
    Map<Long, Long> counts = new HashMap<>();
    for (int i = 0; i < n; i++) {
      counts.put((long) random.nextInt(keys) - 40, 1L + random.nextInt(9));
    }
    return counts;
  }

  /** The counts, in the order in which they are given. */
  private static Map<Long, Long> map(LongCounts counts) {
    Map<Long, Long> map = new LinkedHashMap<>();
    for (int i = 0; i < counts.size(); i++) {
      map.put(counts.key(i), counts.count(i));
    }
    return map;
  }
}
