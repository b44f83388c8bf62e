/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.wire.sort;

import org.luceneoffload.wire.OffloadWire;

/**
 * A sort key of a plan.
 *
 * @param kind a value of {@link OffloadWire.SortKind}
 * @param transform COLUMN: a value of {@link OffloadWire.SortTransform}; else 0
 * @param selector COLUMN: a value of {@link OffloadWire.SortSelector}; else 0
 * @param reverse greater keys come first
 * @param column COLUMN: number of the column in the plan; else 0
 * @param missing COLUMN: key of a doc without a value; CONSTANT: key of every doc; else 0
 */
public record SortKey(
    int kind, int transform, int selector, boolean reverse, int column, long missing) {

  /** Returns a key by a column's values. */
  public static SortKey ofColumn(
      int column, int transform, int selector, long missing, boolean reverse) {
    return new SortKey(OffloadWire.SortKind.COLUMN, transform, selector, reverse, column, missing);
  }

  /** Returns a key by doc ID. */
  public static SortKey ofDoc(boolean reverse) {
    return new SortKey(OffloadWire.SortKind.DOC, 0, 0, reverse, 0, 0);
  }

  /** Returns a key by score: higher ones first, unless reversed. */
  public static SortKey ofScore(boolean reverse) {
    return new SortKey(OffloadWire.SortKind.SCORE, 0, 0, reverse, 0, 0);
  }

  /** Returns a key that all docs share, for a column that the segment lacks. */
  public static SortKey constant(long key, boolean reverse) {
    return new SortKey(OffloadWire.SortKind.CONSTANT, 0, 0, reverse, 0, key);
  }

  /** Compares two keys in this key's direction, as a comparator does. */
  int compare(long a, long b) {
    return reverse ? Long.compareUnsigned(b, a) : Long.compareUnsigned(a, b);
  }

  /** Returns whether a doc may have a key, as far as that can be told without its value. */
  boolean allows(long key, int doc, float score) {
    return switch (kind) {
      case OffloadWire.SortKind.DOC -> key == KeyValues.ofDoc(doc);
      case OffloadWire.SortKind.SCORE -> key == KeyValues.ofScore(score);
      case OffloadWire.SortKind.CONSTANT -> key == missing;
      default -> key == missing || !isNarrow() || key >>> Integer.SIZE == 0;
    };
  }

  private boolean isNarrow() {
    return transform == OffloadWire.SortTransform.I32
        || transform == OffloadWire.SortTransform.F32
        || transform == OffloadWire.SortTransform.SORTABLE_F32;
  }
}
