/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.wire.page;

import java.util.Arrays;
import org.luceneoffload.wire.OffloadWire;
import org.luceneoffload.wire.layout.ColumnPageHeaderLayout;

/**
 * Docs and values that are to become one column page, and the bytes that it takes. What the page
 * needs is known after every doc without a look at the earlier ones. One thread at a time.
 */
final class ColumnPage {
  /** Most docs of a page; values of no bits would have room for any number. */
  static final int MAX_DOCS = 1 << 17;

  /** Most entries of a table: beyond it packed values are seldom longer than indices. */
  static final int MAX_TABLE = 256;

  private int[] docs = new int[1024];
  private int[] counts = new int[1024];
  private long[] values = new long[1024];
  private int docCount;
  private int valueCount;
  private int mostValues; // of a doc
  private long min;
  private long max;
  private long divisor; // of the distances between values; 0: all are equal
  private final long[] table = new long[MAX_TABLE]; // the distinct values, ascending
  private int tableSize; // MAX_TABLE + 1: more than that
  private int linearBits; // width of a value without a table; -1: to be computed
  private long spareBits; // at least so many are left; below 0: to be computed

  // What was before the latest doc.
  private int mostValuesBefore;
  private long minBefore;
  private long maxBefore;
  private long divisorBefore;
  private int tableSizeBefore;
  private final long[] inserted = new long[MAX_TABLE]; // into the table, with that doc
  private int insertedCount;

  /** Forgets all docs. */
  void clear() {
    docCount = 0;
    valueCount = 0;
    mostValues = 0;
    divisor = 0;
    tableSize = 0;
    linearBits = -1;
    spareBits = -1;
  }

  /**
   * Adds a doc behind those that are there.
   *
   * @param own its values, ascending, from {@code from} on
   * @param count how many, at least 1
   */
  void add(int doc, long[] own, int from, int count) {
    if (docCount == docs.length) {
      docs = Arrays.copyOf(docs, 2 * docCount);
      counts = Arrays.copyOf(counts, 2 * docCount);
    }
    if (valueCount + count > values.length) {
      values = Arrays.copyOf(values, Math.max(2 * values.length, valueCount + count));
    }
    boolean dense = docCount > 0 && docCount == span() && doc == docs[docCount - 1] + 1;
    remember();
    docs[docCount] = doc;
    counts[docCount++] = count;
    mostValues = Math.max(mostValues, count);
    for (int i = from; i < from + count; i++) {
      addValue(own[i]);
    }
    if (min != minBefore || max != maxBefore || divisor != divisorBefore) {
      linearBits = -1;
    }
    // One more value of a width that was known, and nothing else: no need to add everything up.
    boolean simple = dense && mostValues == 1 && linearBits >= 0 && tableSize == tableSizeBefore;
    spareBits = simple ? spareBits - linearBits : -1;
  }

  private void remember() {
    mostValuesBefore = mostValues;
    minBefore = min;
    maxBefore = max;
    divisorBefore = divisor;
    tableSizeBefore = tableSize;
    insertedCount = 0;
  }

  /** Takes back the doc that was added last; once. */
  void removeLast() {
    valueCount -= counts[--docCount];
    mostValues = mostValuesBefore;
    min = minBefore;
    max = maxBefore;
    divisor = divisorBefore;
    linearBits = -1;
    spareBits = -1;
    tableSize = tableSizeBefore;
    for (; insertedCount > 0; insertedCount--) {
      int size = tableSizeBefore + insertedCount;
      int at = Arrays.binarySearch(table, 0, size, inserted[insertedCount - 1]);
      System.arraycopy(table, at + 1, table, at, size - at - 1);
    }
  }

  private void addValue(long value) {
    if (valueCount == 0) {
      min = value;
      max = value;
    }
    min = Math.min(min, value);
    max = Math.max(max, value);
    if (divisor != 1) {
      divisor = greatestDivisor(divisor, distance(values[0], value, valueCount));
    }
    values[valueCount++] = value;
    if (tableSize <= MAX_TABLE) {
      int at = Arrays.binarySearch(table, 0, tableSize, value);
      if (at < 0 && tableSize == MAX_TABLE) {
        tableSize++;
      } else if (at < 0) {
        System.arraycopy(table, -1 - at, table, -at, tableSize + 1 + at);
        table[-1 - at] = value;
        tableSize++;
        inserted[insertedCount++] = value;
      }
    }
  }

  /** Returns the distance of two values, unsigned; 0 for the first value. */
  private static long distance(long first, long value, int before) {
    return before == 0 ? 0 : value > first ? value - first : first - value;
  }

  /** Returns the greatest common divisor of two unsigned numbers. */
  private static long greatestDivisor(long a, long b) {
    long x = b;
    long y = a; // in the first step what is mostly a divisor of the other
    while (y != 0) {
      long rest = Long.remainderUnsigned(x, y);
      x = y;
      y = rest;
    }
    return x;
  }

  int docCount() {
    return docCount;
  }

  int valueCount() {
    return valueCount;
  }

  int doc(int rank) {
    return docs[rank];
  }

  int count(int rank) {
    return counts[rank];
  }

  long[] values() {
    return values;
  }

  long min() {
    return min;
  }

  long max() {
    return max;
  }

  /** Returns whether a doc has several values. */
  boolean isMulti() {
    return mostValues > 1;
  }

  int span() {
    return docs[docCount - 1] - docs[0] + 1;
  }

  /** Returns the value of {@link OffloadWire.ColumnPresence} that takes the fewest bytes. */
  int presence() {
    if (docCount == span()) {
      return OffloadWire.ColumnPresence.ALL;
    }
    return bitmapBytes() <= listBytes()
        ? OffloadWire.ColumnPresence.BITMAP
        : OffloadWire.ColumnPresence.LIST;
  }

  int docBits() {
    return BitPacker.bitsRequired(span() - 1);
  }

  private long listBytes() {
    return packedBytes(docCount, docBits());
  }

  private long bitmapBytes() {
    return (span() + 63L) / 64 * Long.BYTES + blocks(span()) * Short.BYTES;
  }

  /** Returns the number of blocks of docs, the last of which may not be full. */
  static long blocks(int docs) {
    return (docs - 1L) / OffloadWire.COLUMN_BLOCK_DOCS + 1;
  }

  int countBits() {
    return BitPacker.bitsRequired(mostValues - 1);
  }

  /** Returns the unit: all distances from the least value are multiples of it. */
  long unit() {
    return divisor == 0 ? 1 : divisor;
  }

  private int linearBits() {
    if (linearBits < 0) {
      linearBits = bits(Long.divideUnsigned(max - min, unit()));
    }
    return linearBits;
  }

  /** Returns the number of entries of the table; 0 if the page has none. */
  int tableSize() {
    if (tableSize > MAX_TABLE) {
      return 0;
    }
    long bytes = (long) tableSize * Long.BYTES + packedBytes(valueCount, bits(tableSize - 1));
    return bytes < packedBytes(valueCount, linearBits()) ? tableSize : 0;
  }

  long[] table() {
    return table;
  }

  /** Returns the width of a packed value. */
  int valueBits() {
    int entries = tableSize();
    return entries > 0 ? bits(entries - 1) : linearBits();
  }

  /** Returns the number of bytes of the page. */
  long usedBytes() {
    long used = ColumnPageHeaderLayout.BYTES + (long) tableSize() * Long.BYTES;
    if (docCount < span()) {
      used += Math.min(bitmapBytes(), listBytes());
    }
    if (isMulti()) {
      used += blocks(docCount) * Short.BYTES + packedBytes(docCount, countBits());
    }
    return used + packedBytes(valueCount, valueBits());
  }

  /** Returns whether the page can be written. */
  boolean fits() {
    if (docCount > MAX_DOCS || (isMulti() && valueCount > OffloadWire.MAX_COLUMN_VALUES)) {
      return false;
    }
    if (spareBits < 0) {
      long spare = OffloadWire.PAGE_BYTES - usedBytes();
      spareBits = spare * Byte.SIZE;
      return spare >= 0;
    }
    return true;
  }

  static long packedBytes(int count, int bits) {
    return ((long) count * bits + Byte.SIZE - 1) / Byte.SIZE;
  }

  private static int bits(long most) {
    return Long.SIZE - Long.numberOfLeadingZeros(most);
  }
}
