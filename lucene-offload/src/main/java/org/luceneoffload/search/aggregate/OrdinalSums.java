/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.search.aggregate;

import java.util.Arrays;
import java.util.List;
import org.apache.lucene.util.LongValues;
import org.luceneoffload.aggregate.OrdinalCounts;

/**
 * Counts of several segments, added up by ordinals of the whole reader.
 *
 * @param ords the ordinals of all counts, ascending; null: from 0 on, one after the other
 * @param values the sum of all counts
 * @param distinct counts above 0
 */
record OrdinalSums(int[] ords, int[] counts, long values, int distinct) {
  /** Ordinals to each that has a count at most, to have a sum for each. */
  private static final int DENSE = 16;

  /**
   * Adds up.
   *
   * @param keywords what the segments' ordinals are in all of the reader, whose ordinals are ints
   * @param found counts above 0 in all parts
   */
  static OrdinalSums of(List<OrdinalCounts.Segment> parts, GlobalKeywords keywords, int found) {
    return keywords.count() / DENSE <= found
        ? dense(parts, keywords)
        : sparse(parts, keywords, found);
  }

  private static OrdinalSums dense(List<OrdinalCounts.Segment> parts, GlobalKeywords keywords) {
    int[] sums = new int[(int) keywords.count()];
    long values = 0;
    for (OrdinalCounts.Segment part : parts) {
      part.addTo(sums, keywords.ordsOf(part.leaf()));
      // There may be far more keywords of the reader than counts.
      for (int count : part.counts()) {
        values += count;
      }
    }
    int distinct = 0;
    for (int sum : sums) {
      distinct += -sum >>> (Integer.SIZE - 1); // 1 if above 0: no branch to foresee
    }
    return new OrdinalSums(null, sums, values, distinct);
  }

  private static OrdinalSums sparse(
      List<OrdinalCounts.Segment> parts, GlobalKeywords keywords, int found) {
    // The ordinal above the count: parts ascend, so that there are but few runs to sort.
    long[] all = new long[found];
    int size = 0;
    for (OrdinalCounts.Segment part : parts) {
      LongValues global = keywords.ordsOf(part.leaf());
      int[] counts = part.counts();
      for (int i = 0; i < counts.length; i++) {
        if (counts[i] != 0) {
          all[size++] = global.get(part.ord(i)) << Integer.SIZE | counts[i];
        }
      }
    }
    Arrays.sort(all);
    int[] ords = new int[found];
    int[] sums = new int[found];
    long values = 0;
    int distinct = 0;
    for (long one : all) {
      int ord = (int) (one >>> Integer.SIZE);
      if (distinct == 0 || ords[distinct - 1] != ord) {
        ords[distinct++] = ord;
      }
      sums[distinct - 1] += (int) one;
      values += (int) one;
    }
    return new OrdinalSums(
        Arrays.copyOf(ords, distinct), Arrays.copyOf(sums, distinct), values, distinct);
  }

  /** The ordinal of count {@code i}. */
  int ord(int i) {
    return ords == null ? i : ords[i];
  }
}
