/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.codec.column;

/** How many values some ranges have between two bounds, found without a look at each range. */
final class RangeWidths {
  private final long[] ranges;
  private final double[] before; // [i]: values of the ranges before number i

  /**
   * The widths of some ranges.
   *
   * @param ranges lo and hi of each range, both included, ascending, without overlap
   */
  RangeWidths(long[] ranges) {
    this.ranges = ranges;
    before = new double[ranges.length / 2 + 1];
    for (int i = 0; 2 * i < ranges.length; i++) {
      before[i + 1] = before[i] + PageBounds.width(ranges[2 * i], ranges[2 * i + 1]);
    }
  }

  /**
   * Returns the number of the first range that ends at a value or later; the number of ranges if
   * none does.
   */
  private int firstEnding(long value) {
    int low = 0;
    int high = ranges.length / 2;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (ranges[2 * middle + 1] < value) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  /** Returns whether any range has a value from {@code min} to {@code max}. */
  boolean overlap(long min, long max) {
    int first = firstEnding(min);
    return 2 * first < ranges.length && ranges[2 * first] <= max;
  }

  /** Returns whether one range has all values from {@code min} to {@code max}. */
  boolean cover(long min, long max) {
    int first = firstEnding(min);
    return 2 * first < ranges.length && ranges[2 * first] <= min && ranges[2 * first + 1] >= max;
  }

  /**
   * Returns the share of values from {@code min} to {@code max} that is expected in the ranges, as
   * if they were spread evenly.
   */
  double share(long min, long max) {
    int first = firstEnding(min);
    int last = firstEnding(max);
    double found = before[last] - before[first];
    if (2 * last < ranges.length && ranges[2 * last] <= max) {
      found += PageBounds.width(ranges[2 * last], max);
    }
    if (2 * first < ranges.length && ranges[2 * first] < min) {
      found -= PageBounds.width(ranges[2 * first], min) - 1;
    }
    return Math.max(0, Math.min(1, found / PageBounds.width(min, max)));
  }
}
