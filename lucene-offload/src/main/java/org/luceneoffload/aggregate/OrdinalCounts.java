/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.aggregate;

import java.util.List;
import org.apache.lucene.index.OrdinalMap;
import org.apache.lucene.util.LongValues;

/**
 * Counts of all keywords, by their ordinals, which differ from segment to segment.
 *
 * @param docs matches that have a keyword
 * @param missing matches that have none
 * @param segments what was counted; of some segments there may be several parts, of others none
 */
public record OrdinalCounts(long docs, long missing, List<Segment> segments) {
  /** Copies the list. */
  public OrdinalCounts {
    segments = List.copyOf(segments);
  }

  /**
   * Adds the counts to those by ordinal of the whole reader.
   *
   * @param counts one for each keyword of the reader
   * @param map of the searcher's reader and the field; null if it has one segment only
   */
  public void addTo(int[] counts, OrdinalMap map) {
    for (Segment segment : segments) {
      segment.addTo(counts, map == null ? LongValues.IDENTITY : map.getGlobalOrds(segment.leaf));
    }
  }

  /**
   * Returns how many of some counts are above 0.
   *
   * @param counts none of which is negative
   */
  public static int found(int[] counts) {
    int found = 0;
    for (int count : counts) {
      found += -count >>> (Integer.SIZE - 1); // no branch: which are 0, no processor can guess
    }
    return found;
  }

  /**
   * Counts of a segment, or a part of it: matches that have a keyword, 0 included.
   *
   * @param leaf {@link org.apache.lucene.index.LeafReaderContext#ord} of the segment
   * @param first the ordinal of the first count
   * @param ords the ordinals of all counts, ascending, not to be changed; null: from {@code first}
   *     on, one after the other
   * @param counts not to be changed
   */
  public record Segment(int leaf, long first, long[] ords, int[] counts) {
    /** Returns the ordinal of count {@code i}. */
    public long ord(int i) {
      return ords == null ? first + i : ords[i];
    }

    /** Returns the number of counts above 0. */
    public int found() {
      return OrdinalCounts.found(counts);
    }

    /**
     * Adds the counts to others.
     *
     * @param global index in {@code sums}, by ordinal
     */
    public void addTo(int[] sums, LongValues global) {
      if (ords == null) {
        // Those of 0, too: which ones they are, no processor can guess.
        for (int i = 0; i < counts.length; i++) {
          sums[(int) global.get(first + i)] += counts[i];
        }
        return;
      }
      for (int i = 0; i < counts.length; i++) {
        sums[(int) global.get(ords[i])] += counts[i];
      }
    }
  }
}
