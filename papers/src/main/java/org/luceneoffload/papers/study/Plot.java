/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.papers.study;

import java.util.ArrayList;
import java.util.List;

/**
 * A plot of a report: over categories, or over numbers.
 *
 * @param title above it; names the paper's figure, if it is one
 * @param note what it shows
 * @param x the horizontal axis
 * @param y the vertical axis
 * @param categories along x, in order; empty if x has numbers
 * @param series what is drawn
 */
public record Plot(
    String title, String note, Axis x, Axis y, List<String> categories, List<Series> series) {
  /** How a series is drawn. */
  public enum Mark {
    BARS,
    LINE,
    POINTS
  }

  /**
   * An axis.
   *
   * @param title beside it
   * @param unit of its numbers, or empty
   * @param log whether it is logarithmic
   */
  public record Axis(String title, String unit, boolean log) {}

  /**
   * A series.
   *
   * @param name in the legend
   * @param mark how it is drawn
   * @param published whether these are the paper's figures, not the model's
   * @param x values on a numeric axis; empty over categories
   * @param y values; null where there is none
   */
  public record Series(String name, Mark mark, boolean published, List<Double> x, List<Double> y) {}

  /** Starts a plot over categories without series. */
  public static Plot of(String title, String note, Axis x, Axis y, List<String> categories) {
    return new Plot(title, note, x, y, List.copyOf(categories), new ArrayList<>());
  }

  /** Starts a plot over numbers without series. */
  public static Plot of(String title, String note, Axis x, Axis y) {
    return of(title, note, x, y, List.of());
  }

  /**
   * Adds a modelled series over the categories.
   *
   * @throws IllegalArgumentException if it has not a value for each
   */
  public Plot add(String name, Mark mark, List<Double> values) {
    return add(new Series(name, mark, false, List.of(), values));
  }

  /** Adds published points over the categories; null where the paper gives none. */
  public Plot published(String name, List<Double> values) {
    return add(new Series(name, Mark.POINTS, true, List.of(), values));
  }

  /** Adds a series. */
  public Plot add(Series one) {
    int expected = categories.isEmpty() ? one.x().size() : categories.size();
    if (one.y().size() != expected) {
      throw new IllegalArgumentException(
          "series '"
              + one.name()
              + "' of plot '"
              + title
              + "' has "
              + one.y().size()
              + " values for "
              + expected);
    }
    series.add(one);
    return this;
  }
}
