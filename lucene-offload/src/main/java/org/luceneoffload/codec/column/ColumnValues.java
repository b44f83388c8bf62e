/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.codec.column;

import java.io.IOException;
import java.util.Arrays;
import org.apache.lucene.codecs.DocValuesProducer;
import org.apache.lucene.index.DocValues;
import org.apache.lucene.index.FieldInfo;
import org.apache.lucene.index.NumericDocValues;
import org.apache.lucene.index.SortedDocValues;
import org.apache.lucene.index.SortedNumericDocValues;
import org.apache.lucene.index.SortedSetDocValues;
import org.apache.lucene.search.DocIdSetIterator;
import org.luceneoffload.wire.OffloadWire;
import org.luceneoffload.wire.page.ColumnPageEncoder;

/**
 * The values that go into a field's column, doc by doc: numbers as they are, and ordinals in the
 * place of terms.
 */
abstract class ColumnValues {
  private final DocIdSetIterator docs;
  private long[] values = new long[16];

  private ColumnValues(DocIdSetIterator docs) {
    this.docs = docs;
  }

  /** Returns whether a field has doc values of a type that columns hold. */
  static boolean canHaveColumn(FieldInfo field) {
    return switch (field.getDocValuesType()) {
      case NUMERIC, SORTED_NUMERIC, SORTED, SORTED_SET -> !field.isSoftDeletesField();
      case NONE, BINARY -> false;
    };
  }

  /** Returns the values of a field that can have a column. */
  static ColumnValues of(FieldInfo field, DocValuesProducer from) throws IOException {
    return switch (field.getDocValuesType()) {
      case NUMERIC -> of(from.getNumeric(field));
      case SORTED -> of(from.getSorted(field));
      case SORTED_NUMERIC -> {
        SortedNumericDocValues all = from.getSortedNumeric(field);
        NumericDocValues single = DocValues.unwrapSingleton(all);
        yield single == null ? of(all) : of(single);
      }
      case SORTED_SET -> {
        SortedSetDocValues all = from.getSortedSet(field);
        SortedDocValues single = DocValues.unwrapSingleton(all);
        yield single == null ? of(all) : of(single);
      }
      case NONE, BINARY -> throw new IllegalArgumentException(field.name);
    };
  }

  private static ColumnValues of(NumericDocValues in) {
    return new ColumnValues(in) {
      @Override
      long nextValue() throws IOException {
        return in.longValue();
      }
    };
  }

  private static ColumnValues of(SortedDocValues in) {
    return new ColumnValues(in) {
      @Override
      long nextValue() throws IOException {
        return in.ordValue();
      }
    };
  }

  private static ColumnValues of(SortedNumericDocValues in) {
    return new ColumnValues(in) {
      @Override
      int count() {
        return in.docValueCount();
      }

      @Override
      long nextValue() throws IOException {
        return in.nextValue();
      }
    };
  }

  private static ColumnValues of(SortedSetDocValues in) {
    return new ColumnValues(in) {
      @Override
      int count() {
        return in.docValueCount();
      }

      @Override
      long nextValue() throws IOException {
        return in.nextOrd();
      }
    };
  }

  /** Returns the docs with a value. */
  final DocIdSetIterator docs() {
    return docs;
  }

  /** Returns the number of values of the doc that the docs are at; one, unless overridden. */
  int count() throws IOException {
    return 1;
  }

  /** Returns the next value of that doc; they ascend. */
  abstract long nextValue() throws IOException;

  /** Goes to the next doc with a value; returns false behind the last one. */
  final boolean next() throws IOException {
    return docs.nextDoc() != DocIdSetIterator.NO_MORE_DOCS;
  }

  /**
   * Adds all docs from the present one on.
   *
   * @return false if a doc has more values than a page holds: the field can have no column
   */
  final boolean copyTo(ColumnPageEncoder encoder) throws IOException {
    do {
      int count = count();
      if (count > OffloadWire.MAX_COLUMN_VALUES) {
        return false;
      }
      read(count);
      if (!encoder.add(docs.docID(), values, count)) {
        return false;
      }
    } while (next());
    return true;
  }

  /** Returns the values of the present doc. */
  final long[] values() throws IOException {
    int count = count();
    read(count);
    return Arrays.copyOf(values, count);
  }

  private void read(int count) throws IOException {
    if (count > values.length) {
      values = new long[Math.max(count, 2 * values.length)];
    }
    for (int i = 0; i < count; i++) {
      values[i] = nextValue();
    }
  }
}
