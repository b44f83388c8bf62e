/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.papers.lab;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.function.DoubleUnaryOperator;

/**
 * Lists drawn to the statistics that the paper gives of its real workload: 10 million documents,
 * 3.8 terms a query, longest over shortest list 3,672 on average and 75 without the highest fifth
 * (section 6.2), 1,144 results of the intersection and 3,109 of the difference. The lengths
 * themselves are not published. Skews are log-normal, as the two means demand; the longer the
 * longest list, the higher the skew, or short lists would be far longer than the results allow; the
 * other lists of a query are nearer to the shortest. What that leaves open is in {@link Constants}.
 */
public final class RealQueries {
  public static final double MEAN_TERMS = 3.8;
  public static final double MEAN_SKEW = 3672;
  public static final double TRIMMED_SKEW = 75;
  public static final double MEAN_INTERSECTION = 1144;
  public static final double MEAN_DIFFERENCE = 3109;

  private static final double MEAN_SHORTEST = MEAN_INTERSECTION + MEAN_DIFFERENCE;
  private static final int RATIO_PPM = (int) (1e6 * MEAN_INTERSECTION / MEAN_SHORTEST);
  private static final double TRIMMED_SHARE = 0.8;
  private static final double PPM = 1e6;

  /** How many of a hundred queries have 2, 3, ... 8 terms. */
  private static final int[] TERMS_PERCENT = {21, 26, 25, 14, 9, 3, 2};

  private static final int STEPS = 60;

  /**
   * What the statistics leave open. The first two follow from the times of the regular SSD, see
   * {@link RealFit}; for the others the paper has no figure.
   *
   * @param meanLongest mean entries of a query's longest list
   * @param middlePpm where the lists between the shortest and the longest lie: the end of an even
   *     spread of logarithms between both, in millionths
   * @param spreadPpm spread of the logarithm of the longest list beside its skew, in millionths
   * @param maxLongest entries of the longest list at most
   */
  public record Constants(long meanLongest, long middlePpm, long spreadPpm, long maxLongest) {
    /** As the report uses them. */
    public static final Constants IN_USE = new Constants(228_000, 680_000, 1_500_000, 2_400_000);
  }

  /**
   * A query.
   *
   * @param skew longest over shortest list
   * @param all all of its lists
   * @param pair the shortest and the longest, as the difference takes them
   */
  public record Query(double skew, Workload all, Workload pair) {}

  private RealQueries() {}

  /** Draws queries; a hundred or a multiple give the number of terms exactly. */
  public static List<Query> draw(int count, long seed) {
    return draw(count, seed, Constants.IN_USE);
  }

  /** Draws queries with other constants. */
  public static List<Query> draw(int count, long seed, Constants constants) {
    return new Sample(count, seed, constants).queries(constants.middlePpm);
  }

  /** What is drawn of some queries but where the lists between the shortest and the longest lie. */
  static final class Sample {
    private final double[] longest;
    private final double[] shortest;
    private final double[][] shares; // of each list between the two, from 0 to 1
    private final long seed;

    Sample(int count, long seed, Constants constants) {
      this.seed = seed;
      Random random = new Random(seed);
      double[] skew = skews(count, random);
      double[] noise = new double[count];
      Arrays.setAll(noise, i -> constants.spreadPpm / PPM * random.nextGaussian());
      double[] logs = Arrays.stream(skew).map(StrictMath::log).toArray();
      Longest lists = new Longest(logs, noise, constants);
      double slope =
          bisect(0, 1, b -> mean(RealQueries.shortest(skew, lists.of(b))) - MEAN_SHORTEST);
      longest = lists.of(slope);
      shortest = RealQueries.shortest(skew, longest);
      int[] order = random.ints(0, Integer.MAX_VALUE).limit(count).toArray();
      shares = new double[count][];
      for (int i = 0; i < count; i++) {
        shares[i] = random.doubles(terms(rank(order, i), count) - 2).toArray();
      }
    }

    /** Returns the queries, with {@link Constants#middlePpm} as given. */
    List<Query> queries(long middlePpm) {
      List<Query> queries = new ArrayList<>();
      for (int i = 0; i < shares.length; i++) {
        queries.add(query(shortest[i], longest[i], shares[i], middlePpm / PPM, seed + i));
      }
      return queries;
    }
  }

  private static Query query(double a, double b, double[] shares, double middle, long seed) {
    int shortest = Math.max(1, (int) Math.round(a));
    int longest = Math.max(shortest, (int) Math.round(b));
    List<Integer> lengths = new ArrayList<>();
    lengths.add(shortest);
    for (double drawn : shares) {
      double share = StrictMath.pow((double) longest / shortest, middle * drawn);
      lengths.add((int) Math.min(longest, Math.round(shortest * share)));
    }
    lengths.add(longest);
    double skew = (double) longest / shortest;
    return new Query(
        skew,
        new Workload(lengths.size(), longest, 1, RATIO_PPM, lengths, false, seed),
        new Workload(2, longest, 1, RATIO_PPM, List.of(shortest, longest), false, seed));
  }

  /** Draws log-normal skews: the sample that has both means, but no skew below 1. */
  private static double[] skews(int count, Random random) {
    double[] normal = new double[count];
    Arrays.setAll(normal, i -> random.nextGaussian());
    double sigma = bisect(0.5, 6, s -> mean(skews(normal, s)) - MEAN_SKEW);
    return skews(normal, sigma);
  }

  private static double[] skews(double[] normal, double sigma) {
    double center = bisect(-10, 20, m -> trimmed(exponentials(normal, m, sigma)) - TRIMMED_SKEW);
    return exponentials(normal, center, sigma);
  }

  private static double[] exponentials(double[] normal, double center, double sigma) {
    return Arrays.stream(normal)
        .map(z -> Math.max(1, StrictMath.exp(center + sigma * z)))
        .toArray();
  }

  /** The longest lists of all queries, whose mean is given; of skews that have these logarithms. */
  private record Longest(double[] logs, double[] noise, Constants constants) {
    /** Returns them if they grow so much with the skew. */
    double[] of(double slope) {
      double scale = bisect(-20, 20, a -> mean(of(slope, a)) - constants.meanLongest);
      return of(slope, scale);
    }

    private double[] of(double slope, double scale) {
      double[] lengths = new double[logs.length];
      Arrays.setAll(
          lengths,
          i -> Math.min(constants.maxLongest, StrictMath.exp(scale + slope * logs[i] + noise[i])));
      return lengths;
    }
  }

  private static double[] shortest(double[] skew, double[] longest) {
    double[] lengths = new double[skew.length];
    Arrays.setAll(lengths, i -> Math.max(1, longest[i] / skew[i]));
    return lengths;
  }

  /** Returns the rank of an element among all, 0 for the least. */
  private static int rank(int[] values, int at) {
    int rank = 0;
    for (int i = 0; i < values.length; i++) {
      rank += values[i] < values[at] || (values[i] == values[at] && i < at) ? 1 : 0;
    }
    return rank;
  }

  private static int terms(int rank, int count) {
    int percent = rank * 100 / count;
    int terms = 2;
    for (int share : TERMS_PERCENT) {
      if (percent < share) {
        return terms;
      }
      percent -= share;
      terms++;
    }
    return terms - 1;
  }

  public static double mean(double[] values) {
    return Arrays.stream(values).sum() / values.length;
  }

  /** Returns the mean without the highest fifth. */
  public static double trimmed(double[] values) {
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    return mean(Arrays.copyOf(sorted, (int) Math.round(TRIMMED_SHARE * sorted.length)));
  }

  /** Finds where a monotonic function changes its sign. */
  private static double bisect(double low, double high, DoubleUnaryOperator function) {
    boolean rising = function.applyAsDouble(high) > function.applyAsDouble(low);
    double from = low;
    double to = high;
    for (int i = 0; i < STEPS; i++) {
      double middle = (from + to) / 2;
      if (function.applyAsDouble(middle) > 0 == rising) {
        to = middle;
      } else {
        from = middle;
      }
    }
    return (from + to) / 2;
  }
}
