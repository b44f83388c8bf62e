/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.codec.column;

import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.apache.lucene.codecs.DocValuesProducer;
import org.apache.lucene.index.FieldInfo;
import org.apache.lucene.index.IndexFileNames;
import org.apache.lucene.index.SegmentWriteState;
import org.apache.lucene.store.IndexOutput;
import org.luceneoffload.codec.SegmentImage;
import org.luceneoffload.store.image.ImageFiles;

/**
 * Writes the columns of a segment, or of a generation of its doc values, and what is known of them.
 * Neither file is begun before there is a column to write. That the device may fail meanwhile is
 * not seen here: the output below gives the image up.
 */
final class ColumnImageWriter implements Closeable {
  private final SegmentWriteState state;
  private final Predicate<String> wanted;
  private final List<ColumnEntry> columns = new ArrayList<>();
  private ColumnOutput image; // null: not begun
  private boolean impossible; // no image can be written
  private boolean closed;

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
    ColumnEntry column = image.add(field, source);
    if (column != null) {
      columns.add(column);
    }
  }

  /** Begins the image unless that is done; returns false if there can be none. */
  private boolean begin() throws IOException {
    if (image == null) {
      IndexOutput out = SegmentImage.create(state, ImageFiles.COLUMN_EXTENSION);
      if (out == null) {
        impossible = true;
        return false;
      }
      image =
          ColumnOutput.on(
              out, ImageFiles.randomNumber(), state.segmentInfo.getId(), state.segmentSuffix);
    }
    return true;
  }

  @Override
  public void close() throws IOException {
    if (closed || image == null) {
      return;
    }
    closed = true;
    image.close();
    if (image.failed()) {
      return;
    }
    if (columns.isEmpty()) {
      state.directory.deleteFile(
          IndexFileNames.segmentFileName(
              state.segmentInfo.name, state.segmentSuffix, ImageFiles.COLUMN_EXTENSION));
    } else {
      ColumnMetadata.write(state, image.stamp(), columns);
    }
  }
}
