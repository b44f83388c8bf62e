/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.search.sort;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.lucene.index.DocValuesType;
import org.apache.lucene.index.FieldInfo;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.search.FieldDoc;
import org.apache.lucene.search.Sort;
import org.apache.lucene.search.SortField;
import org.apache.lucene.search.SortedNumericSelector;
import org.apache.lucene.search.SortedNumericSortField;
import org.apache.lucene.search.SortedSetSelector;
import org.apache.lucene.search.SortedSetSortField;
import org.apache.lucene.util.BytesRef;
import org.luceneoffload.wire.OffloadWire;
import org.luceneoffload.wire.OffloadWire.SortSelector;
import org.luceneoffload.wire.OffloadWire.SortTransform;
import org.luceneoffload.wire.sort.KeyValues;
import org.luceneoffload.wire.sort.SortKey;

/**
 * A {@link SortField} that a plan can sort by: its key, and what Lucene puts into {@code
 * FieldDoc.fields} for it. Taken are score, doc, INT, LONG, FLOAT, DOUBLE and STRING, the sorts of
 * several numbers or keywords by MIN or MAX, and the distance from a point. Not taken are
 * STRING_VAL, CUSTOM, REWRITEABLE, the MIDDLE selectors, and fields of other classes, whose
 * comparators may be anything.
 *
 * <p>Keys of keywords are ordinals of one segment: {@link #valueOf} needs its dictionary.
 */
public final class SortFieldKey {
  /** The keywords of a segment, by ordinal. */
  @FunctionalInterface
  public interface Keywords {
    /** Returns the keyword of an ordinal; it may change with the next call. */
    BytesRef lookupOrd(long ord) throws IOException;
  }

  private final SortField.Type type;
  private final String field;
  private final boolean reverse;
  private final int transform;
  private final int selector;
  private final long missing;
  private final boolean several;
  private final DistanceOrigin origin; // null: the key is no distance

  private SortFieldKey(
      SortField.Type type,
      String field,
      boolean reverse,
      int transform,
      int selector,
      long missing,
      boolean several,
      DistanceOrigin origin) {
    this.several = several;
    this.origin = origin;
    this.type = type;
    this.field = field;
    this.reverse = reverse;
    this.transform = transform;
    this.selector = selector;
    this.missing = missing;
  }

  /** Returns the key of a sort field, which has been rewritten; null if it is not taken. */
  public static SortFieldKey of(SortField field) {
    Class<?> kind = field.getClass();
    if (kind == SortedNumericSortField.class) {
      SortedNumericSortField several = (SortedNumericSortField) field;
      boolean max = several.getSelector() == SortedNumericSelector.Type.MAX;
      return of(field, several.getNumericType(), max, true);
    }
    if (kind == SortedSetSortField.class) {
      SortedSetSelector.Type selector = ((SortedSetSortField) field).getSelector();
      boolean max = selector == SortedSetSelector.Type.MAX;
      return max || selector == SortedSetSelector.Type.MIN
          ? of(field, SortField.Type.STRING, max, true)
          : null;
    }
    DistanceOrigin origin = DistanceOrigin.of(field);
    if (origin != null) {
      return new SortFieldKey(
          field.getType(),
          field.getField(),
          field.getReverse(),
          SortTransform.DISTANCE,
          SortSelector.MIN,
          DistanceOrigin.NOWHERE,
          true,
          origin);
    }
    return kind == SortField.class ? of(field, field.getType(), false, false) : null;
  }

  /**
   * Returns the keys of a sort.
   *
   * @param after hits have to come after this one; null for the first ones
   * @return null if a field is not taken, if there are too many, or if {@code after} has not the
   *     values of such fields
   */
  public static List<SortFieldKey> all(Sort sort, FieldDoc after) {
    SortField[] fields = sort.getSort();
    if (fields.length == 0 || fields.length > OffloadWire.MAX_SORT_KEYS) {
      return null;
    }
    List<SortFieldKey> keys = new ArrayList<>(fields.length);
    for (SortField field : fields) {
      SortFieldKey key = of(field);
      if (key == null) {
        return null;
      }
      keys.add(key);
    }
    if (after != null) {
      if (after.fields == null || after.fields.length != fields.length) {
        return null; // stock says what is wrong
      }
      for (int i = 0; i < fields.length; i++) {
        if (!keys.get(i).isValue(after.fields[i])) {
          return null;
        }
      }
    }
    return keys;
  }

  private boolean isValue(Object value) {
    return switch (type) {
      case SCORE, FLOAT -> value instanceof Float;
      case DOC, INT -> value instanceof Integer;
      case LONG -> value instanceof Long;
      case DOUBLE -> value instanceof Double;
      case STRING -> value == null || value instanceof BytesRef;
      case CUSTOM -> value instanceof Double meters && DistanceOrigin.isKnown(meters);
      default -> false;
    };
  }

  private static SortFieldKey of(
      SortField field, SortField.Type type, boolean max, boolean several) {
    int transform =
        switch (type) {
          case INT -> SortTransform.I32;
          case LONG -> SortTransform.I64;
          case FLOAT -> several ? SortTransform.SORTABLE_F32 : SortTransform.F32;
          case DOUBLE -> several ? SortTransform.SORTABLE_F64 : SortTransform.F64;
          case STRING -> SortTransform.ORD;
          case SCORE, DOC -> 0;
          default -> -1;
        };
    if (transform < 0) {
      return null;
    }
    Object missing = field.getMissingValue();
    int selector = transform == 0 ? 0 : max ? SortSelector.MAX : SortSelector.MIN;
    return new SortFieldKey(
        type,
        field.getField(),
        field.getReverse(),
        transform,
        selector,
        missing(type, missing),
        several,
        null);
  }

  private static long missing(SortField.Type type, Object value) {
    return switch (type) {
      case INT -> KeyValues.ofInt(value == null ? 0 : (Integer) value);
      case LONG -> KeyValues.ofLong(value == null ? 0 : (Long) value);
      case FLOAT -> KeyValues.ofFloat(value == null ? 0f : (Float) value);
      case DOUBLE -> KeyValues.ofDouble(value == null ? 0d : (Double) value);
      case STRING ->
          value == SortField.STRING_LAST ? KeyValues.MISSING_LAST : KeyValues.MISSING_FIRST;
      default -> 0;
    };
  }

  /** Returns the field whose column the key comes from; null for score and doc. */
  public String field() {
    return transform != 0 ? field : null;
  }

  /** Returns whether the values of a field can be sorted by: else stock says what is wrong. */
  public boolean takes(FieldInfo info) {
    return takesValues(info.getDocValuesType())
        && (isKeyword() || origin != null || takesPoints(info));
  }

  /**
   * Returns whether stock accepts the field's points, with which it skips: it refuses those of
   * several dimensions or of another width.
   */
  private boolean takesPoints(FieldInfo info) {
    boolean wide = type == SortField.Type.LONG || type == SortField.Type.DOUBLE;
    return info.getPointDimensionCount() == 0
        || (info.getPointDimensionCount() == 1
            && info.getPointNumBytes() == (wide ? Long.BYTES : Integer.BYTES));
  }

  private boolean takesValues(DocValuesType values) {
    return switch (values) {
      case NUMERIC -> !isKeyword() && origin == null;
      case SORTED_NUMERIC -> !isKeyword() && several;
      case SORTED -> isKeyword();
      case SORTED_SET -> isKeyword() && several;
      default -> false;
    };
  }

  /** Returns whether the key is the doc ID. */
  public boolean isDoc() {
    return type == SortField.Type.DOC;
  }

  /** Returns the point whose distance is the key; null if it is none. */
  public DistanceOrigin origin() {
    return origin;
  }

  /** Returns whether keys are ordinals of keywords. */
  public boolean isKeyword() {
    return type == SortField.Type.STRING;
  }

  /** Returns whether greater keys come first. */
  public boolean isReverse() {
    return reverse;
  }

  /** Returns whether the key is the score. */
  public boolean isScore() {
    return type == SortField.Type.SCORE;
  }

  /**
   * Returns the sort key of a plan.
   *
   * @param column number of the field's column in the plan; negative: the segment has no value
   * @param point number of the entry with the {@link #origin}; else any
   */
  public SortKey key(int column, int point) {
    if (transform == 0) {
      return isScore() ? SortKey.ofScore(reverse) : SortKey.ofDoc(reverse);
    }
    return column < 0
        ? SortKey.constant(missing, reverse)
        : SortKey.ofColumn(column, transform, selector, origin == null ? missing : point, reverse);
  }

  /**
   * Returns the value that Lucene gives for a key of a segment.
   *
   * @param docBase of the segment
   * @param keywords of the segment's field; not read without a keyword
   * @return an Integer, Long, Float, Double, or a copied BytesRef, null if there is no keyword
   */
  public Object valueOf(long key, int docBase, Keywords keywords) throws IOException {
    return switch (type) {
      case SCORE -> KeyValues.toScore(key);
      case DOC -> (int) (KeyValues.toLong(key) + docBase);
      case INT -> KeyValues.toInt(key);
      case LONG -> KeyValues.toLong(key);
      case FLOAT -> KeyValues.toFloat(key);
      case DOUBLE -> KeyValues.toDouble(key);
      case CUSTOM -> DistanceOrigin.meters(key);
      default ->
          key == missing ? null : BytesRef.deepCopyOf(keywords.lookupOrd(KeyValues.toOrd(key)));
    };
  }

  /** Returns the key that a hit of stock's has in the whole index. */
  public long keyOf(Object value, LeafReaderContext context, int doc) throws IOException {
    return origin == null
        ? keyOf(value, 0)
        : origin.keyOf(context.reader(), field, doc - context.docBase);
  }

  /**
   * Returns the key, in a segment, of a value that Lucene gave: for the limits of a plan.
   *
   * @param value null: there is no keyword
   * @param docBase of the segment
   * @throws IllegalArgumentException for a keyword, which may lie between ordinals
   */
  public long keyOf(Object value, int docBase) {
    return switch (type) {
      case SCORE -> KeyValues.ofScore((Float) value);
      case DOC -> KeyValues.ofDoc((long) (Integer) value - docBase);
      case INT, LONG, FLOAT, DOUBLE -> missing(type, value);
      case CUSTOM -> DistanceOrigin.key((Double) value);
      default -> {
        if (value != null) {
          throw new IllegalArgumentException("a keyword has no key: " + value);
        }
        yield missing;
      }
    };
  }
}
