/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.wire.sort;

/**
 * Turns values into the keys of {@code wire/WIRE.md}, section 4, and back. A key is an unsigned
 * number; its order is that of Java's {@code compare} of the values.
 */
public final class KeyValues {
  /** Key of a doc without a keyword that comes before all ordinals. */
  public static final long MISSING_FIRST = 0;

  /** Key of a doc without a keyword that comes behind all ordinals. */
  public static final long MISSING_LAST = -1;

  private static final long INT_MASK = 0xFFFF_FFFFL;

  private KeyValues() {}

  /** Returns the key of a number, transform I64. */
  public static long ofLong(long value) {
    return value ^ Long.MIN_VALUE;
  }

  /** Returns the key of a number, transform I32. */
  public static long ofInt(int value) {
    return (value ^ Integer.MIN_VALUE) & INT_MASK;
  }

  /** Returns the key of a float, transforms F32 and SORTABLE_F32. All NaNs have the same. */
  public static long ofFloat(float value) {
    int bits = Float.floatToIntBits(value);
    return (bits < 0 ? ~bits : bits ^ Integer.MIN_VALUE) & INT_MASK;
  }

  /** Returns the key of a double, transforms F64 and SORTABLE_F64. All NaNs have the same. */
  public static long ofDouble(double value) {
    long bits = Double.doubleToLongBits(value);
    return bits < 0 ? ~bits : bits ^ Long.MIN_VALUE;
  }

  /** Returns the key of an ordinal. */
  public static long ofOrd(long ord) {
    return ord + 1;
  }

  /** Returns the key of a doc ID, which may lie outside the segment. */
  public static long ofDoc(long doc) {
    return ofLong(doc);
  }

  /** Returns the key of a score: higher scores have lower keys. */
  public static long ofScore(float score) {
    return INT_MASK - ofFloat(score);
  }

  /** Returns the number of a key of transform I64. */
  public static long toLong(long key) {
    return key ^ Long.MIN_VALUE;
  }

  /** Returns the number of a key of transform I32, which has 32 bits. */
  public static int toInt(long key) {
    return (int) key ^ Integer.MIN_VALUE;
  }

  /** Returns the float of a key of transform F32 or SORTABLE_F32, which has 32 bits. */
  public static float toFloat(long key) {
    int bits = (int) key;
    return Float.intBitsToFloat(bits < 0 ? bits ^ Integer.MIN_VALUE : ~bits);
  }

  /** Returns the double of a key of transform F64 or SORTABLE_F64. */
  public static double toDouble(long key) {
    return Double.longBitsToDouble(key < 0 ? key ^ Long.MIN_VALUE : ~key);
  }

  /**
   * Returns the ordinal of a key that is neither {@link #MISSING_FIRST} nor {@link #MISSING_LAST}.
   */
  public static long toOrd(long key) {
    return key - 1;
  }

  /** Returns the score of a key of kind SCORE, which has 32 bits. */
  public static float toScore(long key) {
    return toFloat(INT_MASK - key);
  }
}
