/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.aggregate;

/**
 * A range of numbers, both ends included.
 *
 * @param min the least number
 * @param max the greatest number, not below {@code min}
 */
public record ValueRange(long min, long max) {
  /**
   * Checks the order of the ends.
   *
   * @throws IllegalArgumentException if {@code min} is above {@code max}
   */
  public ValueRange {
    if (min > max) {
      throw new IllegalArgumentException("no number is in " + min + " to " + max);
    }
  }

  /**
   * {@return whether a number is in the range}
   *
   * @param value the number
   */
  public boolean contains(long value) {
    return min <= value && value <= max;
  }
}
