/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.codec.column;

import java.io.Closeable;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.lucene.index.FieldInfo;
import org.apache.lucene.index.SegmentInfo;
import org.apache.lucene.index.SegmentReader;
import org.luceneoffload.codec.SegmentImage;
import org.luceneoffload.codec.Sidecar;
import org.luceneoffload.store.image.CoreFiles;
import org.luceneoffload.store.image.ImageDirectory;
import org.luceneoffload.store.image.ImageFiles;

/**
 * Columns that lie beside a segment without being part of it, in {@code offload-ID.odv} and {@code
 * offload-ID.odm}. Each says which doc values of its field it holds: those that the segment was
 * written with, or a generation of them. A reader that shows others has no such column. The files
 * are read once for each core.
 */
final class ImportedColumns implements Closeable {
  private static final CoreFiles<ImportedColumns> FILES = new CoreFiles<>(ImportedColumns::open);

  /** Doc values of a field after an update. */
  private record Generation(int field, long number) {}

  private final SegmentImage image;
  private final Map<Integer, ColumnEntry> entries = new HashMap<>();
  private final Map<Integer, DeviceColumn> columns = new HashMap<>();
  private final Map<Generation, Long> sources = new ConcurrentHashMap<>();

  private ImportedColumns(SegmentImage image, List<ColumnEntry> entries) {
    this.image = image;
    for (ColumnEntry column : entries) {
      this.entries.put(column.field(), column);
      columns.put(column.field(), column.in(image));
    }
  }

  /** Returns the columns beside a segment; null if nothing lies there, or the segment is closed. */
  static ImportedColumns find(SegmentReader reader) throws IOException {
    return FILES.find(reader);
  }

  /** Returns the files in which a segment's imported columns lie. */
  static ColumnFiles files(SegmentInfo segment) {
    byte[] id = segment.getId();
    return new ColumnFiles(
        ImageFiles.sidecarColumnImage(id), ImageFiles.sidecarColumns(id), id, Sidecar.SUFFIX);
  }

  private static ImportedColumns open(
      SegmentInfo segment, ImageDirectory directory, ImportedColumns before) throws IOException {
    ColumnFiles files = files(segment);
    ImportedColumns kept = before != null && before.image.usable() ? before : null;
    ColumnMetadata metadata;
    try {
      metadata =
          ColumnMetadata.read(segment.dir, files.metadata(), files.segmentId(), files.suffix());
    } catch (IOException e) {
      return kept != null ? kept : damaged(directory, files, e.getMessage());
    }
    if (metadata == null) {
      return kept != null || !isThere(segment, files.image())
          ? kept
          : damaged(directory, files, files.metadata() + " is missing");
    }
    if (kept != null && kept.image.stamp() == metadata.stamp()) {
      return kept;
    }
    return new ImportedColumns(
        SegmentImage.open(segment, files.image(), files.suffix(), directory, metadata.stamp()),
        metadata.columns());
  }

  private static boolean isThere(SegmentInfo segment, String name) throws IOException {
    try {
      segment.dir.fileLength(name);
      return true;
    } catch (NoSuchFileException | FileNotFoundException e) {
      return false;
    }
  }

  private static ImportedColumns damaged(
      ImageDirectory directory, ColumnFiles files, String reason) {
    SegmentImage image =
        SegmentImage.missing(files.image(), directory.handle(), directory.options(), null);
    image.markBad("the list of its columns: " + reason);
    return new ImportedColumns(image, List.of());
  }

  /**
   * Returns the column of a field, as a reader shows it; null if there is none.
   *
   * @param field a field of {@code reader}
   */
  DeviceColumn column(SegmentReader reader, FieldInfo field) {
    ColumnEntry entry = entries.get(field.number);
    return entry != null
            && entry.type() == field.getDocValuesType()
            && entry.source() == source(reader, field, entry)
        ? columns.get(field.number)
        : null;
  }

  /**
   * Returns the source of what a reader shows; of no column, if it is not that of a column for
   * sure.
   */
  private long source(SegmentReader reader, FieldInfo field, ColumnEntry entry) {
    if (ColumnSource.isSegment(field)) {
      return ColumnSource.SEGMENT;
    }
    if (entry.source() == ColumnSource.SEGMENT) {
      return ~entry.source();
    }
    Generation generation = new Generation(field.number, field.getDocValuesGen());
    Long known = sources.get(generation);
    if (known == null) {
      try {
        known = ColumnSource.of(reader, field);
      } catch (IOException e) {
        known = ~entry.source(); // a commit since has deleted the files, say
      }
      sources.put(generation, known); // whoever comes meanwhile finds the same
    }
    return known;
  }

  /** Returns the image; never null, but perhaps not usable. */
  SegmentImage image() {
    return image;
  }

  @Override
  public void close() throws IOException {
    image.close();
  }
}
