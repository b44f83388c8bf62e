/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.aggregate;

import org.apache.lucene.util.NumericUtils;

/** The way in which doc values hold floating-point numbers; the index does not say. */
public enum DoubleEncoding {
  /** Bits of doubles, as of {@link org.apache.lucene.document.DoubleDocValuesField}. */
  DOUBLE,
  /** Sortable bits of doubles, as of {@link org.apache.lucene.document.DoubleField}. */
  SORTABLE_DOUBLE,
  /** Bits of floats, as of {@link org.apache.lucene.document.FloatDocValuesField}. */
  FLOAT,
  /** Sortable bits of floats, as of {@link org.apache.lucene.document.FloatField}. */
  SORTABLE_FLOAT;

  /**
   * {@return the number that a doc value holds; a float as the double of the same value}
   *
   * @param value the doc value
   */
  public double decode(long value) {
    return switch (this) {
      case DOUBLE -> Double.longBitsToDouble(value);
      case SORTABLE_DOUBLE -> NumericUtils.sortableLongToDouble(value);
      case FLOAT -> Float.intBitsToFloat((int) value);
      case SORTABLE_FLOAT -> NumericUtils.sortableIntToFloat((int) value);
    };
  }
}
