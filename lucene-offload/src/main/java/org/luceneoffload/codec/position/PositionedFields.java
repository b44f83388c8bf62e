/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.codec.position;

import java.io.IOException;
import java.util.BitSet;
import java.util.function.Predicate;
import org.apache.lucene.index.CorruptIndexException;
import org.apache.lucene.index.FieldInfo;
import org.apache.lucene.index.FieldInfos;
import org.apache.lucene.index.IndexOptions;
import org.apache.lucene.store.DataInput;
import org.apache.lucene.store.DataOutput;

/** The fields of a segment whose device lists have positions, by their numbers. */
public final class PositionedFields {
  /** No field. */
  public static final PositionedFields NONE = new PositionedFields(new BitSet());

  private final BitSet numbers;

  private PositionedFields(BitSet numbers) {
    this.numbers = numbers;
  }

  /**
   * Returns the fields that are indexed with positions, of those whose names are wanted.
   *
   * @param wanted asked for the name of each field with positions, once
   */
  public static PositionedFields of(FieldInfos infos, Predicate<String> wanted) {
    BitSet numbers = new BitSet();
    for (FieldInfo info : infos) {
      if (isPositioned(info) && wanted.test(info.name)) {
        numbers.set(info.number);
      }
    }
    return numbers.isEmpty() ? NONE : new PositionedFields(numbers);
  }

  /** Returns whether a field is indexed with positions. */
  public static boolean isPositioned(FieldInfo info) {
    return info.getIndexOptions().subsumes(IndexOptions.DOCS_AND_FREQS_AND_POSITIONS);
  }

  /** Returns whether there are none. */
  public boolean isEmpty() {
    return numbers.isEmpty();
  }

  /** Returns whether a field is one of them. */
  public boolean contains(FieldInfo info) {
    return numbers.get(info.number);
  }

  /** Writes how many there are, and the number of each. */
  public void write(DataOutput out) throws IOException {
    out.writeVInt(numbers.cardinality());
    for (int number = numbers.nextSetBit(0); number >= 0; number = numbers.nextSetBit(number + 1)) {
      out.writeVInt(number);
    }
  }

  /**
   * Reads what {@link #write} has written.
   *
   * @param infos all fields of the segment
   * @throws CorruptIndexException if one of them cannot have positions
   */
  public static PositionedFields read(DataInput in, FieldInfos infos) throws IOException {
    BitSet numbers = new BitSet();
    for (int left = in.readVInt(); left > 0; left--) {
      int number = in.readVInt();
      FieldInfo info = number < 0 ? null : infos.fieldInfo(number);
      if (info == null || !isPositioned(info)) {
        throw new CorruptIndexException("field " + number + " is said to have positions", in);
      }
      numbers.set(number);
    }
    return new PositionedFields(numbers);
  }
}
