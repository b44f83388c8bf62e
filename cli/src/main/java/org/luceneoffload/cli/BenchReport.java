/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.cli;

import java.nio.file.Path;
import java.util.List;

/**
 * What {@code bench} measured.
 *
 * @param index directory of the index
 * @param device name of the device
 * @param kernels kernels of the device; null if there is no device
 * @param lucene version of Lucene
 * @param java version of the JVM
 * @param vectorModule whether the JVM has the vector module, which Lucene uses
 * @param documents live documents of the index
 * @param segments segments of the index
 * @param queries queries run
 * @param rounds measured rounds
 * @param warmupRounds rounds before them
 * @param clock what kind of number the times are
 * @param method how they were measured, in a sentence
 * @param differences queries whose answers differ, over all rows
 * @param rows one for each kind and shape
 */
record BenchReport(
    Path index,
    String device,
    String kernels,
    String lucene,
    String java,
    boolean vectorModule,
    int documents,
    int segments,
    int queries,
    int rounds,
    int warmupRounds,
    String clock,
    String method,
    int differences,
    List<Row> rows) {

  /**
   * One kind of work over the queries of one shape.
   *
   * @param kind TOP_10, TOP_10_COUNT, COUNT or DOCS
   * @param shape AND, OR, NOT or MIXED
   * @param queries queries of this shape
   * @param luceneUs geometric mean of stock Lucene's microseconds a query
   * @param offloadUs geometric mean of the device's microseconds a query
   * @param ratioGeomean geometric mean of Lucene's time over the device's; above 1 the device is
   *     faster
   * @param ratioTotal Lucene's total time over the device's
   * @param differences queries whose answers differ
   * @param leavesOffloaded segments that the device answered in one round
   * @param leavesOnHost segments that the host answered instead in one round
   */
  record Row(
      String kind,
      String shape,
      int queries,
      double luceneUs,
      double offloadUs,
      double ratioGeomean,
      double ratioTotal,
      int differences,
      long leavesOffloaded,
      long leavesOnHost) {}
}
