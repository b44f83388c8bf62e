/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.codec.column;

import java.io.IOException;
import org.apache.lucene.index.FieldInfo;
import org.apache.lucene.index.LeafReader;
import org.apache.lucene.index.SegmentReader;
import org.luceneoffload.codec.SegmentImage;

/**
 * Columns as a searcher wants them. A look-up takes no lock, and reads no file but the first in a
 * core, and the first of an updated field.
 */
public final class DeviceColumns {
  private DeviceColumns() {}

  /**
   * Returns the column that holds just the doc values that a reader shows of a field, in all docs,
   * deleted ones included.
   *
   * @param reader a segment's reader, or one that filters it
   * @return null if there is none, or {@code reader} may show other doc values than its segment
   *     has; else never null, but perhaps with an image that cannot be used, which says why
   */
  public static DeviceColumn of(LeafReader reader, String field) throws IOException {
    SegmentReader segment = SharedDocValues.segment(reader);
    return segment == null ? null : of(segment, segment.getFieldInfos().fieldInfo(field));
  }

  /** Returns the column of a field of a segment; null if {@code field} is null. */
  static DeviceColumn of(SegmentReader segment, FieldInfo field) throws IOException {
    if (field == null || !ColumnValues.canHaveColumn(field)) {
      return null;
    }
    ColumnsProducer producer = ProducerProbe.find(segment, field);
    DeviceColumn own = producer == null ? null : producer.column(field);
    if (own != null && own.image().usable()) {
      return own;
    }
    ImportedColumns beside = ImportedColumns.find(segment);
    DeviceColumn imported = beside == null ? null : beside.column(segment, field);
    return imported == null || (own != null && !imported.image().usable()) ? own : imported;
  }

  /**
   * Returns an image of the columns that {@link #of} finds, one that can be used if there is one;
   * null if there are no columns.
   */
  public static SegmentImage anyImage(LeafReader reader) throws IOException {
    SegmentReader segment = SharedDocValues.segment(reader);
    SegmentImage image = null;
    if (segment != null) {
      for (FieldInfo field : segment.getFieldInfos()) {
        DeviceColumn column = of(segment, field);
        if (column != null && column.image().usable()) {
          return column.image();
        }
        image = column == null || image != null ? image : column.image();
      }
    }
    return image;
  }
}
