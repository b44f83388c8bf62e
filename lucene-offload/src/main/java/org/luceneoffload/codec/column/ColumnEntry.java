/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.codec.column;

import org.apache.lucene.index.DocValuesType;
import org.luceneoffload.codec.SegmentImage;

/**
 * What the metadata say of one column; {@link DeviceColumn} describes most of it.
 *
 * @param source which doc values of the field it was made of, as {@link ColumnSource} numbers them;
 *     of the segment's own columns, always {@link ColumnSource#SEGMENT}: the name of the file says
 *     which generation they belong to
 */
record ColumnEntry(
    int field,
    DocValuesType type,
    int firstPage,
    int pageCount,
    int docCount,
    long valueCount,
    long min,
    long max,
    PageBounds bounds,
    long source) {

  /** Returns the column, in its image. */
  DeviceColumn in(SegmentImage image) {
    return new DeviceColumn(
        image, type, firstPage, pageCount, docCount, valueCount, min, max, bounds);
  }

  /** Returns whether this is a column of the same values in the same place. */
  boolean isLike(ColumnEntry other) {
    return other != null && withBounds(other.bounds).equals(other);
  }

  private ColumnEntry withBounds(PageBounds others) {
    return new ColumnEntry(
        field, type, firstPage, pageCount, docCount, valueCount, min, max, others, source);
  }

  /** Returns the same column, said to be of another source. */
  ColumnEntry withSource(long other) {
    return new ColumnEntry(
        field, type, firstPage, pageCount, docCount, valueCount, min, max, bounds, other);
  }
}
