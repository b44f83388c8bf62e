/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.codec.column;

import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.lucene.codecs.DocValuesProducer;
import org.apache.lucene.index.BinaryDocValues;
import org.apache.lucene.index.DocValuesSkipper;
import org.apache.lucene.index.FieldInfo;
import org.apache.lucene.index.NumericDocValues;
import org.apache.lucene.index.SegmentReadState;
import org.apache.lucene.index.SortedDocValues;
import org.apache.lucene.index.SortedNumericDocValues;
import org.apache.lucene.index.SortedSetDocValues;
import org.apache.lucene.store.AlreadyClosedException;
import org.apache.lucene.util.IOUtils;
import org.luceneoffload.codec.SegmentImage;
import org.luceneoffload.store.image.ImageFiles;
import org.luceneoffload.util.CauseLog;

/**
 * The stock doc values of a segment, or of a generation of them, with the columns of their image
 * beside them.
 */
final class ColumnsProducer extends DocValuesProducer {
  private final DocValuesProducer in;
  private final SegmentImage image; // null if there are no columns
  private final List<ColumnEntry> entries;
  private final Map<Integer, DeviceColumn> columns = new HashMap<>();
  private final boolean hasMetadata; // sound ones
  private final String damage; // of the metadata; null if they are sound, or not there

  private ColumnsProducer(
      DocValuesProducer in,
      SegmentImage image,
      List<ColumnEntry> entries,
      boolean hasMetadata,
      String damage) {
    this.in = in;
    this.image = image;
    this.entries = entries;
    this.hasMetadata = hasMetadata;
    this.damage = damage;
    for (ColumnEntry column : entries) {
      columns.put(column.field(), column.in(image));
    }
  }

  /**
   * Opens the columns. Whatever is wrong with them makes them unusable, and nothing worse.
   *
   * @param in the stock doc values; closed with what is returned
   */
  static ColumnsProducer open(DocValuesProducer in, SegmentReadState state) {
    ColumnMetadata metadata;
    try {
      metadata = ColumnMetadata.read(state);
    } catch (IOException | AlreadyClosedException e) {
      String name = ColumnMetadata.name(state.segmentInfo.name, state.segmentSuffix);
      String damage = name + ": " + e.getMessage();
      CauseLog.warn("column metadata", name, damage + "; the host will answer");
      return new ColumnsProducer(in, null, List.of(), false, damage);
    }
    if (metadata == null || metadata.columns().isEmpty()) {
      return new ColumnsProducer(in, null, List.of(), metadata != null, null);
    }
    SegmentImage image =
        SegmentImage.open(state, ImageFiles.COLUMN_EXTENSION, true, metadata.stamp());
    return new ColumnsProducer(in, image, metadata.columns(), true, null);
  }

  /** Returns the column of a field; null if it has none, or one of another type. */
  DeviceColumn column(FieldInfo field) {
    DeviceColumn column = columns.get(field.number);
    return column == null || column.type() != field.getDocValuesType() ? null : column;
  }

  /** Returns the image of the columns; null if there are none. */
  SegmentImage image() {
    return image;
  }

  /** Returns what is in the image, in the order of pages. */
  List<ColumnEntry> entries() {
    return entries;
  }

  /** Returns the stock doc values alone. */
  DocValuesProducer stock() {
    return in;
  }

  /** Returns whether there are metadata, and they are sound. */
  boolean hasMetadata() {
    return hasMetadata;
  }

  /** Returns what is wrong with the metadata; null if nothing is, or there are none. */
  String damage() {
    return damage;
  }

  @Override
  public NumericDocValues getNumeric(FieldInfo field) throws IOException {
    return in.getNumeric(field);
  }

  @Override
  public BinaryDocValues getBinary(FieldInfo field) throws IOException {
    return in.getBinary(field);
  }

  @Override
  public SortedDocValues getSorted(FieldInfo field) throws IOException {
    return in.getSorted(field);
  }

  @Override
  public SortedNumericDocValues getSortedNumeric(FieldInfo field) throws IOException {
    return in.getSortedNumeric(field);
  }

  @Override
  public SortedSetDocValues getSortedSet(FieldInfo field) throws IOException {
    return in.getSortedSet(field);
  }

  @Override
  public DocValuesSkipper getSkipper(FieldInfo field) throws IOException {
    return ProducerProbe.isProbe(field) ? new ProducerProbe(this) : in.getSkipper(field);
  }

  /**
   * Returns the part that merging verifies and reads: the stock doc values. Columns are made anew
   * from them, so that damage to the old ones ends here.
   */
  @Override
  public DocValuesProducer getMergeInstance() {
    return in.getMergeInstance();
  }

  /** Verifies the image, too: its damage gives it up, and is no damage of the segment. */
  @Override
  public void checkIntegrity() throws IOException {
    in.checkIntegrity();
    if (image != null) {
      image.checkIntegrity();
    }
  }

  @Override
  public void close() throws IOException {
    IOUtils.close(image, in);
  }

  @Override
  public String toString() {
    return "ColumnsProducer(" + image + ", " + in + ")";
  }
}
