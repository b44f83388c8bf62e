/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.codec.column;

import org.apache.lucene.index.DocValuesType;
import org.luceneoffload.codec.SegmentImage;

/** What the metadata say of one column; {@link DeviceColumn} describes most of it. */
record ColumnEntry(
    int field,
    DocValuesType type,
    int firstPage,
    int pageCount,
    int docCount,
    long valueCount,
    long min,
    long max) {

  /** The column, in its image. */
  DeviceColumn in(SegmentImage image) {
    return new DeviceColumn(image, type, firstPage, pageCount, docCount, valueCount, min, max);
  }
}
