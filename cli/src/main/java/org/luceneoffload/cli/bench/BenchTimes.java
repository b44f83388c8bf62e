/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.cli.bench;

import java.util.Arrays;
import java.util.stream.IntStream;
import org.luceneoffload.cli.output.Figures;
import org.luceneoffload.cli.search.DeviceWork;
import org.luceneoffload.workload.BenchKind;
import org.luceneoffload.workload.QueryShape;

/** The times of each query under one kind of work. */
final class BenchTimes {
  /** Best round of each query on stock Lucene, in microseconds. */
  final double[] luceneMicros;

  /** Best round of each query on the device, in microseconds. */
  final double[] offloadMicros;

  // By round and query.
  private final float[][] luceneRounds;
  private final float[][] offloadRounds;
  private final boolean[] different;
  private final long[] leavesOffloaded;
  private final long[] leavesOnHost;

  BenchTimes(int queries, int rounds) {
    luceneRounds = new float[rounds][queries];
    offloadRounds = new float[rounds][queries];
    luceneMicros = new double[queries];
    offloadMicros = new double[queries];
    different = new boolean[queries];
    leavesOffloaded = new long[queries];
    leavesOnHost = new long[queries];
    Arrays.fill(luceneMicros, Double.MAX_VALUE);
    Arrays.fill(offloadMicros, Double.MAX_VALUE);
  }

  /** Remembers who answered a query, and whether the answers differ. */
  void compared(int query, DeviceWork work, boolean differs) {
    different[query] = differs;
    leavesOffloaded[query] = work.leavesOffloaded();
    leavesOnHost[query] = work.leavesOnHost() + work.leavesFallenBack();
  }

  /** Remembers the time of a query in a measured round. */
  void timed(int round, int query, boolean stock, double micros) {
    (stock ? luceneRounds : offloadRounds)[round][query] = (float) micros;
    double[] best = stock ? luceneMicros : offloadMicros;
    best[query] = Math.min(best[query], micros);
  }

  /**
   * Returns the geometric mean over all queries of stock Lucene's microseconds, each its best
   * round.
   */
  double luceneMean() {
    return mean(luceneMicros, IntStream.range(0, luceneMicros.length).toArray());
  }

  /** Returns a row over some queries. */
  BenchReport.Row row(BenchKind kind, QueryShape shape, int[] queries) {
    Spread ratios = ratios(queries);
    return new BenchReport.Row(
        kind.name(),
        shape.name(),
        queries.length,
        Figures.round(mean(luceneMicros, queries)),
        Figures.round(mean(offloadMicros, queries)),
        ratioGeomean(queries),
        ratioTotal(queries),
        spread(luceneRounds, queries).median(),
        spread(offloadRounds, queries).median(),
        ratios.median(),
        ratios.q1(),
        ratios.q3(),
        differences(queries),
        sum(leavesOffloaded, queries),
        sum(leavesOnHost, queries));
  }

  /** Returns a row over all queries, which are of one shape. */
  ShapesReport.Row shapeRow(String group, String shape) {
    int[] queries = IntStream.range(0, different.length).toArray();
    Spread ratios = ratios(queries);
    double worst =
        Arrays.stream(queries)
            .mapToDouble(i -> luceneMicros[i] / offloadMicros[i])
            .min()
            .orElseThrow();
    return new ShapesReport.Row(
        group,
        shape,
        queries.length,
        Figures.round(mean(luceneMicros, queries)),
        Figures.round(mean(offloadMicros, queries)),
        ratioGeomean(queries),
        Figures.round(worst),
        ratioTotal(queries),
        ratios.median(),
        ratios.q1(),
        ratios.q3(),
        differences(queries),
        sum(leavesOffloaded, queries),
        sum(leavesOnHost, queries));
  }

  private int differences(int[] queries) {
    return (int) Arrays.stream(queries).filter(query -> different[query]).count();
  }

  private static long sum(long[] numbers, int[] queries) {
    return Arrays.stream(queries).mapToLong(query -> numbers[query]).sum();
  }

  /** Returns a row over the queries of one class. */
  BenchReport.ClassRow classRow(
      BenchKind kind, QueryShape shape, String by, String name, int[] queries) {
    return new BenchReport.ClassRow(
        kind.name(),
        shape.name(),
        by,
        name,
        queries.length,
        Figures.round(mean(luceneMicros, queries)),
        Figures.round(mean(offloadMicros, queries)),
        ratioGeomean(queries),
        ratioTotal(queries),
        ratios(queries).median());
  }

  /** Returns the spread over the rounds of one side's geometric mean of some queries. */
  private static Spread spread(float[][] rounds, int[] queries) {
    return Spread.of(Arrays.stream(rounds).mapToDouble(round -> mean(round, queries)).toArray());
  }

  /** Returns the spread over the rounds of Lucene's geometric mean over the device's. */
  private Spread ratios(int[] queries) {
    double[] ratios = new double[luceneRounds.length];
    for (int round = 0; round < ratios.length; round++) {
      ratios[round] = mean(luceneRounds[round], queries) / mean(offloadRounds[round], queries);
    }
    return Spread.of(ratios);
  }

  private static double mean(float[] micros, int[] queries) {
    double sum = 0;
    for (int query : queries) {
      sum += Math.log(micros[query]);
    }
    return Math.exp(sum / queries.length);
  }

  private double ratioGeomean(int[] queries) {
    return Figures.round(mean(luceneMicros, queries) / mean(offloadMicros, queries));
  }

  private double ratioTotal(int[] queries) {
    return Figures.round(
        Arrays.stream(queries).mapToDouble(query -> luceneMicros[query]).sum()
            / Arrays.stream(queries).mapToDouble(query -> offloadMicros[query]).sum());
  }

  /** Returns the geometric mean of some queries' microseconds. */
  static double mean(double[] micros, int[] queries) {
    return Math.exp(
        Arrays.stream(queries).mapToDouble(query -> Math.log(micros[query])).sum()
            / queries.length);
  }
}
