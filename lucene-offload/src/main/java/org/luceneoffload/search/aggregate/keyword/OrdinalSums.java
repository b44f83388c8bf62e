/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.search.aggregate.keyword;

import java.util.Arrays;
import java.util.List;
import org.apache.lucene.util.LongValues;
import org.luceneoffload.aggregate.AggregationResults.OrdinalCounts;

/**
 * Counts of several segments, added up by ordinals of the whole reader.
 *
 * @param ords the ordinals of all counts, ascending; null: from 0 on, one after the other
 * @param values the sum of all counts
 * @param distinct counts above 0
 */
public record OrdinalSums(int[] ords, int[] counts, long values, int distinct) {
  /** Ordinals to each that has a count at most, to have a sum for each. */
  private static final int DENSE = 16;

  /**
   * Adds up.
   *
   * @param keywords what the segments' ordinals are in all of the reader, whose ordinals are ints
   * @param found counts above 0 in all parts
   */
  public static OrdinalSums of(
      List<OrdinalCounts.Segment> parts, GlobalKeywords keywords, int found) {
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
    return new OrdinalSums(null, sums, values, OrdinalCounts.found(sums));
  }

  private static OrdinalSums sparse(
      List<OrdinalCounts.Segment> parts, GlobalKeywords keywords, int found) {
    // The ordinal above the count.
    long[] all = new long[found];
    int[] ends = new int[parts.size()];
    int size = 0;
    int run = 0;
    for (OrdinalCounts.Segment part : parts) {
      LongValues global = keywords.ordsOf(part.leaf());
      int[] counts = part.counts();
      for (int i = 0; i < counts.length; i++) {
        if (counts[i] != 0) {
          all[size++] = global.get(part.ord(i)) << Integer.SIZE | counts[i];
        }
      }
      ends[run++] = size;
    }
    all = merge(all, ends);
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

  /**
   * Returns the numbers of ascending runs in order.
   *
   * @param all overwritten
   * @param ends where the runs end
   */
  private static long[] merge(long[] all, int[] ends) {
    long[] from = all;
    long[] to = new long[ends.length > 1 ? all.length : 0];
    for (int runs = ends.length; runs > 1; runs = (runs + 1) / 2) {
      int start = 0;
      for (int run = 0; run < runs; run += 2) {
        int middle = ends[run];
        int end = ends[Math.min(run + 1, runs - 1)];
        mergeTwo(from, start, middle, end, to);
        ends[run / 2] = end;
        start = end;
      }
      long[] merged = to;
      to = from;
      from = merged;
    }
    return from;
  }

  private static void mergeTwo(long[] from, int start, int middle, int end, long[] to) {
    int i = start;
    int j = middle;
    for (int k = start; k < end; k++) {
      to[k] = j == end || (i < middle && from[i] <= from[j]) ? from[i++] : from[j++];
    }
  }

  /** Returns the ordinal of count {@code i}. */
  public int ord(int i) {
    return ords == null ? i : ords[i];
  }
}
