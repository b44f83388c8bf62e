/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.search.aggregate.keyword;

import java.util.Arrays;

/**
 * Counts of keys, in the order of the keys: devices and segments give them so, and two such lists
 * become one without a look-up. For one thread.
 *
 * @param <K> the keys
 */
public final class SortedCounts<K extends Comparable<? super K>> {
  private static final int FIRST_CAPACITY = 16;

  private K[] keys = newKeys(0);
  private long[] counts = {};
  private int size;

  /** Returns the number of keys. */
  public int size() {
    return size;
  }

  /** Returns key number {@code i}. */
  public K key(int i) {
    return keys[i];
  }

  /** Returns the count of key number {@code i}. */
  public long count(int i) {
    return counts[i];
  }

  /** Adds a key that is greater than all others. */
  public void append(K key, long count) {
    if (size == counts.length) {
      resize(Math.max(FIRST_CAPACITY, 2 * size));
    }
    keys[size] = key;
    counts[size++] = count;
  }

  /** Adds the counts of another one, which is not used any more. */
  public void merge(SortedCounts<K> other) {
    if (size == 0) {
      keys = other.keys;
      counts = other.counts;
      size = other.size;
      return;
    }
    SortedCounts<K> merged = new SortedCounts<>();
    merged.resize(size + other.size);
    int i = 0;
    int j = 0;
    while (i < size && j < other.size) {
      int order = keys[i].compareTo(other.keys[j]);
      merged.append(
          order <= 0 ? keys[i] : other.keys[j],
          (order <= 0 ? counts[i] : 0) + (order >= 0 ? other.counts[j] : 0));
      i += order <= 0 ? 1 : 0;
      j += order >= 0 ? 1 : 0;
    }
    merged.appendFrom(this, i);
    merged.appendFrom(other, j);
    keys = merged.keys;
    counts = merged.counts;
    size = merged.size;
  }

  private void appendFrom(SortedCounts<K> other, int from) {
    int n = other.size - from;
    System.arraycopy(other.keys, from, keys, size, n);
    System.arraycopy(other.counts, from, counts, size, n);
    size += n;
  }

  private void resize(int capacity) {
    keys = Arrays.copyOf(keys, capacity);
    counts = Arrays.copyOf(counts, capacity);
  }

  @SuppressWarnings("unchecked")
  private static <K extends Comparable<? super K>> K[] newKeys(int length) {
    return (K[]) new Comparable<?>[length];
  }
}
