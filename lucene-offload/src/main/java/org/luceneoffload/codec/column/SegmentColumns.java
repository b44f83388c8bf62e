/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.codec.column;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Predicate;
import org.apache.lucene.codecs.DocValuesProducer;
import org.apache.lucene.index.FieldInfo;
import org.apache.lucene.index.SegmentInfo;
import org.apache.lucene.index.SegmentReader;
import org.luceneoffload.codec.ImageWriter;
import org.luceneoffload.codec.SegmentImage;
import org.luceneoffload.store.image.ImageDirectory;
import org.luceneoffload.store.image.SidecarFiles;
import org.luceneoffload.wire.page.ColumnPageEncoder;

/**
 * The fields of a segment that have columns, as one reader shows them, that have lost them, and
 * that never had any.
 */
public final class SegmentColumns {
  private final SegmentReader reader;
  private final SegmentInfo segment;
  private final Predicate<String> wanted;
  private final ImportedColumns imported; // null: none
  private final List<OwnColumns> lost = new ArrayList<>();
  private final SortedSet<String> without = new TreeSet<>();
  private final SortedSet<String> beside = new TreeSet<>();

  private SegmentColumns(SegmentReader reader) throws IOException {
    this.reader = reader;
    this.segment = reader.getSegmentInfo().info;
    ImageDirectory directory = ImageDirectory.find(segment.dir);
    this.wanted = directory == null ? field -> true : directory.options().columns();
    this.imported = ImportedColumns.find(reader);
  }

  /**
   * Looks at a segment.
   *
   * @param verify whether to read all that is on the device, and find damage by its checksums;
   *     damage found marks the image bad for all who share {@code reader}
   */
  public static SegmentColumns of(SegmentReader reader, boolean verify) throws IOException {
    SegmentColumns columns = new SegmentColumns(reader);
    Map<ColumnsProducer, OwnColumns> generations = new LinkedHashMap<>();
    List<FieldInfo> others = new ArrayList<>();
    for (FieldInfo field : reader.getFieldInfos()) {
      if (!ColumnValues.canHaveColumn(field)) {
        continue;
      }
      ColumnsProducer producer = ProducerProbe.find(reader, field);
      if (producer == null) {
        others.add(field);
        continue;
      }
      OwnColumns own = generations.get(producer);
      if (own == null) {
        own = OwnColumns.of(reader, producer, field);
        generations.put(producer, own);
      }
      own.add(field);
    }
    if (verify) {
      for (OwnColumns own : generations.values()) {
        verify(own.image());
      }
      verify(columns.imported == null ? null : columns.imported.image());
    }
    generations.values().forEach(columns::sort);
    others.forEach(field -> columns.sort(field, null));
    for (OwnColumns own : columns.lost()) {
      if (own.isPackedLoss() && !columns.isMissed(own)) {
        columns.lost.remove(own);
      }
    }
    return columns;
  }

  /** Verifies an image; strict options do not make damage an error here. */
  private static void verify(SegmentImage image) throws IOException {
    if (image == null || !image.usable()) {
      return;
    }
    try {
      image.checkIntegrity();
    } catch (IOException e) {
      if (image.usable()) {
        throw e;
      }
    }
  }

  private void sort(OwnColumns own) {
    boolean missed = false;
    for (FieldInfo field : own.fields()) {
      missed |= sort(field, own);
    }
    if (missed) {
      lost.add(own);
    }
  }

  /** Returns whether the field has lost a column of {@code own}. */
  private boolean sort(FieldInfo field, OwnColumns own) {
    DeviceColumn written = own == null ? null : own.column(field);
    if (written != null && written.image().usable()) {
      return false;
    }
    DeviceColumn found = imported == null ? null : imported.column(reader, field);
    if (found != null && found.image().usable()) {
      beside.add(field.name);
      return false;
    }
    if (written != null) {
      return true;
    }
    if (!wanted.test(field.name)) {
      return false;
    }
    if (own != null && own.lostMetadata() != null) {
      return true;
    }
    without.add(field.name);
    return false;
  }

  /** Returns whether a field whose metadata cannot be written again could have a column beside. */
  private boolean isMissed(OwnColumns own) throws IOException {
    for (FieldInfo field : own.fields()) {
      if (!beside.contains(field.name) && wanted.test(field.name) && canHave(field)) {
        return true;
      }
    }
    return false;
  }

  /** Returns whether there can be a column of what the reader shows of a field. */
  private boolean canHave(FieldInfo field) throws IOException {
    try {
      ColumnSource.of(reader, field);
    } catch (IOException e) {
      return false; // nobody could tell it from one of other values
    }
    ColumnValues values = ColumnValues.of(field, reader.getDocValuesReader());
    return values.next() && values.copyTo(new ColumnPageEncoder(1, 1, page -> {}));
  }

  /**
   * Returns the columns of the segment's own that cannot be used now; not those that were imported
   * since.
   */
  public List<OwnColumns> lost() {
    return List.copyOf(lost);
  }

  /**
   * Returns why the columns beside the segment cannot be used; null if they can, or there are none.
   */
  public String importDamage() {
    return imported == null ? null : imported.image().unusableReason();
  }

  /**
   * Returns whether fields are to have columns, by the options of the directory, can have them, and
   * neither have any nor have lost them.
   */
  public boolean isIncomplete() throws IOException {
    if (without.isEmpty() || beside.isEmpty()) {
      return !without.isEmpty(); // who writes them finds out whether there can be any
    }
    for (String field : without) {
      if (canHave(reader.getFieldInfos().fieldInfo(field))) {
        return true;
      }
    }
    return false;
  }

  /**
   * Writes columns beside the segment, of all fields that are to have any and have none of the
   * segment's own that can be used; what lies there now is replaced.
   *
   * @param directory the directory of the segment, with a device that can be written
   * @param instead lost columns that could not be made again in their places
   * @param listener told after each column
   * @return null if no field can have one
   * @throws IOException if it cannot be done
   */
  public ImageWriter.Written writeBeside(
      ImageDirectory directory, List<OwnColumns> instead, Runnable listener) throws IOException {
    SortedSet<String> names = new TreeSet<>(without);
    names.addAll(beside);
    for (OwnColumns own : instead) {
      own.fields().forEach(field -> names.add(field.name));
    }
    DocValuesProducer stock = reader.getDocValuesReader();
    List<ColumnFiles.Values> values = new ArrayList<>();
    for (String name : names) {
      FieldInfo field = reader.getFieldInfos().fieldInfo(name);
      if (wanted.test(name)) {
        addValues(field, stock, values);
      }
    }
    if (importDamage() != null) {
      SidecarFiles.deleteColumns(directory, segment.getId());
    }
    return ImportedColumns.files(segment).write(directory, values, listener);
  }

  private void addValues(
      FieldInfo field, DocValuesProducer stock, List<ColumnFiles.Values> values) {
    try {
      values.add(new ColumnFiles.Values(field, stock, ColumnSource.of(reader, field)));
    } catch (IOException e) {
      // As in canHave: the host answers.
    }
  }
}
