/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.papers.lab;

import java.io.IOException;
import org.luceneoffload.cli.output.Progress;

/** Searches that fits use. */
public final class Search {
  private static final double GOLDEN = (StrictMath.sqrt(5) - 1) / 2;

  private Search() {}

  /** A figure of the model that follows from a number of the profile. */
  @FunctionalInterface
  public interface Measure {
    /** Returns the figure. */
    double at(long value) throws IOException;
  }

  /** Returns a measure that tells of each look at it, of which there are so many. */
  public static Measure told(Measure measure, Progress progress, String step, int looks) {
    int[] done = {0};
    return value -> {
      progress.tell(step, done[0]++, looks);
      return measure.at(value);
    };
  }

  /** Returns how often {@link #least} looks at the measure. */
  public static int looksOfLeast(int steps) {
    return steps + 2;
  }

  /** Returns how often {@link #reach} looks at the measure, at most. */
  public static int looksOfReach(long most) {
    return Long.SIZE - Long.numberOfLeadingZeros(most - 1);
  }

  /**
   * Searches for the least of a measure with one valley, by golden sections.
   *
   * @param most end of the search, which begins at 0
   * @param steps by each of which less is left of it
   */
  public static long least(double most, int steps, Measure measure) throws IOException {
    double low = 0;
    double high = most;
    double[] at = {high - GOLDEN * (high - low), low + GOLDEN * (high - low)};
    double[] error = {measure.at((long) at[0]), measure.at((long) at[1])};
    for (int i = 0; i < steps; i++) {
      int worse = error[0] < error[1] ? 1 : 0;
      if (worse == 1) {
        high = at[1];
        at[1] = at[0];
        error[1] = error[0];
        at[0] = high - GOLDEN * (high - low);
      } else {
        low = at[0];
        at[0] = at[1];
        error[0] = error[1];
        at[1] = low + GOLDEN * (high - low);
      }
      int renewed = 1 - worse;
      error[renewed] = measure.at((long) at[renewed]);
    }
    return (long) at[0];
  }

  /** Returns the least value of 1 to {@code most} whose figure, which grows, is no less. */
  public static long reach(double target, long most, Measure measure) throws IOException {
    long low = 0;
    long high = most;
    while (high - low > 1) {
      long middle = (low + high) / 2;
      if (measure.at(middle) < target) {
        low = middle;
      } else {
        high = middle;
      }
    }
    return high;
  }

  /** Rounds to three digits: more would claim too much. */
  public static long rounded(long value) {
    long unit = 1;
    while (value / unit >= 1000) {
      unit *= 10;
    }
    return (value + unit / 2) / unit * unit;
  }
}
