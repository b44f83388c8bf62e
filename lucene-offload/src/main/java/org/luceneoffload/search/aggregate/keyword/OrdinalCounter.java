/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.search.aggregate.keyword;

import java.util.Arrays;
import org.apache.lucene.util.ArrayUtil;
import org.luceneoffload.aggregate.AggregationResults.OrdinalCounts;

/**
 * Counts ordinals of a segment: lists them as they come while they are few, so that a few matches
 * cost nothing for each keyword of the segment. For one thread.
 */
public final class OrdinalCounter {
  /** Listed ordinals at most, to each of which come as many keywords of the segment. */
  private static final int KEYWORDS_EACH = 4;

  private final long valueCount;
  private long[] listed = new long[16];
  private int size;
  private int[] counts;

  /**
   * Begins.
   *
   * @param valueCount ordinals of the segment
   */
  public OrdinalCounter(long valueCount) {
    this.valueCount = valueCount;
  }

  /** Counts an ordinal. */
  public void add(long ord) {
    if (counts != null) {
      counts[(int) ord]++;
      return;
    }
    if (size >= valueCount / KEYWORDS_EACH && valueCount <= ArrayUtil.MAX_ARRAY_LENGTH) {
      counts = new int[(int) valueCount];
      for (int i = 0; i < size; i++) {
        counts[(int) listed[i]]++;
      }
      counts[(int) ord]++;
      listed = null;
      return;
    }
    listed = ArrayUtil.grow(listed, size + 1);
    listed[size++] = ord;
  }

  /**
   * Returns the counts; nothing is counted after that.
   *
   * @param leaf of the segment
   */
  public OrdinalCounts.Segment result(int leaf) {
    if (counts != null) {
      return new OrdinalCounts.Segment(leaf, 0, null, counts);
    }
    Arrays.sort(listed, 0, size);
    int[] found = new int[size];
    int distinct = 0;
    for (int i = 0; i < size; i++) {
      if (i == 0 || listed[i] != listed[i - 1]) {
        listed[distinct++] = listed[i];
      }
      found[distinct - 1]++;
    }
    return new OrdinalCounts.Segment(
        leaf, 0, Arrays.copyOf(listed, distinct), Arrays.copyOf(found, distinct));
  }
}
