/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.codec.column;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.apache.lucene.index.FieldInfo;
import org.apache.lucene.index.SegmentReader;
import org.luceneoffload.codec.ImageWriter;
import org.luceneoffload.codec.SegmentImage;
import org.luceneoffload.store.image.ImageDirectory;
import org.luceneoffload.store.image.ImageFiles;
import org.luceneoffload.store.image.ImageStore;

/** The column images that a segment was written with and that cannot be used now. */
public final class SegmentColumns {
  private final SegmentReader reader;
  private final Set<ColumnsProducer> lost = new LinkedHashSet<>();
  private final Set<String> damage = new LinkedHashSet<>();
  private String importDamage;

  private SegmentColumns(SegmentReader reader) {
    this.reader = reader;
  }

  /**
   * Looks at a segment that was opened with a device.
   *
   * @param verify whether to read all that is on the device, and find damage by its checksums;
   *     damage found marks the image bad for all who share {@code reader}
   */
  public static SegmentColumns of(SegmentReader reader, boolean verify) throws IOException {
    SegmentColumns columns = new SegmentColumns(reader);
    Set<ColumnsProducer> seen = new LinkedHashSet<>();
    for (FieldInfo field : reader.getFieldInfos()) {
      if (!ColumnValues.canHaveColumn(field)) {
        continue;
      }
      ColumnsProducer producer = ProducerProbe.find(reader, field);
      if (producer != null && seen.add(producer)) {
        columns.look(producer, verify);
      }
    }
    ImportedColumns beside = ImportedColumns.find(reader);
    if (beside != null && beside.image() != null) {
      columns.importDamage = whyUnusable(beside.image(), verify);
    }
    return columns;
  }

  private void look(ColumnsProducer producer, boolean verify) throws IOException {
    if (producer.damage() != null) {
      damage.add(producer.damage());
    }
    SegmentImage image = producer.image();
    if (image != null && whyUnusable(image, verify) != null) {
      lost.add(producer);
    }
  }

  private static String whyUnusable(SegmentImage image, boolean verify) throws IOException {
    if (verify && image.usable()) {
      try {
        image.checkIntegrity();
      } catch (IOException e) {
        // Damage is what is looked for: strict options do not make it an error here.
        if (image.usable()) {
          throw e;
        }
      }
    }
    return image.unusableReason();
  }

  /** The images that cannot be used. */
  public List<SegmentImage> lost() {
    return lost.stream().map(ColumnsProducer::image).toList();
  }

  /**
   * Returns why the columns beside the segment cannot be used; null if they can, or there are none.
   */
  public String importDamage() {
    return importDamage;
  }

  /** What is wrong with files that say which columns there are; such a file is not made again. */
  public List<String> damage() {
    return List.copyOf(damage);
  }

  /**
   * Writes the lost images anew, from the doc values and in their places.
   *
   * @param directory the directory of the segment, with a device that can be written
   * @throws IOException if it cannot be done, as when a column would lie elsewhere than before;
   *     images that are not written yet stay as they are
   */
  public ImageWriter.Written rewrite(ImageDirectory directory) throws IOException {
    ImageWriter.Written all = ImageWriter.Written.columns(0, 0, 0);
    for (ColumnsProducer producer : lost) {
      all = all.plus(rewrite(directory.images(), producer));
    }
    return all;
  }

  private ImageWriter.Written rewrite(ImageStore images, ColumnsProducer producer)
      throws IOException {
    SegmentImage image = producer.image();
    boolean done = false;
    try {
      ImageWriter.Written written;
      try (ColumnOutput out =
          ColumnOutput.on(
              images.createReplacement(0),
              image.stamp(),
              reader.getSegmentInfo().info.getId(),
              ImageFiles.segmentSuffix(image.fileName()))) {
        for (ColumnEntry column : producer.entries()) {
          rewrite(producer, column, out);
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

  private void rewrite(ColumnsProducer producer, ColumnEntry column, ColumnOutput out)
      throws IOException {
    FieldInfo field = reader.getFieldInfos().fieldInfo(column.field());
    ColumnValues values = ColumnValues.of(field, producer.stock());
    out.fillUpTo(column.firstPage());
    ColumnEntry written = values.next() ? out.add(field, values) : null;
    if (!column.isLike(written)) {
      throw new IOException(
          "the column of field \""
              + field.name
              + "\" would lie elsewhere than it did; merging makes another one");
    }
  }

  /** Lists what is lost, for a message. */
  @Override
  public String toString() {
    List<String> reasons = new ArrayList<>(damage);
    lost().forEach(image -> reasons.add(image.fileName() + ": " + image.unusableReason()));
    return String.join("; ", reasons);
  }
}
