/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.papers.lab;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.DoubleUnaryOperator;
import java.util.function.Function;
import java.util.stream.LongStream;
import org.luceneoffload.model.DeviceProfile;
import org.luceneoffload.papers.lab.RealQueries.Constants;
import org.luceneoffload.papers.lab.RealQueries.Query;
import org.luceneoffload.papers.lab.RealQueries.Sample;

/**
 * The fit of the constants of the real workload: the mean of the longest lists so that the regular
 * SSD takes 194 ms for the difference, which reads two lists, then where the lists between lie so
 * that it takes 210 ms for the intersection, which reads all. Its time is that of reading the pages
 * one by one, by the formula of {@link UnitCosts}, and its fixed time of a query.
 */
public final class RealFit {
  /** Seeds of the queries that the report and this fit draw. */
  public static final int SEEDS = 10;

  /** Queries of a seed. */
  public static final int QUERIES = 100;

  private static final double DIFFERENCE_MS = 194;
  private static final double INTERSECTION_MS = 210;
  private static final int PAGE_BYTES = 8192;
  private static final int PAGE_ENTRIES = 256;
  private static final int STEPS = 24;

  private final double pageMs;
  private final double queryMs;

  private RealFit(DeviceProfile profile) {
    pageMs = new UnitCosts(profile).hostPagePs(PAGE_BYTES) / 1e9;
    queryMs = profile.get("host.query_ns") / 1e6;
  }

  /** Returns the fitted constants, by {@code workload.NAME}. */
  public static Map<String, Long> fit(DeviceProfile profile) {
    RealFit fit = new RealFit(profile);
    long longest = fit.longest();
    List<Sample> samples = samples(longest);
    long middle =
        search(0, 1_000_000, v -> fit.meanMs(samples, (long) v, Query::all), INTERSECTION_MS);
    Map<String, Long> fitted = new LinkedHashMap<>();
    fitted.put("workload.mean_longest", longest);
    fitted.put("workload.middle_ppm", middle);
    return fitted;
  }

  /** Returns the fitted mean of the longest lists alone. */
  static long longest(DeviceProfile profile) {
    return new RealFit(profile).longest();
  }

  /**
   * Returns the one by which the difference, of the shortest and the longest list, takes its time.
   */
  private long longest() {
    return search(10_000, 1_000_000, v -> meanMs(samples((long) v), 0, Query::pair), DIFFERENCE_MS);
  }

  /** Returns the constants in use, by {@code workload.NAME}: those that are fitted, then others. */
  public static Map<String, Long> inUse() {
    Constants used = Constants.IN_USE;
    Map<String, Long> all = new LinkedHashMap<>();
    all.put("workload.mean_longest", used.meanLongest());
    all.put("workload.middle_ppm", used.middlePpm());
    all.put("workload.spread_ppm", used.spreadPpm());
    all.put("workload.max_longest", used.maxLongest());
    return all;
  }

  /** Returns the unit of a constant. */
  public static String unit(String name) {
    return name.endsWith("_ppm") ? "ppm" : "postings";
  }

  /** Returns the source of a constant. */
  public static String source(String name) {
    return switch (name) {
      case "workload.mean_longest" ->
          "fitted: the regular SSD takes 194 ms for the difference (section 7.3, table 4)";
      case "workload.middle_ppm" ->
          "fitted: the regular SSD takes 210 ms for the intersection (section 7.1, table 3)";
      default -> "assumed: the paper has no figure that would tell";
    };
  }

  private static List<Sample> samples(long longest) {
    Constants used = Constants.IN_USE;
    Constants tried = new Constants(longest, used.middlePpm(), used.spreadPpm(), used.maxLongest());
    return LongStream.rangeClosed(1, SEEDS)
        .mapToObj(seed -> new Sample(QUERIES, seed, tried))
        .toList();
  }

  private static long search(double low, double high, DoubleUnaryOperator ms, double target) {
    double from = low;
    double to = high;
    for (int i = 0; i < STEPS && Search.rounded((long) from) != Search.rounded((long) to); i++) {
      double between = (from + to) / 2;
      if (ms.applyAsDouble(between) < target) {
        from = between;
      } else {
        to = between;
      }
    }
    return Search.rounded((long) to);
  }

  private double meanMs(List<Sample> samples, long middlePpm, Function<Query, Workload> lists) {
    return samples.stream()
        .flatMap(sample -> sample.queries(middlePpm).stream())
        .mapToDouble(query -> ms(lists.apply(query)))
        .average()
        .orElseThrow();
  }

  private double ms(Workload workload) {
    long pages = 0;
    for (int length : workload.lengths()) {
      pages += (length + PAGE_ENTRIES - 1) / PAGE_ENTRIES;
    }
    return queryMs + pages * pageMs;
  }
}
