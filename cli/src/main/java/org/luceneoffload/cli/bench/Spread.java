/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.cli.bench;

import java.util.Arrays;
import org.luceneoffload.cli.output.Figures;

/**
 * Where the middle half of some numbers lies.
 *
 * @param q1 lower quartile
 * @param median median
 * @param q3 upper quartile
 */
record Spread(double q1, double median, double q3) {
  /** Returns the spread of at least one number, rounded as reports are. */
  static Spread of(double[] numbers) {
    double[] sorted = numbers.clone();
    Arrays.sort(sorted);
    return new Spread(
        Figures.round(at(sorted, 0.25)),
        Figures.round(at(sorted, 0.5)),
        Figures.round(at(sorted, 0.75)));
  }

  /** Interpolates between the two numbers that are nearest to a share of all. */
  private static double at(double[] sorted, double share) {
    double place = share * (sorted.length - 1);
    int below = (int) place;
    int above = Math.min(below + 1, sorted.length - 1);
    return sorted[below] + (place - below) * (sorted[above] - sorted[below]);
  }
}
