/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.cli.bench;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import java.util.List;

/**
 * The measurements of {@code bench --shapes}.
 *
 * @param setting what was measured, and where
 * @param rounds measured rounds
 * @param warmup how each shape was warmed up
 * @param jitMs milliseconds that the JVM's compilers worked during measured rounds: little if all
 *     was warm
 * @param clock what kind of number the times are
 * @param method how they were measured, in a sentence
 * @param queries queries run, of all shapes
 * @param differences queries whose answers differ, of all shapes
 * @param slower shapes with a geometric mean of ratios below {@code slowerBelow}
 * @param slowerBelow what a ratio has to be below to count as slower: 1 less the noise of runs
 * @param rows one for each shape
 */
record ShapesReport(
    @JsonUnwrapped BenchSetting setting,
    int rounds,
    List<BenchReport.Warmup> warmup,
    long jitMs,
    String clock,
    String method,
    int queries,
    int differences,
    int slower,
    double slowerBelow,
    List<Row> rows) {

  /**
   * One shape.
   *
   * @param group what it has in common with others
   * @param shape its name
   * @param queries queries of this shape
   * @param luceneUs geometric mean of stock Lucene's microseconds a query, each its best round
   * @param offloadUs geometric mean of the device's microseconds a query, each its best round
   * @param ratioGeomean geometric mean of Lucene's time over the device's; above 1 the device is
   *     faster
   * @param ratioWorst the least ratio of a single query
   * @param ratioTotal Lucene's total time over the device's
   * @param ratioMedian median over the rounds of Lucene's geometric mean over the device's
   * @param ratioQ1 lower quartile of the same
   * @param ratioQ3 upper quartile of the same
   * @param differences queries whose answers differ
   * @param leavesOffloaded segments that the device answered in one round
   * @param leavesOnHost segments that the host answered instead in one round
   */
  record Row(
      String group,
      String shape,
      int queries,
      double luceneUs,
      double offloadUs,
      double ratioGeomean,
      double ratioWorst,
      double ratioTotal,
      double ratioMedian,
      double ratioQ1,
      double ratioQ3,
      int differences,
      long leavesOffloaded,
      long leavesOnHost) {}
}
