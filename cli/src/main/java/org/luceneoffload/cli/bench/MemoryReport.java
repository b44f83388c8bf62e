/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.cli.bench;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import java.util.List;

/**
 * The measurements of {@code bench --memory}.
 *
 * @param setting what was measured, and where
 * @param memoryBytes limit of the process's memory, the page cache of its files included
 * @param rounds measured rounds
 * @param queries different queries
 * @param log queries of the log, with repetitions
 * @param clock what kind of number the times are
 * @param method how they were measured, in a sentence
 * @param differences queries whose answers differ
 * @param rows one for each number of threads and side
 */
record MemoryReport(
    @JsonUnwrapped BenchSetting setting,
    long memoryBytes,
    int rounds,
    int queries,
    int log,
    String clock,
    String method,
    int differences,
    List<Row> rows) {

  /**
   * A side with some threads, in the round in which it answered most queries a second.
   *
   * @param threads threads
   * @param side Lucene's class of the directory that stock Lucene reads through, or {@code offload}
   * @param qps queries a second
   * @param p50Us median of the microseconds a query
   * @param p99Us microseconds that 99 of 100 queries take at most
   * @param ratio of the device alone: its queries a second over those of Lucene's fastest
   *     directory; null of others
   * @param ratioP99 of the device alone: the p99 of Lucene's fastest directory over its own; null
   *     of others
   * @param best of the device alone: Lucene's fastest directory; null of others
   */
  record Row(
      int threads,
      String side,
      double qps,
      double p50Us,
      double p99Us,
      Double ratio,
      Double ratioP99,
      String best) {}
}
