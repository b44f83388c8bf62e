/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.codec.column;

import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.apache.lucene.codecs.CodecUtil;
import org.apache.lucene.codecs.DocValuesProducer;
import org.apache.lucene.index.FieldInfo;
import org.apache.lucene.index.IndexFileNames;
import org.apache.lucene.index.SegmentWriteState;
import org.apache.lucene.store.IndexOutput;
import org.luceneoffload.codec.SegmentImage;
import org.luceneoffload.store.image.ImageFiles;
import org.luceneoffload.store.image.ImageHeader;
import org.luceneoffload.wire.ColumnPageEncoder;
import org.luceneoffload.wire.OffloadWire;

/**
 * Writes the columns of a segment, or of a generation of its doc values, and what is known of them.
 * Neither file is begun before there is a column to write. That the device may fail meanwhile is
 * not seen here: the output below gives the image up.
 */
final class ColumnImageWriter implements Closeable {
  private final SegmentWriteState state;
  private final Predicate<String> wanted;
  private final List<ColumnEntry> columns = new ArrayList<>();
  private IndexOutput out; // null: not begun
  private boolean impossible; // no image can be written
  private boolean failed;
  private boolean closed;
  private long stamp;
  private int nextPage = 1;

  /**
   * A writer for the fields of {@code state}.
   *
   * @param wanted whether a field, by its name, may have a column
   */
  ColumnImageWriter(SegmentWriteState state, Predicate<String> wanted) {
    this.state = state;
    this.wanted = wanted;
  }

  /** Returns whether any field of the segment may have a column. */
  boolean wantsAny() {
    for (FieldInfo field : state.fieldInfos) {
      if (wants(field)) {
        return true;
      }
    }
    return false;
  }

  private boolean wants(FieldInfo field) {
    return ColumnValues.canHaveColumn(field) && wanted.test(field.name);
  }

  /** Adds the column of a field, if it is to have one. */
  void add(FieldInfo field, DocValuesProducer values) throws IOException {
    if (impossible || !wants(field)) {
      return;
    }
    ColumnValues source = ColumnValues.of(field, values);
    if (!source.next() || !begin()) {
      return;
    }
    failed = true; // unless all that follows returns
    ColumnPageEncoder encoder =
        new ColumnPageEncoder(
            stamp, nextPage, page -> out.writeBytes(page, 0, OffloadWire.PAGE_BYTES));
    boolean whole = source.copyTo(encoder);
    if (whole) {
      encoder.finish();
      columns.add(
          new ColumnEntry(
              field.number,
              field.getDocValuesType(),
              nextPage,
              encoder.pageCount(),
              encoder.docCount(),
              encoder.valueCount(),
              encoder.min(),
              encoder.max()));
    }
    nextPage += encoder.pageCount();
    failed = false;
  }

  /** Begins the image unless that is done; returns false if there can be none. */
  private boolean begin() throws IOException {
    if (out != null) {
      return true;
    }
    IndexOutput begun = SegmentImage.create(state, ImageFiles.COLUMN_EXTENSION);
    if (begun == null) {
      impossible = true;
      return false;
    }
    out = begun;
    failed = true; // unless the next lines return
    stamp = ImageFiles.randomNumber();
    ImageHeader.write(
        out, ImageFiles.COLUMN_CODEC, stamp, state.segmentInfo.getId(), state.segmentSuffix);
    failed = false;
    return true;
  }

  @Override
  public void close() throws IOException {
    if (closed || out == null) {
      return;
    }
    closed = true;
    try (IndexOutput ended = out) {
      if (!failed) {
        CodecUtil.writeFooter(ended);
      }
    }
    if (failed) {
      return;
    }
    if (columns.isEmpty()) {
      state.directory.deleteFile(
          IndexFileNames.segmentFileName(
              state.segmentInfo.name, state.segmentSuffix, ImageFiles.COLUMN_EXTENSION));
    } else {
      ColumnMetadata.write(state, stamp, columns);
    }
  }
}
