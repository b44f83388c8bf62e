/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.codec.column;

import java.io.IOException;
import org.apache.lucene.codecs.DocValuesConsumer;
import org.apache.lucene.codecs.DocValuesProducer;
import org.apache.lucene.index.FieldInfo;
import org.apache.lucene.util.IOUtils;

/**
 * Hands everything to the stock consumer, and then the values of fields that are to have columns to
 * the image as well. Merging comes through the same calls, so that what costs most of it, a map of
 * ordinals, is made once.
 */
final class ColumnsConsumer extends DocValuesConsumer {
  private final DocValuesConsumer in;
  private final ColumnImageWriter columns;

  ColumnsConsumer(DocValuesConsumer in, ColumnImageWriter columns) {
    this.in = in;
    this.columns = columns;
  }

  @Override
  public void addNumericField(FieldInfo field, DocValuesProducer values) throws IOException {
    in.addNumericField(field, values);
    columns.add(field, values);
  }

  @Override
  public void addBinaryField(FieldInfo field, DocValuesProducer values) throws IOException {
    in.addBinaryField(field, values);
  }

  @Override
  public void addSortedField(FieldInfo field, DocValuesProducer values) throws IOException {
    in.addSortedField(field, values);
    columns.add(field, values);
  }

  @Override
  public void addSortedNumericField(FieldInfo field, DocValuesProducer values) throws IOException {
    in.addSortedNumericField(field, values);
    columns.add(field, values);
  }

  @Override
  public void addSortedSetField(FieldInfo field, DocValuesProducer values) throws IOException {
    in.addSortedSetField(field, values);
    columns.add(field, values);
  }

  @Override
  public void close() throws IOException {
    IOUtils.close(columns, in);
  }
}
