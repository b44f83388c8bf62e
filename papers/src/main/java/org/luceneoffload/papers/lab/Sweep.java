/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.papers.lab;

import java.util.List;

/**
 * An experiment of the paper: one parameter varies.
 *
 * @param id short name, as {@code --only} takes it
 * @param title what it shows
 * @param paper the figure or table of the paper, or what the paper says of it
 * @param parameter what varies, with its unit
 * @param fitted whether calibration may look at it; otherwise it is predicted
 * @param points its values
 */
public record Sweep(
    String id, String title, String paper, String parameter, boolean fitted, List<Point> points) {
  /**
   * A value of the parameter.
   *
   * @param label the value
   * @param experiment what runs there
   */
  public record Point(String label, ClassicExperiment experiment) {}

  /** Keeps a copy of the points. */
  public Sweep {
    points = List.copyOf(points);
  }
}
