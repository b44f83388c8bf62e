/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.facet;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.lucene.facet.FacetsCollector;
import org.apache.lucene.facet.range.DoubleRange;
import org.apache.lucene.facet.range.DoubleRangeFacetCounts;
import org.apache.lucene.facet.range.LongRange;
import org.apache.lucene.index.DocValues;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.util.NumericUtils;
import org.luceneoffload.aggregate.Aggregation;
import org.luceneoffload.aggregate.AggregationResults.RangeCounts;
import org.luceneoffload.aggregate.ValueRange;

/**
 * {@link DoubleRangeFacetCounts} over a field of {@link
 * org.apache.lucene.document.DoubleDocValuesField}, counted by the device.
 *
 * <p>Ranges that hold numbers below zero are counted by stock Lucene where documents have several
 * values: it skips some of these, because the bits of negative numbers are in the opposite order,
 * and its answer is to stay.
 */
public final class OffloadDoubleRangeFacetCounts extends DoubleRangeFacetCounts {
  /**
   * Counts matches by range. A match with several values counts once for each range.
   *
   * @param field name of the field
   * @param hits the matches
   * @param ranges the ranges, at least one
   * @throws IllegalStateException if a segment has doc values of another kind in the field
   * @see DoubleRangeFacetCounts#DoubleRangeFacetCounts(String, FacetsCollector, DoubleRange...)
   * @throws IOException if the index cannot be read
   */
  public OffloadDoubleRangeFacetCounts(
      String field, OffloadFacetsCollector hits, DoubleRange... ranges) throws IOException {
    this(isForStock(field, hits, ranges), field, hits, ranges);
  }

  private OffloadDoubleRangeFacetCounts(
      boolean forStock, String field, OffloadFacetsCollector hits, DoubleRange... ranges)
      throws IOException {
    // Stock is given no matches where it is to leave its counts to us.
    super(field, forStock ? hits : new FacetsCollector(), ranges);
    if (!forStock) {
      count(hits);
    }
  }

  private static boolean isForStock(
      String field, OffloadFacetsCollector hits, DoubleRange... ranges) throws IOException {
    boolean belowZero = false;
    for (DoubleRange range : ranges) {
      belowZero |= NumericUtils.doubleToSortableLong(range.min) < 0;
    }
    if (belowZero) {
      for (LeafReaderContext leaf : hits.searcher().getLeafContexts()) {
        if (DocValues.unwrapSingleton(DocValues.getSortedNumeric(leaf.reader(), field)) == null) {
          return true;
        }
      }
    }
    return ranges.length == 0;
  }

  private void count(OffloadFacetsCollector hits) throws IOException {
    LongRange[] sortable = getLongRanges();
    List<ValueRange> ofBits = new ArrayList<>();
    for (LongRange range : sortable) {
      ofBits.addAll(bits(range));
    }
    Aggregation<RangeCounts> each = Aggregation.ranges(field, ofBits.toArray(ValueRange[]::new));
    RangeCounts found = hits.aggregate(each).get(each);
    counts = new int[sortable.length];
    int next = 0;
    for (int i = 0; i < counts.length; i++) {
      // Where there are two parts, no document has more than one value.
      for (int part = bits(sortable[i]).size(); part > 0; part--) {
        counts[i] += Math.toIntExact(found.counts().get(next++));
      }
    }
    totCount = Math.toIntExact(found.inAny());
  }

  /** Returns a range of sortable bits in the bits of doubles: those of negative numbers descend. */
  private static List<ValueRange> bits(LongRange range) {
    List<ValueRange> parts = new ArrayList<>();
    if (range.min < 0) {
      parts.add(
          new ValueRange(Math.min(range.max, -1) ^ Long.MAX_VALUE, range.min ^ Long.MAX_VALUE));
    }
    if (range.max >= 0) {
      parts.add(new ValueRange(Math.max(range.min, 0), range.max));
    }
    return parts;
  }
}
