/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.codec.column;

import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.lucene.index.FieldInfo;
import org.apache.lucene.index.SegmentInfo;
import org.apache.lucene.index.SegmentReader;
import org.apache.lucene.store.AlreadyClosedException;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexOutput;
import org.luceneoffload.codec.ImageWriter;
import org.luceneoffload.codec.SegmentImage;
import org.luceneoffload.codec.Sidecar;
import org.luceneoffload.codec.Sidecars;
import org.luceneoffload.store.image.ImageDirectory;
import org.luceneoffload.store.image.ImageFiles;

/**
 * Columns that lie beside a segment, with the lists of an import: the doc values that the segment
 * was written with. Of a field that has been updated since, they are not those that a reader shows.
 * They are read once for each core.
 */
public final class ImportedColumns implements Closeable {
  private static final long NEVER_UPDATED = -1;

  private final SegmentImage image; // null if there are none
  private final Map<Integer, DeviceColumn> columns = new HashMap<>();

  private ImportedColumns(SegmentImage image, List<ColumnEntry> entries) {
    this.image = image;
    for (ColumnEntry column : entries) {
      columns.put(column.field(), column.in(image));
    }
  }

  /** The columns beside a segment; null if nothing lies there, or the segment is closed. */
  static ImportedColumns find(SegmentReader reader) throws IOException {
    Sidecar sidecar = Sidecars.find(reader);
    if (sidecar == null || !reader.tryIncRef()) {
      return null;
    }
    try {
      SegmentInfo segment = reader.getSegmentInfo().info;
      return sidecar.columns(ImportedColumns.class, () -> open(segment));
    } catch (
        @SuppressWarnings("unused")
        AlreadyClosedException e) {
      return null; // the directory is closed, the reader is not yet
    } finally {
      reader.decRef();
    }
  }

  private static ImportedColumns open(SegmentInfo segment) {
    ImageDirectory directory = ImageDirectory.find(segment.dir);
    String name = ImageFiles.sidecarColumnImage(segment.getId());
    try {
      ColumnMetadata metadata =
          ColumnMetadata.read(
              segment.dir,
              ImageFiles.sidecarColumns(segment.getId()),
              segment.getId(),
              Sidecar.SUFFIX);
      if (metadata == null) {
        return new ImportedColumns(null, List.of());
      }
      SegmentImage image =
          SegmentImage.open(segment, name, Sidecar.SUFFIX, directory, metadata.stamp());
      return new ImportedColumns(image, metadata.columns());
    } catch (IOException e) {
      String reason = "the list of imported columns: " + e.getMessage();
      return new ImportedColumns(
          SegmentImage.missing(name, directory.handle(), directory.options(), reason), List.of());
    }
  }

  /** The column of a field, as a reader with this {@code field} shows it; null if there is none. */
  DeviceColumn column(FieldInfo field) {
    DeviceColumn column =
        field.getDocValuesGen() == NEVER_UPDATED ? columns.get(field.number) : null;
    return column == null || column.type() != field.getDocValuesType() ? null : column;
  }

  /** The image; null if there are no columns. */
  SegmentImage image() {
    return image;
  }

  /**
   * Writes columns beside a segment, of the fields that the directory's options name, were not
   * updated and have none of the segment's own.
   *
   * @param directory the directory of the segment, with a device that can be written
   * @throws IOException if it cannot be done
   */
  public static ImageWriter.Written write(SegmentReader reader, ImageDirectory directory)
      throws IOException {
    SegmentInfo segment = reader.getSegmentInfo().info;
    List<ColumnEntry> entries = new ArrayList<>();
    ColumnOutput image = null;
    boolean done = false;
    try {
      for (FieldInfo field : reader.getFieldInfos()) {
        ColumnValues values = wants(reader, field, directory) ? values(reader, field) : null;
        if (values == null || !values.next()) {
          continue;
        }
        if (image == null) {
          image =
              ColumnOutput.on(
                  directory.images().createReplacement(0),
                  ImageFiles.randomNumber(),
                  segment.getId(),
                  Sidecar.SUFFIX);
        }
        ColumnEntry column = image.add(field, values);
        if (column != null) {
          entries.add(column);
        }
      }
      done = true;
    } finally {
      if (image != null && !done) {
        image.close();
      }
    }
    if (image == null) {
      return ImageWriter.Written.columns(0, 0, 0);
    }
    image.close();
    String name = ImageFiles.sidecarColumns(segment.getId());
    try (IndexOutput out = directory.createOutput(name, IOContext.DEFAULT)) {
      ColumnMetadata.write(out, segment.getId(), Sidecar.SUFFIX, image.stamp(), entries);
    }
    directory.sync(Set.of(name));
    directory.images().replace(ImageFiles.sidecarColumnImage(segment.getId()));
    return ImageWriter.Written.columns(entries.size(), image.pages(), image.bytes());
  }

  private static ColumnValues values(SegmentReader reader, FieldInfo field) throws IOException {
    return ColumnValues.of(field, reader.getDocValuesReader());
  }

  private static boolean wants(SegmentReader reader, FieldInfo field, ImageDirectory directory)
      throws IOException {
    if (!ColumnValues.canHaveColumn(field)
        || field.getDocValuesGen() != NEVER_UPDATED
        || !directory.options().columns().test(field.name)) {
      return false;
    }
    ColumnsProducer own = ProducerProbe.find(reader, field);
    return own == null || own.column(field) == null;
  }

  @Override
  public void close() throws IOException {
    if (image != null) {
      image.close();
    }
  }
}
