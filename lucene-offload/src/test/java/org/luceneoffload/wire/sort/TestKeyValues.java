/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.wire.sort;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import org.apache.lucene.search.FieldComparator;
import org.apache.lucene.search.Pruning;
import org.apache.lucene.search.SortField;
import org.junit.jupiter.api.Test;
import org.luceneoffload.DamagedBytes;

/** Keys of values against Lucene's own comparators, and back. */
class TestKeyValues {
  private final Random random = new Random(DamagedBytes.seed(getClass()));

  /** Any two values are in the same order as their keys, and come back from them. */
  private static <T> void compare(
      SortField.Type type, List<T> values, ToLongFunction<T> keyOf, Function<Long, T> valueOf) {
    @SuppressWarnings("unchecked")
    FieldComparator<T> comparator =
        (FieldComparator<T>) new SortField("f", type).getComparator(1, Pruning.NONE);
    for (T a : values) {
      long key = keyOf.applyAsLong(a);
      assertEquals(a, valueOf.apply(key), () -> "back from " + Long.toHexString(key));
      for (T b : values) {
        int expected = comparator.compareValues(a, b);
        int got = Long.compareUnsigned(key, keyOf.applyAsLong(b));
        assertEquals(Integer.signum(expected), Integer.signum(got), () -> a + " and " + b);
      }
    }
  }

  @Test
  void ints() {
    List<Integer> values =
        new ArrayList<>(List.of(0, 1, -1, Integer.MIN_VALUE, Integer.MAX_VALUE, 1 << 30));
    random.ints(200).forEach(values::add);
    compare(SortField.Type.INT, values, KeyValues::ofInt, KeyValues::toInt);
    values.forEach(v -> assertEquals(0, KeyValues.ofInt(v) >>> Integer.SIZE));
  }

  @Test
  void longs() {
    List<Long> values =
        new ArrayList<>(List.of(0L, 1L, -1L, Long.MIN_VALUE, Long.MAX_VALUE, 1L << 32));
    random.longs(200).forEach(values::add);
    compare(SortField.Type.LONG, values, KeyValues::ofLong, KeyValues::toLong);
  }

  @Test
  void floats() {
    List<Float> values =
        new ArrayList<>(
            List.of(
                0f,
                -0f,
                Float.NaN,
                Float.intBitsToFloat(0x7F800001),
                Float.intBitsToFloat(-1),
                Float.POSITIVE_INFINITY,
                Float.NEGATIVE_INFINITY,
                Float.MAX_VALUE,
                -Float.MAX_VALUE,
                Float.MIN_VALUE,
                -Float.MIN_VALUE,
                1.5f,
                -1.5f));
    random.ints(200).forEach(bits -> values.add(Float.intBitsToFloat(bits)));
    compare(SortField.Type.FLOAT, values, KeyValues::ofFloat, KeyValues::toFloat);
    values.forEach(v -> assertEquals(0, KeyValues.ofFloat(v) >>> Integer.SIZE));
  }

  @Test
  void doubles() {
    List<Double> values =
        new ArrayList<>(
            List.of(
                0d,
                -0d,
                Double.NaN,
                Double.longBitsToDouble(0x7FF0000000000001L),
                Double.longBitsToDouble(-1),
                Double.POSITIVE_INFINITY,
                Double.NEGATIVE_INFINITY,
                Double.MAX_VALUE,
                -Double.MAX_VALUE,
                Double.MIN_VALUE,
                -Double.MIN_VALUE,
                1.5,
                -1.5));
    random.longs(200).forEach(bits -> values.add(Double.longBitsToDouble(bits)));
    compare(SortField.Type.DOUBLE, values, KeyValues::ofDouble, KeyValues::toDouble);
  }

  @Test
  void scoresDescend() {
    float[] scores = {Float.MAX_VALUE, 3.5f, 1f, Float.MIN_VALUE, 0f};
    for (int i = 0; i < scores.length; i++) {
      long key = KeyValues.ofScore(scores[i]);
      assertEquals(scores[i], KeyValues.toScore(key));
      assertTrue(i == 0 || key > KeyValues.ofScore(scores[i - 1]));
    }
  }

  @Test
  void ordinalsLieBetweenTheMissing() {
    for (long ord : new long[] {0, 1, Integer.MAX_VALUE}) {
      long key = KeyValues.ofOrd(ord);
      assertEquals(ord, KeyValues.toOrd(key));
      assertTrue(Long.compareUnsigned(KeyValues.MISSING_FIRST, key) < 0);
      assertTrue(Long.compareUnsigned(key, KeyValues.MISSING_LAST) < 0);
    }
    assertTrue(Long.compareUnsigned(KeyValues.ofDoc(-3), KeyValues.ofDoc(0)) < 0);
  }
}
