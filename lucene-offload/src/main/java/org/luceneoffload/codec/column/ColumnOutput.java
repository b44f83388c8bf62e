/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.codec.column;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.apache.lucene.codecs.CodecUtil;
import org.apache.lucene.index.FieldInfo;
import org.apache.lucene.store.IndexOutput;
import org.luceneoffload.store.image.ImageFiles;
import org.luceneoffload.store.image.ImageHeader;
import org.luceneoffload.wire.OffloadWire;
import org.luceneoffload.wire.page.ColumnPageEncoder;

/**
 * Writes a column image, column by column; the header is written at once, the footer at the end.
 */
final class ColumnOutput implements Closeable {
  private static final byte[] ZEROS = new byte[OffloadWire.PAGE_BYTES];

  private final IndexOutput out;
  private final long stamp;
  private int nextPage = 1;
  private boolean failed = true; // unless all that was begun has returned

  private ColumnOutput(IndexOutput out, long stamp) {
    this.out = out;
    this.stamp = stamp;
  }

  /**
   * Begins an image.
   *
   * @param out where it goes; closed with what is returned, or if this fails
   * @param stamp stamp of the image
   * @param segmentId ID of the segment
   * @param suffix segment suffix of the doc values
   */
  static ColumnOutput on(IndexOutput out, long stamp, byte[] segmentId, String suffix)
      throws IOException {
    ColumnOutput image = new ColumnOutput(out, stamp);
    try {
      ImageHeader.write(out, ImageFiles.COLUMN_CODEC, false, stamp, segmentId, suffix);
      image.failed = false;
      return image;
    } finally {
      if (image.failed) {
        out.close();
      }
    }
  }

  /** Returns the stamp of the image. */
  long stamp() {
    return stamp;
  }

  /** Returns the number of pages behind the header so far. */
  int pages() {
    return nextPage - 1;
  }

  /** Returns the number of bytes so far. */
  long bytes() {
    return out.getFilePointer();
  }

  /** Returns whether something did not return, so that the image is not whole. */
  boolean failed() {
    return failed;
  }

  /**
   * Adds a column.
   *
   * @param values the values of {@code field}, at the first doc that has one
   * @return null if a doc has too many values: the field can have no column
   */
  ColumnEntry add(FieldInfo field, ColumnValues values) throws IOException {
    failed = true;
    PageBounds.Builder bounds = new PageBounds.Builder();
    ColumnPageEncoder encoder =
        new ColumnPageEncoder(
            stamp,
            nextPage,
            page -> {
              bounds.add(ByteBuffer.wrap(page).order(ByteOrder.LITTLE_ENDIAN));
              out.writeBytes(page, 0, OffloadWire.PAGE_BYTES);
            });
    ColumnEntry column = null;
    if (values.copyTo(encoder)) {
      encoder.finish();
      column =
          new ColumnEntry(
              field.number,
              field.getDocValuesType(),
              nextPage,
              encoder.pageCount(),
              encoder.docCount(),
              encoder.valueCount(),
              encoder.min(),
              encoder.max(),
              bounds.build(),
              ColumnSource.SEGMENT);
    }
    nextPage += encoder.pageCount();
    failed = false;
    return column;
  }

  /**
   * Adds pages of zeros, which no column has, up to a page that the next column is to begin with.
   */
  void fillUpTo(int firstPage) throws IOException {
    failed = true;
    for (; nextPage < firstPage; nextPage++) {
      out.writeBytes(ZEROS, ZEROS.length);
    }
    failed = false;
  }

  /** Ends the image. */
  @Override
  public void close() throws IOException {
    try (IndexOutput ended = out) {
      if (!failed) {
        CodecUtil.writeFooter(ended);
      }
    }
  }
}
