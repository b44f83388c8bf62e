/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.papers.drive;

import java.util.Arrays;
import java.util.List;

/**
 * Finds the cost of a unit of each kind of work: the least squares, none negative, of the relative
 * errors of many programs with different mixes of work. Where the mixes cannot tell two kinds
 * apart, the costs stay in the proportion of the ones that are expected.
 */
final class CostFit {
  /** Weight of the proportion that is expected, against one program's time. */
  private static final double EXPECTATION = 1e-3;

  private static final int ROUNDS = 20_000;

  private CostFit() {}

  /**
   * A program.
   *
   * @param units of work, by kind
   * @param ns what it took
   */
  record Program(double[] units, double ns) {}

  /**
   * Fits.
   *
   * @param programs at least one, with as many kinds each as are expected
   * @param expected costs in a proportion that is likely, all above 0
   * @return ns a unit, by kind
   */
  static double[] fit(List<Program> programs, double[] expected) {
    int kinds = expected.length;
    double[] cost = scaled(programs, expected);
    double[] prior = cost.clone();
    double[][] normal = new double[kinds][kinds];
    double[] right = new double[kinds];
    for (Program program : programs) {
      for (int i = 0; i < kinds; i++) {
        double share = program.units[i] / program.ns;
        right[i] += share;
        for (int j = 0; j < kinds; j++) {
          normal[i][j] += share * program.units[j] / program.ns;
        }
      }
    }
    for (int i = 0; i < kinds; i++) {
      double weight = EXPECTATION * normal[i][i];
      normal[i][i] += weight;
      right[i] += weight * prior[i];
    }
    for (int round = 0; round < ROUNDS; round++) {
      for (int i = 0; i < kinds; i++) {
        if (normal[i][i] == 0) {
          continue; // no program does such work
        }
        double rest = right[i];
        for (int j = 0; j < kinds; j++) {
          rest -= j == i ? 0 : normal[i][j] * cost[j];
        }
        cost[i] = Math.max(0, rest / normal[i][i]);
      }
    }
    return cost;
  }

  /** Returns the expected costs times the one factor that fits best. */
  static double[] scaled(List<Program> programs, double[] expected) {
    double products = 0;
    double squares = 0;
    for (Program program : programs) {
      double share = time(program.units, expected) / program.ns;
      products += share;
      squares += share * share;
    }
    double factor = products / squares;
    return Arrays.stream(expected).map(cost -> cost * factor).toArray();
  }

  /** Returns the time of some work. */
  static double time(double[] units, double[] costs) {
    double sum = 0;
    for (int i = 0; i < units.length; i++) {
      sum += units[i] * costs[i];
    }
    return sum;
  }
}
