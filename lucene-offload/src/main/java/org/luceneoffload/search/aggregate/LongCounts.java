/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.search.aggregate;

import java.util.Arrays;
import java.util.Map;
import org.luceneoffload.search.aggregate.keyword.SortedCounts;

/**
 * Counts of numbers, in their order: {@link SortedCounts} without an object for each key. For one
 * thread.
 */
final class LongCounts {
  private static final int FIRST_CAPACITY = 16;

  private long[] keys = {};
  private long[] counts = {};
  private int size;

  /** Returns counts that a map has in any order. */
  static LongCounts of(Map<Long, Long> map) {
    LongCounts sorted = new LongCounts();
    map.entrySet().stream()
        .sorted(Map.Entry.comparingByKey())
        .forEach(entry -> sorted.append(entry.getKey(), entry.getValue()));
    return sorted;
  }

  /**
   * Returns counts as a device gives them.
   *
   * @param keys ascending; kept
   * @param counts one for each
   */
  static LongCounts of(long[] keys, int[] counts) {
    LongCounts sorted = new LongCounts();
    sorted.keys = keys;
    sorted.counts = new long[counts.length];
    for (int i = 0; i < counts.length; i++) {
      sorted.counts[i] = counts[i];
    }
    sorted.size = keys.length;
    return sorted;
  }

  /** Returns the number of keys. */
  int size() {
    return size;
  }

  /** Returns key number {@code i}. */
  long key(int i) {
    return keys[i];
  }

  /** Returns the count of key number {@code i}. */
  long count(int i) {
    return counts[i];
  }

  /** Adds a key that is greater than all others. */
  void append(long key, long count) {
    if (size == counts.length) {
      int capacity = Math.max(FIRST_CAPACITY, 2 * size);
      keys = Arrays.copyOf(keys, capacity);
      counts = Arrays.copyOf(counts, capacity);
    }
    keys[size] = key;
    counts[size++] = count;
  }

  /** Adds the counts of another one, which is not used any more. */
  void merge(LongCounts other) {
    if (other.size == 0) {
      return;
    }
    if (size == 0) {
      keys = other.keys;
      counts = other.counts;
      size = other.size;
      return;
    }
    long[] mergedKeys = new long[size + other.size];
    long[] mergedCounts = new long[size + other.size];
    int merged = 0;
    int i = 0;
    int j = 0;
    while (i < size && j < other.size) {
      long a = keys[i];
      long b = other.keys[j];
      mergedKeys[merged] = Math.min(a, b);
      mergedCounts[merged++] = (a <= b ? counts[i] : 0) + (b <= a ? other.counts[j] : 0);
      i += a <= b ? 1 : 0;
      j += b <= a ? 1 : 0;
    }
    LongCounts rest = i < size ? this : other;
    int from = i < size ? i : j;
    System.arraycopy(rest.keys, from, mergedKeys, merged, rest.size - from);
    System.arraycopy(rest.counts, from, mergedCounts, merged, rest.size - from);
    size = merged + rest.size - from;
    keys = mergedKeys;
    counts = mergedCounts;
  }
}
