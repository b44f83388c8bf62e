/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.codec.column;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import org.apache.lucene.index.FieldInfo;
import org.apache.lucene.index.IndexFileNames;
import org.apache.lucene.index.SegmentCommitInfo;
import org.apache.lucene.index.SegmentReader;
import org.luceneoffload.codec.ImageWriter;
import org.luceneoffload.codec.OffloadSegmentInfoFormat;
import org.luceneoffload.codec.SegmentImage;
import org.luceneoffload.store.image.ImageDirectory;
import org.luceneoffload.store.image.ImageFiles;
import org.luceneoffload.store.image.ImageStore;

/**
 * The columns that a segment was written with, or a generation of its doc values was: their image,
 * and the metadata that say which there are. Either may be lost.
 */
public final class OwnColumns {
  private final SegmentReader reader;
  private final ColumnsProducer producer;
  private final ColumnFiles files;
  private final boolean packed;
  private final List<FieldInfo> fields = new ArrayList<>();
  private final String lostMetadata; // null: they are sound, or there never were any

  private OwnColumns(SegmentReader reader, ColumnsProducer producer, FieldInfo first)
      throws IOException {
    this.reader = reader;
    this.producer = producer;
    SegmentCommitInfo commit = reader.getSegmentInfo();
    boolean update = !ColumnSource.isSegment(first);
    String suffix = update ? Long.toString(first.getDocValuesGen(), Character.MAX_RADIX) : "";
    String metadata = ColumnMetadata.name(commit.info.name, suffix);
    packed = !update && commit.info.getUseCompoundFile();
    String image =
        IndexFileNames.segmentFileName(commit.info.name, suffix, ImageFiles.COLUMN_EXTENSION);
    files =
        new ColumnFiles(
            packed ? ImageFiles.compoundName(image) : image, metadata, commit.info.getId(), suffix);
    boolean listed =
        update
            ? commit
                .getDocValuesUpdatesFiles()
                .getOrDefault(first.number, Set.of())
                .contains(metadata)
            : OffloadSegmentInfoFormat.listedFiles(commit.info).contains(metadata);
    lostMetadata =
        producer.damage() == null && !producer.hasMetadata() && listed
            ? metadata + " is missing"
            : producer.damage();
  }

  /**
   * Returns the columns of the generation that a reader shows of a field.
   *
   * @param producer the producer of the field in {@code reader}
   */
  static OwnColumns of(SegmentReader reader, ColumnsProducer producer, FieldInfo field)
      throws IOException {
    return new OwnColumns(reader, producer, field);
  }

  /** Notes a field of the reader that these doc values are shown of. */
  void add(FieldInfo field) {
    fields.add(field);
  }

  /** Returns the fields that were noted. */
  List<FieldInfo> fields() {
    return fields;
  }

  /**
   * Returns the column of a field; null if the metadata have none, or they are lost, or no image
   * could ever be used where this one lies.
   */
  DeviceColumn column(FieldInfo field) {
    DeviceColumn column = producer.column(field);
    return column == null || column.image().stamp() == 0 ? null : column;
  }

  /** Returns the image; null if there is none, or the metadata are lost. */
  SegmentImage image() {
    return producer.image();
  }

  /** Returns what became of the metadata; null if they are sound, or there never were any. */
  String lostMetadata() {
    return lostMetadata;
  }

  /** Returns why the columns cannot be used; null if they can. */
  public String reason() {
    return lostMetadata != null ? lostMetadata : image() == null ? null : image().unusableReason();
  }

  /** Returns whether lost metadata cannot be written in their place. */
  boolean isPackedLoss() {
    return packed && lostMetadata != null;
  }

  /**
   * Writes what is lost anew, from the doc values.
   *
   * @param directory the directory of the segment, with a device that can be written
   * @param listener told after each column
   * @return null if it cannot be written in its place: the metadata are inside a compound file, or
   *     the columns would lie elsewhere than they say; the columns are to lie beside the segment
   * @throws IOException if it cannot be done
   */
  public ImageWriter.Written remake(ImageDirectory directory, Runnable listener)
      throws IOException {
    if (lostMetadata == null) {
      return remakeImage(directory.images(), listener);
    }
    if (packed) {
      directory.images().giveUp(files.image()); // nobody will know what is in it
      return null;
    }
    Predicate<String> wanted = directory.options().columns();
    if (reader.getSegmentInfo().info.getCodec().docValuesFormat()
        instanceof OffloadDocValuesFormat ours) {
      wanted = wanted.and(ours::wants);
    }
    List<ColumnFiles.Values> values = new ArrayList<>();
    for (FieldInfo field : fields) {
      if (wanted.test(field.name)) {
        values.add(new ColumnFiles.Values(field, producer.stock(), ColumnSource.SEGMENT));
      }
    }
    ImageWriter.Written written = files.write(directory, values, listener);
    if (written != null) {
      return written;
    }
    files.writeNone(directory);
    directory.images().giveUp(files.image());
    return ImageWriter.Written.columns(0, 0, 0);
  }

  private ImageWriter.Written remakeImage(ImageStore images, Runnable listener) throws IOException {
    SegmentImage image = image();
    boolean done = false;
    try {
      ImageWriter.Written written;
      try (ColumnOutput out =
          ColumnOutput.on(
              images.createReplacement(0), image.stamp(), files.segmentId(), files.suffix())) {
        for (ColumnEntry column : producer.entries()) {
          if (!remake(column, out)) {
            return null;
          }
          listener.run();
        }
        written = ImageWriter.Written.columns(producer.entries().size(), out.pages(), out.bytes());
      }
      images.replace(image.fileName());
      done = true;
      return written;
    } finally {
      if (!done) {
        images.deleteReplacement();
      }
    }
  }

  /** Returns whether the column lies where it did. */
  private boolean remake(ColumnEntry column, ColumnOutput out) throws IOException {
    FieldInfo field = reader.getFieldInfos().fieldInfo(column.field());
    ColumnValues values = ColumnValues.of(field, producer.stock());
    out.fillUpTo(column.firstPage());
    return column.isLike(values.next() ? out.add(field, values) : null);
  }

  @Override
  public String toString() {
    return "OwnColumns(" + files.image() + ")";
  }
}
