/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.benchmarks;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.function.IntFunction;

/**
 * What one kind of work came to in {@link VersionRounds}, with the versions in one order.
 *
 * @param kind its name
 * @param rounds how often all queries were asked
 * @param means geometric means of the queries' best times, in microseconds: stock, before, now
 * @param totals sums of these times
 * @param least stock's time over that of the version now, for the query where that is least
 * @param where where this query stands
 */
record VersionTimes(
    String kind, int rounds, double[] means, double[] totals, double least, String where) {
  static final String HEADING =
      "kind             rounds  to Lucene: before    now              before over now  least now";

  private static final String MARK = "times";
  private static final int SIDES = 3;
  private static final int STOCK = 0;
  private static final int BEFORE = 1;
  private static final int NOW = 2;

  /**
   * Sums best times up.
   *
   * @param best for each side the best time of each query
   * @param where where a query stands
   */
  static VersionTimes of(String kind, int rounds, double[][] best, IntFunction<String> where) {
    double[] means = new double[SIDES];
    double[] totals = new double[SIDES];
    for (int side = 0; side < SIDES; side++) {
      means[side] = Math.exp(Arrays.stream(best[side]).map(Math::log).average().orElseThrow());
      totals[side] = Arrays.stream(best[side]).sum();
    }
    int slowest = 0;
    for (int i = 1; i < best[STOCK].length; i++) {
      if (best[STOCK][i] / best[NOW][i] < best[STOCK][slowest] / best[NOW][slowest]) {
        slowest = i;
      }
    }
    double least = best[STOCK][slowest] / best[NOW][slowest];
    return new VersionTimes(kind, rounds, means, totals, least, where.apply(slowest));
  }

  /** Returns this as a line, for {@link #parse}. */
  String line() {
    StringBuilder line = new StringBuilder(MARK);
    line.append('\t').append(kind).append('\t').append(rounds);
    for (int side = 0; side < SIDES; side++) {
      line.append('\t').append(means[side]).append('\t').append(totals[side]);
    }
    return line.append('\t').append(least).append('\t').append(where).toString();
  }

  /** Reads what {@link #line} wrote; empty for any other line. */
  static Optional<VersionTimes> parse(String line) {
    String[] words = line.split("\t", 5 + 2 * SIDES);
    if (!words[0].equals(MARK)) {
      return Optional.empty();
    }
    double[] means = new double[SIDES];
    double[] totals = new double[SIDES];
    for (int side = 0; side < SIDES; side++) {
      means[side] = Double.parseDouble(words[3 + 2 * side]);
      totals[side] = Double.parseDouble(words[4 + 2 * side]);
    }
    double least = Double.parseDouble(words[3 + 2 * SIDES]);
    return Optional.of(
        new VersionTimes(
            words[1], Integer.parseInt(words[2]), means, totals, least, words[4 + 2 * SIDES]));
  }

  /** Returns a row of the table: geometric means of this order and the other one. */
  String row(VersionTimes other) {
    VersionTimes slower = least < other.least ? this : other;
    return String.format(
        Locale.ROOT,
        "%-15s  %6d  %9.2f / %-8.2f %6.2f / %-8.2f  %5.3f / %-5.3f    %.2f at %s",
        kind,
        rounds + other.rounds,
        ratio(means, other.means, STOCK, BEFORE),
        ratio(totals, other.totals, STOCK, BEFORE),
        ratio(means, other.means, STOCK, NOW),
        ratio(totals, other.totals, STOCK, NOW),
        ratio(means, other.means, BEFORE, NOW),
        ratio(totals, other.totals, BEFORE, NOW),
        slower.least,
        slower.where);
  }

  private static double ratio(double[] one, double[] other, int over, int under) {
    return Math.sqrt(one[over] / one[under] * other[over] / other[under]);
  }
}
