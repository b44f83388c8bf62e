/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.codec.column;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.List;
import org.apache.lucene.codecs.CodecUtil;
import org.apache.lucene.index.CorruptIndexException;
import org.apache.lucene.index.DocValuesType;
import org.apache.lucene.index.IndexFileNames;
import org.apache.lucene.index.SegmentReadState;
import org.apache.lucene.index.SegmentWriteState;
import org.apache.lucene.store.ChecksumIndexInput;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.IndexOutput;
import org.luceneoffload.store.image.ImageFiles;

/**
 * The file that says which columns an image holds; {@link OffloadDocValuesFormat} describes it.
 *
 * @param stamp stamp of the image
 * @param columns the columns
 */
record ColumnMetadata(long stamp, List<ColumnEntry> columns) {
  private static final String CODEC = "OffloadColumns";
  private static final int VERSION = 3;
  private static final int WITHOUT_SOURCE = 2;
  private static final int WITHOUT_BOUNDS = 1;

  private static final List<DocValuesType> TYPES =
      List.of(
          DocValuesType.NUMERIC,
          DocValuesType.SORTED_NUMERIC,
          DocValuesType.SORTED,
          DocValuesType.SORTED_SET);

  /** Returns the name of the file. */
  static String name(String segment, String suffix) {
    return IndexFileNames.segmentFileName(segment, suffix, ImageFiles.COLUMN_METADATA_EXTENSION);
  }

  /** Writes the file of a segment, or of a generation. */
  static void write(SegmentWriteState state, long stamp, List<ColumnEntry> columns)
      throws IOException {
    String name = name(state.segmentInfo.name, state.segmentSuffix);
    try (IndexOutput out = state.directory.createOutput(name, state.context)) {
      write(out, state.segmentInfo.getId(), state.segmentSuffix, stamp, columns);
    }
  }

  /** Writes the whole of a file. */
  static void write(
      IndexOutput out, byte[] segmentId, String suffix, long stamp, List<ColumnEntry> columns)
      throws IOException {
    CodecUtil.writeIndexHeader(out, CODEC, VERSION, segmentId, suffix);
    out.writeLong(stamp);
    out.writeVInt(columns.size());
    for (ColumnEntry column : columns) {
      out.writeVInt(column.field());
      out.writeByte((byte) TYPES.indexOf(column.type()));
      out.writeVInt(column.firstPage());
      out.writeVInt(column.pageCount());
      out.writeVInt(column.docCount());
      out.writeVLong(column.valueCount());
      out.writeLong(column.min());
      out.writeLong(column.max());
      column.bounds().write(out);
      out.writeLong(column.source());
    }
    CodecUtil.writeFooter(out);
  }

  /**
   * Reads the file of a segment, or of a generation.
   *
   * @return null if there is none
   * @throws IOException if it is damaged, or cannot be read
   */
  static ColumnMetadata read(SegmentReadState state) throws IOException {
    return read(
        state.directory,
        name(state.segmentInfo.name, state.segmentSuffix),
        state.segmentInfo.getId(),
        state.segmentSuffix);
  }

  /** Reads a file; see {@link #read(SegmentReadState)}. */
  static ColumnMetadata read(Directory directory, String name, byte[] segmentId, String suffix)
      throws IOException {
    try (ChecksumIndexInput in = directory.openChecksumInput(name)) {
      Throwable failure = null;
      ColumnMetadata metadata = null;
      try {
        int version =
            CodecUtil.checkIndexHeader(in, CODEC, WITHOUT_BOUNDS, VERSION, segmentId, suffix);
        metadata = readColumns(in, version > WITHOUT_BOUNDS, version > WITHOUT_SOURCE);
      } catch (Throwable t) {
        failure = t;
      } finally {
        CodecUtil.checkFooter(in, failure);
      }
      return metadata;
    } catch (NoSuchFileException | FileNotFoundException e) {
      return null;
    }
  }

  private static ColumnMetadata readColumns(ChecksumIndexInput in, boolean bounds, boolean source)
      throws IOException {
    long stamp = in.readLong();
    int count = in.readVInt();
    List<ColumnEntry> columns = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      int field = in.readVInt();
      int type = in.readByte();
      if (type < 0 || type >= TYPES.size()) {
        throw new CorruptIndexException("column of unknown type " + type, in);
      }
      int firstPage = in.readVInt();
      int pageCount = in.readVInt();
      columns.add(
          new ColumnEntry(
              field,
              TYPES.get(type),
              firstPage,
              pageCount,
              in.readVInt(),
              in.readVLong(),
              in.readLong(),
              in.readLong(),
              bounds ? PageBounds.read(in, pageCount) : null,
              source ? in.readLong() : ColumnSource.SEGMENT));
    }
    return new ColumnMetadata(stamp, List.copyOf(columns));
  }
}
