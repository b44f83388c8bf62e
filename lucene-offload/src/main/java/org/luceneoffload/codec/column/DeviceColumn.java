/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.codec.column;

import org.apache.lucene.index.DocValuesType;
import org.luceneoffload.codec.SegmentImage;

/**
 * The column of a field in one segment: where its pages are, and what is known of its values. It
 * has at least one value.
 *
 * @param image the image that its pages are in
 * @param type NUMERIC or SORTED_NUMERIC: the values are the numbers that the field has; SORTED or
 *     SORTED_SET: ordinals of the segment
 * @param firstPage page number, in the image, of the first page
 * @param pageCount pages, at least 1
 * @param docCount docs with a value, deleted ones included
 * @param valueCount values of all docs
 * @param min the least value
 * @param max the greatest value
 * @param bounds those of each page; null if the image was written without them
 */
public record DeviceColumn(
    SegmentImage image,
    DocValuesType type,
    int firstPage,
    int pageCount,
    int docCount,
    long valueCount,
    long min,
    long max,
    PageBounds bounds) {
  /** Returns whether every doc has at most one value. */
  public boolean isSingleValued() {
    return valueCount == docCount;
  }

  /**
   * Returns what the values in some ranges concern; all pages if their bounds are not known.
   *
   * @param ranges lo and hi of each range, both included, ascending, without overlap
   */
  public PageBounds.Overlap overlap(long... ranges) {
    return bounds == null
        ? new PageBounds.Overlap(
            pageCount, pageCount, docCount * new RangeWidths(ranges).share(min, max))
        : bounds.overlap(ranges);
  }

  /**
   * Returns about how many pages may have one of some values of the column; all pages if their
   * bounds are not known.
   */
  public double pagesOfValues(int count) {
    double share = bounds == null ? 1 : bounds.pagesOfValue() / pageCount;
    return pageCount * (share >= 1 ? 1 : -Math.expm1(count * Math.log1p(-share)));
  }
}
